"""The table that boosting reads: codes in two layouts, and the cuts between them."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.trees.binned import make_binned_table


def make_table(seed, n=300):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 1] = np.round(X[:, 1])
    X[rng.random(n) < 0.2, 2] = np.nan
    X[:, 3] = rng.integers(0, 5, size=n)
    return X, np.array([False, False, False, True])


def get_codes(table):
    return table.codes[: table.n_features * table.n_rows].reshape(table.n_features, -1)


def test_thresholds_separate_the_codes(seed):
    X, categorical = make_table(seed)
    table = make_binned_table(X, categorical)
    codes = get_codes(table)
    for j in range(3):
        known = ~np.isnan(X[:, j])
        n_bins = table.columns[j, 0]
        assert (codes[j, ~known] == n_bins).all()
        for code in range(n_bins):
            (threshold,) = table.get_thresholds(np.array([j]), np.array([code]))
            assert_array_equal(X[known, j] <= threshold, codes[j, known] <= code)
        assert threshold == np.inf  # after the last bin
    assert_array_equal(codes[3], X[:, 3])
    assert_array_equal(table.categorical, categorical)


@pytest.mark.parametrize(("n", "most"), [(20, 16), (300, 100), (3000, 255)])
def test_short_tables_have_three_rows_to_a_bin(n, most, seed):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    table = make_binned_table(X)
    assert table.columns[:, 0].max() <= most
    assert table.columns[:, 0].min() >= 0.9 * min(most, n)
    assert_array_equal(np.diff(table.offsets.astype(int)), table.columns[:, 0] + 1)


@pytest.mark.parametrize("n_features", [1, 2, 17, 40])
def test_blocks_hold_all_columns(n_features, seed):
    X = np.random.default_rng(seed).normal(size=(50, n_features))
    table = make_binned_table(X)
    starts, codes = table.block_starts.astype(int), get_codes(table)
    assert starts[0] == 0 and starts[-1] == n_features
    assert np.diff(starts).max() <= 16
    for a, b in pairwise(starts):
        block = table.blocks[50 * a : 50 * b].reshape(50, b - a)
        assert_array_equal(block, codes[a:b].T)


@pytest.mark.parametrize("sparse", [False, True])
def test_appended_rows_get_the_codes_of_their_values(sparse, seed):
    X, categorical = make_table(seed)
    if sparse:
        X, categorical = np.nan_to_num(X[:, :2]), None
    table = make_binned_table(X, categorical)
    again = table.append(csr_matrix(X) if sparse else X)
    codes = get_codes(again)
    assert again.n_rows == 600
    assert_array_equal(codes[:, 300:], codes[:, :300])
    far = np.where(np.arange(X.shape[1]) == 3, 0.0, [[1e9], [-1e9]])
    ends = get_codes(table.append(csr_matrix(far) if sparse else far))[:, -2:]
    assert_array_equal(ends[0], [table.columns[0, 0] - 1, 0])


def test_column_without_values_counts_all_as_missing():
    table = make_binned_table(np.full((20, 1), np.nan))
    assert table.columns[0, 0] == 0
    assert (get_codes(table) == 0).all()
    assert (get_codes(table.append(np.array([[3.0]]))) == 0).all()
