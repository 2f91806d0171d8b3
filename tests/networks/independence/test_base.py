"""Counting and caching of tests, threads, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.independence import base
from manyminds.networks.independence.base import IndependenceTest, list_sets
from manyminds.networks.independence.contingency import ContingencyTest


def draw(seed, n=500, p=6):
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(n, p))
    X[:, 1] = np.where(rng.uniform(size=n) < 0.5, X[:, 0], X[:, 1])
    return X


def test_results_are_cached_whatever_the_order(seed):
    test = ContingencyTest(draw(seed))
    first = test.test(0, 1, [3, 2])
    assert test.n_tests == 1
    assert test.test(1, 0, (2, 3)) == first
    assert test.n_tests == 1
    many = test.test_many([1, 4, 5], 0, [2, 3])
    assert test.n_tests == 4
    assert many[0].statistic == pytest.approx(first.statistic)
    assert_array_equal(test.test_many([5, 4], 0, [3, 2]).table, many.table[[2, 1]])
    assert test.n_tests == 4


def test_skipped_tests_do_not_count(seed):
    test = ContingencyTest(draw(seed, n=40), min_count=5.0)
    result = test.test(0, 1)
    assert not result.reliable and not result.independent
    assert test.n_tests == 0
    assert test.search([(0, 1)], [[2]], 0, 1).found == [None]
    assert not test.test_many([1], 0).is_dependent.any()


def test_threads_do_not_matter(seed, monkeypatch):
    monkeypatch.setattr(base, "MIN_WORK", 1)
    X = draw(seed, p=9)
    one, two = (ContingencyTest(X, n_jobs=n) for n in (1, 2))
    assert_array_equal(
        one.test_many(range(8), 8, []).table, two.test_many(range(8), 8, []).table
    )
    pairs = [(a, 8) for a in range(8)]
    lists = [[z for z in range(8) if z != a] for a in range(8)]
    a, b = (test.search(pairs, lists, 0, 2) for test in (one, two))
    assert a.found == b.found
    assert_array_equal(a.table, b.table)


def test_no_pairs():
    test = ContingencyTest(draw(0))
    assert test.search([], [], 0, 2).found == []


def test_sets_of_two_lists_are_listed_once():
    sets = list(list_sets([0, 1], [1, 2], 0, 2))
    assert len(sets) == len(set(sets))
    assert list(list_sets([0, 1], [], 0, 2, required=True)) == [(0,), (0, 1)]


def test_variables_must_differ(seed):
    test = ContingencyTest(draw(seed))
    for x, y, given in ((0, 0, ()), (0, 1, (0,)), (0, 1, (1,)), (0, 1, (2, 2))):
        with pytest.raises(ValueError, match="must be different"):
            test.test(x, y, given)
    with pytest.raises(ValueError, match="must be different"):
        test.test_many([0, 1], 1)


def test_a_test_of_ones_own():
    class Always(IndependenceTest):
        def _measure(self, xs, y, given):
            return np.tile([0.0, 1.0, 0.0, 0.0, 1.0], (len(xs), 1))

    test = Always(["a", "b", "c"])
    assert test.test(0, 1).independent
    assert test.search([(0, 1)], [[2]], 0, 1).found == [()]
    with pytest.raises(NotImplementedError):
        IndependenceTest(["a", "b"]).test(0, 1)
