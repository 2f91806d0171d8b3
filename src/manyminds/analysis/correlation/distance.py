"""Distance correlation of vectors and classes, computed in blocks."""

import numpy as np
from scipy.spatial.distance import cdist

_BLOCK_CELLS = 2_000_000  # distances of a block


def distance_correlation(X, labels):
    r"""Return the bias-corrected squared distance correlation of vectors and classes.

    In the limit of many rows it is 0 only if vectors and classes are independent.
    Classes are at distance 1 from each other. The coefficient depends on the distances
    :math:`a_{ij}` only by sums over rows, over rows of the same class, and of squares,
    which are accumulated in blocks.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
    labels : Labels

    Returns
    -------
    coefficient : float
        At most 1; slightly below 0 for independent vectors.

    References
    ----------
    .. [1] Székely and Rizzo, "The distance correlation t-test of independence in high
       dimension", Journal of Multivariate Analysis 117, 2013.
    """
    n_samples, counts = len(X), labels.counts
    if len(counts) == 1:
        return 0.0
    if n_samples < 4:
        raise ValueError(
            f"X must have four rows or more for distance correlation; got {n_samples}."
        )
    row_sums, within, squares = _sum_distances(_rescale(X), labels)
    others = (n_samples - counts)[labels.codes]  # rows of other classes, at distance 1
    apart = row_sums.sum() - within
    shared = _inner(apart, row_sums, others)
    of_vectors = _inner(squares, row_sums, row_sums)
    of_classes = _inner(others.sum(), others, others)
    if of_vectors <= 0.0 or of_classes <= 0.0:
        return 0.0
    return float(shared / np.sqrt(of_vectors * of_classes))


def _rescale(X):
    """Return X divided by a power of two, so that squared distances stay in range.

    This is exact, and does not change the coefficient.
    """
    _, exponent = np.frexp(np.abs(X).max())
    return np.ldexp(X, -exponent)


def _sum_distances(X, labels):
    """Sum distances by row, those within classes, and their squares."""
    n_samples = len(X)
    row_sums, within, squares = np.empty(n_samples), 0.0, 0.0
    order = np.argsort(labels.codes, kind="stable")
    X, codes = X[order], labels.codes[order]
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    step = max(1, _BLOCK_CELLS // n_samples)
    for first in range(0, n_samples, step):
        rows = slice(first, first + step)
        block = cdist(X[rows], X)
        by_class = np.add.reduceat(block, starts, axis=1)
        row_sums[order[rows]] = by_class.sum(axis=1)
        within += by_class[np.arange(len(block)), codes[rows]].sum()
        squares += np.vdot(block, block)
    return row_sums, within, squares


def _inner(products, row_sums, other_row_sums):
    """Return the inner product of two U-centered distance matrices from sums."""
    n = len(row_sums)
    centered = products - 2.0 / (n - 2) * (row_sums @ other_row_sums)
    total = row_sums.sum() * other_row_sums.sum()
    return (centered + total / ((n - 1) * (n - 2))) / (n * (n - 3))
