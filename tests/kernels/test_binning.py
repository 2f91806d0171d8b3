import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.binning import bin_columns, bin_sparse_columns
from manyminds.kernels.bundles import FIRST_BIN, HAS_MISSING, IS_CATEGORICAL, N_BINS


def bin_dense(X, max_bins, n_categories=None, dtype=np.uint16):
    """Bin all columns in one call of the kernel; return codes, columns and edges."""
    n_samples, n_features = X.shape
    if n_categories is None:
        n_categories = np.full(n_features, -1)
    columns = np.full((n_features, 4), -1)
    edges = np.full((2, n_features * max(max_bins, n_categories.max())), np.nan)
    codes = np.zeros(n_features * n_samples, dtype)
    values = np.ascontiguousarray(X.T)
    n_bins = bin_columns(
        values.ravel(), np.sort(values, axis=1).ravel(), n_samples, n_categories,
        max_bins, 0, 0, columns, edges, codes,
    )  # fmt: skip
    return codes.reshape(n_features, n_samples).T, columns, edges[:, :n_bins]


def naive_bins(values, max_bins):
    """Divide values into bins as documented; return a list of lists of values."""
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(distinct) <= max_bins:
        return [[value] for value in distinct]
    heavy = np.zeros(len(counts), dtype=bool)
    while True:
        share = counts[~heavy].sum() / (max_bins - heavy.sum())
        more = counts > np.floor(share)
        if (more == heavy).all():
            break
        heavy = more
    starts_run = ~heavy & np.concatenate([[True], heavy[:-1]])
    pure = heavy.sum() + starts_run.sum() <= max_bins
    bins, held, share, holds_heavy = [], 0, 0.0, False
    for i in range(len(distinct)):
        n_free = max_bins - len(bins) - heavy[i:].sum()
        if not bins or len(distinct) - i <= max_bins - len(bins):
            opens = True
        elif heavy[i]:
            opens = pure or holds_heavy or held >= share / 2
        elif holds_heavy:
            opens = pure or n_free > 0
        else:
            opens = held + counts[i] - share > share - held
            opens &= n_free > (starts_run[i:].sum() if pure else 0)
        if opens:
            n_sharing = max_bins - len(bins) - heavy[i:].sum()
            share = counts[i:][~heavy[i:]].sum() / max(n_sharing, 1)
            held, holds_heavy = 0, False
            bins.append([])
        bins[-1].append(distinct[i])
        held += counts[i]
        holds_heavy |= heavy[i]
    return move_to_gaps(bins, set(distinct[heavy]))


