"""CLU: cluster the rows, and fit one classifier to each cluster."""

import numpy as np
from sklearn.cluster import KMeans

from manyminds._compat import HasMethods, StrOptions
from manyminds.ensemble.base import draw_member_seeds, make_member, route_weight
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.base import (
    LocalClassifier,
    fit_point_scaler,
    group_rows,
    look_up_regions,
    number_regions,
    scale_points,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class ClusterLocalClassifier(LocalClassifier):
    """Classify each row by the model of its cluster.

    Rows are clustered without regard to their classes, one model is fitted to each
    cluster, and a new row is predicted by the model of the cluster with the nearest
    center [1]_. It helps a simple model if parts of the data need different rules.

    Parameters
    ----------
    {estimator}
    n_regions : int, default=4
        Number of clusters; at most that of rows.
    {clusterer}
    {scale}
    {correction}
    {run}

    Attributes
    ----------
    clusterer_ : clusterer
        The fitted clusterer.
    scaler_ : StandardScaler or None
        Scales the columns for distances.
    {local}
    {class_names}

    See Also
    --------
    ClasswiseClusterLocalClassifier : Clusters within classes.
    FeatureSliceLocalClassifier : Regions by one column.

    {local_references}

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from manyminds.ensemble import ClusterLocalClassifier
    >>> rng = np.random.default_rng(0)
    >>> group = rng.integers(2, size=400)  # two groups, whose rules are opposite
    >>> X = rng.normal(size=(400, 2)) + 6.0 * group[:, None]
    >>> y = ((X[:, 0] - 6.0 * group > 0.0) == (group == 1)).astype(int)
    >>> local = ClusterLocalClassifier(n_regions=2, random_state=0).fit(X, y)
    >>> print(
    ...     local.score(X, y) > 0.95, LogisticRegression().fit(X, y).score(X, y) < 0.7
    ... )
    True True
    """

    _parameter_constraints = {
        **LocalClassifier._parameter_constraints,
        "clusterer": [HasMethods(["fit", "predict"]), None],
        "scale": [StrOptions({"standard"}), None],
    }

    def __init__(
        self,
        estimator=None,
        n_regions=4,
        *,
        clusterer=None,
        scale="standard",
        prior_correction="none",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_regions = n_regions
        self.clusterer = clusterer
        self.scale = scale
        self.prior_correction = prior_correction
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Cluster the rows; fit an expert to each cluster.

        {fit_table}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)

        self.scaler_ = fit_point_scaler(X, weight, self.scale)
        points = scale_points(self.scaler_, X)
        self.clusterer_ = fit_clusterer(
            self.clusterer, self.n_regions, points, weight, rng
        )
        found = self.clusterer_.predict(points)
        self._names, region = number_regions(found)
        regions = group_rows(region, len(self._names))
        return self._fit_experts(X, label, weight, regions, rng)

    def _route(self, X):
        found = self.clusterer_.predict(scale_points(self.scaler_, X))
        return look_up_regions(found, self._names, self.n_rows_)


def fit_clusterer(clusterer, n_clusters, points, weight, rng):
    """Fit a clone of a clusterer, with a number of clusters if it takes one.

    Parameters
    ----------
    clusterer : clusterer or None
        None: ``KMeans``.
    n_clusters : int
        Number of clusters; at most that of points.
    points : ndarray or sparse matrix of shape (n_samples, n_features)
    weight : ndarray of shape (n_samples,) or None
    rng : RandomState

    Returns
    -------
    clusterer : clusterer
    """
    chosen = KMeans(n_init=4) if clusterer is None else clusterer
    member = make_member(chosen, draw_member_seeds(rng, 1)[0])
    n_clusters = int(min(n_clusters, count_different(points, n_clusters)))
    for name in ("n_clusters", "n_components"):
        if name in member.get_params():
            member.set_params(**{name: n_clusters})
            break
    if weight is None:
        return member.fit(points)
    return member.fit(points, **route_weight(member, weight))


def count_different(points, enough):
    """Count different rows, if there are not ``enough`` among the first ones."""
    n_rows, n_seen = points.shape[0], 2 * enough
    while True:
        part = points[:n_seen]
        part = part.toarray() if hasattr(part, "toarray") else part
        n_different = len(np.unique(part, axis=0))
        if n_different >= enough or n_seen >= n_rows:
            return n_different
        n_seen *= 4
