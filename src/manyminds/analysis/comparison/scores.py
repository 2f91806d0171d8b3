"""Read tables of scores; differences and ties up to rounding errors."""

import numpy as np
import pandas as pd

from manyminds.analysis._checks import check_option

__all__ = ["as_tuples", "differences", "merge_ties", "read_table"]

# Scores are sums and quotients of a few dozen or hundred terms: differences beyond
# twelve digits are rounding errors, which depend on the order of the additions.
_DIGITS = 12


def differences(a, b):
    """Return ``a - b``, rounded so that rounding errors leave no differences."""
    size = np.maximum(np.abs(a), np.abs(b))
    return _round(_round(a - b, _unit(size)), _unit(a - b))


def merge_ties(scores):
    """Replace scores of a row that differ only by rounding errors by equal ones.

    Neighbors in sorted order are equal if they differ by less than one in the twelfth
    digit of the larger of the two, whatever the other scores of the row. Each score is
    replaced by the smallest one that it is equal to.
    """
    order = np.argsort(scores, axis=1)
    rising = np.take_along_axis(scores, order, axis=1)
    below, above = rising[:, :-1], rising[:, 1:]
    size = np.maximum(np.abs(below), np.abs(above))
    starts = np.zeros(rising.shape, dtype=np.intp)
    differs = above / 2 - below / 2 > 0.5 * 10.0**-_DIGITS * size
    starts[:, 1:] = np.where(differs, np.arange(1, rising.shape[1]), 0)
    starts = np.maximum.accumulate(starts, axis=1)
    even = np.empty_like(rising)
    np.put_along_axis(even, order, np.take_along_axis(rising, starts, axis=1), axis=1)
    return even


def _unit(size):
    """Return one unit in the last significant digit of values of a magnitude."""
    size = np.abs(size)
    return 10.0 ** (np.floor(np.log10(np.where(size > 0, size, 1.0))) - _DIGITS + 1)


def _round(values, unit):
    return np.round(values / unit) * unit


def read_table(scores, *, names=None, missing="raise", min_datasets=1):
    """Return a table of scores and the names of its columns.

    Parameters
    ----------
    scores : array-like or DataFrame of shape (n_datasets, n_methods)
        One row per data set, one column per method.
    names : list of str, default=None
        Names of the methods; by default the columns of a DataFrame, or numbers.
    missing : {"raise", "drop"}, default="raise"
        Whether a missing score is an error, or its data set is left out.
    min_datasets : int, default=1
        Smallest number of rows, after dropping.

    Returns
    -------
    scores : ndarray of shape (n_datasets, n_methods)
        Finite scores.
    names : tuple of str
        One name per column, all different.
    """
    check_option("missing", missing, ("raise", "drop"))
    columns = scores.columns if isinstance(scores, pd.DataFrame) else None
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or values.shape[1] < 2:
        raise ValueError(
            "scores must be a table of data sets by methods with two columns or more; "
            f"got shape {values.shape}."
        )
    names = _method_names(names, columns, values.shape[1])
    values = _complete_rows(values, names, missing)
    if len(values) < min_datasets:
        raise ValueError(
            f"scores must have {min_datasets} or more data sets without a missing "
            f"score; got {len(values)}."
        )
    return values, names


def _method_names(names, columns, n_methods):
    if names is None:
        names = range(n_methods) if columns is None else columns
    names = tuple(str(name) for name in names)
    if len(names) != n_methods or len(set(names)) != n_methods:
        raise ValueError(
            f"names must be {n_methods} different names, one per column of scores; "
            f"got {list(names)}."
        )
    return names


def _complete_rows(values, names, missing):
    if np.isinf(values).any():
        raise ValueError("scores must be finite or NaN; got infinite ones.")
    is_missing = np.isnan(values)
    if missing == "raise" and is_missing.any():
        row, column = np.argwhere(is_missing)[0]
        raise ValueError(
            f"scores must not be missing; got {int(is_missing.sum())} NaN, the first "
            f"in row {row} for {names[column]!r}. missing='drop' leaves such data sets "
            "out."
        )
    return values[~is_missing.any(axis=1)]


def as_tuples(matrix):
    """Return the rows of a matrix as tuples of plain numbers."""
    return tuple(tuple(row) for row in np.asarray(matrix).tolist())
