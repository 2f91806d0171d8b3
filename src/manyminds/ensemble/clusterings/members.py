"""Base clusterings of bootstrapped rows and random columns: k-means, or any other."""

from dataclasses import dataclass
from math import isqrt
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import davies_bouldin_score

from manyminds.ensemble.base import make_member, run_on_members
from manyminds.ensemble.clusterings.labelings import (
    MISSING,
    Labelings,
    check_base_clusters,
)
from manyminds.kernels.kmeans import fit_kmeans, label_by_center

TOL, MAX_ITER = 1e-4, 300  # of k-means, as in scikit-learn


@dataclass(frozen=True, eq=False)
class BaseClusterings:
    """Fitted base clusterings.

    Attributes
    ----------
    features : ndarray of int64 of shape (n_members, n_drawn)
        Columns that each of them sees.
    centers : list of ndarray of shape (n_clusters, n_drawn)
        Centers of the clusters of each.
    labelings : Labelings
        Labels of the training rows: of drawn rows those of the clustering, of others
        the nearest center.
    n_jobs : int or None
        Number of threads.
    """

    features: np.ndarray
    centers: list
    labelings: Labelings
    n_jobs: Any = None

    def __len__(self):
        return len(self.centers)

    def label(self, points):
        """Return the nearest center of rows in each clustering.

        Parameters
        ----------
        points : ndarray of shape (n_features, n_rows)
            Scaled rows, transposed.

        Returns
        -------
        codes : ndarray of uint8 of shape (n_members, n_rows)
        """
        codes = np.empty((len(self), points.shape[1]), dtype=np.uint8)

        def label(q):
            codes[q] = find_nearest(points[self.features[q]], self.centers[q])

        for _ in run_on_members(label, ((q,) for q in range(len(self))), self.n_jobs):
            pass
        return codes


@dataclass(frozen=True)
class Recipe:
    """How to fit base clusterings.

    Parameters
    ----------
    estimator : clusterer or None
        None: k-means.
    base_clusters : int or "auto"
        Number of clusters; "auto": the number with the least Davies-Bouldin index.
    max_base_clusters : int or None
        Largest number that "auto" tries; None: the root of the number of rows.
    n_features : int
        Number of columns of each.
    """

    estimator: Any
    base_clusters: Any
    max_base_clusters: int | None
    n_features: int


def count_features(max_features, n_features):
    """Return the number of columns of a base clustering.

    Examples
    --------
    >>> from manyminds.ensemble.clusterings.members import count_features
    >>> count_features("sqrt", 40), count_features(0.5, 7), count_features(None, 7)
    (6, 4, 7)
    """
    if max_features is None:
        return n_features
    if max_features == "sqrt":
        return max(1, round(n_features**0.5))
    if isinstance(max_features, Integral):
        return min(int(max_features), n_features)
    return max(1, round(max_features * n_features))


def fit_members(points, recipe, seeds, n_jobs=None):
    """Fit a base clustering for each seed.

    Parameters
    ----------
    points : ndarray of shape (n_features, n_rows), C order
        Scaled rows, transposed.
    recipe : Recipe
    seeds : ndarray of int of shape (n_members,)
    n_jobs : int or None, default=None
        Number of threads.

    Returns
    -------
    clusterings : BaseClusterings
    """
    fitted = run_on_members(
        _fit_member, ((points, recipe, int(seed)) for seed in seeds), n_jobs
    )
    features, centers, codes, drawn = zip(*fitted)
    n_clusters = np.array([len(each) for each in centers], dtype=np.int64)
    labelings = Labelings(np.stack(codes), np.stack(drawn), n_clusters)
    return BaseClusterings(np.stack(features), list(centers), labelings, n_jobs)


