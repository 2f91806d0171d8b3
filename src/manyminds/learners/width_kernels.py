"""Kernels parametrized by a width, and a default width."""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics.pairwise import (
    euclidean_distances,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
)
from sklearn.utils.extmath import row_norms

from manyminds.learners.kernel_sums import make_points, mean_squared_distance


def compute_kernel(X, Y, *, kernel, width, degree=3, coef0=1.0):
    """Compute a kernel between all rows of two tables.

    Parameters
    ----------
    X, Y : {ndarray, sparse matrix} of shape (n_rows, n_features)
        The tables.
    kernel : {"linear", "gaussian", "exponential", "polynomial", "sigmoid"}
        See ``KernelWidthSVC``.
    width : float
        The width; ignored by "linear".
    degree, coef0 : int, float
        Degree and constant of the kernels that have them.

    Returns
    -------
    kernels : ndarray of shape (n_rows_of_X, n_rows_of_Y)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.width_kernels import compute_kernel
    >>> X, Y = np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]])
    >>> np.log(compute_kernel(X, Y, kernel="exponential", width=2.0))
    array([[-2.5]])
    """
    if kernel == "linear":
        return linear_kernel(X, Y, dense_output=True)
    if kernel == "gaussian":
        return rbf_kernel(X, Y, gamma=1.0 / width)
    if kernel == "exponential":
        return np.exp(euclidean_distances(X, Y) / -width)
    if kernel == "polynomial":
        return polynomial_kernel(X, Y, degree=degree, gamma=1.0 / width, coef0=coef0)
    return sigmoid_kernel(X, Y, gamma=1.0 / width, coef0=coef0)


@dataclass(frozen=True)
class WidthKernel:
    """A kernel with all parameters set, as a function of two tables.

    A class rather than a ``functools.partial``, which could be any call in a model
    file.

    Parameters
    ----------
    kernel, width, degree, coef0
        See `compute_kernel`.
    """

    kernel: str
    width: float
    degree: int = 3
    coef0: float = 1.0

    def __call__(self, X, Y):
        """Return the kernel between all rows of X and all rows of Y."""
        return compute_kernel(X, Y, **vars(self))

    def diagonal(self, X):
        """Return the kernel of each row of X with itself."""
        if self.kernel in ("gaussian", "exponential"):
            return np.ones(X.shape[0])
        squares = row_norms(X, squared=True)
        if self.kernel == "linear":
            return squares
        inner = squares / self.width + self.coef0
        return inner**self.degree if self.kernel == "polynomial" else np.tanh(inner)


def measure_scale(X, sample_weight, kernel):
    """Return half the mean squared distance, or its root; 1 if it is 0."""
    weight = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    spread = mean_squared_distance(make_points(X, weight[:, np.newaxis])) / 2.0
    if spread == 0.0:
        return 1.0
    return float(np.sqrt(spread) if kernel == "exponential" else spread)
