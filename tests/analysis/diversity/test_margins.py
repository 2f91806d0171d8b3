"""Margins, strength and correlation: by plain twins; the bound holds."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.diversity import (
    error_correlation,
    majority_vote,
    measure_strength,
    raw_margins,
    vote_margins,
)


def plain_margins(y, predictions, where):
    """Return margins of votes and raw margins, straight from the definitions."""
    margins, raw = [], np.zeros(predictions.shape)
    labels = np.unique([*y, *predictions.ravel()])
    for i, truth in enumerate(y):
        votes = predictions[where[:, i], i]
        share = {c: np.mean(votes == c) for c in labels}
        rival = max((c for c in labels if c != truth), key=lambda c: share[c])
        margins.append(share[truth] - share[rival])
        raw[:, i] += (predictions[:, i] == truth).astype(float)
        raw[:, i] -= predictions[:, i] == rival
    return np.array(margins), raw * where


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("masked", [False, True])
def test_plain_twin(draw_votes, seed, n_classes, masked):
    y, predictions = draw_votes(n_classes=n_classes)
    where = np.ones(predictions.shape, dtype=bool)
    if masked:
        where = np.random.default_rng(seed).random(predictions.shape) < 0.6
        where[0] = True  # each sample has a vote
    margins, raw = plain_margins(y, predictions, where)
    mask = where if masked else None
    assert_allclose(vote_margins(y, predictions, where=mask), margins, atol=1e-15)
    assert_array_equal(raw_margins(y, predictions, where=mask), raw)

    found = measure_strength(y, predictions, correlation="pairs", where=mask)
    assert_allclose(found.strength, margins.mean(), atol=1e-15)
    pairs = []
    for a, b in combinations(range(len(raw)), 2):
        both = where[a] & where[b]
        if np.ptp(raw[a, both]) > 0 and np.ptp(raw[b, both]) > 0:
            pairs.append(np.corrcoef(raw[a, both], raw[b, both])[0, 1])
    assert_allclose(found.correlation, np.mean(pairs))

    found = measure_strength(y, predictions, where=mask)
    deviation = np.mean([np.std(row[mine]) for row, mine in zip(raw, where)])
    assert_allclose(found.correlation, margins.var() / deviation**2)


def test_two_classes(draw_votes):
    # Acceptance 5: the mean raw margin is the margin, and the mean correlation of raw
    # margins that of being right.
    y, predictions = draw_votes(n_classes=2)
    raw = raw_margins(y, predictions)
    assert_allclose(raw.mean(axis=0), vote_margins(y, predictions), atol=1e-15)
    signs = 2 * predictions - 1
    assert_array_equal(raw, (2 * y - 1) * signs)
    found = measure_strength(y, predictions, correlation="pairs")
    assert_allclose(found.correlation, error_correlation(y, predictions))


def test_the_bound_holds_on_the_samples_at_hand(draw_votes):
    # A theorem: no draw may break it, ties counted as errors.
    n_bounded = 0
    for offset in range(40):
        y, predictions = draw_votes(5, 30, n_classes=2 + offset % 3, offset=offset)
        found = measure_strength(y, predictions)
        if found.strength > 0.0:
            n_bounded += 1
            error = np.mean(vote_margins(y, predictions) <= 0.0)
            assert error <= found.bound + 1e-12
            assert error >= np.mean(majority_vote(predictions) != y) - 1e-12
    assert n_bounded > 0


def test_strength_that_is_not_positive_gives_no_bound():
    found = measure_strength([0, 0, 1], [[1, 1, 0], [1, 0, 0]])
    assert found.strength < 0.0 and np.isnan(found.bound) and not found.is_bounded
    perfect = measure_strength([0, 0, 1], [[0, 0, 1], [0, 0, 1]])
    assert perfect.strength == 1.0 and perfect.bound == 0.0 and perfect.is_bounded
    assert np.isnan(perfect.correlation)


def test_one_class_only_has_no_rival():
    assert_array_equal(vote_margins(["a", "a"], [["a", "a"]]), [1.0, 1.0])
    assert_array_equal(raw_margins(["a", "a"], [["a", "a"]]), [[1, 1]])


def test_samples_without_votes_are_left_out():
    y, predictions = [0, 1, 1], [[0, 1, 0], [1, 1, 0]]
    where = np.array([[True, True, False], [False, True, False]])
    assert_array_equal(vote_margins(y, predictions, where=where), [1.0, 1.0, np.nan])
    assert measure_strength(y, predictions, where=where).strength == 1.0
    with pytest.raises(ValueError, match="where must leave one vote"):
        measure_strength(y, predictions, where=np.zeros((2, 3), dtype=bool))


def test_unknown_correlation_is_refused():
    with pytest.raises(ValueError, match="correlation must be one of"):
        measure_strength([0], [[0]], correlation="mean")
