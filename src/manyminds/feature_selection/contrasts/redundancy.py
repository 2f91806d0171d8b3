"""Removal of redundant columns: those that a more important one masks."""

import numpy as np

from manyminds.feature_selection.contrasts.paired_tests import (
    judge_above,
    limit_by_contrasts,
)


def judge_masking(masking, percentile, test):
    """Test for each pair of columns whether the one masks the other.

    Parameters
    ----------
    masking : ndarray of shape (n_replicates, m, 2 * m)
        By how much column i masks each column and each contrast, in each replicate.
    percentile : float
        Percentile over the contrasts that a column must exceed.
    test : {"paired", "prediction"}
        See ``judge_above``.

    Returns
    -------
    pvalues : ndarray of shape (m, m)
        Of "column i masks column j"; 1 on the diagonal. Not symmetric.
    """
    m = masking.shape[1]
    limits = limit_by_contrasts(masking[:, :, m:], percentile)
    pvalues = np.ones((m, m))
    for i in range(m):
        pvalues[i] = judge_above(masking[:, i, :m], limits[:, i], test)[1]
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def remove_masked(importances, is_masked):
    """Select columns, the most important first; each removes those that it masks.

    Parameters
    ----------
    importances : ndarray of shape (m,)
        Among equals the first goes first.
    is_masked : ndarray of bool of shape (m, m)
        Whether column i masks column j.

    Returns
    -------
    kept : ndarray of int
        Positions of the columns that remain, the most important first.

    Examples
    --------
    The first column masks the second, which would have masked the third.

    >>> import numpy as np
    >>> from manyminds.feature_selection.contrasts.redundancy import remove_masked
    >>> is_masked = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)
    >>> remove_masked(np.array([3.0, 2.0, 1.0]), is_masked)
    array([0, 2])
    """
    is_removed, kept = np.zeros(len(importances), dtype=bool), []
    for i in np.argsort(-importances, kind="stable"):
        if not is_removed[i]:
            kept.append(i)
            is_removed |= is_masked[i]
    return np.array(kept, dtype=np.intp)
