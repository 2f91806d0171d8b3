"""Prototypes: where experts stand, and how they share samples by distance."""

import numpy as np
from scipy.sparse import issparse
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics import pairwise_distances

from manyminds.analysis import MultiResolutionComplexity

WAYS = ("random", "k-means++", "complexity")
MIN_ROWS_FOR_PROFILES = 20  # below, the way by complexity draws at random
MAX_ROWS_FOR_PROFILES = 2_000  # profiles take quadratic time


def draw_prototypes(points, label, weight, n_prototypes, way, rng):
    """Draw rows at which experts stand.

    Parameters
    ----------
    points : ndarray or sparse matrix of shape (n_samples, n_features)
        Training rows, scaled.
    label : ndarray of int of shape (n_samples,)
        Their classes.
    weight : ndarray of shape (n_samples,) or None
        Odds of rows.
    n_prototypes : int
        Number of rows; at most that of samples.
    way : {"random", "k-means++", "complexity"}
        At random; far from each other; by how mixed the classes are around a row.
    rng : RandomState

    Returns
    -------
    rows : ndarray of int of shape (n_prototypes,)
        Different rows.
    """
    odds = np.ones(points.shape[0]) if weight is None else weight
    if way == "k-means++":
        _, rows = kmeans_plusplus(
            points, n_prototypes, sample_weight=weight, random_state=rng
        )
        return complete_rows(rows, n_prototypes, len(odds), rng)
    if way == "complexity":
        odds = odds * measure_mixing(points, label, rng)
    n_possible = np.count_nonzero(odds)
    rows = rng.choice(
        len(odds), min(n_prototypes, n_possible), replace=False, p=odds / odds.sum()
    )
    return complete_rows(rows, n_prototypes, len(odds), rng)


def complete_rows(rows, n_prototypes, n_rows, rng):
    """Return different rows, filled up by others if there are too few."""
    rows = np.unique(rows)
    if len(rows) < n_prototypes:
        others = np.setdiff1d(np.arange(n_rows), rows)
        more = rng.choice(others, n_prototypes - len(rows), replace=False)
        rows = np.concatenate([rows, more])
    return rng.permutation(rows)


def measure_mixing(points, label, rng):
    """Return how mixed the classes are around each row: above 0, and up to 1.

    Of a large table, only some random rows are measured; all others have 0.
    """
    n_rows = len(label)
    if n_rows < MIN_ROWS_FOR_PROFILES or (label == label[0]).all():
        return np.ones(n_rows)
    rows = np.arange(n_rows)
    if n_rows > MAX_ROWS_FOR_PROFILES:
        rows = rng.choice(rows, MAX_ROWS_FOR_PROFILES, replace=False)
    points = points[rows]
    points = points.toarray() if issparse(points) else points
    mixing = np.zeros(n_rows)
    mixing[rows] = 0.05 + MultiResolutionComplexity().fit(points, label[rows]).mri_
    return mixing


def measure_distances(points, prototypes, metric="euclidean"):
    """Return distances to prototypes: (n_samples, n_prototypes)."""
    return pairwise_distances(points, prototypes, metric=metric)


def make_eta(n_experts):
    """Return the weights 1, 2, 3, ... divided by their sum.

    Examples
    --------
    >>> from manyminds.ensemble.experts.prototypes import make_eta
    >>> make_eta(4)
    array([0.1, 0.2, 0.3, 0.4])
    """
    return np.arange(1, n_experts + 1) / (n_experts * (n_experts + 1) / 2)


def static_weights(distances, eta):
    """Return weights by the ranks of distances; the nearest gets the last of ``eta``.

    Parameters
    ----------
    distances : ndarray of shape (n_samples, n_experts)
    eta : ndarray of shape (n_experts,)
        Weights in increasing order. Of equal distances, the first expert's counts as
        the smaller.

    Returns
    -------
    weights : ndarray of shape (n_samples, n_experts)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.experts.prototypes import static_weights
    >>> static_weights(np.array([[3.0, 1.0, 2.0]]), np.array([0.1, 0.3, 0.6]))
    array([[0.1, 0.6, 0.3]])
    """
    order = np.argsort(distances, axis=1, kind="stable")
    weights = np.empty_like(distances)
    np.put_along_axis(weights, order, np.asarray(eta, dtype=float)[np.newaxis, ::-1], 1)
    return weights


def dynamic_weights(distances):
    """Return 1 less the share of each distance in their sum.

    Parameters
    ----------
    distances : ndarray of shape (n_samples, n_experts)

    Returns
    -------
    weights : ndarray of shape (n_samples, n_experts)
        They add up to ``n_experts - 1``. All 1 for a single expert; if all distances
        are 0, equal.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.experts.prototypes import dynamic_weights
    >>> dynamic_weights(np.array([[1.0, 3.0], [0.0, 2.0]]))
    array([[0.75, 0.25],
           [1.  , 0.  ]])
    """
    n_experts = distances.shape[1]
    if n_experts == 1:
        return np.ones_like(distances)
    total = distances.sum(axis=1, keepdims=True)
    equal = np.full_like(distances, 1.0 / n_experts)
    return 1.0 - np.divide(distances, total, out=equal, where=total > 0.0)


def gaussian_weights(distances, width):
    """Return the softmax of squared distances, sharper than the paper's weights."""
    score = -0.5 * (distances / width) ** 2
    weights = np.exp(score - score.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
