"""Partial whitening: equal variances along the leading principal components only."""

from dataclasses import dataclass
from math import log2

import numpy as np
from scipy.linalg import svd
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator, svds

from manyminds.utils.threads import limit_blas_threads

_BLOCK_CELLS = 2**21  # cells of a dense block of rows
_MIN_LANCZOS = 500  # smaller matrices are decomposed as a whole
_LANCZOS_SHARE = 0.2  # of all components, up to which Lanczos iterations are faster


@dataclass(frozen=True)
class PartialWhitening:
    r"""The symmetric map :math:`W_D` that equalizes the leading singular values.

    With the leading directions :math:`U_d` and singular values :math:`q_1 \ge \dots
    \ge q_d` of the centered samples,

    .. math:: W_D = q_d U_d Q_d^{-1} U_d^T + I - U_d U_d^T.

    The matrix is never formed.

    Parameters
    ----------
    mean : ndarray of shape (n_features,)
        Weighted mean of the samples.
    components : ndarray of shape (n_components, n_features)
        The rows are :math:`U_d^T`.
    singular_values : ndarray of shape (n_components,)
        Those of the components, in decreasing order.
    """

    mean: np.ndarray
    components: np.ndarray
    singular_values: np.ndarray

    def apply(self, columns):
        """Return the map times a vector, or times the columns of a matrix."""
        if len(self.singular_values) == 0:
            return columns.copy()
        change = self.singular_values[-1] / self.singular_values - 1.0
        inside = self.components @ columns
        return columns + self.components.T @ (change * inside.T).T


def fit_whitening(X, weight, n_components):
    """Find the leading principal components of weighted samples.

    Parameters
    ----------
    X : {ndarray, sparse CSR matrix} of shape (n_samples, n_features)
        The samples.
    weight : ndarray of shape (n_samples,)
        Their weights, all positive.
    n_components : int, "log2" or None
        Number of components to whiten, at most the rank; see `count_components`.

    Returns
    -------
    whitening : PartialWhitening

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.partial_whitening import fit_whitening
    >>> X = np.array([[4.0, 0.0], [-4.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> fit_whitening(X, np.ones(4), None).apply(np.eye(2)).round(3)
    array([[0.25, 0.  ],
           [0.  , 1.  ]])
    """
    total = weight.sum()
    mean = np.asarray(X.T @ (weight / total)).ravel()
    n_kept = min(count_components(n_components, total, X.shape[1]), *X.shape)
    singular, components = _decompose(X, mean, np.sqrt(weight), n_kept)
    # Centering leaves rounding errors as large as those of the mean.
    size = singular.max(initial=0.0) + np.sqrt(total) * np.abs(mean).max()
    is_sound = singular > size * max(X.shape) * np.finfo(np.float64).eps
    return PartialWhitening(mean, components[is_sound], singular[is_sound])


def count_components(n_components, n_samples, n_features):
    """Return the number of components to whiten.

    Parameters
    ----------
    n_components : int, "log2" or None
        "log2": :math:`(log_2 n)^2`, rounded down; None: as many as there are features.
    n_samples : float
        Number of samples, or the sum of their weights.
    n_features : int
        Number of features.

    Returns
    -------
    n_components : int
        From 1 to the number of features.

    Examples
    --------
    >>> from manyminds.learners.partial_whitening import count_components
    >>> count_components("log2", 5091, 495)
    151
    """
    if n_components is None:
        return n_features
    if n_components == "log2":
        n_components = int(log2(max(n_samples, 1.0)) ** 2)
    return min(max(n_components, 1), n_features)


def _decompose(X, mean, root, n_kept):
    """Return the leading singular values and right singular vectors of the samples.

    The samples are centered, and multiplied by the roots of their weights.
    """
    n_most = min(X.shape)
    if n_most > _MIN_LANCZOS and n_kept < _LANCZOS_SHARE * n_most:
        start = np.random.default_rng(0).uniform(-1.0, 1.0, size=n_most)
        with limit_blas_threads():  # small steps: threads would wait for each other
            _, singular, right = svds(_center(X, mean, root), k=n_kept, v0=start)
        falling = np.argsort(-singular, kind="stable")
        return singular[falling], right[falling]
    _, singular, right = svd(
        _reduce(X, mean, root), full_matrices=False, check_finite=False
    )
    return singular[:n_kept], right[:n_kept]


def _center(X, mean, root):
    """Return the centered samples as an operator; a sparse matrix stays sparse."""
    return LinearOperator(
        X.shape,
        matvec=lambda v: root * (X @ v.ravel() - mean @ v.ravel()),
        rmatvec=lambda u: X.T @ (root * u.ravel()) - mean * (root @ u.ravel()),
        dtype=np.float64,
    )


def _reduce(X, mean, root):
    """Return a matrix with the singular values and right vectors of the samples.

    Of many samples it is the triangular factor, updated by blocks of rows.
    """
    n_samples, n_features = X.shape
    n_rows = max(2 * n_features, _BLOCK_CELLS // n_features)
    reduced = np.empty((0, n_features))
    for first in range(0, n_samples, n_rows):
        rows = slice(first, first + n_rows)
        block = X[rows].toarray() if issparse(X) else X[rows]
        block = (block - mean) * root[rows, np.newaxis]
        reduced = np.concatenate([reduced, block])
        if len(reduced) > n_features:
            reduced = np.linalg.qr(reduced, mode="r")
    return reduced
