"""Coefficients of determination of the classes by least squares."""

import numpy as np

from manyminds.analysis.correlation.projection import column_space, standardize


def determine(M, labels, one_hot):
    """Return R² of each label column from the projection of the classes.

    Parameters
    ----------
    M : ndarray of shape (..., rank, n_classes)
        See `project_labels`; there may be a stack of them.
    labels : Labels
    one_hot : bool
        Whether there is a column for each class (one for two classes), or one column
        of numeric classes.

    Returns
    -------
    r2 : ndarray of shape (..., n_label_columns)
        0 for a constant label column.
    """
    counts = labels.counts
    n_samples, n_classes = counts.sum(), len(counts)
    if n_classes == 1:
        return np.zeros((*M.shape[:-2], 1))
    if one_hot:
        explained = (M**2).sum(axis=-2) / (1.0 - counts / n_samples)
        return explained[..., :1] if n_classes == 2 else explained
    numbers = labels.numbers - labels.numbers @ counts / n_samples
    total = counts @ numbers**2
    projected = M @ (np.sqrt(counts) * numbers)
    return (projected**2).sum(axis=-1, keepdims=True) / total


def adjust(r2, n_samples, rank):
    """Adjust R² for the number of columns.

    Parameters
    ----------
    r2 : ndarray
    n_samples : int
    rank : int
        Number of linearly independent columns.

    Returns
    -------
    adjusted : ndarray
        ``1 - (1 - r2) * (n_samples - 1) / (n_samples - rank - 1)``; 0 if no degree of
        freedom is left.
    """
    free = n_samples - rank - 1
    if free <= 0:
        return np.zeros_like(r2)
    return 1.0 - (1.0 - r2) * (n_samples - 1) / free


def leave_one_out(X, labels, one_hot, tol=None):
    """Return the leave-one-out cross-validated R² of a linear regression.

    Only one regression is fitted: the error of a row that is left out is its residual
    over one minus its leverage. A row of leverage one is predicted by the mean of the
    others, which is also the baseline of R².

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
    labels : Labels
    one_hot : bool
        See `determine`.
    tol : float, default=None
        See `project_labels`.

    Returns
    -------
    r2 : ndarray of shape (n_label_columns,)
        At most 1, and below 0 if the mean predicts better.
    """
    n_samples = len(X)
    if len(labels.numbers) == 1:
        return np.zeros(1)
    Q = _row_basis(X, tol)
    Y = _label_columns(labels, one_hot)
    Y -= Y.mean(axis=0)
    left = 1.0 - 1.0 / n_samples - (Q**2).sum(axis=1)
    is_alone = left <= n_samples * np.finfo(np.float64).eps
    by_mean = Y * n_samples / (n_samples - 1.0)
    errors = (Y - Q @ (Q.T @ Y)) / np.where(is_alone, 1.0, left)[:, None]
    errors[is_alone] = by_mean[is_alone]
    return 1.0 - (errors**2).sum(axis=0) / (by_mean**2).sum(axis=0)


def _row_basis(X, tol):
    """Return the basis of the centered columns, row by row."""
    X, tolerance = standardize(X)
    tolerance = tolerance if tol is None else tol
    if X.shape[0] <= X.shape[1]:
        return column_space(X, tolerance)
    Q, R = np.linalg.qr(X)
    return Q @ column_space(R, tolerance)


def _label_columns(labels, one_hot):
    if not one_hot:
        return labels.numbers[labels.codes][:, None]
    classes = np.arange(len(labels.numbers))
    if len(classes) == 2:
        classes = classes[1:]
    return (labels.codes[:, None] == classes).astype(np.float64)
