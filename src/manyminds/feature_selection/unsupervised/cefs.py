"""CEFS: the features whose clusters agree best with those of an ensemble."""

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble import RandomClusterEnsemble
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.unsupervised.base import (
    KMeansWrapper,
    cluster_columns,
    keep_one,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.evolution import evolve_bits

COUNT = Interval(Integral, 1, None, closed="left")


@fill_docstring(**PARAMETERS)
class CEFSSelector(KMeansWrapper):
    """Select the features whose k-means clusters agree with a cluster ensemble.

    An ensemble of clusterings finds a consensus partition. Population-based incremental
    learning then searches for the subset of features whose k-means clusters have the
    highest adjusted Rand index with it [1]_.

    Parameters
    ----------
    clusterer : clusterer, default=None
        Finds the consensus partition; None: a `RandomClusterEnsemble`.
    n_estimators : int, default=200
        Number of base clusterings, if ``clusterer`` is None.
    population_size : int, default=30
        Number of subsets in a generation.
    n_generations : int, default=30
        Number of generations, less if ten of them bring nothing.
    random_state : int, RandomState instance or None, default=None
        Seeds the ensemble, and draws subsets and starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The consensus partition.
    agreement_ : float
        Adjusted Rand index of the selected features' clusters with it.
    {support}
    {n_features_in}

    References
    ----------
    .. [1] Hong, Kwong, Chang and Ren, "Consensus unsupervised feature ranking from
       multiple views", Pattern Recognition Letters 29, 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import CEFSSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = CEFSSelector(n_generations=5, random_state=0).fit(X)
    >>> bool(selector.agreement_ > 0.9)
    True
    """

    _parameter_constraints = {
        "clusterer": [HasMethods(["fit"]), None],
        "n_estimators": [Interval(Integral, 1, 65_000, closed="both")],
        "population_size": [COUNT],
        "n_generations": [COUNT],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        clusterer=None,
        *,
        n_estimators=200,
        population_size=30,
        n_generations=30,
        random_state=None,
    ):
        self.clusterer = clusterer
        self.n_estimators = n_estimators
        self.population_size = population_size
        self.n_generations = n_generations
        self.random_state = random_state

    def _search(self, points, rng):
        """Return the subset whose clusters agree best with the consensus."""
        self.labels_ = self._find_consensus(points.T, rng)
        n_clusters = len(np.unique(self.labels_))
        seed = rng.randint(2**31 - 1)

        def disagree(masks):
            found = (cluster_columns(points, m, n_clusters, seed)[0] for m in masks)
            return np.array([-adjusted_rand_score(self.labels_, one) for one in found])

        found = evolve_bits(
            disagree,
            len(points),
            method="pbil",
            population_size=self.population_size,
            n_generations=self.n_generations,
            repair=keep_one,
            random_state=rng,
        )
        self.agreement_ = -found.fitness
        return found.best

    def _find_consensus(self, X, rng):
        clusterer = self.clusterer
        if clusterer is None:
            clusterer = RandomClusterEnsemble(n_estimators=self.n_estimators)
        clusterer = clone(clusterer)
        if "random_state" in clusterer.get_params(deep=False):
            clusterer.set_params(random_state=rng.randint(2**31 - 1))
        return np.asarray(clusterer.fit(X).labels_)
