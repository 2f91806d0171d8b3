"""Scree test: how many of the sorted importances stand out."""

import numpy as np


def scree_test(importances):
    """Return which features come before the sharpest bend of their importances.

    Of the importances in descending order, the bend is the one where the decrease slows
    down most: the largest second difference ``f[i - 1] - 2 f[i] + f[i + 1]``, the first
    of equal ones. Features before it are kept [1]_.

    Parameters
    ----------
    importances : array-like of shape (n_features,)
        Importance of each feature; higher is better.

    Returns
    -------
    support : ndarray of bool of shape (n_features,)
        Which features to keep: at least one. Of one feature or two, the best.

    References
    ----------
    .. [1] Cattell, "The scree test for the number of factors", Multivariate Behavioral
       Research 1, 1966.

    Examples
    --------
    >>> from manyminds.feature_selection import scree_test
    >>> scree_test([10, 9, 8, 1, 0.5, 0.4])
    array([ True,  True,  True, False, False, False])
    """
    importances = np.asarray(importances, dtype=np.float64)
    if importances.ndim != 1 or len(importances) == 0:
        raise ValueError(
            "importances must have one value for each feature; got an array of shape "
            f"{importances.shape}."
        )
    if not np.isfinite(importances).all():
        raise ValueError("importances must be finite; got NaN or infinity.")
    order = np.argsort(-importances, kind="stable")
    n_kept = 1
    if len(order) >= 3:
        n_kept = 1 + int(np.argmax(np.diff(importances[order], n=2)))
    support = np.zeros(len(order), dtype=bool)
    support[order[:n_kept]] = True
    return support
