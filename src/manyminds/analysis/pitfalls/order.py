"""Targets that follow the order of the rows, or a column of dates."""

import re

import numpy as np
from pandas.api.types import is_numeric_dtype

from manyminds.analysis.pitfalls.pitfall import Pitfall
from manyminds.datasets.dates import holds_dates

__all__ = ["find_order", "measure_persistence"]

MIN_ROWS = 100
MIN_PERSISTENCE = 0.15
MIN_Z = 5.0  # standard errors above 0
MAX_SORTED_RUNS = 5  # per class: a table with fewer runs is sorted by its classes
MIN_SORTED = 0.98  # share of steps in one direction
MIN_TIMES = 10  # distinct values of a column that may be a time
WORDS = "date|time|timestamp|datetime|year|month|week|day|hour|period"
TIMES = re.compile(rf"^({WORDS})s?([_\W\d]|$)|([_\W]|^)({WORDS})s?$", re.I)


def find_order(X, y, task):
    """Warn if the target of a row resembles that of the row before, or of the day.

    Tables that are sorted by their target, or by blocks of classes, are not meant. It
    is serious only with a column of dates, or one sorted and named like a time: rows of
    an enumeration, or sorted by another column, resemble each other as well.

    Parameters
    ----------
    X : DataFrame
    y : ndarray of shape (n_samples,)
    task : {"classification", "regression"}

    Returns
    -------
    pitfalls : list of Pitfall
    """
    if len(y) < MIN_ROWS:
        return []
    found = []
    for name, dtype in X.dtypes.items():
        if not is_numeric_dtype(dtype) and holds_dates(X[name]):
            order = np.argsort(X[name].to_numpy(), kind="stable")
            order = order[X[name].notna().to_numpy()[order]]
            persistence, error = measure_persistence(y[order], task)
            if _is_clear(persistence, error):
                found.append(_warn_of_dates(str(name), persistence, error))
    if found:
        return found
    persistence, error = measure_persistence(y, task)
    if _is_clear(persistence, error) and not _is_sorted(y, task):
        found.append(_warn_of_rows(persistence, error, _find_sorted(X)))
    return found


def measure_persistence(y, task):
    """Return how much adjacent targets agree, and its standard error when shuffled.

    It is the correlation of the ranks of adjacent numbers, or the share of equal
    adjacent classes beyond chance, relative to its maximum: 0 in random order and 1 if
    all adjacent targets are equal.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
    task : {"classification", "regression"}

    Returns
    -------
    persistence, standard_error : float

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.pitfalls.order import measure_persistence
    >>> measure_persistence(np.repeat(["a", "b"], 50), "classification")[0] > 0.9
    True
    """
    if len(y) < 3:
        return 0.0, 1.0
    if task == "classification":
        _, codes = np.unique(y, return_inverse=True)
        shares = np.bincount(codes) / len(codes)
        expected = (shares**2).sum()
        equal = (codes[1:] == codes[:-1]).mean()
        scale = max(1.0 - expected, 1e-12)
        return float((equal - expected) / scale), float(
            np.sqrt(expected / scale / len(y))
        )
    _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[codes]
    ranks = ranks - ranks.mean()
    variance = (ranks**2).mean()
    if variance == 0.0:
        return 0.0, 1.0
    return float((ranks[1:] * ranks[:-1]).mean() / variance), len(y) ** -0.5


def _is_clear(persistence, error):
    return persistence > max(MIN_PERSISTENCE, MIN_Z * error)


def _is_sorted(y, task):
    """Return whether a table is sorted by its target, or by blocks of classes."""
    if task == "classification":
        n_runs = 1 + int((y[1:] != y[:-1]).sum())
        return n_runs <= MAX_SORTED_RUNS * len(np.unique(y))
    return _goes_one_way(np.asarray(y, dtype=np.float64))


def _goes_one_way(numbers):
    """Return whether nearly all steps between unequal neighbors have one direction."""
    steps = np.diff(numbers)
    up, down = int((steps > 0).sum()), int((steps < 0).sum())
    return max(up, down) >= MIN_SORTED * max(up + down, 1)


def _find_sorted(X):
    """Return the first column of many numbers by which rows are sorted, or ""."""
    for name in X:
        column = X[name]
        if column.dtype.kind == "f" and not column.isna().any():
            numbers = column.to_numpy()
            if _goes_one_way(numbers) and len(np.unique(numbers)) >= MIN_TIMES:
                return str(name)
    return ""


def _warn_of_dates(name, persistence, error):
    evidence = (
        f"the target drifts along {name} (agreement of adjacent rows "
        f"{persistence:.2f}; 0.00 ± {error:.2f} in random order)"
    )
    advice = "if later rows are to be predicted, validate on later rows with {}"
    return Pitfall("order", name, evidence, advice, "time", True)


def _warn_of_rows(persistence, error, name):
    evidence = (
        f"the target of a row resembles that of the row before (agreement "
        f"{persistence:.2f}; 0.00 ± {error:.2f} in random order)"
    )
    if name:
        evidence += f", and rows are sorted by {name}"
        advice = "if that is a time, validate on later rows with {}"
        is_time = TIMES.search(name) is not None
        return Pitfall("order", name, evidence, advice, "time", is_time)
    advice = (
        "if rows are in order of time, add a column of times or row numbers and name "
        "it with {}"
    )
    return Pitfall("order", "", evidence, advice, "time", False)
