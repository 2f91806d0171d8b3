"""Labels that depend on each other."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import make_label_groups, make_multilabel_xor
from manyminds.datasets.generators.multilabel import GROUP_COUNTS, LABEL_GROUPS


def test_multilabel_xor_by_hand(seed):
    X, Y = make_multilabel_xor(300, n_irrelevant=3, random_state=seed)
    assert X.shape == (300, 5)
    for x, (first, second) in zip(X, Y):
        assert first == (x[0] > 0.5)
        assert second == (first != (x[1] > 0.5))


def test_second_label_follows_the_flipped_first(seed):
    X, Y = make_multilabel_xor(300, label_noise=0.2, random_state=seed)
    assert ((X[:, 0] > 0.5) != Y[:, 0]).sum() == 60
    assert_array_equal(Y[:, 0] ^ Y[:, 1], X[:, 1] > 0.5)


def test_groups_in_print():
    # Rows and groups with each of the action units 1, 2, 4, 5, 6, 7, as counted by
    # hand from the table of the twelve groups.
    assert GROUP_COUNTS.sum() == 456 and len(np.unique(LABEL_GROUPS, axis=0)) == 12
    assert_array_equal(GROUP_COUNTS @ LABEL_GROUPS, [129, 91, 133, 62, 101, 94])
    assert_array_equal(LABEL_GROUPS.sum(axis=0), [6, 3, 6, 1, 3, 4])


def test_groups_are_drawn_in_their_shares(seed):
    # Six standard deviations of a count of 20,000 are at most 0.0213.
    _, Y = make_label_groups(20_000, random_state=seed)
    drawn = {tuple(group) for group in np.unique(Y, axis=0)}
    assert drawn == {tuple(group) for group in LABEL_GROUPS}
    shares = GROUP_COUNTS @ LABEL_GROUPS / 456
    assert_allclose(Y.mean(axis=0), shares, atol=0.0213)


@pytest.mark.parametrize("signal", [0.0, 3.0])
def test_labels_add_up(signal, seed):
    # Least squares find each label's move: its length is the signal. Its error has
    # a standard deviation of about 0.03 in each of the 20 directions.
    X, Y = make_label_groups(20_000, signal=signal, random_state=seed)
    moves, *_ = np.linalg.lstsq(Y.astype(float), X)
    assert_allclose(np.linalg.norm(moves, axis=1), signal, atol=0.5)
    assert_allclose((X - Y @ moves).std(), 1, atol=0.02)


def test_wrong_signal_is_named():
    with pytest.raises(ValueError, match=r"signal .* at least 0.0; got -1"):
        make_label_groups(signal=-1)
