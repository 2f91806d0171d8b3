"""From profiles to an index of complexity, and to clusters from hard to easy."""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.exceptions import ConvergenceWarning


def make_weights(weights, n_radii):
    """Return the weights of the radii, those of near neighborhoods first.

    Parameters
    ----------
    weights : {"linear", "harmonic"} or array-like of shape (n_radii,)
        "linear": 1 - (j - 1) / t for j = 1, ..., t. "harmonic": 1 / j.
    n_radii : int
        How many radii there are.

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
            f"weights has shape {given.shape}; it takes one number for each of the "
            f"n_radii={n_radii} radii."
        )
    if not np.isfinite(given).all() or given.min() < 0.0 or given.sum() <= 0.0:
        raise ValueError(
            f"weights takes numbers from 0 on, not all of them 0; got {weights!r}."
        )
    return given


def multi_resolution_index(profiles, weights="linear"):
    """Sum profiles up to an index of complexity: 0 is easy, 1 is hard.

    Parameters
    ----------
    profiles : array-like of shape (n_samples, n_radii)
        What a probe says at each radius, from -1 (hard) to 1 (easy).
    weights : {"linear", "harmonic"} or array-like of shape (n_radii,), default="linear"
        What each radius counts; see `MultiResolutionComplexity`.

    Returns
    -------
    mri : ndarray of shape (n_samples,)
        Weighted mean of (1 - p) / 2.

    References
    ----------
    .. [1] Tamponi, "Dataset analysis for classifier ensemble enhancement", doctoral
       thesis, University of Cagliari, 2015, chapter 3.

    Examples
    --------
    >>> from manyminds.analysis import multi_resolution_index
    >>> multi_resolution_index([[1.0, 1.0, 1.0], [1.0, 0.0, -1.0]])
    array([0.        , 0.33333333])
    """
    profiles = np.asarray(profiles, dtype=np.float64)
    if profiles.ndim != 2:
        raise ValueError(
            "profiles must have shape (n_samples, n_radii); it has shape "
            f"{profiles.shape}."
        )
    weights = make_weights(weights, profiles.shape[1])
    return (1.0 - profiles) @ (0.5 * weights / weights.sum())


def make_profile_centroids(n_clusters, n_radii):
    """Make profiles of data that are hard, easy, and in between, without any data.

    Between the hardest, which is near -1 at all radii, and the easiest, those in
    between are easy near by and hard further away; the easier, the later they fall.

    Parameters
    ----------
    n_clusters : int
        How many. A single one is that in the middle.
    n_radii : int
        Length of a profile, two or more.

    Returns
    -------
    centroids : ndarray of shape (n_clusters, n_radii)
        The hardest first.

    References
    ----------
    .. [1] Tamponi, "Dataset analysis for classifier ensemble enhancement", doctoral
       thesis, University of Cagliari, 2015, equation 3.25.

    Examples
    --------
    >>> from manyminds.analysis import make_profile_centroids
    >>> make_profile_centroids(3, 3).round(2)
    array([[-0.85, -1.  , -1.  ],
           [ 0.99,  0.  , -0.99],
           [ 1.  ,  1.  ,  0.85]])
    """
    for name, value, least in (("n_clusters", n_clusters, 1), ("n_radii", n_radii, 2)):
        if value < least:
            raise ValueError(f"{name} takes a number from {least} on; got {value!r}.")
    place = np.linspace(0.0, 1.0, n_radii)
    turn = np.linspace(0.0, 1.5, n_clusters) if n_clusters > 1 else np.array([0.75])
    return np.tanh(-5.0 * (place - turn[:, None] + 0.25))


def find_centroids(profiles, clusterer, n_clusters, random_state=None):
    """Return the centroids that profiles are to be assigned to.

    Parameters
    ----------
    profiles : ndarray of shape (n_samples, n_radii)
    clusterer : {"manual", "kmeans", "minibatch"}, array-like or estimator
        See `MultiResolutionComplexity`.
    n_clusters : int
        Not looked at where ``clusterer`` is an array or an estimator.
    random_state : int, RandomState instance or None, default=None
        Draws first centroids.

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
        # Fewer different profiles than clusters: cluster_sizes_ will tell.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = clone(clusterer).fit(profiles)
    if not hasattr(fitted, "cluster_centers_"):
        raise ValueError(
            f"clusterer has {clusterer!r}, which finds no cluster_centers_; it takes "
            "'manual', 'kmeans', 'minibatch', an array of centroids, or a clusterer "
            "such as KMeans."
        )
    return np.asarray(fitted.cluster_centers_, dtype=np.float64)


def assign(profiles, centroids):
    """Return the number of the centroid nearest to each profile; of equals, the first."""
    squares = [np.square(profiles - centroid).sum(axis=1) for centroid in centroids]
    return np.argmin(squares, axis=0)


def average_clusters(values, labels, n_clusters):
    """Return the mean of each cluster, NaN for empty ones, and the clusters' sizes."""
    sizes = np.bincount(labels, minlength=n_clusters)
    sums = np.bincount(labels, weights=values, minlength=n_clusters)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan), sizes


def _read_centroids(given, n_radii):
    centroids = np.asarray(given, dtype=np.float64)
    if centroids.ndim != 2 or centroids.shape[1] != n_radii or len(centroids) == 0:
        raise ValueError(
            "clusterer as an array has a centroid in each row, of as many numbers as "
            f"there are radii ({n_radii}); it has shape {centroids.shape}."
        )
    return centroids
