import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csc_array, csc_matrix

from manyminds.kernels.bundles import FIRST_BIN, HAS_MISSING, IS_CATEGORICAL, N_BINS
from manyminds.kernels.growing.histograms import reads_by_row
from manyminds.trees import binning
from manyminds.trees.binning import bin_table, wants_row_copy


def codes_by_column(table, n_samples):
    n_cells = len(table.columns) * n_samples
    return table.codes[:n_cells].reshape(len(table.columns), n_samples).T


def edges_of(table, j):
    first, n_bins = table.columns[j, FIRST_BIN], table.columns[j, N_BINS]
    return table.edges[:, first : first + n_bins]


def assert_codes_fit_values(X, table):
    """A value is at most the greatest of bin b exactly if its code is at most b."""
    codes = codes_by_column(table, len(X))
    assert table.edges.shape == (2, table.columns[:, N_BINS].sum())
    for j in range(X.shape[1]):
        low, high = edges_of(table, j)
        missing = np.isnan(X[:, j])
        assert table.columns[j, HAS_MISSING] == missing.any()
        assert_array_equal(codes[:, j] == len(high), missing)
        values, code = X[~missing, j], codes[~missing, j]
        bins = np.arange(len(high))
        assert_array_equal(values[:, None] <= high, code[:, None] <= bins)
        assert_array_equal(values[:, None] >= low, code[:, None] >= bins)
        assert set(low) | set(high) <= set(values)


def assert_same_table(a, b):
    assert a.codes.dtype == b.codes.dtype
    for one, other in zip(a, b):
        assert_array_equal(one, other)


@pytest.mark.no_jit
@pytest.mark.parametrize(
    "column, n_bins",
    [
        ([3.0, 3.0, 3.0, 3.0], 1),
        ([1.0, 2.0, 1.0, 2.0], 2),
        ([np.nan, np.nan, np.nan, np.nan], 0),
        ([np.nan, 5.0, np.nan, 5.0], 1),
        ([0.0, -0.0, 1.0, -0.0], 2),
        ([0.0, -0.0, np.nan, -1.0], 2),
        ([-1e308, 1e308, 1.7e308, -1.7e308], 4),
        ([5e-324, -5e-324, 0.0, 1e-310], 4),
        ([1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0), 1.0], 3),
    ],
)
def test_columns_of_few_values(column, n_bins):
    X = np.column_stack([column, [4.0, 1.0, 3.0, 2.0]])
    table = bin_table(X)
    assert_array_equal(table.columns[:, N_BINS], [n_bins, 4])
    assert_array_equal(table.columns[:, FIRST_BIN], [0, n_bins])
    assert_array_equal(codes_by_column(table, 4)[:, 1], [3, 0, 2, 1])
    assert_codes_fit_values(X, table)
    assert not np.signbit(table.edges[table.edges == 0.0]).any()


@pytest.mark.no_jit
def test_a_single_row():
    table = bin_table(np.array([[1.5, np.nan]]), row_copy=True)
    assert_array_equal(table.codes, [0, 0, 0, 0])
    assert_array_equal(table.columns, [[1, 0, 0, 0], [0, 1, 1, 0]])
    assert_array_equal(table.edges, [[1.5], [1.5]])


def test_a_column_of_missing_values_only_is_its_own_bin():
    # The grower sees one code, 0, in all rows: a constant column.
    table = bin_table(np.full((5, 2), np.nan))
    assert_array_equal(table.codes, np.zeros(10))
    assert_array_equal(table.columns[:, [N_BINS, HAS_MISSING]], [[0, 1], [0, 1]])
    assert table.edges.shape == (2, 0)


@pytest.mark.parametrize("max_bins", [2, 255, 300])
def test_exact_up_to_max_bins_distinct_values(max_bins, seed):
    rng = np.random.default_rng(seed)
    values = np.sort(rng.normal(size=max_bins + 1))
    fits, one_more = np.resize(values[:-1], 1000), np.resize(values, 1000)
    X = rng.permuted(np.column_stack([fits, one_more]), axis=0)
    table = bin_table(X, max_bins=max_bins)
    assert_array_equal(table.columns[:, N_BINS], max_bins)
    assert_array_equal(edges_of(table, 0), [values[:-1], values[:-1]])
    assert_codes_fit_values(X, table)


