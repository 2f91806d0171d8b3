"""Draw the folds on which all pipelines of a search are validated."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from manyminds.ensemble import IterativeStratifiedKFold
from manyminds.search.evaluation.dependence import (
    check_past,
    check_together,
    split_groups,
    split_times,
)
from manyminds.utils.errors import InputError

__all__ = ["count_minutes", "list_tested", "make_folds", "place_tests", "spread_rows"]

Fold = tuple[np.ndarray, np.ndarray]

# Rows beyond which one part is held out, for each minute of the budget; and rows times
# classes, if there are more than two.
MAX_ROWS, MAX_VALUES = 20_000, 100_000
MAX_CELLS = 20_000_000  # of predictions, rows times classes, whatever the budget is
TEST_SHARE, MAX_TESTED = 0.2, 50_000  # of the part that is held out
MAX_TEST_SHARE, MIN_TESTED = 0.33, 8_000  # of it, where rows are not that many


def make_folds(
    cv: Any,
    X: Any,
    y: np.ndarray,
    task: str,
    seed: int,
    *,
    with_all_classes: bool = False,
    groups: np.ndarray | None = None,
    time: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
    minutes: int = 1,
) -> list[Fold]:
    """Draw folds, so that no row is in two test folds.

    Folds are dropped whose training rows or test rows all have the weight 0, and those
    in which groups, time or weights leave one class to train on.

    Parameters
    ----------
    cv : int, "auto" or cross-validation generator
        "auto": ten folds below 500 rows, five up to 5,000, three up to 20,000 for each
        minute of the budget. Of more, or if rows times classes, more than two, are over
        100,000 for each minute, one part is held out: of a fifth of the rows, up to a
        third where that is less than 8,000, and 50,000 at most. Fewer folds if there
        are not so many rows or groups, or if no class has so many. By time, five at
        most.
    X : table of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
    task : {"classification", "regression", "multilabel"}
        Of many labels, each fold gets its share of every label.
    seed : int
    with_all_classes : bool, default=False
        Whether "auto" makes so few folds that each has all classes, if possible.
    groups : ndarray of int of shape (n_samples,), default=None
        Codes from `encode_groups`: rows of one group stay in one fold.
    time : ndarray of int of shape (n_samples,), default=None
        Codes from `encode_times`: models are trained on rows before those they predict.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights of the rows, 0 or more.
    minutes : int, default=1
        Of the budget, by `count_minutes`.

    Returns
    -------
    folds : list of (train, test)
        Positions of the rows. Some rows may never be tested: the first ones by time,
        those outside a held-out part, or those of a fold that is dropped.
    """
    if isinstance(cv, str) and cv == "auto":
        n_folds = _count_folds(y, task, with_all_classes, groups, time, minutes)
        folds = _draw(n_folds, y, task, seed, with_all_classes, groups, time)
    elif isinstance(cv, int | np.integer):
        if cv < 2 or cv > len(y):
            raise InputError(
                f"cv must be at least 2 and at most the number of rows, {len(y)}; got "
                f"{cv}."
            )
        folds = _draw(int(cv), y, task, seed, with_all_classes, groups, time)
    else:
        folds = _split(check_cv(cv, y, classifier=task == "classification"), y, groups)
    folds = _check_folds(folds, len(y), groups, time)
    name = "time" if time is not None else "" if groups is None else "groups"
    folds = _keep_usable(folds, y, task, sample_weight, name)
    if with_all_classes and task == "classification" and name:
        _check_classes(folds, y, name)
    return folds


def count_minutes(seconds: float | None) -> int:
    """Return the whole minutes of a budget, one at least.

    Parameters
    ----------
    seconds : float or None
        None, as infinity, for no limit: results do not depend on time.

    Examples
    --------
    >>> from manyminds.search.evaluation.folds import count_minutes
    >>> count_minutes(10.0), count_minutes(293.0), count_minutes(None)
    (1, 5, 1)
    """
    if seconds is None or np.isinf(seconds):
        return 1
    return max(1, round(seconds / 60.0))


def list_tested(folds: Sequence[Fold]) -> np.ndarray:
    """Return the sorted positions of the rows that are in a test fold.

    Examples
    --------
    >>> from manyminds.search.evaluation.folds import list_tested
    >>> list_tested([([0, 1], [4, 2]), ([0, 1, 2, 4], [3])]).tolist()
    [2, 3, 4]
    """
    return np.sort(np.concatenate([np.asarray(test) for _, test in folds]))


def place_tests(folds: Sequence[Fold]) -> list[Fold]:
    """Return folds whose test rows are positions among all tested rows.

    Parameters
    ----------
    folds : sequence of (train, test)

    Returns
    -------
    placed : list of (train, places)
        Training rows remain positions in the table.
    """
    tested = list_tested(folds)
    return [(train, np.searchsorted(tested, test)) for train, test in folds]


def spread_rows(values: np.ndarray, folds: Sequence[Fold], n_rows: int) -> np.ndarray:
    """Return values of the tested rows as values of all rows; NaN for the others.

    Parameters
    ----------
    values : ndarray of shape (n_tested, ...)
    folds : sequence of (train, test)
    n_rows : int
        Of the table.

    Returns
    -------
    spread : ndarray of shape (n_rows, ...)
    """
    if len(values) == n_rows:
        return values
    spread = np.full((n_rows, *values.shape[1:]), np.nan, dtype=values.dtype)
    spread[list_tested(folds)] = values
    return spread


def _count_folds(
    y: np.ndarray,
    task: str,
    with_all_classes: bool,
    groups: np.ndarray | None,
    time: np.ndarray | None,
    minutes: int,
) -> int:
    """Return the number of folds that suits rows and time; 1 for a held-out part."""
    n_rows, classes = len(y), task == "classification"
    n_columns = int(y.max()) + 1 if classes else y.shape[1] if y.ndim == 2 else 1
    n_values = n_rows * n_columns if classes and n_columns > 2 else n_rows
    is_slow = n_rows > minutes * MAX_ROWS or n_values > minutes * MAX_VALUES
    if is_slow or n_rows * n_columns > MAX_CELLS:
        return 1
    n_folds = 10 if n_rows < 500 else 5 if n_rows <= 5_000 else 3
    if time is not None:  # the first of n + 1 blocks must suffice for training
        return max(1, min(n_folds, 5, int(time.max())))
    n_folds = min(n_folds, n_rows)
    if classes:
        rows = np.bincount(y)
        most = rows.min() if with_all_classes else rows.max()
        n_folds = max(2, min(n_folds, int(most)))
    return n_folds if groups is None else max(2, min(n_folds, int(groups.max()) + 1))


def _draw(
    n_folds: int,
    y: np.ndarray,
    task: str,
    seed: int,
    with_all_classes: bool,
    groups: np.ndarray | None,
    time: np.ndarray | None,
) -> list[Fold]:
    """Draw a number of folds, or hold out one part."""
    share = np.clip(MIN_TESTED / len(y), TEST_SHARE, MAX_TEST_SHARE)
    share = float(min(share, MAX_TESTED / len(y)))
    if time is not None:
        return split_times(n_folds, time, share)
    if groups is not None:
        return split_groups(n_folds, groups, y, task, seed, share)
    if n_folds == 1:
        return [_hold_out(y, task, seed, share, with_all_classes)]
    kind = StratifiedKFold if task == "classification" else KFold
    splitter = kind(n_folds, shuffle=True, random_state=seed)
    if task == "multilabel":
        splitter = IterativeStratifiedKFold(n_folds, random_state=seed)
    return _split(splitter, y, None)


def _hold_out(
    y: np.ndarray, task: str, seed: int, share: float, with_all_classes: bool
) -> Fold:
    """Hold out a share of the rows, of each class the same.

    A class too rare for that stays in training, unless the score needs all classes.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))
    codes = y[order] if task == "classification" else np.zeros(len(y), dtype=np.int64)
    counts = np.bincount(codes)
    n_tested = np.floor(share * counts).astype(np.int64)
    if with_all_classes:
        n_tested = np.maximum(n_tested, counts > 0)
    by_class = np.argsort(codes, kind="stable")
    rank = np.arange(len(y)) - np.repeat(np.cumsum(counts) - counts, counts)
    held = order[by_class[rank < n_tested[codes[by_class]]]]
    if not len(held):  # no class has so many rows
        held = order[: max(1, round(share * len(y)))]
    is_held = np.zeros(len(y), dtype=bool)
    is_held[held] = True
    return np.flatnonzero(~is_held), np.flatnonzero(is_held)