def _fit_member(points, recipe, seed):
    """Draw rows and columns, cluster them, and label the rows that were not drawn."""
    n_features, n_rows = points.shape
    rng = np.random.default_rng(seed)
    counts = np.bincount(rng.integers(n_rows, size=n_rows), minlength=n_rows)
    features = np.sort(rng.choice(n_features, recipe.n_features, replace=False))
    view, rows = points[features], np.flatnonzero(counts)
    inside = np.ascontiguousarray(view[:, rows])
    low, high = _bound_clusters(recipe, n_rows, len(rows))
    if recipe.estimator is None:
        label, centers = cluster_by_means(inside, counts[rows], low, high, rng)
    else:
        label, centers = _cluster_by_any(
            recipe.estimator, inside, counts[rows], low, high, rng
        )
    check_base_clusters(len(centers))
    codes = find_nearest(view, centers).astype(np.uint8)
    codes[rows] = np.where(label >= 0, label, MISSING)
    drawn = counts > 0
    drawn[rows] &= label >= 0
    return features, centers, codes, drawn


def _bound_clusters(recipe, n_rows, n_drawn):
    """Return the least and the largest number of clusters to try."""
    if recipe.base_clusters == "auto":
        largest = recipe.max_base_clusters or isqrt(n_rows)
        low, high = 2, min(max(2, min(largest, isqrt(n_rows))), n_drawn)
    else:
        low = high = min(recipe.base_clusters, n_drawn)
    check_base_clusters(high)
    return min(low, high), high


def cluster_by_means(inside, counts, low, high, rng):
    """Cluster rows by k-means; return their labels and the centers.

    Parameters
    ----------
    inside : ndarray of shape (n_columns, n_rows), C order
    counts : ndarray of shape (n_rows,)
        How often each row counts.
    low, high : int
        Numbers of clusters to try; the Davies-Bouldin index decides.
    rng : Generator

    Returns
    -------
    label : ndarray of int32 of shape (n_rows,)
    centers : ndarray of shape (n_clusters, n_columns)
    """
    centers = np.empty((high, len(inside)))
    label = np.empty(inside.shape[1], dtype=np.int32)
    draws = rng.random((high - low + 1, high))
    weight = counts.astype(np.float64)
    n_found = fit_kmeans(inside, weight, draws, low, TOL, MAX_ITER, centers, label)
    return label, centers[:n_found].copy()


def _cluster_by_any(estimator, inside, counts, low, high, rng):
    """Cluster drawn rows by a clusterer of scikit-learn's kind, repeated rows too.

    Clusters of a clusterer without ``cluster_centers_`` are centered at their means.
    """
    rows = np.repeat(np.arange(len(counts)), counts)
    table = inside.T[rows]
    model = make_member(estimator, rng.integers(2**31 - 1))
    if "n_clusters" not in model.get_params(deep=False):
        label = model.fit(table).labels_
    else:
        model, label = _choose_number(model, table, range(low, high + 1))
    label = np.asarray(label)
    centers = getattr(model, "cluster_centers_", None)
    if centers is None or np.shape(centers)[1:] != table.shape[1:]:
        found = np.unique(label[label >= 0])
        centers = np.stack([table[label == c].mean(axis=0) for c in found])
        label = np.where(label >= 0, np.searchsorted(found, label), -1)
    first = np.cumsum(counts) - counts
    return label[first], np.ascontiguousarray(centers, dtype=np.float64)


def _choose_number(model, table, candidates):
    """Fit a clusterer with the number of clusters of least Davies-Bouldin index."""
    best, chosen = np.inf, None
    for k in candidates:
        trial = clone(model).set_params(n_clusters=k)
        label = np.asarray(trial.fit(table).labels_)
        known = label >= 0
        usable = 2 <= len(np.unique(label[known])) < known.sum()
        index = davies_bouldin_score(table[known], label[known]) if usable else np.inf
        if chosen is None or index < best:
            best, chosen = index, (trial, label)
    return chosen


def find_nearest(view, centers):
    """Return the nearest center of each row.

    Parameters
    ----------
    view : ndarray of shape (n_columns, n_rows), C order
    centers : ndarray of shape (n_centers, n_columns), C order

    Returns
    -------
    label : ndarray of int32 of shape (n_rows,)
    """
    label = np.zeros(view.shape[1], dtype=np.int32)
    label_by_center(view, centers, label)
    return label
