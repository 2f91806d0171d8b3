"""Columns of users as codes, or as numbers."""

import numpy as np
from scipy.sparse import issparse
from scipy.special import ndtri
from scipy.stats import rankdata

from manyminds.kernels.conditional_tables import Evidence
from manyminds.trees.columns import ColumnEncoder
from manyminds.utils.tables import is_frame

MAX_LEVELS = 256  # of codes of one byte
NO_CODES = np.empty((0, 0), dtype=np.uint8)
NO_NUMBERS = np.empty((0, 0))
NONE = np.empty(0)


def name_variables(X):
    """Return the names of the columns of a table; x0, x1, ... without names.

    Examples
    --------
    >>> from manyminds.networks.independence.coding import name_variables
    >>> name_variables([[1, 2], [3, 4]])
    ['x0', 'x1']
    """
    if is_frame(X):
        return [str(name) for name in X.columns]
    return [f"x{j}" for j in range(np.shape(X)[1])]


def code_columns(X):
    """Code the columns of a table of categories: each distinct value is a level.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_columns)
        Missing values are a level of their own.

    Returns
    -------
    codes : ndarray of uint8 of shape (n_columns, n_samples)
    n_levels : ndarray of int64 of shape (n_columns,)

    Examples
    --------
    >>> from manyminds.networks.independence.coding import code_columns
    >>> codes, n_levels = code_columns([["a", 3], ["b", 7], ["a", 5]])
    >>> codes
    array([[0, 1, 0],
           [0, 2, 1]], dtype=uint8)
    """
    values = read_columns(X)[0]
    codes = np.empty(values.shape, dtype=np.uint8)
    n_levels = np.empty(len(values), dtype=np.int64)
    for j, column in enumerate(values):
        column_codes, n_levels[j] = _code_column(column)
        if n_levels[j] > MAX_LEVELS:
            raise ValueError(
                f"column {name_variables(X)[j]!r} has {n_levels[j]} distinct values; a "
                f"test of categories takes at most {MAX_LEVELS}. Discretize it, or use "
                "a test of numbers."
            )
        codes[j] = column_codes
    return codes, n_levels


def _code_column(column):
    """Return the codes of a column, in the order of its values, and their number."""
    if len(column) and 0.0 <= column.min() and column.max() < MAX_LEVELS:
        small = column.astype(np.uint8)
        if (small == column).all():  # whole numbers need not be sorted
            is_there = np.bincount(small) > 0
            return (np.cumsum(is_there) - 1)[small], int(is_there.sum())
    levels, codes = np.unique(column, return_inverse=True)
    return codes, len(levels)


def read_columns(X):
    """Return a table as rows of floats, and which of its columns are categorical."""
    if issparse(X):
        raise TypeError("X is a sparse matrix; pass X.toarray().")
    if not is_frame(X):
        X = np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"X must have two dimensions; got {X.ndim}.")
        if X.dtype.kind not in "biuf":
            columns = [np.unique(x, return_inverse=True)[1] for x in X.T]
            return np.array(columns, dtype=np.float64), np.ones(X.shape[1], dtype=bool)
    encoder = ColumnEncoder()
    values = np.asarray(encoder.fit(X), dtype=np.float64)
    is_categorical = encoder.is_categorical
    if is_categorical is None:
        is_categorical = np.zeros(values.shape[1], dtype=bool)
    return np.ascontiguousarray(values.T), is_categorical


def make_evidence(codes=None, n_levels=None, values=None, sample_weight=None, *,
                  correlate=False):  # fmt: skip
    """Bundle columns for the compiled tests.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_columns, n_samples), default=None
    n_levels : ndarray of int of shape (n_columns,), default=None
        0 for columns of numbers.
    values : ndarray of shape (n_columns, n_samples), default=None
        Numbers.
    sample_weight : ndarray of shape (n_samples,), default=None
    correlate : bool, default=False
        Whether to compute the correlations of the numbers in place of keeping them.

    Returns
    -------
    evidence : Evidence
    """
    n_samples = (values if codes is None else codes).shape[1]
    weight = NONE if sample_weight is None else np.asarray(sample_weight, np.float64)
    total = float(n_samples) if sample_weight is None else float(weight.sum())
    logs = NONE
    if sample_weight is None and codes is not None:
        counts = np.arange(n_samples + 1, dtype=np.float64)
        logs = counts * np.log(np.maximum(counts, 1.0))
    correlation = NO_NUMBERS
    if values is not None:
        values = _standardize(values, sample_weight)
    if correlate:
        w = np.ones(n_samples) if sample_weight is None else weight
        correlation = np.ascontiguousarray((values * w) @ values.T / w.sum())
        n_levels, values = np.ones(len(correlation)), None
    codes = NO_CODES if codes is None else np.require(codes, np.uint8, "CW")
    values = NO_NUMBERS if values is None else np.ascontiguousarray(values)
    return Evidence(
        codes, np.require(n_levels, np.int64, "CW"), np.require(weight, None, "CW"),
        logs, correlation, values, total,
    )  # fmt: skip


def _standardize(values, sample_weight):
    """Shift and scale rows to a mean of 0 and a variance of 1; constants become 0."""
    w = np.ones(values.shape[1]) if sample_weight is None else sample_weight
    shares = w / w.sum()
    centered = values - (values @ shares)[:, None]
    spread = np.sqrt((centered**2) @ shares)
    tiny = spread <= 1e-12 * np.abs(values).max(axis=1, initial=0.0)
    spread[tiny] = 1.0
    centered[tiny] = 0.0
    return centered / spread[:, None]


def to_normal_scores(values):
    """Replace the values of each row by normal quantiles of their ranks.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks.independence.coding import to_normal_scores
    >>> to_normal_scores(np.array([[1.0, 100.0, 10.0]])).round(2)
    array([[-0.67, 0.67, 0.  ]])
    """
    return ndtri(rankdata(values, axis=1) / (values.shape[1] + 1.0))
