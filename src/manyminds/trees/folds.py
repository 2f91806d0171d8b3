"""Folds of a cross-validation inside ``fit``: no more of them than rows allow."""

from numbers import Integral

import numpy as np


def limit_folds(cv, y, by_class):
    """Limit a number of folds to the number of rows that can be assigned to them.

    Parameters
    ----------
    cv : int, cross-validation generator or iterable
        The user's choice; anything but a number is returned unchanged.
    y : ndarray of shape (n_samples,)
        Targets.
    by_class : bool
        Whether folds are stratified: then the rows of the largest class count.

    Returns
    -------
    cv : int, cross-validation generator or iterable
        A number below 2 means that there can be no folds.

    Examples
    --------
    >>> from manyminds.trees.folds import limit_folds
    >>> limit_folds(10, ["a", "a", "a", "b"], by_class=True)
    3
    """
    if not isinstance(cv, Integral):
        return cv
    n_rows = len(y)
    if by_class:
        n_rows = np.unique(y, return_counts=True)[1].max(initial=0)
    return int(min(cv, n_rows))


def renumber_folds(cv, kept):
    """Number the rows of splits anew when some rows are left out.

    Parameters
    ----------
    cv : int, cross-validation generator or iterable
        The user's choice; anything but an iterable of splits is returned unchanged.
    kept : ndarray of bool of shape (n_samples,) or None
        Which rows are kept; None: all.

    Returns
    -------
    cv : int, cross-validation generator or list of (train, test)
        Positions among the rows that are kept.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.trees.folds import renumber_folds
    >>> renumber_folds([([0, 1], [2, 3])], np.array([True, False, True, True]))
    [(array([0]), array([1, 2]))]
    """
    if kept is None or isinstance(cv, Integral) or hasattr(cv, "split"):
        return cv
    position = np.cumsum(kept) - 1

    def renumber(rows):
        rows = np.arange(len(kept))[rows]
        return position[rows[kept[rows]]]

    return [(renumber(train), renumber(test)) for train, test in cv]
