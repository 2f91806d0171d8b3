import numpy as np
from scipy.stats import binomtest

from manyminds.serve.measures import Predictions
from manyminds.serve.paired import compare_rows


def make(rows, target, prediction, labels=("a", "b")):
    target, prediction = (
        np.array(list(one), dtype=object) for one in (target, prediction)
    )
    return Predictions(np.array(rows), target, prediction, labels, np.empty((0, 0)))


def test_rows_of_both_are_counted():
    first = make([1, 2, 3, 4], "aabb", "aabb")
    second = make([4, 3, 2, 9], "bbaa", "babb")  # row 3 and 2 are wrong
    found = compare_rows(first, second)
    assert (found.n_rows, found.n_both, found.n_first, found.n_second) == (3, 1, 2, 0)
    assert found.p_value == binomtest(2, 2).pvalue


def test_other_targets_cannot_be_compared():
    assert compare_rows(make([1], "a", "a"), make([1], "b", "b")) is None
    assert compare_rows(make([1], "a", "a"), make([2], "a", "a")) is None


def test_numbers_are_compared_by_their_distance():
    rows, y = np.arange(3), np.array([0.0, 0.0, 0.0])
    first = Predictions(rows, y, np.array([1.0, 2.0, 3.0]), (), np.empty((3, 0)))
    second = Predictions(rows, y, np.array([-2.0, 2.0, -4.0]), (), np.empty((3, 0)))
    found = compare_rows(first, second)
    assert (found.n_first, found.n_second, found.n_both) == (2, 0, None)