def move_to_gaps(bins, heavy):
    """Move the edges between bins of light values into wide gaps nearby."""
    is_light = [heavy.isdisjoint(values) for values in bins]
    moved = [list(values) for values in bins]
    for b in range(1, len(bins)):
        if not (is_light[b - 1] and is_light[b]):
            continue
        below, above = bins[b - 1], bins[b]
        if b > 1 and is_light[b - 2]:
            below = below[(len(below) - 1) // 2 :]
        if b + 1 < len(bins) and is_light[b + 1]:
            above = above[: (len(above) - 1) // 2 + 1]
        around = np.array(below + above)
        gaps, middle = np.diff(around), len(below) - 1
        wide = gaps > max(np.ptp(around) / 4, 2 * gaps[middle])
        if wide.any():
            widest = np.flatnonzero(wide & (gaps >= gaps.max() / (1 + 1e-9)))
            found = widest[np.argmin(np.abs(widest - middle))]
            edge = around[found]
            both = [*moved[b - 1], *bins[b]]
            moved[b - 1] = [value for value in both if value <= edge]
            moved[b] = [value for value in both if value > edge]
    return moved


def odd_columns(rng, n_samples):
    """Draw columns of many kinds, with and without ties and missing values."""
    normal = rng.normal(size=n_samples)
    columns = [
        normal,
        np.round(normal, 1),
        np.where(rng.random(n_samples) < 0.5, 0.0, normal),
        np.where(rng.random(n_samples) < 0.5, 9.0, normal),
        rng.geometric(0.2, n_samples),
        rng.zipf(1.5, n_samples),
        1e300 * rng.standard_cauchy(n_samples) / 1e5,
        5e-324 * rng.integers(0, 50, n_samples),
        np.where(rng.random(n_samples) < 0.3, -0.0, rng.integers(-2, 3, n_samples)),
        np.where(rng.random(n_samples) < 0.3, np.nan, normal),
        np.full(n_samples, np.nan),
        np.full(n_samples, 3.0),
        np.where(rng.random(n_samples) < 0.5, np.nan, 3.0),
    ]
    return np.stack(columns, axis=1).astype(float)


@pytest.mark.no_jit
@pytest.mark.parametrize("max_bins", [2, 3, 7, 30])
def test_bins_are_those_of_a_naive_twin(max_bins, seed):
    X = odd_columns(np.random.default_rng(seed), 100)
    codes, columns, edges = bin_dense(X, max_bins)
    assert_array_equal(columns[:, HAS_MISSING], np.isnan(X).any(axis=0))
    assert_array_equal(columns[:, IS_CATEGORICAL], 0)
    for j, (n_bins, first) in enumerate(columns[:, [N_BINS, FIRST_BIN]]):
        bins = naive_bins(X[:, j], max_bins)
        assert_array_equal(edges[0, first : first + n_bins], [b[0] for b in bins])
        assert_array_equal(edges[1, first : first + n_bins], [b[-1] for b in bins])
        for b in range(n_bins):
            assert_array_equal(codes[:, j] == b, np.isin(X[:, j], bins[b]))
        assert_array_equal(codes[:, j] == n_bins, np.isnan(X[:, j]))


def test_all_bins_are_used_and_hold_equally_many_rows_where_gaps_are_alike(seed):
    rng = np.random.default_rng(seed)
    for n_samples, max_bins in (1000, 255), (1000, 999), (2000, 16):
        even = rng.permutation(n_samples) * 0.1
        codes, columns, _ = bin_dense(np.column_stack([even, -even]), max_bins)
        assert_array_equal(columns[:, N_BINS], max_bins)
        for j in range(2):
            sizes = np.bincount(codes[:, j])
            assert sizes.min() >= n_samples // max_bins
            assert sizes.max() <= n_samples // max_bins + 1


def test_no_bin_holds_more_than_twice_its_share(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=2000), rng.standard_cauchy(2000)])
    for max_bins in 16, 255, 1000:
        codes, columns, _ = bin_dense(X, max_bins)
        assert_array_equal(columns[:, N_BINS], max_bins)
        assert max(np.bincount(column).max() for column in codes.T) <= (
            2 * (2000 // max_bins + 1)
        )


@pytest.mark.parametrize("n_below", [3, 1990, 2000, 2007, 3997])
@pytest.mark.parametrize("max_bins", [10, 255])
def test_no_bin_straddles_a_wide_gap(n_below, max_bins, seed):
    # Wherever the gap is, at the ends or between the quantiles, it separates two bins.
    values = np.random.default_rng(seed).uniform(0.0, 0.3, size=4000)
    values[n_below:] += 0.7
    _, _, edges = bin_dense(values[:, np.newaxis], max_bins)
    below = values[:n_below].max()
    assert below in edges[1]
    assert values[n_below:].min() in edges[0]


def test_a_heavy_value_stays_alone_beside_a_wide_gap(seed):
    values = np.random.default_rng(seed).uniform(size=400)
    values[:100] = 2.0
    values[100:102] = -3.0, 5.0
    codes, _, edges = bin_dense(values[:, np.newaxis], 10)
    assert_array_equal(edges[0, [0, 1]] < 0.0, [True, False])
    alone = np.flatnonzero(edges[0] == 2.0)
    assert_array_equal(edges[:, alone], 2.0)
    assert np.bincount(codes[:, 0])[alone[0]] == 100


@pytest.mark.parametrize("heavy", [-9.0, 0.0, 9.0])
def test_a_heavy_value_leaves_the_other_bins_to_the_rest(heavy, seed):
    # Wherever the heavy value comes, 1000 others share 9 bins.
    values = np.random.default_rng(seed).normal(size=2000)
    values[:1000] = heavy
    codes, _, edges = bin_dense(values[:, np.newaxis], 10)
    sizes = np.bincount(codes[:, 0])
    assert edges.shape == (2, 10)
    alone = edges[0] == heavy
    assert_array_equal(edges[:, alone], heavy)
    assert_array_equal(sizes[alone], 1000)
    # The last bin before a value in the middle takes what is left over there.
    assert sizes[~alone].max() <= 167


def test_a_run_of_few_light_values_has_a_bin_where_there_are_enough_bins():
    # 1 2 3 have 100 rows each, a row lies between each two of them, and 30 above.
    values = np.concatenate([np.repeat([1.0, 2, 3], 100), [1.5, 2.5], np.arange(4, 34)])
    codes, _, edges = bin_dense(values[:, np.newaxis], 8)
    assert_array_equal(edges[0, :6], [1, 1.5, 2, 2.5, 3, 4])
    assert_array_equal(edges[1, :6], [1, 1.5, 2, 2.5, 3, 13])
    assert_array_equal(np.bincount(codes[:, 0]), [100, 1, 100, 1, 100, 10, 10, 10])


def test_a_run_of_few_light_values_joins_a_heavy_one_where_bins_are_scarce():
    # One bin is left for three runs: the middle run of eight rows deserves it.
    values = np.repeat([1.0, 1.5, 2, 2.4, 2.5, 3, 3.5, 4], [99, 1, 99, 4, 4, 99, 1, 99])
    codes, _, edges = bin_dense(values[:, np.newaxis], 5)
    assert_array_equal(edges, [[1, 1.5, 2.4, 3, 4], [1, 2, 2.5, 3.5, 4]])
    assert_array_equal(np.bincount(codes[:, 0]), [99, 100, 8, 100, 99])


@pytest.mark.no_jit
def test_categories_are_their_own_codes():
    X = np.array([[2.0, 0.5], [np.nan, 0.5], [0.0, 1.5], [2.0, 2.5]])
    codes, columns, edges = bin_dense(X, 2, n_categories=np.array([4, -1]))
    assert_array_equal(columns, [[4, 0, 1, 1], [2, 4, 0, 0]])
    assert_array_equal(codes[:, 0], [2, 4, 0, 2])
    assert_array_equal(edges[:, :4], [[0, 1, 2, 3], [0, 1, 2, 3]])


@pytest.mark.slow
@pytest.mark.no_jit
def test_sparse_columns_are_binned_like_dense_ones(seed):
    X = odd_columns(np.random.default_rng(seed), 60)
    X = np.column_stack([X, np.zeros(60), -np.abs(X[:, 0]), np.abs(X[:, 0])])
    X[np.random.default_rng(seed).random(X.shape) < 0.3] = 0.0
    X[:, -3] = 0.0
    values, rows, starts = [], [], [0]
    for column in X.T:  # every other zero is stored
        stored = np.flatnonzero((column != 0.0) | (np.arange(60) % 2 == 0))
        values.append(column[stored])
        rows.append(stored)
        starts.append(starts[-1] + len(stored))
    ordered = [np.sort(column) for column in values]
    for max_bins in 2, 10, 100:
        columns = np.full((X.shape[1], 4), -1)
        edges = np.empty((2, X.shape[1] * max_bins))
        codes = np.zeros(X.size, np.uint16)
        n_bins = bin_sparse_columns(
            np.concatenate(values), np.concatenate(ordered), np.concatenate(rows),
            np.array(starts), 60, max_bins, 0, 0, columns, edges, codes,
        )  # fmt: skip
        dense_codes, dense_columns, dense_edges = bin_dense(X, max_bins)
        assert_array_equal(columns, dense_columns)
        assert_array_equal(edges[:, :n_bins], dense_edges)
        assert_array_equal(codes.reshape(X.shape[::-1]).T, dense_codes)