def _split(splitter: Any, y: np.ndarray, groups: np.ndarray | None) -> list[Fold]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of classes rarer than folds
        found = splitter.split(np.zeros((len(y), 1)), y, groups)
        return [(np.asarray(train), np.asarray(test)) for train, test in found]


def _check_folds(
    folds: list[Fold],
    n_rows: int,
    groups: np.ndarray | None,
    time: np.ndarray | None,
) -> list[Fold]:
    """Raise unless no row is tested twice, or trained on and tested in one fold."""
    if not folds or not all(len(train) and len(test) for train, test in folds):
        raise InputError("cv must have a row to train on and one to test in each fold.")
    times = np.bincount(np.concatenate([test for _, test in folds]), minlength=n_rows)
    leaks = any(_share_rows(train, test, n_rows) for train, test in folds)
    if times.max() > 1 or leaks:
        raise InputError(
            "cv must put no row into two test folds, nor into training and test of "
            "one; the search is judged by out-of-fold predictions."
        )
    if groups is not None:
        check_together(folds, groups)
    if time is not None:
        check_past(folds, time)
    return folds


def _share_rows(one: np.ndarray, other: np.ndarray, n_rows: int) -> bool:
    is_in_one = np.zeros(n_rows, dtype=bool)
    is_in_one[one] = True
    return bool(is_in_one[other].any())