@pytest.mark.parametrize("max_bins", [2, 16, 255, 1000])
def test_codes_fit_values(max_bins, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(700, 30)) * 10.0 ** rng.integers(-300, 300, size=30)
    X[:, ::3] = rng.zipf(1.5, size=(700, 10))
    X[:, ::2] = np.where(rng.random((700, 15)) < 0.2, np.nan, X[:, ::2])
    assert_codes_fit_values(X, bin_table(X, max_bins=max_bins))


def test_memory_order_does_not_matter(seed):
    X = np.random.default_rng(seed).normal(size=(3000, 21))
    X[::7, 3] = np.nan
    expected = bin_table(X, max_bins=50)
    read_only = np.asfortranarray(X)
    read_only.flags.writeable = False
    wide = np.repeat(X, 2, axis=1)
    for other in np.asfortranarray(X), read_only, wide[:, ::2], X[::-1][::-1]:
        before = other.copy()
        assert_same_table(bin_table(other, max_bins=50), expected)
        assert_array_equal(other, before)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(60_000, 20), (11, 100_001), (1_000_001, 1)])
def test_threads_do_not_matter(shape, seed):
    X = np.random.default_rng(seed).integers(0, 300, shape).astype(float)
    X[:, ::3] = np.minimum(X[:, ::3], 9.0)  # fewer bins than there is room for
    expected = bin_table(X, row_copy=True)
    assert_same_table(bin_table(X, row_copy=True, n_jobs=2), expected)
    assert_same_table(bin_table(csc_array(X), row_copy=True, n_jobs=3), expected)


def test_threads_share_their_memory_under_any_backend(seed, monkeypatch):
    monkeypatch.setattr(binning, "_FEW_CELLS", 10)
    X = np.random.default_rng(seed).normal(size=(50, 6))
    with parallel_config("loky", n_jobs=2):
        assert_same_table(bin_table(X), bin_table(X, n_jobs=1))


def test_blocks_do_not_matter(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(200, 30)), rng.integers(0, 9, (200, 30))])
    expected = bin_table(X, row_copy=True)
    monkeypatch.setattr(binning, "_BLOCK_CELLS", 400)
    monkeypatch.setattr(binning, "_BLOCK_COLUMNS", 1)
    monkeypatch.setattr(binning, "_ROWS_AT_A_TIME", 7)
    assert_same_table(bin_table(X, row_copy=True), expected)
    assert_same_table(bin_table(csc_array(X), row_copy=True), expected)


@pytest.mark.parametrize("shape", [(5000, 3), (3, 5000), (70, 70)])
def test_row_copy(shape, seed):
    X = np.random.default_rng(seed).normal(size=shape)
    table = bin_table(X, row_copy=True)
    by_row = table.codes[X.size :].reshape(shape)
    assert_array_equal(by_row, codes_by_column(table, len(X)))
    assert_array_equal(table.codes[: X.size], bin_table(X).codes)


def test_dtype_of_codes(seed):
    X = np.random.default_rng(seed).normal(size=(400, 3))
    assert bin_table(X).codes.dtype == np.uint8
    assert bin_table(X, max_bins=255).columns[0, N_BINS] == 255
    assert bin_table(X, max_bins=256).codes.dtype == np.uint16
    assert bin_table(X, max_bins=65_535).columns[0, N_BINS] == 400
    # Few values, whatever is allowed: one byte is enough.
    table = bin_table(np.round(X), max_bins=65_535, row_copy=True)
    assert table.codes.dtype == np.uint8
    assert_same_table(table, bin_table(np.round(X), row_copy=True))


def test_as_many_bins_as_there_can_be():
    X = np.arange(70_000.0)[::-1, None].copy()
    X[5] = np.nan
    table = bin_table(X, max_bins=65_535)
    assert table.codes.dtype == np.uint16
    assert table.columns[0, N_BINS] == 65_535
    assert table.codes[5] == 65_535
    low, high = edges_of(table, 0)
    codes = table.codes.astype(int)
    there = np.arange(70_000) != 5
    assert (low[codes[there]] <= X[there, 0]).all()
    assert (X[there, 0] <= high[codes[there]]).all()
    assert (high[:-1] < low[1:]).all()


