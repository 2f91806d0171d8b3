"""Folds for what a fit chooses by itself: no more of them than rows allow."""

from numbers import Integral

import numpy as np


def limit_folds(cv, y, by_class):
    """Lower a number of folds to the number of rows that can be dealt out to them.

    Parameters
    ----------
    cv : int, cross-validation generator or iterable
        What users ask for; anything but a number is left alone.
    y : ndarray of shape (n_samples,)
        Targets.
    by_class : bool
        Whether each class is dealt out for itself: then the rows of the largest class
        count.

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
