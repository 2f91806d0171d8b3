"""Columns whose equal values are rows of one group, such as those of one patient."""

import numpy as np
import pandas as pd

from manyminds.analysis.pitfalls.pitfall import Pitfall

__all__ = ["find_groups"]

MIN_ROWS = 50
MIN_LEVELS = 8
MIN_SIZE = 2.0  # rows of a level, on average
MAX_RUNS = 1.5  # per level: rows of a level come together
MIN_EXPLAINED = 0.2  # of the target, adjusted for the number of levels
MIN_Z = 6.0
MAX_SMOOTH = 0.3  # correlation of adjacent levels: an amount rather than a group


def find_groups(X, y, task):
    """Warn about columns of many levels that come in runs and carry the target.

    Of columns that are the same for all rows of a group, only the first is named.

    A model that knows the group of a row predicts its other rows too well: scores of
    random folds are those of known groups.

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
    found, known = [], []
    for name in X:
        codes = _encode(X[name])
        if codes is None or any(_is_function(codes, other) for other in known):
            continue
        n_levels = int(codes.max()) + 1
        n_runs = 1 + int((codes[1:] != codes[:-1]).sum())
        if n_runs > MAX_RUNS * n_levels:
            continue
        explained, z = _explain(codes, y, task)
        numeric = not isinstance(X[name].dtype, pd.CategoricalDtype)
        if explained < MIN_EXPLAINED or z < MIN_Z:
            continue
        if numeric and _is_smooth(codes, y, task):
            continue
        known.append(codes)
        evidence = (
            f"rows of equal {name} come together ({n_levels:,} values in {n_runs:,} "
            f"runs of rows) and share their target ({explained:.0%} explained)"
        )
        advice = "if they are rows of one person or place, keep them in one fold by {}"
        found.append(Pitfall("groups", str(name), evidence, advice, "group", True))
    return found


def _encode(column):
    """Return codes of the values of a column that may be a group; None if it is not."""
    if column.isna().any():
        return None
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
    elif column.dtype.kind == "f":
        codes = column.to_numpy()
        if (codes[:1000] != np.floor(codes[:1000])).any():
            return None
        if (codes != np.floor(codes)).any():
            return None
    else:
        return None
    n_changes = int((codes[1:] != codes[:-1]).sum())
    if n_changes > len(codes) / MIN_SIZE * MAX_RUNS:  # cheap: most columns end here
        return None
    levels, codes = np.unique(codes, return_inverse=True)
    few = len(levels) < MIN_LEVELS or len(codes) < MIN_SIZE * len(levels)
    return None if few else codes


def _is_function(codes, other):
    """Return whether each value of another column has one value of this."""
    pairs = np.unique(other * (int(codes.max()) + 1) + codes)
    return len(pairs) == int(other.max()) + 1


def _as_columns(y, task):
    """Return ranks of numbers, or an indicator for each class, as columns."""
    _, codes = np.unique(y, return_inverse=True)
    if task == "regression":
        return codes[:, None].astype(np.float64)
    return (codes[:, None] == np.arange(codes.max() + 1)).astype(np.float64)


def _means(codes, target):
    counts = np.bincount(codes)
    sums = [np.bincount(codes, target[:, j]) for j in range(target.shape[1])]
    return np.column_stack(sums) / counts[:, None], counts


def _explain(codes, y, task):
    """Return the adjusted share of the target that levels explain, and its z value."""
    target = _as_columns(y, task)
    means, counts = _means(codes, target)
    total = ((target - target.mean(axis=0)) ** 2).sum()
    within = ((target - means[codes]) ** 2).sum()
    n, k = len(codes), len(counts)
    if total == 0.0 or n <= k:
        return 0.0, 0.0
    ratio = (within / (n - k)) / (total / (n - 1))
    # Under no relation, the ratio is 1 with about this standard error.
    error = np.sqrt(2.0 * (k - 1) / ((n - k) * (n - 1) * target.shape[1]))
    return float(1.0 - ratio), float((1.0 - ratio) / max(error, 1e-12))


def _is_smooth(codes, y, task):
    """Return whether the mean targets of adjacent values are alike, as of an amount."""
    means, _ = _means(codes, _as_columns(y, task))
    means = means - means.mean(axis=0)
    variance = (means**2).sum()
    if variance == 0.0:
        return True
    return bool((means[1:] * means[:-1]).sum() / variance > MAX_SMOOTH)
