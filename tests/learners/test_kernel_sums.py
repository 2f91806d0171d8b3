"""Sums of Gaussian kernels against brute force, in blocks, far away, one left out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.learners import kernel_sums
from manyminds.learners.kernel_sums import (
    N_WIDTHS,
    average,
    leave_one_out,
    make_points,
    mean_squared_distance,
    merge_equal_rows,
)


def problem(seed, n_rows=30):
    """Rows, of which some are equal, and sums of targets and of weights."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n_rows, 2)).astype(float)
    weight, y = rng.uniform(0.5, 2.0, n_rows), rng.normal(size=n_rows)
    return X, y, weight, np.column_stack([weight * y, weight])


def test_worked_example():
    # At 0, kernels of the points at 0, 1 and 2 are 1, 1/2 and 1/16.
    X = np.array([[0.0], [1.0], [2.0]])
    points = make_points(X, np.array([[0.0, 1.0], [25.0, 1.0], [50.0, 1.0]]))
    found = average(np.array([[0.0]]), points, 1.0 / np.log(2.0))
    assert_allclose(found, [[(12.5 + 50 / 16) / (25 / 16)]])


def test_averages_are_those_of_brute_force_in_any_blocks(seed, monkeypatch):
    X, y, weight, sums = problem(seed)
    new = np.random.default_rng(seed).uniform(0, 4, size=(9, 2))
    kernel = weight * np.exp(-((new[:, None] - X) ** 2).sum(axis=2) / 0.8)
    expected = kernel @ y / kernel.sum(axis=1)
    points = make_points(X, sums)
    assert_allclose(average(new, points, 0.8)[:, 0], expected)
    sparse = make_points(csr_matrix(X), sums)
    assert_allclose(average(csr_matrix(new), sparse, 0.8)[:, 0], expected)
    monkeypatch.setattr(kernel_sums, "_BLOCK_CELLS", 60)  # two rows at a time
    assert_allclose(average(new, points, 0.8, n_jobs=2)[:, 0], expected)


def test_far_away_the_nearest_point_decides():
    points = make_points(np.array([[0.0], [1.0]]), np.array([[3.0, 1.0], [7.0, 1.0]]))
    assert_allclose(average(np.array([[1e6], [-1e6]]), points, 0.1), [[7.0], [3.0]])


def test_equal_rows_are_merged(seed):
    X, _, _, sums = problem(seed)
    X[0] = 0.0
    X[1] = -0.0
    places, merged, group = merge_equal_rows(X, sums)
    assert group[0] == group[1] == 0
    assert len(np.unique(places, axis=0)) == len(places)
    assert_array_equal(places[group], X)
    for k in range(len(places)):
        assert_allclose(merged[k], sums[group == k].sum(axis=0))
    sparse = csr_matrix(X)
    places, merged_sparse, group_sparse = merge_equal_rows(sparse, sums)
    assert_array_equal(group_sparse, group)
    assert_allclose(merged_sparse, merged)
    assert_array_equal(places.toarray()[group], X)


def test_mean_squared_distance_is_that_of_all_pairs(seed):
    X, _, weight, sums = problem(seed)
    distance = ((X[:, None] - X) ** 2).sum(axis=2)
    expected = weight @ distance @ weight / weight.sum() ** 2
    for table in (X, X + 1e3, csr_matrix(X)):
        assert mean_squared_distance(make_points(table, sums)) == pytest.approx(
            expected
        )
    same = make_points(np.full((4, 2), 0.1), np.ones((4, 1)))
    assert mean_squared_distance(same) == 0.0


def test_error_of_rows_left_out_is_that_of_brute_force(seed):
    # Rows are left out one by one; others at the same place stay.
    X, y, weight, sums = problem(seed)
    places, merged, home = merge_equal_rows(X, sums)
    points = make_points(places, merged)
    widths, losses = leave_one_out(X, sums, points, home)
    errors = losses.sum(axis=0)
    assert len(widths) == N_WIDTHS
    assert widths[0] == pytest.approx(2.0 * mean_squared_distance(points))
    assert_allclose(widths[1:], widths[:-1] / 2.0)
    for width, error in list(zip(widths, errors))[:8]:
        expected = 0.0
        for i in range(len(X)):
            others = np.arange(len(X)) != i
            distance = ((X[others] - X[i]) ** 2).sum(axis=1)
            kernel = weight[others] * np.exp(-(distance - distance.min()) / width)
            guess = kernel @ y[others] / kernel.sum()
            expected += weight[i] * ((guess - y[i]) ** 2 - y[i] ** 2)
        assert error == pytest.approx(expected)


def test_distances_that_overflow_are_refused():
    sums = np.ones((3, 2))
    for greatest in (1e154, 1e308):  # of a square, and of a sum of squares
        with pytest.raises(ValueError, match="distances of samples overflow: scale"):
            make_points(np.array([[greatest], [0.0], [-greatest]]), sums)
    points = make_points(np.array([[0.0], [3.0], [5.0]]), sums)
    with pytest.raises(ValueError, match="distances of samples overflow: scale"):
        average(np.array([[1e308]]), points, 1.0)
    assert average(np.array([[1e150]]), points, 1.0).tolist() == [[1.0]]
