"""Project class labels on the column space of an encoding.

All coefficients of determination and association are functions of one small matrix
:math:`M = Q^T E`, where Q is an orthonormal basis of the centered columns, and the
columns of E are the indicators of the classes, of length one.
"""

import numpy as np
from scipy.linalg import LinAlgError, cholesky, qr, solve_triangular

_EPS = np.finfo(np.float64).eps
_MAX_TOLERANCE = 1e-8
# Products of columns square the rounding error. If the squared residual of a column on
# the earlier ones is smaller than this, the columns are decomposed by QR instead.
SAFE_PIVOT = 1e-4


def standardize(X):
    """Center columns and scale them to length one; constant ones become zero.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)

    Returns
    -------
    X : ndarray of shape (n_samples, n_columns)
    tolerance : float
        Smallest relative singular value that is not a rounding error:
        ``max(n_samples, n_columns)`` times the machine precision, times the largest
        ratio of a column's magnitude to its range, and at most 1e-8.
    """
    size = np.abs(X).max(axis=0, initial=0.0)
    # Subtracting the first row is exact where values are close, and makes constant
    # columns exactly zero.
    X = X - X[:1]
    spread = np.abs(X).max(axis=0, initial=0.0)
    varies = spread > 8.0 * _EPS * size
    X = np.divide(X, spread, out=np.zeros(X.shape), where=varies)
    X -= X.mean(axis=0)
    X /= np.where(varies, np.sqrt((X**2).sum(axis=0)), 1.0)
    ratio = np.max(size[varies] / spread[varies], initial=1.0)
    return X, min(max(X.shape) * _EPS * ratio, _MAX_TOLERANCE)


def indicators(labels):
    """Return the indicator column of each class, at length one."""
    E = np.zeros((len(labels.codes), len(labels.numbers)))
    E[np.arange(len(E)), labels.codes] = 1.0 / np.sqrt(labels.counts[labels.codes])
    return E


def compress(X, E):
    """Rotate rows so that there are at most as many as columns; angles do not change.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
        See `standardize`.
    E : ndarray of shape (n_samples, n_classes)

    Returns
    -------
    X : ndarray of shape (min(n_samples, n_columns), n_columns)
    E : ndarray of shape (min(n_samples, n_columns), n_classes)
        Projection of the labels.
    """
    n_samples, n_columns = X.shape
    if n_samples <= n_columns:
        return X, E
    R = np.linalg.qr(np.hstack([X, E]), mode="r")
    return R[:n_columns, :n_columns], R[:n_columns, n_columns:]


def column_space(A, tolerance):
    """Return an orthonormal basis of the column space, of its numerical rank.

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_columns)
    tolerance : float
        Pivots up to this, relative to the first, count as zero.

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
    """Return ``M``, the projection of the classes on the columns of an encoding.

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
    """Return M from the products of columns, or None if they are nearly singular."""
    if X.shape[0] <= X.shape[1]:
        return None
    try:
        factor = cholesky(X.T @ X, lower=True, check_finite=False)
    except LinAlgError:
        return None
    if (np.diag(factor) ** 2 < SAFE_PIVOT).any():
        return None
    return solve_triangular(factor, X.T @ E, lower=True, check_finite=False)
