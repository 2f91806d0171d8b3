"""Folds of rows that depend on each other: groups stay together, the past predicts."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length, column_or_1d

from manyminds._compat import check_sample_weight
from manyminds.datasets.dates import as_dates
from manyminds.utils.errors import InputError
from manyminds.utils.folds import assign_group_folds, hold_out_groups, list_parts

__all__ = [
    "check_past",
    "check_together",
    "check_weights",
    "cut_times",
    "encode_dependence",
    "encode_groups",
    "encode_times",
    "split_groups",
    "split_times",
]

Fold = tuple[np.ndarray, np.ndarray]

N_BLOCKS = 10  # of times, inside of fits


def check_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """Check that the weights of the rows are 0 or more, and not all 0.

    The mean of those above 0 is made 1: no result depends on their unit.
    """
    weights = np.asarray(check_sample_weight(sample_weight, X))
    if (weights < 0).any() or not (weights > 0).any():
        raise InputError(
            "sample_weight must be at least 0, and above 0 for a row; got "
            f"{weights.min():g} to {weights.max():g}."
        )
    return np.asarray(weights * (np.count_nonzero(weights) / weights.sum()))


def encode_dependence(
    groups: Any, time: Any, X: Any
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the codes of groups and of times, where there are any; never both."""
    if groups is not None and time is not None:
        raise InputError("groups and time cannot both be given.")
    return (
        None if groups is None else encode_groups(groups, X),
        None if time is None else encode_times(time, X),
    )


def encode_groups(groups: Any, X: Any) -> np.ndarray:
    """Check the groups of the rows; return their codes from 0.

    Parameters
    ----------
    groups : array-like of shape (n_samples,)
        Numbers, dates or texts; rows with the same value belong together.
    X : table of shape (n_samples, n_features)

    Returns
    -------
    codes : ndarray of int of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.evaluation.dependence import encode_groups
    >>> encode_groups(["b", "a", "b"], np.zeros((3, 1)))
    array([1, 0, 1])
    """
    column = _read_column(groups, "groups", X)
    codes, found = pd.factorize(column, sort=False)
    codes = _sort_codes(codes, found)
    if len(found) < 2:
        raise InputError(
            f"groups must have at least two different values; got {len(found)}."
        )
    return codes


def encode_times(time: Any, X: Any) -> np.ndarray:
    """Check the times of the rows; return the codes of distinct times, in their order.

    Parameters
    ----------
    time : array-like of shape (n_samples,)
        Numbers, dates, or texts that are dates of ISO 8601.
    X : table of shape (n_samples, n_features)

    Returns
    -------
    codes : ndarray of int of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.evaluation.dependence import encode_times
    >>> encode_times(["2024-03-01", "2023-12-31", "2024-03-01"], np.zeros((3, 1)))
    array([1, 0, 1])
    """
    column = _read_column(time, "time", X)
    if not pd.api.types.is_numeric_dtype(column.dtype):
        try:
            column = as_dates(column)
        except ValueError as error:
            raise InputError("time must be numbers, or dates of ISO 8601.") from error
    codes = np.unique(column.to_numpy(), return_inverse=True)[1].ravel()
    if codes.max(initial=0) < 1:
        raise InputError("time must have at least two different values; got one.")
    return codes.astype(np.int64)


def split_groups(
    n_folds: int,
    groups: np.ndarray,
    y: np.ndarray,
    task: str,
    seed: int,
    share: float = 0.2,
) -> list[Fold]:
    """Assign whole groups to folds of about the same size, and of the same classes.

    Parameters
    ----------
    n_folds : int
        1: one part of whole groups is held out.
    groups : ndarray of int of shape (n_samples,)
        Codes.
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
    task : {"classification", "regression", "multilabel"}
    seed : int
    share : float, default=0.2
        Of the rows that one part holds.

    Returns
    -------
    folds : list of (train, test)
    """
    n_groups = int(groups.max()) + 1
    if n_folds > n_groups:
        raise InputError(
            f"cv must be at least 2 and at most the number of groups, {n_groups}; got "
            f"{n_folds}."
        )
    if n_folds == 1:
        held = hold_out_groups(groups, share, seed)
        return [(np.flatnonzero(~held), np.flatnonzero(held))]
    label = y if task == "classification" else None
    return list(list_parts(assign_group_folds(groups, n_folds, label, seed)))


