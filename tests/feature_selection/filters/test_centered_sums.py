"""Sums about the mean equal those of plain loops, whatever the table."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix

from manyminds.feature_selection.filters.centered_sums import divide, sum_centered


def naive(X, weight, targets):
    found = []
    for x in X.T:
        known = ~np.isnan(x)
        w, t = weight[known], targets[known]
        centered = x[known] - np.average(x[known], weights=w)
        found.append((w.sum(), w @ centered**2, (w * centered) @ t, w @ t, w @ t**2))
    return [np.array(part) for part in zip(*found)]


@pytest.mark.slow
@pytest.mark.parametrize("make", [np.asarray, np.asfortranarray, csc_matrix])
def test_equals_naive_twin(seed, make):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 6)) * (rng.random((30, 6)) < 0.5)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 0], X[:, 1] = rng.normal(size=30), 0.0
    weight, targets = 0.1 + rng.random(30), rng.normal(size=(30, 2))
    known, squares, *others = sum_centered(make(X), weight, targets)
    expected = naive(X, weight, targets)
    assert_allclose(known[:, 0], expected[0])
    assert_allclose(squares[:, 0], expected[1], atol=1e-12)
    for ours, theirs in zip(others, expected[2:]):
        assert_allclose(ours, theirs, atol=1e-12)


def test_sparse_duplicates_are_added_up():
    # Row 0 holds 1 + 2; nothing of the caller's matrix changes.
    X = csc_matrix((3, 1))
    X.data, X.indices = np.array([1.0, 2.0, 3.0]), np.array([0, 0, 2])
    X.indptr = np.array([0, 3])
    _, squares, *_ = sum_centered(X, np.ones(3), np.empty((3, 0)))
    assert_allclose(squares, [[6.0]])
    assert len(X.data) == 3


def test_nothing_is_left_of_a_constant_column():
    for value in (0.1, 1e15 / 3, -7.3):
        X = np.full((7, 1), value)
        weight = np.linspace(0.1, 1.3, 7)
        for table in (X, csc_matrix(X)):
            _, squares, *_ = sum_centered(table, weight, np.empty((7, 0)))
            assert_array_equal(squares, [[0.0]])


def test_division_by_nothing_is_nothing():
    assert_array_equal(divide(np.array([1.0, 2.0]), np.array([0.0, 4.0])), [0.0, 0.5])
