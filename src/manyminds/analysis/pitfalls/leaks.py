"""Columns that reveal the target: one column predicts it, and the others do not."""

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import KFold, cross_val_predict

from manyminds.analysis.pitfalls.pitfall import Pitfall

__all__ = ["find_leaks", "measure_column_error"]

MIN_ROWS = 50
MAX_ROWS = 2_000  # sampled
MAX_VALUES = 40  # of a column whose rows are grouped by value
MAX_ERROR = 0.05  # of the error without any column, for a leak
MIN_OTHERS = 0.1  # of the other columns: below, they are nearly perfect as well
N_TREES = 30


def find_leaks(X, y, task, skip=(), random_state=0):
    """Warn about columns that predict the target nearly perfectly, unlike all others.

    Errors are relative: 1 is the error of the most frequent class, or of the mean.
    A column is a leak if its own error on left-out rows is at most 0.05 and that of a
    forest of all other columns at least 0.1 and five times as large; or if its values
    and the classes correspond one to one.

    Parameters
    ----------
    X : DataFrame
    y : ndarray of shape (n_samples,)
    task : {"classification", "regression"}
    skip : collection of str, default=()
        Columns that are not judged, such as identifiers.
    random_state : int, default=0
        Seed of the sample of 2,000 rows, and of the forest.

    Returns
    -------
    pitfalls : list of Pitfall
    """
    if len(y) < MIN_ROWS:
        return []
    rng = np.random.default_rng(random_state)
    rows = np.arange(len(y))
    if len(y) > MAX_ROWS:
        rows = np.sort(rng.choice(len(y), MAX_ROWS, replace=False))
    target = _encode_target(np.asarray(y)[rows], task)
    if _is_rare(target, task):
        return []
    order = rng.permutation(len(rows))  # of the folds
    found = []
    for name in X:
        if str(name) in skip:
            continue
        column = X[name].iloc[rows]
        error = measure_column_error(column, target, task, order)
        if error > MAX_ERROR:
            continue
        if task == "classification" and _is_copy(X[name], y):
            found.append(_warn_of_copy(str(name), len(np.unique(y))))
            continue
        others = _measure_others(X.iloc[rows].drop(columns=[name]), target, task)
        if others >= max(MIN_OTHERS, 5.0 * error):
            found.append(_warn_of_leak(str(name), error, others))
    return found


def measure_column_error(column, target, task, order):
    """Return the relative error of predictions from one column, on left-out rows.

    From a column of many numbers, a number is predicted by interpolation between the
    two rows next to it in the order of the column, and a class by the four next rows;
    from few values, by the rows of the same value in the other fold.

    Parameters
    ----------
    column : Series
    target : ndarray of shape (n_samples,)
        Numbers, or codes of classes.
    task : {"classification", "regression"}
    order : ndarray of shape (n_samples,)
        Random order of the rows, whose halves are the folds.

    Returns
    -------
    error : float
    """
    values = _as_numbers(column)
    levels, codes = np.unique(values, return_inverse=True)
    many = len(levels) > MAX_VALUES
    if many and isinstance(column.dtype, pd.CategoricalDtype):
        return 1.0
    if many and task == "regression":
        return _interpolation_error(values, target)
    if many:
        return _neighbor_error(values, target, order)
    half = len(order) // 2
    wrong = 0.0
    for train, test in ((order[:half], order[half:]), (order[half:], order[:half])):
        wrong += _group_error(codes, target, task, train, test)
    return wrong / _base_error(target, task)


def _encode_target(y, task):
    if task == "classification":
        return np.unique(y, return_inverse=True)[1]
    return np.asarray(y, dtype=np.float64)


def _is_rare(target, task):
    """Return whether too few rows differ from the others to judge a column."""
    if task == "classification":
        return len(target) - np.bincount(target).max() < 20
    return len(np.unique(target)) < 10


