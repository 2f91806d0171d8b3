"""Coefficients of multivariate association between columns and classes."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import f as f_distribution

from manyminds.analysis.correlation.projection import project_labels
from manyminds.analysis.correlation.reading import read_encoding, read_labels

__all__ = ["WilksResult", "wilks_test"]


def canonical_correlations(M):
    r"""Return the squared canonical correlations of an encoding and its classes.

    With B and W the scatter between and within classes, they are
    :math:`r_i^2 = \lambda_i / (1 + \lambda_i)`, where :math:`\lambda_i` are the
    eigenvalues of :math:`W^{-1} B`; but W need not have an inverse.

    Parameters
    ----------
    M : ndarray of shape (..., rank, n_classes)
        See `project_labels`; there may be a stack of them.

    Returns
    -------
    squares : ndarray of shape (..., min(rank, n_classes - 1))
        Between 0 and 1, the largest first.
    """
    rank, n_classes = M.shape[-2:]
    turned = np.swapaxes(M, -1, -2)
    small = M @ turned if rank < n_classes else turned @ M
    values = np.linalg.eigvalsh(small)[..., ::-1]
    return np.clip(values[..., : min(rank, n_classes - 1)], 0.0, 1.0)


def wilks(squares):
    """Return ``1 - Λ``, where Λ is Wilks's ratio of within to total scatter."""
    return 1.0 - np.prod(1.0 - squares, axis=-1)


def harmonic_wilks(squares):
    """Return ``1 - Λ^(1/s)``, which does not approach one with many classes."""
    n_squares = max(squares.shape[-1], 1)
    return 1.0 - np.prod(1.0 - squares, axis=-1) ** (1.0 / n_squares)


def pillai(squares):
    """Return the mean of the squared canonical correlations."""
    return squares.sum(axis=-1) / max(squares.shape[-1], 1)


def lawley_hotelling(squares):
    """Return ``v / (1 + v)``, where v is the mean eigenvalue of the scatter ratio."""
    with np.errstate(divide="ignore"):
        ratios = squares / (1.0 - squares)
    mean = ratios.sum(axis=-1) / max(squares.shape[-1], 1)
    return 1.0 - 1.0 / (1.0 + mean)


def roy(squares):
    """Return the largest squared canonical correlation."""
    return squares.max(axis=-1, initial=0.0)


@dataclass(frozen=True)
class WilksResult:
    """Result of Wilks's test.

    Parameters
    ----------
    statistic : float
        Λ: near 0 if the means of the classes differ, 1 if they are equal.
    f_value : float
        Rao's F.
    degrees_of_freedom : tuple of two floats
        Degrees of freedom of F.
    p_value : float
        P-value under the null hypothesis that all classes have the same mean.
    """

    statistic: float
    f_value: float
    degrees_of_freedom: tuple[float, float]
    p_value: float


def wilks_test(X, y, *, categorical_features="from_dtype", tol=None):
    """Test whether all classes have the same mean vector, by Wilks's Λ.

    The distribution is Rao's F, which is exact for up to three classes, or up to two
    columns, and an approximation otherwise. For one column it is the F of the analysis
    of variance. It assumes normal classes of equal covariance; scores do not.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        Encoded vectors; categories become indicator columns.
    y : array-like of shape (n_samples,)
        Class labels, of two classes or more.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Categorical columns of X.
    tol : float, default=None
        See `correlation_score`.

    Returns
    -------
    result : WilksResult

    References
    ----------
    .. [1] Rao, "An asymptotic expansion of the distribution of Wilks' criterion",
       Bulletin of the International Statistical Institute 33, 1951.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.analysis import wilks_test
    >>> result = wilks_test(*load_iris(return_X_y=True))
    >>> print(f"{result.statistic:.6f} {result.f_value:.2f}")
    0.023439 199.15
    """
    X = read_encoding(X, categorical_features)
    labels = read_labels(X, y)
    if len(labels.numbers) < 2:
        raise ValueError("y must have two classes or more; got one.")

    M = project_labels(X, labels, tol)
    squares = canonical_correlations(M)
    return _rao_test(squares, len(X), len(M), len(labels.numbers) - 1)


def _rao_test(squares, n_samples, rank, between):
    """Compare Λ with its distribution: ``rank`` columns, ``between`` contrasts."""
    if n_samples - between - 1 < rank or rank == 0:
        raise ValueError(
            "X must have from 1 to n_samples - n_classes linearly independent columns; "
            f"got {rank} of them, {n_samples} rows and {between + 1} classes."
        )
    log_ratio = np.log1p(-squares).sum() if (squares < 1.0).all() else -np.inf
    below = rank**2 + between**2 - 5
    root = np.sqrt((rank**2 * between**2 - 4) / below) if below > 0 else 1.0
    first = rank * between
    second = root * (n_samples - 1 - (rank + between + 1) / 2.0) - (first - 2) / 2.0
    with np.errstate(divide="ignore", over="ignore"):
        f_value = np.expm1(-log_ratio / root) * second / first
    p_value = float(f_distribution.sf(f_value, first, second))
    return WilksResult(
        float(np.exp(log_ratio)), float(f_value), (float(first), float(second)), p_value
    )
