import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.metrics import adjusted_rand_score

from manyminds.ensemble import combine_clusterings


def _noisy(seed, n_rows=120):
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % 3
    wrong = rng.random((25, n_rows)) < 0.2
    return truth, np.where(wrong, rng.integers(3, size=(25, n_rows)), truth)


@pytest.mark.parametrize("consensus", ["average", "cspa", "mcla", "hbgf"])
def test_number_of_parts_has_the_highest_agreement(consensus, seed):
    truth, labels = _noisy(seed)
    found = combine_clusterings(labels, consensus=consensus, random_state=0)
    assert found.n_clusters == max(found.agreement, key=found.agreement.get) == 3
    assert adjusted_rand_score(found.labels, truth) > 0.9


def test_landmarks_agree_with_all_rows(seed):
    _, labels = _noisy(seed, n_rows=300)
    exact = combine_clusterings(labels, 3)
    some = combine_clusterings(labels, 3, n_landmarks=100, random_state=0)
    assert len(some.rows) == 100
    assert len(exact.rows) == 300
    assert adjusted_rand_score(exact.labels, some.labels) > 0.9


def test_evidence_with_a_given_number():
    found = combine_clusterings([[0, 0, 1, 1]], 2, consensus="evidence")
    assert_array_equal(found.labels, [0, 0, 1, 1])


def test_one_cluster():
    assert_array_equal(combine_clusterings([[0, 1, 1]], 1).labels, [0, 0, 0])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"consensus": "vote"}, r"consensus must be one of .*; got 'vote'"),
        ({"normalize": 1}, "normalize must be one of"),
        ({"n_clusters": 0}, r"n_clusters must be 'auto' or a positive int; got 0"),
        ({"n_clusters": 9}, "n_clusters must be at most the number of samples, 4"),
        ({"n_landmarks": 1}, "n_landmarks must be an int of 2 or more; got 1"),
    ],
)
def test_wrong_parameters(wrong, message):
    with pytest.raises(ValueError, match=message):
        combine_clusterings([[0, 0, 1, 1]], **wrong)
