"""Read scores: as pairs or as a table, checked, and without the noise of rounding."""

from numbers import Real

import numpy as np
import pandas as pd

# Scores are sums and quotients of a few dozen or hundred terms: what differs only
# beyond twelve digits differs by the order of the additions, not by the method.
_DIGITS = 12


def check_option(name, value, options):
    """Raise ValueError unless ``value`` is one of ``options``."""
    if value not in options:
        raise ValueError(f"{name} must be one of {list(options)}; got {value!r}.")


def check_share(name, value):
    """Raise unless ``value`` is a number strictly between 0 and 1."""
    if not isinstance(value, Real) or not 0.0 < value < 1.0:
        raise ValueError(f"{name} must be a number between 0 and 1; got {value!r}.")


def check_not_negative(name, value):
    """Raise unless ``value`` is a finite number of 0 or more."""
    if not isinstance(value, Real) or not 0.0 <= value < np.inf:
        raise ValueError(f"{name} must be a number of 0 or more; got {value!r}.")


def read_scores(name, scores):
    """Return finite scores as an array of float64; ``name`` is for messages."""
    scores = np.asarray(scores, dtype=np.float64)
    if scores.size == 0:
        raise ValueError(f"{name} must hold one score or more; got none.")
    if not np.isfinite(scores).all():
        n_bad = int((~np.isfinite(scores)).sum())
        raise ValueError(f"{name} must hold finite scores; got {n_bad} that are not.")
    return scores


def read_pair(a, b):
    """Return the scores of two methods as two arrays of one shape."""
    a, b = read_scores("a", a), read_scores("b", b)
    if a.shape != b.shape:
        raise ValueError(
            f"a and b must have the same shape, one score of each method under each "
            f"condition; got {a.shape} and {b.shape}."
        )
    return a, b


def differences(a, b):
    """Return ``a - b``, with 0 and equal values where only rounding says otherwise."""
    size = np.maximum(np.abs(a), np.abs(b))
    return _round(_round(a - b, _unit(size)), _unit(a - b))


def even_out(scores):
    """Make equal those scores of a row that only rounding tells apart.

    Neighbors in order are equal if they differ by less than one in the twelfth digit of
    the larger of the two. No other score of the row matters: one that has diverged
    leaves the differences of the others as they are. Each score becomes the smallest
    that it is equal to.
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
    """Return the value of one in the last digit that counts, for values of a size."""
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
        What to do with data sets on which a score is missing.
    min_datasets : int, default=1
        Fewest rows to accept, after dropping.

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
    gaps = np.isnan(values)
    if missing == "raise" and gaps.any():
        row, column = np.argwhere(gaps)[0]
        raise ValueError(
            f"scores must not be missing; got {int(gaps.sum())} NaN, the first in row "
            f"{row} for {names[column]!r}. missing='drop' leaves such data sets out."
        )
    return values[~gaps.any(axis=1)]


def as_tuples(matrix):
    """Return the rows of a matrix as tuples of plain numbers."""
    return tuple(tuple(row) for row in np.asarray(matrix).tolist())