def split_times(n_folds: int, time: np.ndarray, share: float = 0.2) -> list[Fold]:
    """Cut the rows by time into blocks; each block after the first is predicted once.

    Models are trained on all rows before a block. Blocks have about the same number of
    rows; rows of the same time are in one block.

    Parameters
    ----------
    n_folds : int
        Blocks to predict; 1: the last part.
    time : ndarray of int of shape (n_samples,)
        Codes of the distinct times, in their order.
    share : float, default=0.2
        Of the rows that one part holds.

    Returns
    -------
    folds : list of (train, test)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.evaluation.dependence import split_times
    >>> folds = split_times(2, np.arange(6))
    >>> [(train.tolist(), test.tolist()) for train, test in folds]
    [([0, 1], [2, 3]), ([0, 1, 2, 3], [4, 5])]
    """
    n_times = int(time.max()) + 1
    if n_folds >= n_times:
        raise InputError(
            "cv must be at least 2 and less than the number of distinct times, "
            f"{n_times}; got {n_folds}."
        )
    shares = np.arange(1, n_folds + 1) / (n_folds + 1) if n_folds > 1 else [1 - share]
    # The first distinct time of each block, with a time at least for each of them.
    ends = np.cumsum(np.bincount(time)) / len(time)
    starts = np.searchsorted(ends, np.asarray(shares) - 1e-9) + 1
    starts = np.minimum(starts, n_times - np.arange(n_folds, 0, -1))
    for place in range(1, n_folds):
        starts[place] = max(starts[place], starts[place - 1] + 1)
    bounds = np.append(starts, n_times)
    return [
        (np.flatnonzero(time < low), np.flatnonzero((time >= low) & (time < high)))
        for low, high in pairwise(bounds)
    ]


def cut_times(time: np.ndarray) -> np.ndarray:
    """Cut rows by time into ten blocks, of fewer times into as many.

    Rows near each other in time are alike: what holds rows out holds out blocks.

    Parameters
    ----------
    time : ndarray of int of shape (n_samples,)

    Returns
    -------
    block : ndarray of int of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.evaluation.dependence import cut_times
    >>> cut_times(np.array([30, 10, 20, 10]))
    array([8, 2, 6, 2])
    """
    _, codes, counts = np.unique(time, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2.0
    return np.asarray(N_BLOCKS * middle / len(time), dtype=np.intp)[codes]


def check_together(folds: Sequence[Fold], groups: np.ndarray) -> None:
    """Raise if a group is in the training rows and in the test rows of a fold."""
    for train, test in folds:
        if len(np.intersect1d(groups[train], groups[test])):
            raise InputError(
                "cv must keep rows of one group together; a group is in the training "
                "rows and in the test rows of a fold."
            )


def check_past(folds: Sequence[Fold], time: np.ndarray) -> None:
    """Raise if a training row of a fold is not earlier than all of its test rows."""
    for train, test in folds:
        if time[train].max() >= time[test].min():
            raise InputError(
                "cv must train on rows before those of the test fold; a training row "
                "has the time of a test row, or a later one."
            )


def _read_column(values: Any, name: str, X: Any) -> pd.Series:
    """Return a column of one value for each row; raise if one is missing."""
    if not isinstance(values, pd.Series):
        values = pd.Series(column_or_1d(values))
    column = values.reset_index(drop=True)
    check_consistent_length(X, column)
    if n_missing := int(column.isna().sum()):
        raise InputError(f"{name} must have a value in each row; {n_missing} have not.")
    return column


def _sort_codes(codes: np.ndarray, found: Any) -> np.ndarray:
    """Return codes in the order of the values as text, whatever the order of rows."""
    order = np.argsort([str(one) for one in found], kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return np.asarray(rank[codes])
