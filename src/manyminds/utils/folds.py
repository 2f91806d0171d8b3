"""Assign rows to folds, each with its share of every class."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["assign_folds"]


def assign_folds(
    label: NDArray[np.intp], n_folds: int, rng: np.random.RandomState
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
    order = rng.permutation(len(label))
    order = order[np.argsort(label[order], kind="stable")]
    fold = np.empty(len(label), dtype=np.intp)
    fold[order] = np.arange(len(label)) % n_folds
    return fold
