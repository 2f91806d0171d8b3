"""Neighbors of rows in the standardized table."""

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits


class PointReader:
    """Turn tables of numbers into points without missing values.

    Parameters
    ----------
    table : array-like of shape (n_samples, n_features)
        Rows that set center and scale; missing values become the mean.
    standardize : bool
        Whether columns get the same scale.
    """

    def __init__(self, table, standardize):
        table = _densify(table)
        is_known = ~np.isnan(table)
        count = np.maximum(is_known.sum(axis=0), 1)
        self.center = np.where(is_known, table, 0.0).sum(axis=0) / count
        self.scale = np.ones(table.shape[1])
        if standardize:
            distance = np.where(is_known, table - self.center, 0.0)
            spread = np.sqrt((distance**2).sum(axis=0) / count)
            self.scale = np.where(
                spread > 1e-12 * np.abs(self.center), spread, 1.0
            )  # a constant column has no scale

    def read(self, table):
        """Return points: float64 of shape (n_samples, n_features)."""
        table = _densify(table)
        return np.where(np.isnan(table), 0.0, (table - self.center) / self.scale)


def _densify(table):
    if issparse(table):
        raise TypeError("Neighbors take no sparse X: make it dense by X.toarray().")
    return np.asarray(table, dtype=np.float64)


class Neighbors:
    """The nearest of some points.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    n_near : int
        Number of neighbors; all points if there are fewer.
    n_jobs : int or None
        Number of threads.
    """

    def __init__(self, points, n_near, n_jobs=None):
        self.n_jobs, self.n_points, self.n_near = n_jobs, len(points), n_near
        self._index = NearestNeighbors(n_jobs=n_jobs).fit(points)

    def find(self, points=None):
        """Return the nearest points, the nearest first; None: of each but itself."""
        n_others = self.n_points - (points is None)
        if n_others == 0:  # a single point has no neighbor but itself
            return np.zeros((1, 1), dtype=np.int64)
        # The search takes all processors whatever n_jobs is.
        with threadpool_limits(effective_n_jobs(self.n_jobs)):
            near = self._index.kneighbors(
                points, min(self.n_near, n_others), return_distance=False
            )
        return np.ascontiguousarray(near, dtype=np.int64)
