"""Complexity index and clusters of profiles."""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.exceptions import ConvergenceWarning

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TAMPONI_2015, cite


def make_weights(weights, n_radii):
    """Return the weights of the radii, those of near neighborhoods first.

    Parameters
    ----------
    weights : {"linear", "harmonic"} or array-like of shape (n_radii,)
        "linear": 1 - (j - 1) / t for j = 1, ..., t. "harmonic": 1 / j.
    n_radii : int
        Number of radii.

    Returns
    -------
    weights : ndarray of shape (n_radii,)

    Examples
    --------
    >>> from manyminds.analysis.complexity.clustering import make_weights
    >>> make_weights("linear", 4), make_weights("harmonic", 2)
    (array([1.  , 0.75, 0.5 , 0.25]), array([1. , 0.5]))
    """
    place = np.arange(n_radii)
    if isinstance(weights, str):
        return 1.0 - place / n_radii if weights == "linear" else 1.0 / (place + 1.0)
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (n_radii,):
        raise ValueError(
            f"weights must have shape ({n_radii},), a number for each radius; got "
            f"{given.shape}."
        )
    if not np.isfinite(given).all() or given.min() < 0.0 or given.sum() <= 0.0:
        raise ValueError(
            f"weights must be at least 0, and not all of them 0; got {weights!r}."
        )
    return given


@fill_docstring(references=cite(f"{TAMPONI_2015}, chapter 3"))
def multi_resolution_index(profiles, weights="linear"):
    """Compute the multi-resolution index of profiles: 0 is easy, 1 is hard.

    Parameters
    ----------
    profiles : array-like of shape (n_samples, n_radii)
        Value of a probe at each radius, from -1 (hard) to 1 (easy).
    weights : {"linear", "harmonic"} or array-like of shape (n_radii,), default="linear"
        Weight of each radius; see `MultiResolutionComplexity`.

    Returns
    -------
    mri : ndarray of shape (n_samples,)
        Weighted mean of (1 - p) / 2.

    {references}

    Examples
    --------
    >>> from manyminds.analysis import multi_resolution_index
    >>> multi_resolution_index([[1.0, 1.0, 1.0], [1.0, 0.0, -1.0]])
    array([0.        , 0.33333333])
    """
    profiles = np.asarray(profiles, dtype=np.float64)
    if profiles.ndim != 2:
        raise ValueError(
            f"profiles must have shape (n_samples, n_radii); got {profiles.shape}."
        )
    weights = make_weights(weights, profiles.shape[1])
    return (1.0 - profiles) @ (0.5 * weights / weights.sum())


@fill_docstring(references=cite(f"{TAMPONI_2015}, equation 3.25"))
def make_profile_centroids(n_clusters, n_radii):
    """Return fixed centroids of profiles, from hard to easy.

    The hardest is near -1 at all radii, the easiest near 1. The others are easy at
    small radii and hard at large ones; the easier, the later they decrease.

    Parameters
    ----------
    n_clusters : int
        Number of centroids. A single one is the middle one.
    n_radii : int
        Length of a profile, two or more.

    Returns
    -------
    centroids : ndarray of shape (n_clusters, n_radii)
        Centroids, the hardest first.

    {references}

    Examples
    --------
    >>> from manyminds.analysis import make_profile_centroids
    >>> make_profile_centroids(3, 3).round(2)
    array([[-0.85, -1.  , -1.  ],
           [ 0.99,  0.  , -0.99],
           [ 1.  ,  1.  ,  0.85]])
    """
    for name, value, low in (("n_clusters", n_clusters, 1), ("n_radii", n_radii, 2)):
        if value < low:
            raise ValueError(f"{name} must be at least {low}; got {value!r}.")
    place = np.linspace(0.0, 1.0, n_radii)
    turn = np.linspace(0.0, 1.5, n_clusters) if n_clusters > 1 else np.array([0.75])
    return np.tanh(-5.0 * (place - turn[:, None] + 0.25))


def find_centroids(profiles, clusterer, n_clusters, random_state=None):
    """Return the centroids of profiles.

    Parameters
    ----------
    profiles : ndarray of shape (n_samples, n_radii)
    clusterer : {"manual", "kmeans", "minibatch"}, array-like or estimator
        See `MultiResolutionComplexity`.
    n_clusters : int
        Ignored if ``clusterer`` is an array or an estimator.
    random_state : int, RandomState instance or None, default=None
        Determines the initial centroids.

    Returns
    -------
    centroids : ndarray of shape (n_clusters, n_radii)
    """
    if isinstance(clusterer, str) and clusterer == "manual":
        return make_profile_centroids(n_clusters, profiles.shape[1])
    if isinstance(clusterer, str):
        kind = KMeans if clusterer == "kmeans" else MiniBatchKMeans
        clusterer = kind(
            min(n_clusters, len(profiles)), n_init=3, random_state=random_state
        )
    elif not hasattr(clusterer, "fit"):
        return _read_centroids(clusterer, profiles.shape[1])
    with warnings.catch_warnings():
        # Fewer distinct profiles than clusters: cluster_sizes_ shows it.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = clone(clusterer).fit(profiles)
    if not hasattr(fitted, "cluster_centers_"):
        raise ValueError(
            "clusterer must be 'manual', 'kmeans', 'minibatch', an array of centroids, "
            f"or a clusterer with cluster_centers_; got {clusterer!r}."
        )
    return np.asarray(fitted.cluster_centers_, dtype=np.float64)


def assign(profiles, centroids):
    """Return the index of the centroid nearest to each profile; of ties, the first."""
    squares = [np.square(profiles - centroid).sum(axis=1) for centroid in centroids]
    return np.argmin(squares, axis=0)


def average_clusters(values, labels, n_clusters):
    """Return the mean of each cluster, NaN if empty, and the sizes of the clusters."""
    sizes = np.bincount(labels, minlength=n_clusters)
    sums = np.bincount(labels, weights=values, minlength=n_clusters)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan), sizes


def _read_centroids(given, n_radii):
    centroids = np.asarray(given, dtype=np.float64)
    if centroids.ndim != 2 or centroids.shape[1] != n_radii or len(centroids) == 0:
        raise ValueError(
            f"clusterer as an array must have shape (n_clusters, {n_radii}); got "
            f"{centroids.shape}."
        )
    return centroids
