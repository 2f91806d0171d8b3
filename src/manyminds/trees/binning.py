"""Binning a table of numbers, once for all trees of a forest."""

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

from manyminds.kernels.binning import bin_columns, bin_sparse_columns
from manyminds.kernels.bundles import FIRST_BIN, N_BINS, Table
from manyminds.trees.scratch import allocate, reserve
from manyminds.trees.stored_columns import StoredColumns

MAX_BINS = 65_535  # with the code of missing values after them, what uint16 can hold

# A thread bins its columns in blocks, one after the other in the same working memory. A
# block should fit the processor's cache; where columns are long, sixteen columns still
# use most of every cache line of a C-ordered table. All threads together should take no
# more than 64 MB, that is, two copies of so many cells.
_BLOCK_CELLS = 2**16
_BLOCK_COLUMNS = 16
_ALL_CELLS = 2**22
_ROWS_AT_A_TIME = 1024  # when a table is transposed
# Columns on disk take 21 bytes per row in each thread. Two threads take less than trees
# do afterwards; more of them together no more than 512 MB.
_STORED_ROWS = 2**29 // 21
_FEW_CELLS = 10**6  # not worth a second thread


def bin_table(
    X, categorical=None, max_bins=255, *, row_copy=False, places=None, n_jobs=None
):
    """Divide the values of each column into bins and number them.

    A column with at most ``max_bins`` distinct values gets a bin for each of them, and
    is represented exactly. In other columns, bins hold about equally many rows; equal
    values share a bin, and a value with more rows than that gets a bin of its own.
    An edge moves, by up to half a bin, from its quantile into a gap between values that
    is wider than a quarter of the range from the middle of the one bin to that of the
    other: bins do not span wide gaps. The bins therefore depend on the scale of a
    column: its logarithm may have other bins than the column.

    Parameters
    ----------
    X : ndarray, sparse CSC matrix or array, or StoredColumns of shape \
(n_samples, n_features)
        Numbers as float64, in C or Fortran order. NaN is a missing value; cells that a
        sparse matrix does not store are 0. There must be no infinite values.
    categorical : array of bool of shape (n_features,), default=None
        Which columns hold category codes 0, 1, 2 ... instead of numbers. Only for dense
        tables.
    max_bins : int, default=255
        Largest number of bins of a column, between 2 and 65,535. The bin of the missing
        values is not counted.
    row_copy : bool, default=False
        Whether to store the codes row after row, too; see ``wants_row_copy``.
    places : ndarray of shape (n_features, 2), uint64, default=None
        Where the codes of each column begin, and the step from row to row; by default
        columns follow one another. Only for ``StoredColumns``, whose codes are written
        there at once, so that memory holds no second layout.
    n_jobs : int, default=None
        Number of threads for a large table.

    Returns
    -------
    table : Table
        The binned table. A column without any value has no bins, and 0 is the code of
        its missing values.
    """
    n_samples, n_features = X.shape
    n_cells = n_samples * n_features
    n_categories = _count_categories(X, categorical, max_bins)
    most_bins = np.where(n_categories < 0, min(max_bins, n_samples), n_categories)
    columns = np.empty((n_features, 4), np.int64)
    edges = np.empty((2, most_bins.sum()))
    codes = allocate(
        2 * n_cells if row_copy else n_cells,
        np.uint8 if most_bins.max() <= 255 else np.uint16,
        getattr(X, "max_memory", None),
    )

    n_threads = effective_n_jobs(n_jobs) if n_cells > _FEW_CELLS else 1
    n_threads = min(n_threads, n_features)
    if isinstance(X, StoredColumns):  # as many as have columns in memory at a time
        n_threads = min(n_threads, max(2, _STORED_ROWS // n_samples))
    shares = [
        range(n_features * i // n_threads, n_features * (i + 1) // n_threads)
        for i in range(n_threads)
    ]
    bin_share = _bin_dense
    if isinstance(X, StoredColumns):
        bin_share = _bin_stored
    elif issparse(X):
        bin_share = _bin_sparse
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    work = X, n_categories, most_bins, max_bins, n_threads, columns, edges, codes
    if isinstance(X, StoredColumns):
        work += (_place_columns(n_samples, n_features) if places is None else places,)
    if n_threads > 1:  # in one memory, whatever backend the user has set
        run = Parallel(n_jobs=n_threads, require="sharedmem")
        run(delayed(bin_share)(share, *work) for share in shares)
    else:
        bin_share(shares[0], *work)

    if columns[:, N_BINS].sum() < edges.shape[1]:
        edges = _close_gaps(shares, columns, edges)
    if row_copy:
        by_row = codes[n_cells:].reshape(n_samples, n_features)
        _transpose(codes[:n_cells].reshape(n_features, n_samples), by_row)
    if codes.dtype == np.uint16 and columns[:, N_BINS].max() <= 255:
        codes = codes.astype(np.uint8)
    return Table(codes, columns, edges)


def wants_row_copy(n_samples, n_features, max_features, itemsize=1):
    """Return whether the grower would ever read codes row by row if it could.

    It does so in nodes whose codes take fewer cache lines in rows than in columns. If
    that is true of any node it is true of the smallest, with two rows.

    Parameters
    ----------
    n_samples : int
        Number of rows of the table.
    n_features : int
        Number of columns of the table.
    max_features : int
        Number of columns drawn in a node.
    itemsize : int, default=1
        Bytes of a code.

    Returns
    -------
    wanted : bool
        Whether to call ``bin_table`` with ``row_copy=True``.
    """
    lines_of_row = min(max_features, itemsize * n_features / 64 + 0.6)
    lines_of_column = min(2, itemsize * n_samples / 64 + 1.0)
    return lines_of_row * 2 < lines_of_column * max_features


def _count_categories(X, categorical, max_bins):
    """Count the category codes of each column; -1 in columns of numbers."""
    n_categories = np.full(X.shape[1], -1, np.int64)
    if categorical is None or not np.any(categorical):
        return n_categories
    if issparse(X):
        raise ValueError("A sparse table cannot have categorical columns.")
    which = np.flatnonzero(categorical)
    greatest = find_greatest(X, which)
    n_categories[which] = np.where(np.isnan(greatest), -1, greatest) + 1
    for j in which[n_categories[which] > max_bins]:
        raise ValueError(
            f"Column {j} has {n_categories[j]} categories, but max_bins={max_bins} "
            f"allows only {max_bins}. Set max_bins to {n_categories[j]} or more (up "
            f"to {MAX_BINS}), or merge rare categories."
        )
    return n_categories


def find_greatest(X, which):
    """Return the greatest value of some columns; NaN for one without values."""
    if isinstance(X, StoredColumns):
        return np.array([np.fmax.reduce(X[:, j]) for j in which.tolist()])
    return np.fmax.reduce(X[:, which], axis=0)


def _place_columns(n_samples, n_features):
    """Return places of columns that follow one another."""
    first = np.arange(n_features, dtype=np.uint64) * np.uint64(n_samples)
    return np.column_stack([first, np.ones(n_features, np.uint64)])


def view_column(codes, place, n_samples):
    """Return the codes of the column that has this place, a view."""
    first, step = map(int, place)
    return codes[first : first + step * (n_samples - 1) + 1 : step]


def _bin_stored(
    share, X, n_categories, most_bins, max_bins, n_threads, columns, edges, codes,
    places,
):  # fmt: skip
    """Bin a thread's share of the columns of a table on disk, one at a time."""
    first_bin = most_bins[: share.start].sum()
    n_samples = X.shape[0]
    column = np.empty(n_samples, codes.dtype)
    for j in share:
        values, one = X[:, j], slice(j, j + 1)
        first_bin = bin_columns(
            values, np.sort(values), n_samples, n_categories[one], max_bins, 0,
            first_bin, columns[one], edges, column,
        )  # fmt: skip
        view_column(codes, places[j], n_samples)[:] = column


def _bin_dense(
    share, X, n_categories, most_bins, max_bins, n_threads, columns, edges, codes
):
    """Bin a thread's share of the columns of an array."""
    n_samples = len(X)
    n_columns = min(_columns_at_a_time(n_samples, n_threads), len(share))
    memory = reserve((2, n_columns, n_samples), np.float64)
    first_bin = most_bins[: share.start].sum()
    for start in share[::n_columns]:
        stop = min(start + n_columns, share.stop)
        values, ordered = memory[:, : stop - start]
        if X.flags.f_contiguous and X.flags.writeable:  # else kernels compile again
            values = X.T[start:stop]
        else:
            _transpose(X[:, start:stop], values)
        ordered[:] = values
        ordered.sort(axis=1)
        first_bin = bin_columns(
            values.ravel(), ordered.ravel(), n_samples, n_categories, max_bins, start,
            first_bin, columns, edges, codes,
        )  # fmt: skip


def _bin_sparse(
    share, X, n_categories, most_bins, max_bins, n_threads, columns, edges, codes
):
    """Bin a thread's share of the columns of a sparse matrix."""
    n_samples = X.shape[0]
    n_columns = _columns_at_a_time(n_samples, n_threads)
    first_bin = most_bins[: share.start].sum()
    for start in share[::n_columns]:
        stop = min(start + n_columns, share.stop)
        starts = X.indptr[start : stop + 1].astype(np.int64)
        stored = slice(starts[0], starts[-1])
        starts -= starts[0]
        values, rows = X.data[stored].copy(), X.indices[stored].astype(np.int64)
        ordered = values.copy()
        for j in range(len(starts) - 1):
            ordered[starts[j] : starts[j + 1]].sort()
        first_bin = bin_sparse_columns(
            values, ordered, rows, starts, n_samples, max_bins, start, first_bin,
            columns, edges, codes,
        )  # fmt: skip


def _columns_at_a_time(n_samples, n_threads):
    """Choose how many columns a thread bins at a time."""
    n_in_memory = _ALL_CELLS // (n_threads * n_samples)
    return max(_BLOCK_CELLS // n_samples, min(n_in_memory, _BLOCK_COLUMNS), 1)


def _transpose(source, target):
    """Write ``source.T`` to ``target``, some rows or columns at a time."""
    if source.shape[0] > source.shape[1]:
        source, target = source.T, target.T
    for at in range(0, source.shape[1], _ROWS_AT_A_TIME):
        few = slice(at, at + _ROWS_AT_A_TIME)
        target[few] = source[:, few].T


def _close_gaps(shares, columns, edges):
    """Remove the unused room that threads left between the bins of columns."""
    starts, n_bins = columns[:, FIRST_BIN], columns[:, N_BINS]
    used = [
        edges[:, starts[share[0]] : starts[share[-1]] + n_bins[share[-1]]]
        for share in shares
    ]
    columns[:, FIRST_BIN] = np.cumsum(n_bins) - n_bins
    return np.concatenate(used, axis=1)