def _as_numbers(column):
    """Return a column as numbers without missing values: they are the lowest."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(dtype=np.float64)
    if column.dtype.kind == "M":
        values = column.astype("int64").to_numpy(dtype=np.float64)
        return values
    values = column.to_numpy(dtype=np.float64)
    known = values[np.isfinite(values)]
    lowest = known.min() - 1.0 if len(known) else 0.0
    return np.where(np.isfinite(values), values, lowest)


def _base_error(target, task):
    """Return the summed error of the most frequent class, or of the mean."""
    if task == "classification":
        return max(float(len(target) - np.bincount(target).max()), 1e-12)
    return max(float(((target - target.mean()) ** 2).sum()), 1e-300)


def _interpolation_error(values, target):
    """Return the relative squared error of interpolation between neighbors."""
    order = np.argsort(values, kind="stable")
    x, y = values[order], target[order]
    left, right = x[1:-1] - x[:-2], x[2:] - x[1:-1]
    width = left + right
    share = np.divide(left, width, out=np.full(len(width), 0.5), where=width > 0.0)
    made = (1.0 - share) * y[:-2] + share * y[2:]
    error = float(((y[1:-1] - made) ** 2).sum())
    return error / max(_base_error(y[1:-1], "regression"), 1e-300)


def _neighbor_error(values, target, order):
    """Return the relative error of the class of the four next rows in the column."""
    order = order[np.argsort(values[order], kind="stable")]  # ties in random order
    y = target[order]
    is_class = (y[:, None] == np.arange(y.max() + 1)).astype(np.float64)
    votes = np.zeros(is_class.shape)
    for step in (1, 2):
        votes[step:] += is_class[:-step]
        votes[:-step] += is_class[step:]
    wrong = float((votes.argmax(axis=1) != y).sum())
    return wrong / _base_error(target, "classification")


def _group_error(codes, target, task, train, test):
    """Return the summed error on test rows of the best constant of each group."""
    n_groups = int(codes.max()) + 1
    if task == "classification":
        counts = np.zeros((n_groups, int(target.max()) + 1))
        np.add.at(counts, (codes[train], target[train]), 1.0)
        counts += 1e-6 * np.bincount(target)  # an unseen value: the frequent class
        return float((counts.argmax(axis=1)[codes[test]] != target[test]).sum())
    sums = np.bincount(codes[train], target[train], n_groups)
    sizes = np.bincount(codes[train], minlength=n_groups)
    means = np.where(sizes > 0, sums / np.maximum(sizes, 1), target[train].mean())
    return float(((target[test] - means[codes[test]]) ** 2).sum())


def _is_copy(column, y):
    """Return whether values and classes correspond one to one in all rows."""
    if column.isna().any():
        return False
    codes = np.unique(_as_numbers(column), return_inverse=True)[1]
    classes = np.unique(y, return_inverse=True)[1]
    if codes.max() != classes.max():
        return False
    pairs = np.unique(codes * (classes.max() + 1) + classes)
    return len(pairs) == classes.max() + 1


def _measure_others(X, target, task):
    """Return the relative out-of-fold error of a forest of all other columns."""
    if X.shape[1] == 0:
        return 1.0
    table = np.column_stack([_as_numbers(X[name]) for name in X])
    kind = RandomForestClassifier if task == "classification" else RandomForestRegressor
    forest = kind(N_TREES, min_samples_leaf=1, random_state=0)
    folds = KFold(2, shuffle=True, random_state=0)
    made = cross_val_predict(forest, table, target, cv=folds)
    if task == "classification":
        error = float((made != target).sum())
    else:
        error = float(((made - target) ** 2).sum())
    return error / _base_error(target, task)


def _warn_of_copy(name, n_classes):
    evidence = f"{name} has {n_classes} values, one for each class of the target"
    advice = "it is a copy of the target, so leave it out with {}"
    return Pitfall("leak", name, evidence, advice, "drop", True)


def _warn_of_leak(name, error, others):
    evidence = (
        f"{name} alone predicts the target with {error:.1%} of the error of guessing, "
        f"all other columns together with {others:.0%}"
    )
    advice = "if it is not known at the time of prediction, leave it out with {}"
    return Pitfall("leak", name, evidence, advice, "drop", True)
