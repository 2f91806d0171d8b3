"""Folds of rows with many labels: iterative stratification, the rarest label first."""

from numbers import Integral

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import SECHIDIS_2011, cite


@fill_docstring(references=cite(SECHIDIS_2011))
class IterativeStratifiedKFold(BaseCrossValidator):
    """Assign rows to folds so that each fold has its share of every label.

    The rows of the label with the fewest rows left are assigned one by one to the fold
    that wants most of this label, then most rows; ties are drawn [1]_. Rows without
    labels are assigned last.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    random_state : int, RandomState instance or None, default=None
        Order of the rows of a label, and ties.

    {references}

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble import IterativeStratifiedKFold
    >>> y = np.repeat([[1, 0], [0, 1], [1, 1]], [6, 3, 3], axis=0)
    >>> folds = IterativeStratifiedKFold(3, random_state=0)
    >>> [y[test].sum(axis=0).tolist() for _, test in folds.split(y, y)]
    [[3, 2], [3, 2], [3, 2]]
    """

    def __init__(self, n_splits=5, *, random_state=None):
        if not isinstance(n_splits, Integral) or n_splits < 2:
            raise ValueError(f"n_splits must be an integer above 1; got {n_splits!r}.")
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """Return the number of folds.

        Parameters
        ----------
        X, y, groups : object
            Not used.

        Returns
        -------
        n_splits : int
        """
        return self.n_splits

    def split(self, X, y, groups=None):
        """Yield the rows of each training and test set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows; only their number counts.
        y : array-like of shape (n_samples, n_labels)
            1 if a row has a label, otherwise 0.
        groups : object
            Not used.

        Yields
        ------
        train, test : ndarray
            Numbers of the rows.
        """
        check_consistent_length(X, y)
        return super().split(X, y, groups)

    def _iter_test_indices(self, X=None, y=None, groups=None):
        Y = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
        Y = Y.reshape(len(Y), -1) != 0
        if len(Y) < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} is more than the {len(Y)} rows."
            )
        rng = check_random_state(self.random_state)
        fold = assign_folds(Y, np.full(self.n_splits, 1.0 / self.n_splits), rng)
        for k in range(self.n_splits):
            yield np.flatnonzero(fold == k)


def assign_folds(Y, shares, rng):
    """Assign rows to folds of given shares by iterative stratification.

    Parameters
    ----------
    Y : ndarray of bool of shape (n_samples, n_labels)
        Whether a row has a label.
    shares : ndarray of shape (n_folds,)
        Share of the rows that each fold is to have; they add up to 1.
    rng : RandomState

    Returns
    -------
    fold : ndarray of shape (n_samples,)
        Number of the fold of each row.
    """
    n_samples = len(Y)
    wanted_rows = shares * n_samples
    wanted = np.outer(shares, Y.sum(axis=0))
    fold = np.full(n_samples, -1)
    n_left = Y.sum(axis=0).astype(float)
    while True:
        rare = np.where(n_left > 0, n_left, np.inf).argmin() if n_left.size else 0
        if n_left.size == 0 or n_left[rare] == 0:
            break
        for row in rng.permutation(np.flatnonzero(Y[:, rare] & (fold < 0))):
            k = _choose_fold(wanted[:, rare], wanted_rows, rng)
            fold[row] = k
            wanted[k] -= Y[row]
            wanted_rows[k] -= 1.0
            n_left -= Y[row]
    for row in rng.permutation(np.flatnonzero(fold < 0)):
        k = _choose_fold(wanted_rows, wanted_rows, rng)
        fold[row] = k
        wanted_rows[k] -= 1.0
    return fold


def _choose_fold(wanted, wanted_rows, rng):
    """Return the fold that wants most; then that which wants most rows; then any."""
    best = np.flatnonzero(wanted >= wanted.max() - 1e-9)
    if len(best) > 1:
        rows = wanted_rows[best]
        best = best[rows >= rows.max() - 1e-9]
    return best[0] if len(best) == 1 else best[rng.randint(len(best))]
