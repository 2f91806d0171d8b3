"""Project class labels on the space that the columns of an encoding span.

All coefficients of determination and association are read from one small matrix: with
Q an orthonormal basis of the centered columns, and E the indicator columns of the
classes, each of length one, they are functions of :math:`M = Q^T E`.
"""

import numpy as np
from scipy.linalg import LinAlgError, cholesky, qr, solve_triangular

_EPS = np.finfo(np.float64).eps
_LARGEST_TOLERANCE = 1e-8
# Products of columns square what rounding costs. Where less than this share of a column
# is left when earlier ones are taken out of it, the columns themselves are used.
SAFE_PIVOT = 1e-4


def standardize(X):
    """Center columns and give them length one; constant ones become zero.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)

    Returns
    -------
    X : ndarray of shape (n_samples, n_columns)
    tolerance : float
        Smallest singular value, as a share of the largest, that is not mere rounding:
        ``max(n_samples, n_columns)`` times the precision of floats, times the largest
        ratio of a column's size to its spread, and never more than 1e-8.
    """
    size = np.abs(X).max(axis=0, initial=0.0)
    # What all values share would be rounded away later: the first row takes it out,
    # exactly where values are close, and leaves constant columns exactly zero.
    X = X - X[:1]
    spread = np.abs(X).max(axis=0, initial=0.0)
    varies = spread > 8.0 * _EPS * size
    X = np.divide(X, spread, out=np.zeros(X.shape), where=varies)
    X -= X.mean(axis=0)
    X /= np.where(varies, np.sqrt((X**2).sum(axis=0)), 1.0)
    ratio = np.max(size[varies] / spread[varies], initial=1.0)
    return X, min(max(X.shape) * _EPS * ratio, _LARGEST_TOLERANCE)


def indicators(labels):
    """Return the indicator column of each class, at length one."""
    E = np.zeros((len(labels.codes), len(labels.numbers)))
    E[np.arange(len(E)), labels.codes] = 1.0 / np.sqrt(labels.counts[labels.codes])
    return E


def compress(X, E):
    """Turn rows so that there are no more than columns; all angles stay.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
        See `standardize`.
    E : ndarray of shape (n_samples, n_classes)

    Returns
    -------
    X : ndarray of shape (min(n_samples, n_columns), n_columns)
    E : ndarray of shape (min(n_samples, n_columns), n_classes)
        The part of the labels that columns can reach.
    """
    n_samples, n_columns = X.shape
    if n_samples <= n_columns:
        return X, E
    R = np.linalg.qr(np.hstack([X, E]), mode="r")
    return R[:n_columns, :n_columns], R[:n_columns, n_columns:]


def column_space(A, tolerance):
    """Find an orthonormal basis of the columns' space, at its numerical rank.

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_columns)
    tolerance : float
        A pivot at most so large, as a share of the first, is taken for zero.

    Returns
    -------
    Q : ndarray of shape (n_rows, rank)
    """
    if A.shape[1] > A.shape[0]:  # as many columns as rows span the same space
        A = np.linalg.qr(A.T, mode="r").T
    Q, R, _ = qr(A, mode="economic", pivoting=True, check_finite=False)
    pivots = np.abs(np.diag(R))
    return Q[:, pivots > tolerance * pivots.max(initial=0.0)]


def project_labels(X, labels, tol=None):
    """Return ``M``: how the basis of an encoding's columns correlates with the classes.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
    labels : Labels
    tol : float, default=None
        See `column_space`; None: see `standardize`.

    Returns
    -------
    M : ndarray of shape (rank, n_classes)
    """
    X, tolerance = standardize(X)
    E = indicators(labels)
    if tol is None:
        M = _project_by_products(X, E)
        if M is not None:
            return M
    X, E = compress(X, E)
    return column_space(X, tolerance if tol is None else tol).T @ E


def _project_by_products(X, E):
    """Return M from the products of columns, or None if they are too near to singular."""
    if X.shape[0] <= X.shape[1]:
        return None
    try:
        factor = cholesky(X.T @ X, lower=True, check_finite=False)
    except LinAlgError:
        return None
    if (np.diag(factor) ** 2 < SAFE_PIVOT).any():
        return None
    return solve_triangular(factor, X.T @ E, lower=True, check_finite=False)
