"""Centroids of a table, and the distances of its rows from them."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.utils.extmath import row_norms, safe_sparse_dot
from sklearn.utils.sparsefuncs import min_max_axis

from manyminds.analysis.complexity import MultiResolutionComplexity

METRICS = (
    *("euclidean", "l2", "sqeuclidean", "manhattan", "cityblock", "l1", "chebyshev"),
    *("canberra", "braycurtis", "cosine", "correlation", "hamming"),
)
SPARSE_METRICS = ("euclidean", "l2", "manhattan", "cityblock", "l1")

_BLOCK_CELLS = 2**22  # rows by columns by centroids, of which differences may be taken
_FEW = 16  # centroids, for which a product of matrices is not yet faster
_NEAR = 1e-6  # below this share of the squared lengths, products lose too many digits


@dataclass(frozen=True)
class Locality:
    """Map rows of a table to points, and weigh them by their distance from a centroid.

    A row becomes a point: a category column becomes a column of 0 and 1 for each
    category, a missing number the mean of its column, and each column is scaled to
    lie between 0 and 1 in training. A missing category is 0 throughout.

    Parameters
    ----------
    widths : ndarray of shape (n_features,)
        How many columns of points a column of the table becomes; 0: it holds numbers
        and stays one.
    fill, low, span : ndarray of shape (n_columns,)
        Replacement of a missing number, what is subtracted, and the divisor.
    root : ndarray of shape (n_columns, n_columns) or None
        Matrix ``R`` with ``R @ R.T`` the scaling matrix of the distance.
    metric : str or callable
        One of ``METRICS``, or a function of two points.
    precision, power : float
        ``phi`` and ``p`` of the weights.
    """

    widths: np.ndarray
    fill: np.ndarray
    low: np.ndarray
    span: np.ndarray
    root: np.ndarray | None
    metric: object
    precision: float
    power: float

    def place(self, X):
        """Turn rows of an encoded table into points, dense or sparse as they are."""
        if issparse(X):
            points = csr_array(X, copy=True)
            column = points.indices
            missing = np.isnan(points.data)
            points.data[missing] = self.fill[column[missing]]
            points.data /= self.span[column]
            return points
        points = _encode_categories(X, self.widths)
        points = np.where(np.isnan(points), self.fill, points)
        points -= self.low
        points /= self.span
        return points

    def stretch(self, points):
        """Return the coordinates in which the distance is measured."""
        return points if self.root is None else safe_sparse_dot(points, self.root)

    def log_weights(self, points, centroids):
        """Return the logarithms of all weights: (n_centroids, n_points)."""
        distance = measure_distances(
            self.stretch(points), self.stretch(centroids), self.metric
        )
        return -0.5 * self.precision * distance**self.power


def learn_locality(X, widths, sample_weight, scale, scaling_matrix, **others):
    """Find the means and the ranges of the columns of a training table.

    Parameters
    ----------
    X : ndarray or sparse CSR array of shape (n_samples, n_features)
        Encoded table.
    widths : ndarray of shape (n_features,)
        See ``Locality``.
    sample_weight : ndarray of shape (n_samples,)
        A row of weight 0 has no effect.
    scale : {"minmax", None}
        Whether to bring the columns to lie between 0 and 1.
    scaling_matrix : array-like of shape (n_columns, n_columns) or None
        Symmetric matrix ``V`` of the distance, without negative eigenvalues.
    **others : dict
        ``metric``, ``precision`` and ``power``.

    Returns
    -------
    locality : Locality
    """
    counts = np.flatnonzero(sample_weight > 0.0)
    X, weights = X[counts], sample_weight[counts]
    fill, low, high = _sum_up_columns(X, widths, weights)
    # Zeros of a sparse table stay zeros; distances are the same wherever 0 is.
    low_known = np.zeros_like(fill) if issparse(X) else np.nan_to_num(low)
    span = np.nan_to_num(high - low)
    if scale is None:
        low_known, span = np.zeros_like(fill), np.ones_like(fill)
    span = np.where(span > 0.0, span, 1.0)
    root = _find_root(scaling_matrix, len(fill))
    return Locality(widths, fill, low_known, span, root, **others)


def _sum_up_columns(X, widths, weights):
    """Return mean, minimum and maximum of each column, without missing values."""
    if issparse(X):
        missing, numbers = X.copy(), X.copy()
        missing.data = np.isnan(X.data).astype(np.float64)
        numbers.data = np.nan_to_num(X.data)
        sums, totals = weights @ numbers, weights.sum() - weights @ missing
        low, high = min_max_axis(X, axis=0, ignore_nan=True)
    else:
        X = _encode_categories(X, widths)
        sums, totals = weights @ np.nan_to_num(X), weights @ ~np.isnan(X)
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    mean = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0.0)
    return mean, low, high


def _encode_categories(X, widths):
    """Turn each category column into columns of 0 and 1, one for each category."""
    if not widths.any():
        return X
    parts = [
        X[:, [j]] if width == 0 else (X[:, [j]] == np.arange(width)).astype(float)
        for j, width in enumerate(widths)
    ]
    return np.hstack(parts)


def _find_root(matrix, n_columns):
    """Return R with ``R @ R.T`` the matrix; raise if there is none."""
    if matrix is None:
        return None
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.shape != (n_columns, n_columns):
        raise ValueError(
            f"scaling_matrix must have shape ({n_columns}, {n_columns}), as distances "
            f"are measured by so many columns; it has shape {matrix.shape}."
        )
    if not np.allclose(matrix, matrix.T):
        raise ValueError("scaling_matrix must be symmetric; it is not.")
    values, vectors = np.linalg.eigh(matrix)
    if values[0] < -1e-9 * max(abs(values[-1]), 1.0):
        raise ValueError(
            "scaling_matrix must have no negative eigenvalue, or squared distances "
            f"would be negative; its least is {values[0]:.3g}."
        )
    return vectors * np.sqrt(np.maximum(values, 0.0))


def measure_distances(points, centroids, metric="euclidean"):
    """Measure the distance of all points from each centroid.

    Parameters
    ----------
    points : ndarray or sparse CSR array of shape (n_points, n_columns)
        Where the rows are.
    centroids : ndarray of shape (n_centroids, n_columns)
        Where to measure from.
    metric : str or callable, default="euclidean"
        One of ``METRICS``; of ``SPARSE_METRICS``, if the points are sparse.

    Returns
    -------
    distances : ndarray of shape (n_centroids, n_points)
    """
    distances = np.empty((len(centroids), points.shape[0]))
    step = max(1, _BLOCK_CELLS // (len(centroids) * max(1, points.shape[1])))
    for first in range(0, points.shape[0], step):
        some = points[first : first + step]
        if metric not in ("euclidean", "l2"):
            block = pairwise_distances(some, centroids, metric=metric)
        elif len(centroids) <= _FEW and not issparse(points):
            block = cdist(some, centroids)
        else:
            block = np.sqrt(_square_distances(some, centroids))
        distances[:, first : first + step] = block.T
    if not np.isfinite(distances).all() or (distances < 0.0).any():
        raise ValueError(
            f"metric={metric!r} returns distances that are negative or not finite; it "
            "must be defined for all rows of X after scaling."
        )
    return distances


def _square_distances(points, centroids):
    """Expand ``|x - c|^2`` into a product of matrices: one pass, and no differences."""
    lengths = row_norms(points, squared=True)[:, np.newaxis]
    lengths = lengths + row_norms(centroids, squared=True)
    squares = lengths - 2.0 * safe_sparse_dot(points, centroids.T, dense_output=True)
    # A centroid must be at distance 0 from itself, not at the root of a rounding error.
    row, centroid = np.nonzero(squares <= _NEAR * lengths)
    near = points[row].toarray() if issparse(points) else points[row]
    difference = near - centroids[centroid]
    squares[row, centroid] = np.einsum("ij,ij->i", difference, difference)
    return squares


# ---------------------------------------------------------------- picking
#
# A picker takes the points, their weights, the number of centroids, a metric and a
# RandomState, and returns row numbers.


def pick_spread(points, sample_weight, n_centroids, metric, rng):
    """Draw rows, each likely to be far from all those drawn before.

    The odds of a row are its weight times ``log(1 + d)`` for the distance ``d`` to each
    row drawn before. When no row is left that has any, the draw begins anew.
    """
    return _pick_in_turn(
        points, sample_weight, n_centroids, metric, rng, _spread_from_all
    )


def pick_kmeans(points, sample_weight, n_centroids, metric, rng):
    """Draw rows as k-means++ does: by the squared distance to the nearest so far."""
    return _pick_in_turn(
        points, sample_weight, n_centroids, metric, rng, _spread_from_nearest
    )


def pick_random(points, sample_weight, n_centroids, metric, rng):
    """Draw rows by their weights, with replacement."""
    order = _order_rows(points, rng)
    with np.errstate(divide="ignore"):
        log_odds = np.log(sample_weight)
    return np.array([_draw(log_odds, order, rng) for _ in range(n_centroids)])


PICKERS = {"spread": pick_spread, "kmeans++": pick_kmeans, "random": pick_random}


def _pick_in_turn(points, sample_weight, n_centroids, metric, rng, spread):
    """Draw rows one after the other; ``spread`` updates what the odds are made of."""
    order = _order_rows(points, rng)
    # The product of many small factors would underflow: it is a sum of logarithms.
    with np.errstate(divide="ignore"):
        start = np.log(sample_weight)
        log_factor = None
        rows = np.empty(n_centroids, dtype=np.intp)
        for t in range(n_centroids):
            log_odds = start if log_factor is None else start + log_factor
            if np.isneginf(log_odds).all():  # more centroids than distinct rows
                log_odds, log_factor = start, None
            rows[t] = _draw(log_odds, order, rng)
            here = points[[rows[t]]]
            here = here.toarray() if issparse(here) else here
            log_factor = spread(log_factor, measure_distances(points, here, metric)[0])
    return rows


def _spread_from_all(log_factor, distance):
    """Multiply by the logarithm of one plus the distance."""
    more = np.log(np.log1p(distance))
    return more if log_factor is None else log_factor + more


def _spread_from_nearest(log_factor, distance):
    """Return the logarithm of the square of the minimum distance."""
    square = 2.0 * np.log(distance)
    return square if log_factor is None else np.minimum(log_factor, square)


def _order_rows(points, rng):
    """Order the rows by what they are, equal rows together, and not by their place.

    So rows in another order, or repeated in place of weighted, lead to the same
    centroids.
    """
    direction = rng.standard_normal(points.shape[1])
    return np.argsort(points @ direction, kind="stable")


def _draw(log_odds, order, rng):
    """Draw a row by its odds."""
    bounds = np.cumsum(np.exp(log_odds[order] - log_odds.max()))
    place = np.searchsorted(bounds, rng.random_sample() * bounds[-1], side="right")
    # Rounding may carry the product up to the last bound, which no row reaches beyond.
    return order[min(place, np.searchsorted(bounds, bounds[-1]))]


def weigh_by_complexity(points, labels, sample_weight, n_jobs=None):
    """Multiply the weights of rows by their complexity: 0 for the easiest, up to 1.

    The multi-resolution index is high for a row among rows of other classes, near by
    and further away. If no row has any, the weights are unchanged.
    """
    if issparse(points):
        raise TypeError(
            "centroid_picker='mri' takes no sparse X: make it dense, or use 'spread'."
        )
    takes_part = np.flatnonzero(sample_weight > 0.0)
    odds = np.zeros(len(sample_weight))
    if len(np.unique(labels[takes_part])) > 1:
        model = MultiResolutionComplexity(scaling=None, n_clusters=1, n_jobs=n_jobs)
        odds[takes_part] = model.fit(points[takes_part], labels[takes_part]).mri_
    return sample_weight * odds if odds.any() else sample_weight


def call_picker(picker, points, n_centroids, rng):
    """Call a user's function for centroids, and check its result."""
    centroids = picker(points, n_centroids, rng)
    if issparse(centroids):  # rows of a sparse table
        centroids = centroids.toarray()
    centroids = np.asarray(centroids, dtype=np.float64)
    expected = (n_centroids, points.shape[1])
    if centroids.shape != expected or not np.isfinite(centroids).all():
        raise ValueError(
            f"centroid_picker must return finite numbers of shape {expected}; it "
            f"returned an array of shape {centroids.shape}."
        )
    return centroids
