"""Sums of Gaussian kernels over many points, a block of rows at a time."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

from manyminds.utils.threads import limit_blas_threads

_BLOCK_CELLS = 2**18  # distances in memory per thread: 2 MB, in the cache
N_WIDTHS = 20  # each half of the previous one
_WIDEST = 2.0  # times the mean squared distance of two points
_MAX_SQUARE = 1e306  # of lengths: multiples, such as widths, are finite
_ROUNDING = 1e-12  # share of a row's weight that is a rounding error


class Points(NamedTuple):
    """Centers of kernels and the sums that they carry.

    places   (n_points, n_features)  float64 array, less the center, or a sparse CSR
             matrix as it is
    center   (n_features,)           mean of the points; None of sparse ones
    squares  (n_points,)             squared lengths of the places
    sums     (n_points, n_outputs + 1)  sums of weight times target over the rows that
             of a point; the last column has the sums of the weights alone
    """

    places: object
    center: object
    squares: np.ndarray
    sums: np.ndarray


def make_points(X, sums):
    """Create points from places and sums.

    Dense places are centered: squared distances are computed from products, which are
    inaccurate far away from zero.
    """
    center = None
    with np.errstate(over="ignore", invalid="ignore"):
        if not issparse(X):
            center = np.average(X, axis=0, weights=sums[:, -1])
            X = X - center
        squares = _square_rows(X)
    _refuse_overflow(squares)
    return Points(X, center, squares, sums)


def _refuse_overflow(squares):
    """Raise if squared lengths, or their differences, are too great or NaN."""
    if not (np.abs(squares) < _MAX_SQUARE).all():
        raise ValueError(
            "Squared distances of samples overflow: scale the columns of X."
        )


def _square_rows(X):
    """Return the squared length of each row of an array or a sparse matrix."""
    if issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", X, X)


def merge_equal_rows(X, sums):
    """Merge equal rows, in order of first occurrence.

    Parameters
    ----------
    X : ndarray or sparse CSR matrix of shape (n_samples, n_features)
    sums : ndarray of shape (n_samples, n_columns)
        Values that are summed over equal rows.

    Returns
    -------
    X : ndarray or sparse CSR matrix of shape (n_distinct, n_features)
    sums : ndarray of shape (n_distinct, n_columns)
    group : ndarray of shape (n_samples,)
        Index of the distinct row of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.kernel_sums import merge_equal_rows
    >>> X, sums, group = merge_equal_rows(np.array([[2.0], [1.0], [2.0]]), np.eye(3))
    >>> X.ravel(), sums[0], group
    (array([2., 1.]), array([1., 0., 1.]), array([0, 1, 0]))
    """
    number = {}
    group = np.array([number.setdefault(key, len(number)) for key in _list_keys(X)])
    _, first = np.unique(group, return_index=True)
    merged = np.zeros((len(first), sums.shape[1]))
    np.add.at(merged, group, sums)
    return X[first], merged, group


def _list_keys(X):
    """Yield the bytes of each row; equal for equal rows, and -0 equals 0."""
    if not issparse(X):
        for row in np.ascontiguousarray(X) + 0.0:
            yield row.tobytes()
        return
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    for start, end in zip(X.indptr[:-1], X.indptr[1:]):
        yield X.indices[start:end].tobytes() + X.data[start:end].tobytes()


def mean_squared_distance(points):
    """Return the weighted mean squared distance of all pairs; 0 up to rounding."""
    weight = points.sums[:, -1] / points.sums[:, -1].sum()
    center = np.asarray(points.places.T @ weight).ravel()
    spread = weight @ points.squares - center @ center
    return 2.0 * spread if spread > _ROUNDING * (center @ center) else 0.0


def average(X, points, width, n_jobs=None):
    """Average the targets of points by the kernels ``exp(-distance ** 2 / width)``.

    Parameters
    ----------
    X : ndarray or sparse CSR matrix of shape (n_rows, n_features)
        Rows to predict.
    points : Points
        The points.
    width : float
        Width of the kernels.
    n_jobs : int, default=None
        Number of threads; the result does not depend on it.

    Returns
    -------
    means : ndarray of shape (n_rows, n_outputs)
        Kernels are divided by the largest of their row, so that they do not underflow
        far away from all points.
    """

    def average_block(rows):
        kernels = _weigh(_measure(X[rows], points), width)
        return _divide(kernels @ points.sums)

    return np.concatenate(_map_blocks(average_block, X, points, n_jobs))


def leave_one_out(X, sums, points, home, n_jobs=None):
    """Compute the leave-one-out squared error of the averages for many widths.

    Halving the width squares the kernels: one exponential serves for all widths.

    Parameters
    ----------
    X : ndarray or sparse CSR matrix of shape (n_rows, n_features)
        Training rows of the points, or some of them.
    sums : ndarray of shape (n_rows, n_outputs + 1)
        Their weights times targets and, last, their weights.
    points : Points
        Two or more distinct points.
    home : ndarray of shape (n_rows,)
        Index of the point of each row.
    n_jobs : int, default=None
        Number of threads; the result does not depend on it.

    Returns
    -------
    widths : ndarray of shape (n_widths,)
        Decreasing, each half of the previous one.
    losses : ndarray of shape (n_rows, n_widths)
        Weighted squared error of each row, minus its weighted squared targets.
    """
    widths = _WIDEST * mean_squared_distance(points) * 0.5 ** np.arange(N_WIDTHS)
    others = points.sums[home] - sums
    alone = others[:, -1] <= _ROUNDING * sums[:, -1]
    others[alone] = 0.0

    def score_block(rows):
        distances, numbers = _measure(X[rows], points), np.arange(len(sums[rows]))
        distances[numbers[alone[rows]], home[rows][alone[rows]]] = np.inf
        kernels = _weigh(distances, widths[0])
        own = kernels[numbers, home[rows], np.newaxis]
        kernels[numbers, home[rows]] = 0.0
        losses = np.empty((len(numbers), N_WIDTHS))
        for k in range(N_WIDTHS):
            means = _divide(kernels @ points.sums + own * others[rows])
            loss = sums[rows, -1:] * means**2 - 2.0 * sums[rows, :-1] * means
            losses[:, k] = loss.sum(axis=1)
            kernels *= kernels
            own *= own
        return losses

    return widths, np.concatenate(_map_blocks(score_block, X, points, n_jobs))


def _measure(X, points):
    """Return squared distances from all points, up to a constant for each row."""
    if points.center is not None:
        X = (X.toarray() if issparse(X) else X) - points.center
    with np.errstate(over="ignore", invalid="ignore"):  # see _weigh
        products = X @ points.places.T
        distances = products.toarray() if issparse(products) else products
        distances *= -2.0
        distances += points.squares
    return distances


def _weigh(distances, width):
    """Turn distances into kernels in place; the largest of each row is 1."""
    nearest = distances.min(axis=1, keepdims=True)
    _refuse_overflow(nearest)
    distances -= nearest
    with np.errstate(over="ignore"):  # a kernel of 0 is right
        distances /= -width
    return np.exp(distances, out=distances)


def _divide(totals):
    """Divide weighted sums by the sums of weights in the last column."""
    return totals[:, :-1] / totals[:, -1:]


def _map_blocks(function, X, points, n_jobs):
    """Call the function for slices of the rows of X, in threads."""
    n_rows = max(1, _BLOCK_CELLS // len(points.squares))
    starts = range(0, X.shape[0], n_rows)
    run = Parallel(n_jobs, prefer="threads")
    with limit_blas_threads():
        return run(delayed(function)(slice(a, a + n_rows)) for a in starts)