@pytest.mark.no_jit
@pytest.mark.parametrize("make", [csc_array, csc_matrix])
def test_sparse_equals_dense(make, seed):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((80, 12)) < 0.7, 0.0, rng.normal(size=(80, 12)))
    X[:, 3] = 0.0
    X[:, 4] = np.abs(X[:, 4])
    X[::5, 5] = np.nan
    X[:, 6] = rng.normal(size=80)  # no zeros
    X[:, 7] = np.nan
    for max_bins in 5, 255:
        expected = bin_table(X, max_bins=max_bins, row_copy=True)
        found = bin_table(make(X), max_bins=max_bins, row_copy=True)
        assert_same_table(found, expected)


def test_sparse_matrix_with_several_entries_for_a_cell():
    X = coo_array(([1.0, 2.0, 3.0], ([0, 0, 2], [0, 0, 1])), shape=(3, 2))
    indptr, indices = [0, 2, 3], [0, 0, 2]
    twice = csc_array(([1.0, 2.0, 3.0], indices, indptr), shape=(3, 2))
    assert_same_table(bin_table(twice), bin_table(X.toarray()))
    assert_array_equal(twice.data, [1.0, 2.0, 3.0])  # X is left as it was


def test_categorical_columns(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=50), rng.integers(0, 7, 50), np.ones(50)])
    X[3], X[0, 1] = np.nan, 7.0
    table = bin_table(X, categorical=[False, True, False], max_bins=8)
    assert_array_equal(table.columns[:, IS_CATEGORICAL], [0, 1, 0])
    assert_array_equal(table.columns[:, N_BINS], [8, 8, 1])
    assert_array_equal(edges_of(table, 1), [np.arange(8.0)] * 2)
    codes = codes_by_column(table, 50)[:, 1]
    assert_array_equal(codes, np.where(np.isnan(X[:, 1]), 8, X[:, 1]))
    assert_same_table(bin_table(X, [False] * 3), bin_table(X))


@pytest.mark.no_jit
def test_categorical_column_without_values():
    X = np.array([[np.nan], [np.nan]])
    assert_array_equal(bin_table(X, [True]).columns, [[0, 0, 1, 1]])


def test_more_categories_than_rows_and_bins_of_numbers():
    X = np.array([[299.0, 1.0], [0.0, 2.0], [np.nan, 3.0]])
    table = bin_table(X, categorical=[True, False], max_bins=300)
    assert table.codes.dtype == np.uint16
    assert_array_equal(table.columns[:, N_BINS], [300, 3])
    assert_array_equal(codes_by_column(table, 3), [[299, 0], [0, 1], [300, 2]])


def test_errors():
    X = np.column_stack([np.zeros(10), np.arange(10.0)])
    with pytest.raises(ValueError, match="Column 1 has 10 categories, but max_bins=9"):
        bin_table(X, categorical=[True, True], max_bins=9)
    with pytest.raises(ValueError, match="sparse"):
        bin_table(csc_array(X), categorical=[True, False])


def test_row_copy_is_wanted_where_some_node_would_read_it(seed):
    reads_rows = getattr(reads_by_row, "py_func", reads_by_row)
    rng = np.random.default_rng(seed)
    answers = set()
    for dtype in [np.uint8, np.uint16] * 300:
        n_samples, n_features = (int(10 ** rng.uniform(0.4, 3)) for _ in range(2))
        max_features = int(n_features ** rng.random())
        codes = np.empty(2 * n_samples * n_features, dtype)
        wanted = any(
            reads_rows(codes, n_samples, n_features, n_rows, max_features)
            for n_rows in range(2, n_samples + 1)
        )
        shape = n_samples, n_features
        assert wants_row_copy(*shape, max_features, codes.itemsize) == wanted
        answers.add(wanted)
    assert answers == {False, True}