def _keep_usable(
    folds: list[Fold],
    y: np.ndarray,
    task: str,
    sample_weight: np.ndarray | None,
    name: str,
) -> list[Fold]:
    """Drop the folds in which no model can be fitted or scored; raise if few remain.

    One fold is enough by time, or where one part is held out. ``name`` is that of the
    dependence, empty for independent rows.
    """
    classes = y if task == "classification" else np.zeros(len(y), dtype=np.int64)
    n_classes = 2 if name and task == "classification" else 1
    kept = _list_usable(folds, classes, n_classes, sample_weight)
    n_least = 1 if name == "time" else min(2, len(folds))
    if len(kept) >= n_least:
        return kept
    known = "one fold" if n_least == 1 else "two folds"
    if len(_list_usable(folds, classes, n_classes, None)) >= n_least:
        of_classes = " of two classes" if task == "classification" else ""
        raise InputError(
            f"sample_weight must be above 0 for rows{of_classes} to train on, and for "
            f"a row to test, in at least {known}."
        )
    where = "before the rows to predict" if name == "time" else "to train on"
    raise InputError(
        f"{name} must have rows of two classes {where} in at least {known}."
    )


def _list_usable(
    folds: list[Fold],
    classes: np.ndarray,
    n_classes: int,
    sample_weight: np.ndarray | None,
) -> list[Fold]:
    """List the folds that have weights in test, and so many classes in training.

    Weights must not leave one class of several, whatever the number.
    """
    n = len(classes)
    counted = np.ones(n, dtype=bool) if sample_weight is None else sample_weight > 0
    usable = []
    for train, test in folds:
        n_all = len(np.unique(classes[train]))
        n_counted = len(np.unique(classes[train[counted[train]]]))
        if n_counted >= max(n_classes, min(2, n_all)) and counted[test].any():
            usable.append((train, test))
    return usable


def _check_classes(folds: list[Fold], y: np.ndarray, name: str) -> None:
    """Raise unless the tested rows have all classes."""
    if len(np.unique(y[list_tested(folds)])) < len(np.unique(y)):
        raise InputError(
            f"{name} must have rows of each class to test, as the metric compares all "
            "classes."
        )
