"""Discretization: worked examples, a naive twin, missing values, weights, memory."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csc_array

from manyminds.feature_selection.filters.discretization import (
    code_target,
    make_code_table,
)


def find_entropy(y):
    share = np.unique(y, return_counts=True)[1] / max(len(y), 1)
    return float(-(share * np.log2(share)).sum())


def cut_naively(x, y):
    """Fayyad and Irani's recursion, straight from the formulas."""
    n, k = len(y), len(np.unique(y))
    values, best = np.unique(x), None
    for a, b in pairwise(values):
        cut = (a + b) / 2
        left, right = y[x <= cut], y[x > cut]
        rest = len(left) * find_entropy(left) + len(right) * find_entropy(right)
        saved = n * find_entropy(y) - rest
        if best is None or saved > best[0] + 1e-9:
            best = saved, cut, left, right
    if best is None or k < 2:
        return []
    saved, cut, left, right = best
    change = k * find_entropy(y)
    for side in (left, right):
        change -= len(np.unique(side)) * find_entropy(side)
    if saved < np.log2(n - 1) + np.log2(3**k - 2) - change - 1e-9:
        return []
    below = x <= cut
    return [
        *cut_naively(x[below], y[below]), cut, *cut_naively(x[~below], y[~below])
    ]  # fmt: skip


def test_description_length_agrees_with_naive_twin(seed):
    rng = np.random.default_rng(seed)
    for n_classes in (2, 3, 4):
        y = rng.integers(n_classes, size=60)
        shift = np.outer(y, [0.0, 0.5, 1.0, 2.0, 3.0]) + (y == 1)[:, None] * 2.0
        X = np.round(rng.normal(size=(60, 5)) + shift, 1)
        table = make_code_table(X, None, y)
        for j in range(5):
            cuts = cut_naively(X[:, j], y)
            assert_array_equal(table.codes[j], np.searchsorted(cuts, X[:, j]))
            assert table.n_levels[j] == len(cuts) + 1


def test_two_rows_of_two_classes_are_parted():
    # The thesis's example: 2 bits are saved, and the cut costs log2(1) + log2(7) - 2.
    table = make_code_table(np.array([[0.0], [1.0]]), None, np.array([0, 1]))
    assert_array_equal(table.codes, [[0, 1]])
    table = make_code_table(np.array([[0.0], [1.0]]), None, np.array([1, 1]))
    assert_array_equal(table.n_levels, [1])


def test_worked_quantiles():
    # Ten values in five levels: two each. The tie of the second column stays together.
    X = np.column_stack([np.arange(10.0), [0, 0, 0, 0, 1, 2, 3, 4, 5, 6]])
    table = make_code_table(X, method="quantile", n_bins=5)
    assert_array_equal(table.codes[0], [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    assert_array_equal(table.codes[1], [0, 0, 0, 0, 1, 1, 2, 2, 3, 3])
    assert_array_equal(table.n_levels, [5, 4])


def test_few_values_are_levels_of_their_own():
    # By shares alone, 0 and 1 would be one level: 0 has less than a tenth of the rows.
    X = np.repeat([0.0, 1.0, 2.0], [1, 38, 1])[:, None]
    table = make_code_table(X, method="quantile", n_bins=10)
    assert_array_equal(np.unique(table.codes), [0, 1, 2])


def test_worked_mean_and_spread():
    # Mean 0, standard deviation 2: the cuts are -1 and 1.
    X = np.array([[-3.0], [-1.0], [0.0], [1.0], [3.0]]) * np.sqrt(4 / (20 / 5))
    table = make_code_table(X, method="mean_std")
    assert_array_equal(table.codes, [[0, 0, 1, 1, 2]])
    table = make_code_table(np.full((4, 1), 0.1), method="mean_std")
    assert_array_equal(table.n_levels, [1])


def test_uniform_levels_have_equal_width():
    X = np.array([[0.0], [1.0], [2.5], [2.6], [10.0]])
    table = make_code_table(X, method="uniform", n_bins=4)
    assert_array_equal(table.codes, [[0, 0, 0, 1, 3]])
    assert_array_equal(table.n_levels, [4])


@pytest.mark.parametrize("method", ["mdl", "quantile", "uniform", "mean_std", None])
def test_gaps_are_a_level_and_do_not_move_cuts(method, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=50)
    X = rng.normal(size=(50, 3)) + 2.0 * y[:, None]
    full = make_code_table(X, None, y, method)
    holes = np.vstack([X, np.full((7, 3), np.nan)])
    table = make_code_table(holes, None, np.append(y, np.zeros(7, int)), method)
    assert_array_equal(table.codes[:, :50], full.codes)
    assert_array_equal(table.n_levels, full.n_levels + 1)
    assert (table.codes[:, 50:] == full.n_levels[:, None]).all()


@pytest.mark.parametrize("method", ["mdl", "quantile", "uniform", "mean_std"])
def test_weights_are_repeated_rows(method, seed):
    rng = np.random.default_rng(seed)
    y, weight = rng.integers(2, size=60), rng.integers(4, size=60)
    X = np.round(rng.normal(size=(60, 4)) + np.outer(y, [0, 1, 2, 3]), 1)
    weighted = make_code_table(X, None, y, method, sample_weight=weight.astype(float))
    rows = np.repeat(np.arange(60), weight)
    repeated = make_code_table(X[rows], None, y[rows], method)
    assert_array_equal(weighted.codes[:, rows], repeated.codes)
    assert_array_equal(weighted.n_levels, repeated.n_levels)


@pytest.mark.parametrize("method", ["mdl", "quantile", "uniform", "mean_std", None])
def test_sparse_dense_order_and_threads_agree(method, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=40)
    X = rng.normal(size=(40, 9)) * (rng.uniform(size=(40, 9)) < 0.3) + y[:, None] // 2
    dense = make_code_table(X, None, y, method)
    for other in (csc_array(X), np.asfortranarray(X)):
        assert_array_equal(make_code_table(other, None, y, method).codes, dense.codes)
    threads = make_code_table(X, None, y, method, n_jobs=2)
    assert_array_equal(threads.codes, dense.codes)


def test_categories_stay_and_many_levels_take_two_bytes():
    X = np.column_stack([np.arange(300.0), np.arange(300) % 3.0])
    X[5, 0] = np.nan
    is_categorical = np.array([True, True])
    table = make_code_table(X, is_categorical, method="mean_std")
    assert table.codes.dtype == np.uint16
    assert_array_equal(table.n_levels, [301, 3])
    assert table.codes[0, 5] == 300
    assert_array_equal(table.codes[1], np.arange(300) % 3)
    small = make_code_table(X[:, 1:], is_categorical[1:], method="mean_std")
    assert small.codes.dtype == np.uint8


def test_too_many_levels_are_refused():
    X = np.array([[70_000.0], [0.0]])
    with pytest.raises(ValueError, match="at most 65536 levels"):
        make_code_table(X, np.array([True]), method=None)


def test_classes_are_needed_for_description_length():
    with pytest.raises(ValueError, match="needs class codes y; got None"):
        make_code_table(np.zeros((3, 1)))


def test_a_numeric_target_is_parted_by_counts(seed):
    y = np.random.default_rng(seed).normal(size=100)
    codes, n_levels = code_target(y, None, 4)
    assert n_levels == 4
    assert_array_equal(np.bincount(codes), [25, 25, 25, 25])
    assert_array_equal(codes, np.argsort(np.argsort(y)) // 25)
