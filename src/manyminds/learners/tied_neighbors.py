"""Nearest neighbors of which those at the same distance count equally.

The k-th nearest distance usually belongs to one row. Where it belongs to several, as
in tables of categories or of rounded numbers, they share what the nearer rows leave of
k, so that no result depends on the order of the rows.
"""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

RTOL = 1e-9  # distances that differ by a smaller share are equal
SAME = 1e-12  # share of the diameter of a table below which rows are the same
ZERO = 1e-13  # share of the largest number below which a number is 0 to Canberra
EPSILON = np.finfo(np.float64).eps
N_MORE = 2  # neighbors to look for beyond the k-th
MAX_TREE_FEATURES = 15  # of more, comparing all pairs is faster than a tree
BLOCK = 2**21  # values in memory at once


class TiedNeighbors:
    """Rows to search, by a metric.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    n_neighbors : int
        At most ``n_points``.
    metric : str
        As in `KNeighborsClassifierCV`.
    p : float
        Power of the Minkowski metric.
    n_jobs : int or None
    """

    def __init__(self, points, n_neighbors, metric, p, n_jobs):
        self.size = np.abs(points).max(initial=0.0)
        self.points = self._snap(points) if metric == "canberra" else points
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.p = p
        self.tiny = SAME * _measure_diameter(self.points, metric, p)
        self.is_brute = points.shape[1] > MAX_TREE_FEATURES
        kind = "ball_tree" if metric == "canberra" else "kd_tree"
        self.search = NearestNeighbors(
            algorithm="brute" if self.is_brute else kind,
            metric=metric,
            p=p if metric == "minkowski" else 2,
            n_jobs=n_jobs,
        ).fit(self.points)

    def find(self, X, width=1):
        """Yield rows of X, their sorted distances and the points at them.

        All points that are as near as the k-th neighbor are found.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
        width : int, default=1
            Number of values that the caller holds for each neighbor.

        Yields
        ------
        rows : ndarray of shape (n_rows,)
        distances, near : ndarray of shape (n_rows, n_found)
        """
        X = self._snap(X) if self.metric == "canberra" else X
        rows, n_points = np.arange(len(X)), len(self.points)
        for n_found in (self.n_neighbors + N_MORE, 4 * (self.n_neighbors + N_MORE)):
            if n_found > n_points // 2:
                break
            left = []
            n_rows = max(1, BLOCK // (n_found * max(width, X.shape[1])))
            for some in _split(rows, n_rows):
                distances, near, is_complete = self._query(X[some], n_found)
                left.append(some[~is_complete])
                yield some[is_complete], distances[is_complete], near[is_complete]
            rows = np.concatenate([rows[:0], *left])
        for some in _split(rows, max(1, BLOCK // n_points)):
            distances, near = self._compare_all(X[some])
            n_rows = max(1, BLOCK // (distances.shape[1] * width))
            for part in _split(np.arange(len(some)), n_rows):
                yield some[part], distances[part], near[part]

    def weigh(self, distances, weights):
        """Return the weights of neighbors.

        Parameters
        ----------
        distances : ndarray of shape (n_rows, n_found)
            Sorted.
        weights : {"uniform", "distance"}

        Returns
        -------
        weights : ndarray of shape (n_rows, n_found)
            0 for those that are farther than the k-th neighbor.
        """
        last = distances[:, self.n_neighbors - 1 : self.n_neighbors]
        margin = RTOL * last + self.tiny
        is_nearer, is_near = distances < last - margin, distances <= last + margin
        n_nearer = is_nearer.sum(axis=1, keepdims=True)
        n_tied = is_near.sum(axis=1, keepdims=True) - n_nearer
        share = (self.n_neighbors - n_nearer) / n_tied
        counts = np.where(is_nearer, 1.0, np.where(is_near, share, 0.0))
        return counts if weights == "uniform" else counts * self.invert(distances)

    def invert(self, distances):
        """Return inverse distances; 1 and 0 if some distances are 0."""
        is_same = distances <= self.tiny
        with np.errstate(divide="ignore"):
            inverse = 1.0 / distances
        return np.where(is_same.any(axis=1, keepdims=True), is_same, inverse)

    def average(self, distances, weights, targets):
        """Yield the means of the nearest 1, 2, ... neighbors.

        Parameters
        ----------
        distances : ndarray of shape (n_rows, n_found)
            Sorted.
        weights : {"uniform", "distance"}
        targets : ndarray of shape (n_rows, n_found, n_targets)

        Yields
        ------
        means : ndarray of shape (n_rows, n_targets)
        """
        rows, n_found = np.arange(len(distances)), distances.shape[1]
        base = np.ones_like(distances)
        base = base if weights == "uniform" else self.invert(distances)
        values = base[:, :, np.newaxis] * np.dstack([targets, np.ones_like(base)])
        sums = np.zeros((len(rows), n_found + 1, values.shape[2]))
        np.cumsum(values, axis=1, out=sums[:, 1:])
        ends = np.pad(distances, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
        for k in range(1, self.n_neighbors + 1):
            margin = RTOL * distances[:, k - 1] + self.tiny
            low, high = distances[:, k - 1] - margin, distances[:, k - 1] + margin
            first, last = np.full(len(rows), k - 1), np.full(len(rows), k)
            while (more := ends[rows, first] >= low).any():
                first -= more
            while (more := ends[rows, last + 1] <= high).any():
                last += more
            share = ((k - first) / (last - first))[:, np.newaxis]
            nearer = sums[rows, first]
            whole = nearer + share * (sums[rows, last] - nearer)
            yield whole[:, :-1] / whole[:, -1:]

    def _query(self, X, n_found):
        """Return the nearest points, and whether no other is as near as the k-th."""
        distances, near = self.search.kneighbors(X, n_found)
        bound = distances[:, -1]
        if self.is_brute and _is_euclidean(self.metric, self.p):
            # Theirs are differences of products: exact only up to rounding errors.
            norm = np.sqrt((X**2).sum(axis=1)) + self._largest_norm
            error = 4 * EPSILON * X.shape[1] * norm**2
            bound = np.sqrt(np.maximum(bound**2 - error, 0.0))
            away = self.points[near] - X[:, np.newaxis]
            distances = np.sqrt(np.einsum("rkj,rkj->rk", away, away))
            order = np.argsort(distances, axis=1)
            distances = np.take_along_axis(distances, order, axis=1)
            near = np.take_along_axis(near, order, axis=1)
        last = distances[:, self.n_neighbors - 1]
        return distances, near, bound > last * (1.0 + RTOL) + self.tiny

    @property
    def _largest_norm(self):
        return np.sqrt((self.points**2).sum(axis=1).max())

    def _compare_all(self, X):
        """Return all points that are as near as the k-th, and some more."""
        distances = _measure(X, self.points, self.metric, self.p)
        k = self.n_neighbors
        last = np.partition(distances, k - 1, axis=1)[:, k - 1 : k]
        is_near = distances <= last * (1.0 + RTOL) + self.tiny
        n_found = is_near.sum(axis=1).max()
        near = np.argpartition(distances, n_found - 1, axis=1)[:, :n_found]
        distances = np.take_along_axis(distances, near, axis=1)
        order = np.argsort(distances, axis=1)
        near = np.take_along_axis(near, order, axis=1)
        return np.take_along_axis(distances, order, axis=1), near

    def _snap(self, X):
        """Return 0 for rounding errors, which have any sign."""
        return np.where(np.abs(X) <= ZERO * self.size, 0.0, X)


def _split(rows, n_rows):
    """Return blocks of rows."""
    return [rows[first : first + n_rows] for first in range(0, len(rows), n_rows)]


def _is_euclidean(metric, p):
    return metric == "euclidean" or (metric == "minkowski" and p == 2)


def _measure(X, points, metric, p):
    """Return all distances: (n_samples, n_points)."""
    if metric == "minkowski":
        return cdist(X, points, metric, p=p)
    return cdist(X, points, "cityblock" if metric == "manhattan" else metric)


def _measure_diameter(points, metric, p):
    """Return a distance that no two points exceed."""
    if metric == "canberra":
        return float(points.shape[1])
    ends = points.min(axis=0, keepdims=True), points.max(axis=0, keepdims=True)
    return _measure(*ends, metric, p)[0, 0]
