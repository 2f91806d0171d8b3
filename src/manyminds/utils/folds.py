"""Assign rows to folds: each with its share of every class, or of whole groups."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold
from sklearn.utils.validation import check_consistent_length, column_or_1d

from manyminds._compat import split_stratified_groups

__all__ = [
    "assign_folds",
    "assign_group_folds",
    "hold_out_groups",
    "keep_classes",
    "list_parts",
    "read_groups",
]

MAX_STRATIFIED = 10_000  # groups; of more, classes are spread without stratification


def assign_folds(
    label: NDArray[np.intp],
    n_folds: int,
    rng: np.random.RandomState,
    groups: NDArray[np.intp] | None = None,
) -> NDArray[np.intp]:
    """Return the fold of each row: the rows of each class in turn, in random order.

    Classes with fewer rows than folds are allowed: some folds have none of them.

    Parameters
    ----------
    label : ndarray of shape (n_samples,)
        Class numbers.
    n_folds : int
        Number of folds.
    rng : RandomState
        Draws the order.
    groups : ndarray of shape (n_samples,) or None, default=None
        Codes of groups that stay together, as in `assign_group_folds`; of fewer groups
        than folds, each is a fold.

    Returns
    -------
    fold : ndarray of shape (n_samples,)
        Numbers from 0 to ``n_folds - 1``.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.folds import assign_folds
    >>> fold = assign_folds(np.array([0, 0, 1, 1]), 2, np.random.RandomState(0))
    >>> sorted(fold[:2].tolist()), sorted(fold[2:].tolist())
    ([0, 1], [0, 1])
    """
    if groups is not None:
        n_folds = min(n_folds, int(groups.max()) + 1)
        seed = int(rng.randint(2**31 - 1))
        return assign_group_folds(groups, n_folds, label, seed)
    order = rng.permutation(len(label))
    order = order[np.argsort(label[order], kind="stable")]
    fold = np.empty(len(label), dtype=np.intp)
    fold[order] = np.arange(len(label)) % n_folds
    return fold


def assign_group_folds(
    groups: NDArray[np.intp], n_folds: int, label: NDArray[np.intp] | None, seed: int
) -> NDArray[np.intp]:
    """Return the fold of each row: groups stay together, folds have about one size.

    Parameters
    ----------
    groups : ndarray of shape (n_samples,)
        Codes from 0, without gaps.
    n_folds : int
        At most the number of groups.
    label : ndarray of shape (n_samples,) or None
        Class numbers, whose shares are about the same in all folds; None: of numbers.
    seed : int

    Returns
    -------
    fold : ndarray of shape (n_samples,)
    """
    n_groups = int(groups.max()) + 1
    # Ties are broken at random.
    mixed = np.random.default_rng(seed).permutation(n_groups)[groups]
    blank = np.zeros((len(groups), 1))
    if label is not None and n_groups <= MAX_STRATIFIED:
        splits = split_stratified_groups(label, mixed, n_folds, seed)
        try:
            tests = [test for _, test in splits]
        except ValueError:  # no class has so many rows
            tests = []
        if tests and all(0 < len(test) < len(groups) for test in tests):
            return _number_folds(tests, len(groups))
    splits = GroupKFold(n_folds).split(blank, groups=mixed)
    return _number_folds([test for _, test in splits], len(groups))


def _number_folds(tests: list[np.ndarray], n_rows: int) -> NDArray[np.intp]:
    fold = np.empty(n_rows, dtype=np.intp)
    for number, test in enumerate(tests):
        fold[test] = number
    return fold


def hold_out_groups(
    groups: NDArray[np.intp], share: float, seed: int
) -> NDArray[np.bool_]:
    """Mark the rows of groups that are held out: one at least, never all.

    Parameters
    ----------
    groups : ndarray of shape (n_samples,)
        Codes from 0, without gaps, of two groups or more.
    share : float
        Of the rows, as nearly as groups that are drawn at random allow.
    seed : int

    Returns
    -------
    held_out : ndarray of bool of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.folds import hold_out_groups
    >>> held_out = hold_out_groups(np.array([0, 0, 1, 1, 2, 2]), 0.4, 0)
    >>> int(held_out.sum())
    2
    """
    sizes = np.bincount(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    wanted, held, n_held = min(share * len(groups), len(groups) - 1), [], 0
    for group, size in zip(order.tolist(), sizes[order].tolist()):
        if n_held + size <= wanted:
            held.append(group)
            n_held += size
    # Of few large groups, none may fit: too many rows may be nearer than too few.
    left = np.setdiff1d(order, held)
    smallest = left[sizes[left].argmin()]
    error = abs(n_held + sizes[smallest] - wanted)
    if not held or (len(left) > 1 and error < wanted - n_held):
        held.append(smallest)
    return np.isin(groups, held)


def list_parts(
    fold: NDArray[np.intp],
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the rows outside and inside of each fold.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.folds import list_parts
    >>> [inside.tolist() for outside, inside in list_parts(np.array([0, 1, 0]))]
    [[0, 2], [1]]
    """
    for number in range(int(fold.max()) + 1):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


def keep_classes(
    label: NDArray[np.intp], train: NDArray[np.intp], held_out: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Let held-out rows train whose class no training row has.

    As where all groups of a class are held out: a model that never saw it would be
    judged by how sure it is of others.

    Parameters
    ----------
    label : ndarray of shape (n_samples,)
        Class numbers.
    train, held_out : ndarray of int
        Sorted rows.

    Returns
    -------
    train, held_out : ndarray of int
        Sorted rows; ``held_out`` may be empty.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.folds import keep_classes
    >>> train, held_out = np.array([0, 1]), np.array([2, 3])
    >>> keep_classes(np.array([0, 1, 2, 1]), train, held_out)
    (array([0, 1, 2]), array([3]))
    """
    is_known = np.isin(label[held_out], label[train])
    return np.sort(np.append(train, held_out[~is_known])), held_out[is_known]


def read_groups(groups: Any, X: Any) -> NDArray[np.intp] | None:
    """Return the codes of the groups of the rows; None without two different ones.

    Parameters
    ----------
    groups : array-like of shape (n_samples,) or None
        Values of any kind that can be compared.
    X : array-like of shape (n_samples, ...)

    Returns
    -------
    codes : ndarray of int of shape (n_samples,) or None
        From 0, without gaps.

    Examples
    --------
    >>> from manyminds.utils.folds import read_groups
    >>> read_groups(["b", "a", "b"], [[1], [2], [3]])
    array([1, 0, 1])
    """
    if groups is None:
        return None
    check_consistent_length(X, groups)
    found, codes = np.unique(column_or_1d(groups), return_inverse=True)
    return codes if len(found) > 1 else None
