"""Kernel matrices by blocks: exact spectra, and landmarks in place of all samples."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh
from sklearn.utils.extmath import row_norms

from manyminds.utils.threads import limit_blas_threads

_BLOCK_CELLS = 2**21  # kernels computed at once
_MIN_LANCZOS = 400  # smaller matrices are decomposed as a whole
_FIRST_LANCZOS = 32  # eigenvalues found first
_LANCZOS_SHARE = 6  # at most one in so many eigenvalues is found by iterations
_ROUNDING = 1e-12  # relative size of what rounding leaves


class Spectrum(NamedTuple):
    """Leading eigenvalues of a positive semidefinite matrix.

    values   (n_kept,)          float64, in decreasing order
    vectors  (n_rows, n_kept)   float64, the eigenvectors as columns
    """

    values: np.ndarray
    vectors: np.ndarray


def split_rows(n_rows, n_columns):
    """Return slices of rows, each of a block of kernels with so many columns."""
    step = max(1, _BLOCK_CELLS // max(n_columns, 1))
    return [slice(first, first + step) for first in range(0, n_rows, step)]


def multiply_kernel(kernel, X, points, coef):
    """Return the kernel between X and points times a vector, block by block.

    Parameters
    ----------
    kernel : callable
        Returns the kernel between all rows of two tables.
    X, points : {ndarray, sparse CSR matrix} of shape (n_rows, n_features)
        The tables.
    coef : ndarray of shape (n_points,)
        The vector.

    Returns
    -------
    product : ndarray of shape (n_rows_of_X,)
    """
    blocks = split_rows(X.shape[0], points.shape[0])
    return np.concatenate([kernel(X[rows], points) @ coef for rows in blocks])


def center_kernel(kernel, X, weight):
    r"""Compute the centered kernel matrix of weighted samples.

    Parameters
    ----------
    kernel : callable
        Returns the kernel between all rows of two tables.
    X : {ndarray, sparse CSR matrix} of shape (n_samples, n_features)
        The samples.
    weight : ndarray of shape (n_samples,)
        Their weights :math:`s_i`, all positive.

    Returns
    -------
    matrix : ndarray of shape (n_samples, n_samples)
        :math:`\sqrt{s_i s_j} \tilde k(x_i, x_j)`, where :math:`\tilde k` is the kernel
        of features minus their weighted mean. The only matrix of this size in memory.
    means : ndarray of shape (n_samples,)
        Weighted mean of the kernel over the samples, with each of them.
    """
    n_samples, share = X.shape[0], weight / weight.sum()
    matrix, root = np.empty((n_samples, n_samples)), np.sqrt(weight)
    for rows in split_rows(n_samples, n_samples):
        matrix[rows] = kernel(X[rows], X)
    means = matrix @ share
    matrix -= means
    matrix -= (means - share @ means)[:, np.newaxis]
    if (weight != 1.0).any():
        matrix *= root
        matrix *= root[:, np.newaxis]
    return matrix, means


def find_spectrum(matrix, share, n_components=None, size=0.0):
    """Find the leading eigenvalues that sum to a share of all.

    Only as many are computed as needed, by Lanczos iterations, if these are few.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_rows)
        Symmetric, and positive semidefinite up to rounding.
    share : float
        Above 0 and up to 1.
    n_components : int, default=None
        Number of eigenvalues to find instead, at most the numerical rank.
    size : float, default=0.0
        Trace of the matrix before centering, of which rounding errors are left.

    Returns
    -------
    spectrum : Spectrum
        The smallest number of eigenvalues whose sum is at least the share.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.kernel_matrices import find_spectrum
    >>> find_spectrum(np.diag([1.0, 6.0, 3.0]), 0.8).values
    array([6., 3.])
    """
    n_rows, trace = len(matrix), np.trace(matrix)
    if not np.isfinite(matrix).all():
        raise ValueError("Products of the samples overflow: scale the columns of X.")
    n_asked = n_components or _FIRST_LANCZOS
    while n_rows >= _MIN_LANCZOS and n_asked <= n_rows // _LANCZOS_SHARE:
        spectrum = _iterate(matrix, n_asked)
        lacking = share * trace - spectrum.values.sum()
        if n_components or lacking <= 0.0:
            return _cut(spectrum, share * trace, n_components, size)
        # The others are not larger than the last: so many are needed at least.
        n_more = lacking / max(spectrum.values[-1], lacking / n_rows)
        n_asked = max(3 * n_asked, n_asked + int(n_more))
    spectrum = _sort(*eigh(matrix, driver="evd", check_finite=False))
    total = share * np.maximum(spectrum.values, 0.0).sum()
    return _cut(spectrum, total, n_components, size)


def _iterate(matrix, n_asked):
    """Find leading eigenvalues by Lanczos iterations, with the same start each time."""
    start = np.random.default_rng(0).uniform(-1.0, 1.0, size=len(matrix))
    with limit_blas_threads():  # small steps: threads would wait for each other
        return _sort(*eigsh(matrix, k=n_asked, which="LA", v0=start))


def _sort(values, vectors):
    falling = np.argsort(-values, kind="stable")
    return Spectrum(values[falling], vectors[:, falling])


def _cut(spectrum, total, n_components, size):
    """Keep the eigenvalues up to a sum, or a number of them; none of rounding."""
    values = np.maximum(spectrum.values, 0.0)
    noise = max(4.0 * size, len(spectrum.vectors) * values.max(initial=0.0))
    n_sound = np.count_nonzero(values > noise * np.finfo(np.float64).eps)
    n_kept = n_components
    if n_components is None:
        reached = np.cumsum(values) >= total * (1.0 - _ROUNDING)
        n_kept = 1 + np.argmax(reached) if reached.any() else len(values)
    n_kept = min(n_kept, n_sound)
    return Spectrum(values[:n_kept], spectrum.vectors[:, :n_kept])


class Landmarks(NamedTuple):
    """Features of samples by which their kernels with landmarks are approximated.

    root      (n_landmarks, n_found)  kernels with landmarks times it are the features
    mean      (n_found,)              weighted mean of the features of the samples
    scatter   (n_found, n_found)      their weighted scatter around it
    contrast  (n_found,)              the features times the weighted contrast
    error     float                   share of the scatter that they do not have
    """

    root: np.ndarray
    mean: np.ndarray
    scatter: np.ndarray
    contrast: np.ndarray
    error: float


def approximate_kernel(kernel, X, points, weight, contrast):
    r"""Approximate a kernel by its values with few landmarks, block by block.

    With the kernels :math:`K_{mm}` of the landmarks, the features of a sample are
    :math:`K_{mm}^{-1/2} k(x)` (Nyström's method). What they lack is the residual
    :math:`k(x, x) - \lVert z \rVert^2 \ge 0`, whose sum is the nuclear norm of the
    error of the kernel matrix.

    Parameters
    ----------
    kernel : WidthKernel
        The kernel.
    X, points : {ndarray, sparse CSR matrix} of shape (n_rows, n_features)
        The samples, and the landmarks among them.
    weight, contrast : ndarray of shape (n_samples,)
        Weights of the samples, and what their features are multiplied by.

    Returns
    -------
    landmarks : Landmarks
    """
    values, vectors = eigh(kernel(points, points), driver="evd", check_finite=False)
    is_sound = values > _ROUNDING * values.max(initial=0.0)
    root = vectors[:, is_sound] / np.sqrt(values[is_sound])
    n_found = root.shape[1]
    total, scatter = np.zeros(n_found), np.zeros((n_found, n_found))
    product, residual = np.zeros(n_found), 0.0
    for rows in split_rows(X.shape[0], points.shape[0]):
        features = kernel(X[rows], points) @ root
        weighted = features * weight[rows, np.newaxis]
        total += weighted.sum(axis=0)
        scatter += features.T @ weighted
        product += contrast[rows] @ weighted
        lacking = kernel.diagonal(X[rows]) - row_norms(features, squared=True)
        residual += weight[rows] @ np.maximum(lacking, 0.0)
    mean = total / weight.sum()
    scatter -= np.outer(total, mean)
    explained = np.trace(scatter)
    error = residual / (residual + explained) if explained > 0.0 else 0.0
    return Landmarks(root, mean, scatter, product, float(error))
