"""CL2: cluster each class by itself, and fit one classifier to each combination."""

from math import prod
from numbers import Integral

import numpy as np

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.base import (
    LocalClassifier,
    fit_point_scaler,
    scale_points,
)
from manyminds.ensemble.experts.cluster_local import fit_clusterer
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class ClasswiseClusterLocalClassifier(LocalClassifier):
    r"""Classify each row by the model of the nearest cluster of each class.

    The rows of each class are clustered by themselves. There is a model for each
    combination of one cluster from every class, fitted to the rows of these clusters,
    so that every model sees all classes [1]_. A new row is predicted by the model of
    the clusters nearest to it.

    Parameters
    ----------
    {estimator}
    n_regions : int or sequence of int, default=2
        Number of clusters of each class, :math:`k_i`; there are up to
        :math:`\prod_i k_i` models.
    {clusterer}
    {scale}
    {correction}
    max_experts : int, default=10_000
        Maximum number of combinations, which explodes with the number of classes.
    {run}

    Attributes
    ----------
    clusterers_ : list of clusterers
        The fitted clusterer of each class.
    combinations_ : ndarray of int of shape (n_experts, n_classes)
        Cluster of each class, for each expert. Combinations to which no training row
        belongs have none; rows that would belong there go to the expert with the
        smallest sum of squared distances.
    scaler_ : StandardScaler or None
        Scales the columns for distances.
    {local}
    {class_names}

    See Also
    --------
    ClusterLocalClassifier : Clusters without regard to classes.

    Notes
    -----
    Shares of classes among the rows of a combination are arbitrary, so that
    ``prior_correction="king-zeng"`` makes sense here.

    {local_references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import ClasswiseClusterLocalClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> local = ClasswiseClusterLocalClassifier(random_state=0).fit(X, y)
    >>> local.combinations_.max(axis=0) + 1  # clusters of each class
    array([2, 2, 2])
    >>> print((local.expert_priors_ > 0).all())
    True
    """

    _parameter_constraints = {
        **LocalClassifier._parameter_constraints,
        "n_regions": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "clusterer": [HasMethods(["fit", "predict"]), None],
        "scale": [StrOptions({"standard"}), None],
        "max_experts": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        n_regions=2,
        *,
        clusterer=None,
        scale="standard",
        prior_correction="none",
        max_experts=10_000,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_regions = n_regions
        self.clusterer = clusterer
        self.scale = scale
        self.prior_correction = prior_correction
        self.max_experts = max_experts
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Cluster the rows of each class; fit an expert to each combination.

        {fit_table}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)
        n_regions = self._read_n_regions()

        self.scaler_ = fit_point_scaler(X, weight, self.scale)
        points = scale_points(self.scaler_, X)
        self.clusterers_, own = [], np.empty(len(label), dtype=np.intp)
        for c in range(self.n_classes_):
            rows = np.flatnonzero(label == c)
            part = None if weight is None else weight[rows]
            clusterer = fit_clusterer(
                self.clusterer, n_regions[c], points[rows], part, rng
            )
            own[rows] = clusterer.predict(points[rows])
            self.clusterers_.append(clusterer)
        self.combinations_ = self._list_combinations(points)
        regions = [
            np.flatnonzero(own == combination[label])
            for combination in self.combinations_
        ]
        return self._fit_experts(X, label, weight, regions, rng)

    def _read_n_regions(self):
        n_regions = np.atleast_1d(self.n_regions)
        is_whole = np.issubdtype(n_regions.dtype, np.integer) and (n_regions > 0).all()
        if not is_whole or n_regions.size not in (1, self.n_classes_):
            raise ValueError(
                "n_regions must be a positive number or one for each of the "
                f"{self.n_classes_} classes; got {self.n_regions!r}."
            )
        n_regions = np.broadcast_to(n_regions.ravel(), self.n_classes_).tolist()
        if prod(n_regions) > self.max_experts:
            raise ValueError(
                f"n_regions={self.n_regions!r} makes {prod(n_regions)} combinations of "
                f"clusters of {self.n_classes_} classes; max_experts="
                f"{self.max_experts} allows no more. Take fewer regions."
            )
        return n_regions

    def _list_combinations(self, points):
        """Return the combinations of nearest clusters that occur among the rows."""
        nearest = [clusterer.predict(points) for clusterer in self.clusterers_]
        return np.unique(np.column_stack(nearest), axis=0).astype(np.intp)

    def _route(self, X):
        points = scale_points(self.scaler_, X)
        total = np.zeros((points.shape[0], len(self.combinations_)))
        for c, clusterer in enumerate(self.clusterers_):
            total += measure_clusters(clusterer, points)[:, self.combinations_[:, c]]
        return total.argmin(axis=1)


def measure_clusters(clusterer, points):
    """Return squared distances to clusters; 0 and 1 if a clusterer knows none."""
    if hasattr(clusterer, "transform") and hasattr(clusterer, "cluster_centers_"):
        return clusterer.transform(points) ** 2
    found = clusterer.predict(points)
    n_clusters = getattr(clusterer, "n_components", getattr(clusterer, "n_clusters", 0))
    n_clusters = max(int(n_clusters or 0), int(found.max()) + 1)
    return (found[:, np.newaxis] != np.arange(n_clusters)).astype(np.float64)
