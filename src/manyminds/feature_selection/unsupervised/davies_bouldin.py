"""Davies-Bouldin wrapper: few features with compact, distant clusters."""

from numbers import Integral

import numpy as np
from scipy.spatial.distance import pdist, squareform

from manyminds._compat import Interval
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.unsupervised.base import (
    N_CLUSTERS,
    KMeansWrapper,
    cluster_columns,
    keep_one,
)
from manyminds.utils.docstrings import fill_docstring

COUNT = Interval(Integral, 2, None, closed="left")


@fill_docstring(**PARAMETERS)
class DaviesBouldinSelector(KMeansWrapper):
    """Select features by a genetic search for compact clusters of few features.

    A multi-objective genetic algorithm minimizes the Davies-Bouldin index of k-means on
    a subset of the features together with its size [1]_. Of the subsets that no other
    one surpasses in both, that with the least index is selected. The index decreases
    with the number of features whatever the clusters are, so that subsets tend to be
    tiny.

    Parameters
    ----------
    n_clusters : int or "auto", default="auto"
        Number of clusters; "auto": for each subset the number, up to ten, with the
        least index.
    population_size : int, default=30
        Number of subsets in a generation.
    n_generations : int, default=30
        Number of generations.
    random_state : int, RandomState instance or None, default=None
        Draws subsets and starts.

    Attributes
    ----------
    front_ : ndarray of bool of shape (n_subsets, n_features)
        Subsets that no other one surpasses, by their sizes.
    front_scores_ : ndarray of shape (n_subsets,)
        Their Davies-Bouldin indices.
    {support}
    {n_features_in}

    References
    ----------
    .. [1] Morita, Sabourin, Bortolozzi and Suen, "Unsupervised feature selection using
       multi-objective genetic algorithms for handwritten word recognition", ICDAR,
       2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import DaviesBouldinSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = DaviesBouldinSelector(n_generations=5, random_state=0).fit(X)
    >>> int(selector.get_support().sum()) <= 2
    True
    """

    _parameter_constraints = {
        "n_clusters": N_CLUSTERS,
        "population_size": [COUNT],
        "n_generations": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters="auto",
        *,
        population_size=30,
        n_generations=30,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.population_size = population_size
        self.n_generations = n_generations
        self.random_state = random_state

    def _search(self, points, rng):
        """Evolve subsets; return that of the last front with the least index."""
        seed, size = rng.randint(2**31 - 1), self.population_size
        known = {}

        def rate(masks):
            for mask in masks:
                if mask.tobytes() not in known:
                    known[mask.tobytes()] = self._rate(points, mask, seed)
            return np.array([known[mask.tobytes()] for mask in masks])

        masks = keep_one(rng.uniform(size=(size, len(points))) < 0.5, rng)
        for _ in range(self.n_generations):
            masks = np.unique(np.concatenate([masks, _breed(masks, rng)]), axis=0)
            masks = masks[sort_by_front(rate(masks))[:size]]
        scores = rate(masks)
        front = masks[rank_fronts(scores) == 0]
        front = front[np.lexsort(rate(front).T)]
        self.front_, self.front_scores_ = front, rate(front)[:, 0]
        return front[self.front_scores_.argmin()]

    def _rate(self, points, mask, seed):
        """Return the Davies-Bouldin index of a subset, and its size."""
        label, _ = cluster_columns(points, mask, self.n_clusters, seed)
        return davies_bouldin(points[mask], label), mask.sum()


def davies_bouldin(points, label):
    """Return the Davies-Bouldin index of clusters; infinite if two means coincide.

    Parameters
    ----------
    points : ndarray of shape (n_features, n_rows)
    label : ndarray of int of shape (n_rows,)

    Returns
    -------
    index : float
    """
    label = np.unique(label, return_inverse=True)[1]
    sizes = np.bincount(label)
    means = np.stack([np.bincount(label, row) for row in points], axis=1)
    means /= sizes[:, None]
    radius = np.linalg.norm(points - means[label].T, axis=0)
    radius = np.bincount(label, radius) / sizes
    gaps = squareform(pdist(means))
    np.fill_diagonal(gaps, np.inf)
    if len(sizes) < 2 or gaps.min() == 0.0:
        return np.inf
    return float(((radius[:, None] + radius) / gaps).max(axis=1).mean())


def _breed(masks, rng):
    """Cross random pairs by a random mask, and flip one bit on average."""
    first = masks[rng.randint(len(masks), size=len(masks))]
    second = masks[rng.randint(len(masks), size=len(masks))]
    children = np.where(rng.uniform(size=first.shape) < 0.5, first, second)
    children ^= rng.uniform(size=first.shape) < 1.0 / masks.shape[1]
    return keep_one(children, rng)


def rank_fronts(scores):
    """Return the front of each point: 0 if no other one is as good and once better.

    Examples
    --------
    >>> from manyminds.feature_selection.unsupervised.davies_bouldin import rank_fronts
    >>> rank_fronts([[1, 4], [2, 2], [3, 3], [4, 1]])
    array([0, 0, 1, 0])
    """
    scores = np.asarray(scores, dtype=np.float64)
    no_worse = (scores[:, None] <= scores).all(axis=2)
    better = no_worse & (scores[:, None] < scores).any(axis=2)
    rank = np.full(len(scores), -1)
    front = 0
    while (rank < 0).any():
        waiting = rank < 0
        beaten = better[waiting].any(axis=0)
        rank[waiting & ~beaten] = front
        front += 1
    return rank


def sort_by_front(scores):
    """Return the order of points by fronts, crowded ones of a front last."""
    rank = rank_fronts(scores)
    space = np.zeros(len(scores))
    finite = np.where(np.isfinite(scores), scores, np.nan_to_num(scores, posinf=1e9))
    for front in range(rank.max() + 1):
        members = np.flatnonzero(rank == front)
        for values in finite[members].T:
            order = members[np.argsort(values, kind="stable")]
            span = np.ptp(values) or 1.0
            gaps = np.full(len(order), np.inf)
            ends = finite[order[2:]] - finite[order[:-2]]
            gaps[1:-1] = np.abs(ends).max(axis=1) / span
            space[order] += gaps
    return np.lexsort((-space, rank))
