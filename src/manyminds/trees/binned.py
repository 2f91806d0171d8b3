"""A binned table as boosting reads it: made once, shared by folds, fits and trees."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse

from manyminds.kernels.boosting.histograms import make_blocks
from manyminds.kernels.bundles import FIRST_BIN, HIGH, IS_CATEGORICAL, LOW, N_BINS
from manyminds.trees.binning import bin_table, find_greatest, view_column
from manyminds.trees.stored_columns import StoredColumns

MAX_BINS = 255  # with the code of missing values, what a byte can hold
_MIN_ROWS = 3  # of a bin on average
_MIN_BINS = 16  # of a short table
_BLOCK_COLUMNS = 16  # whose histograms fit the first-level cache


@dataclass(frozen=True, eq=False)
class BinnedTable:
    """The codes of a table, and the values that they stand for.

    Histograms are filled from blocks of columns, rows are moved by a single column. Of
    a table in memory there are codes in both layouts; of a table on disk only blocks.

    Parameters
    ----------
    codes : ndarray of shape (n_features * n_rows,), uint8
        Column after column, or the blocks. A missing value has the column's number of
        bins as code.
    places : ndarray of shape (n_features, 2), uint64
        Where a column begins in ``codes``, and the step from row to row.
    blocks : ndarray of shape (n_features * n_rows,), uint8
        Codes in blocks of a few columns, row after row in each block.
    block_starts : ndarray of shape (n_blocks + 1,), uint64
        First column of each block.
    offsets : ndarray of shape (n_features + 1,), uint64
        Where the bins of a column begin in a histogram of all columns.
    columns, edges : ndarray
        Those of ``manyminds.kernels.bundles.Table``.
    n_rows : int
    """

    codes: np.ndarray
    places: np.ndarray
    blocks: np.ndarray
    block_starts: np.ndarray
    offsets: np.ndarray
    columns: np.ndarray
    edges: np.ndarray
    n_rows: int

    @property
    def n_features(self):
        """Number of columns."""
        return len(self.columns)

    @property
    def categorical(self):
        """Which columns are categorical."""
        return self.columns[:, IS_CATEGORICAL] == 1

    def get_thresholds(self, feature, code):
        """Return the greatest values that go left of cuts after these codes.

        A cut after the last bin has all values on its left: only missing ones go right.
        """
        first, n_bins = self.columns[feature, FIRST_BIN], self.columns[feature, N_BINS]
        is_last = code >= n_bins - 1
        at = np.minimum(first + np.where(is_last, 0, code), self.edges.shape[1] - 1)
        a = self.edges[HIGH, at]
        b = self.edges[LOW, np.minimum(at + 1, self.edges.shape[1] - 1)]
        middle = a + (b - a) / 2.0
        return np.where(is_last, np.inf, np.where(middle < b, middle, a))

    def get_codes(self, feature):
        """Return the codes of a column, a view."""
        return view_column(self.codes, self.places[feature], self.n_rows)

    def append(self, X):
        """Return the table with more rows, which do not change the bins.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_rows, n_features)
            Numbers and category codes, as the table was made of.

        Returns
        -------
        table : BinnedTable
        """
        if issparse(X):
            X = X.tocsc()
        n_rows = self.n_rows + X.shape[0]
        codes = np.empty((self.n_features, n_rows), np.uint8)
        for j in range(self.n_features):
            codes[j, : self.n_rows] = self.get_codes(j)
            column = X[:, [j]].toarray()[:, 0] if issparse(X) else X[:, j]
            codes[j, self.n_rows :] = self._encode(j, column)
        return _lay_out(codes.reshape(-1), self.columns, self.edges, n_rows)

    def _encode(self, j, column):
        """Return the codes of new values of a column."""
        n_bins = self.columns[j, N_BINS]
        if self.columns[j, IS_CATEGORICAL]:
            codes = np.where(np.isnan(column), n_bins, column)
        else:
            cuts = self.get_thresholds(np.full(n_bins, j), np.arange(n_bins))[:-1]
            codes = np.searchsorted(cuts, column)
            codes[np.isnan(column)] = n_bins
        return codes.astype(np.uint8)


def make_binned_table(X, categorical=None, max_bins=MAX_BINS, n_jobs=None):
    """Bin a table for boosting.

    Columns of numbers get at most ``max_bins`` bins, and in short tables fewer: three
    rows to a bin on average, since finer bins cost time and find nothing.

    Parameters
    ----------
    X : ndarray, sparse matrix or StoredColumns of shape (n_rows, n_features)
        Numbers and category codes below 255 as float64; NaN is a missing value.
    categorical : ndarray of bool of shape (n_features,), default=None
        Which columns hold category codes.
    max_bins : int, default=255
        Largest number of bins.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    table : BinnedTable
    """
    if issparse(X):
        X = X.tocsc()
    n_rows = X.shape[0]
    most = min(max_bins, max(n_rows // _MIN_ROWS, _MIN_BINS))
    if categorical is not None and np.any(categorical):
        most = max(most, _count_levels(X, categorical))
    if not isinstance(X, StoredColumns):
        table = bin_table(X, categorical, most, n_jobs=n_jobs)
        return _lay_out(table.codes, table.columns, table.edges, n_rows)
    starts = _choose_blocks(X.shape[1])
    places = _find_places(n_rows, starts)
    table = bin_table(X, categorical, most, places=places, n_jobs=n_jobs)
    return _describe(table.codes, places, table.codes, starts, *table[1:], n_rows)


def _count_levels(X, categorical):
    """Return the greatest number of levels of a categorical column."""
    greatest = np.fmax.reduce(find_greatest(X, np.flatnonzero(categorical)))
    return 2 if np.isnan(greatest) else int(greatest) + 1


def _lay_out(codes, columns, edges, n_rows):
    """Copy the codes into blocks of columns."""
    n_features = len(columns)
    starts = _choose_blocks(n_features)
    blocks = np.empty(n_features * n_rows, np.uint8)
    make_blocks(codes, n_rows, starts, blocks)
    places = _find_places(n_rows, np.arange(n_features + 1, dtype=np.uint64))
    return _describe(codes, places, blocks, starts, columns, edges, n_rows)


def _choose_blocks(n_features):
    """Return the first column of each block, an even number of them if possible."""
    n_blocks = -(-n_features // _BLOCK_COLUMNS)
    n_blocks = min(n_blocks + n_blocks % 2, n_features)
    starts = np.arange(n_blocks + 1) * n_features // n_blocks
    return starts.astype(np.uint64)


def _find_places(n_rows, block_starts):
    """Return where each column begins in blocks, and the step from row to row."""
    first, width = block_starts[:-1].astype(np.int64), np.diff(block_starts)
    width = width.astype(np.int64)
    column = np.arange(int(block_starts[-1]))
    start = np.repeat(first, width)
    places = start * n_rows + column - start, np.repeat(width, width)
    return np.column_stack(places).astype(np.uint64)


def _describe(codes, places, blocks, block_starts, columns, edges, n_rows):
    offsets = np.concatenate([[0], np.cumsum(columns[:, N_BINS] + 1)])
    return BinnedTable(
        codes,
        places,
        blocks,
        block_starts,
        offsets.astype(np.uint64),
        columns,
        edges,
        n_rows,
    )
