"""The output layer of random networks: scaling, ridge regression, coding of classes."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, svd

from manyminds.utils.scaling import fit_standard_scaler


def fit_scaler(X, sample_weight, scale):
    """Return a fitted scaler of the features, or None if ``scale`` is None."""
    return fit_standard_scaler(X, sample_weight) if scale else None


def solve_ridge(hidden, targets, alpha, sample_weight=None, fit_intercept=True):
    """Solve for the output weights by ridge regression.

    Parameters
    ----------
    hidden : ndarray of shape (n_samples, n_hidden)
        Activations of the hidden units.
    targets : ndarray of shape (n_samples, n_outputs)
        Targets of the outputs.
    alpha : float
        Ridge penalty. 0: least squares, with the solution of minimum norm.
    sample_weight : ndarray of shape (n_samples,), default=None
        Sample weights.
    fit_intercept : bool, default=True
        Whether outputs have an intercept, which is not penalized.

    Returns
    -------
    coef : ndarray of shape (n_hidden, n_outputs)
        Output weights.
    intercept : ndarray of shape (n_outputs,)
        Intercepts; 0 without ``fit_intercept``.
    """
    center, level = np.zeros(hidden.shape[1]), np.zeros(targets.shape[1])
    if fit_intercept:
        share = np.ones(len(hidden)) if sample_weight is None else sample_weight
        share = share / share.sum()
        center, level = share @ hidden, share @ targets
    hidden, targets = hidden - center, targets - level
    if sample_weight is not None:
        root = np.sqrt(sample_weight)[:, np.newaxis]
        hidden, targets = hidden * root, targets * root
    coef = _solve_centered(hidden, targets, alpha)
    return coef, level - center @ coef


def _solve_centered(hidden, targets, alpha):
    """Solve by Cholesky of the smaller Gram matrix, or by SVD if that is inaccurate."""
    n_samples, n_hidden = hidden.shape
    if n_hidden == 0:  # LAPACK does not support empty matrices
        return np.zeros((0, targets.shape[1]))
    if alpha > 0.0:
        try:
            if n_hidden <= n_samples:
                gram = hidden.T @ hidden
                gram[np.diag_indices(n_hidden)] += alpha
                return cho_solve(cho_factor(gram), hidden.T @ targets)
            gram = hidden @ hidden.T
            gram[np.diag_indices(n_samples)] += alpha
            return hidden.T @ cho_solve(cho_factor(gram), targets)
        except LinAlgError:
            pass  # alpha is below the rounding error of the products
    left, singular, right = svd(hidden, full_matrices=False)
    smallest = singular.max(initial=0.0) * max(hidden.shape) * np.finfo(float).eps
    kept = singular > smallest
    shrink = singular[kept] / (singular[kept] ** 2 + alpha)
    return right[kept].T @ (shrink[:, np.newaxis] * (left[:, kept].T @ targets))


def code_classes(label, n_classes):
    """Code classes by 1 and -1: a column for each, or a single one for two classes."""
    if n_classes <= 2:
        return np.where(label == 1, 1.0, -1.0)[:, np.newaxis]
    return np.where(label[:, np.newaxis] == np.arange(n_classes), 1.0, -1.0)


def decode_classes(outputs):
    """Return the class number of each row of coded outputs."""
    if outputs.shape[1] == 1:
        return (outputs[:, 0] > 0.0).astype(np.intp)
    return outputs.argmax(axis=1)
