"""Wrappers around k-means: check and scale a table, cluster some of its columns."""

from numbers import Integral

import numpy as np
from sklearn.preprocessing import minmax_scale
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.clusterings.members import cluster_by_means
from manyminds.feature_selection.base import Selector

MAX_CLUSTERS = 10  # that "auto" tries
N_CLUSTERS = [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})]


class KMeansWrapper(Selector):
    """Base class of selectors that cluster subsets of the columns by k-means.

    A subclass has the parameters ``n_clusters`` and ``random_state``, and defines
    ``_search(points, rng)``, which returns the mask of the selected columns.
    """

    def fit(self, X, y=None):
        """Search for the best subset of the features.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training samples.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted selector.
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        rng = check_random_state(self.random_state)

        points = np.ascontiguousarray(minmax_scale(X).T)
        self.support_ = self._search(points, rng)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        return tags


def cluster_columns(points, support, n_clusters, seed):
    """Cluster rows by k-means on some columns.

    Parameters
    ----------
    points : ndarray of shape (n_features, n_rows)
        Scaled rows, transposed.
    support : ndarray of bool of shape (n_features,)
        Which columns.
    n_clusters : int or "auto"
        "auto": up to ten, by the Davies-Bouldin index.
    seed : int
        Draws the start.

    Returns
    -------
    label : ndarray of int32 of shape (n_rows,)
    centers : ndarray of shape (n_clusters, n_columns)
    """
    n_rows = points.shape[1]
    low, high = (2, MAX_CLUSTERS) if n_clusters == "auto" else (n_clusters, n_clusters)
    low, high = min(low, n_rows), min(high, max(1, n_rows // 2) + 1, n_rows)
    rng = np.random.default_rng(seed)
    inside = np.ascontiguousarray(points[support])
    return cluster_by_means(inside, np.ones(n_rows), min(low, high), high, rng)


def keep_one(masks, rng):
    """Select a random feature where a mask selects none."""
    masks = masks.copy()
    for row in np.flatnonzero(~masks.any(axis=1)):
        masks[row, rng.randint(masks.shape[1])] = True
    return masks
