"""Random cluster ensemble: a consensus of clusterings of random rows and columns."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import (
    DocLinkMixin,
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
)
from manyminds.ensemble.base import draw_member_seeds
from manyminds.ensemble.clusterings.consensus import (
    CONSENSUS,
    NORMALIZATIONS,
    find_consensus,
)
from manyminds.ensemble.clusterings.labelings import assign_by_affinity, coassociation
from manyminds.ensemble.clusterings.members import Recipe, count_features, fit_members

COUNT = Interval(Integral, 1, None, closed="left")
SEVERAL = Interval(Integral, 2, None, closed="left")


class RandomClusterEnsemble(ClusterMixin, DocLinkMixin, BaseEstimator):
    r"""Cluster rows by the consensus of clusterings of random rows and columns.

    Each base clustering sees a bootstrap of the rows and a random subset of the
    columns. The co-association of two rows is the share of clusterings, of those that
    drew both, which put them into one cluster. Average linkage of one minus the
    co-association yields the consensus; the number of clusters is that with the highest
    average normalized mutual information with the base clusterings [1]_.

    Parameters
    ----------
    estimator : clusterer, default=None
        Base clusterer; None: k-means, compiled. A parameter ``n_clusters`` of it is
        set. Clusters without ``cluster_centers_`` are centered at their means; noise,
        labeled -1, is not clustered.
    n_estimators : int, default=200
        Number of base clusterings.
    n_clusters : int or "auto", default="auto"
        Number of consensus clusters; "auto": by the average mutual information.
    base_clusters : int or "auto", default="auto"
        Number of clusters of a base clustering; "auto": for each of them the number
        with the least Davies-Bouldin index.
    max_base_clusters : int or None, default=10
        Largest number that "auto" tries, and never more than the root of the number of
        rows; None: that root, which the paper's text leaves open and which takes long
        for many rows.
    max_features : "sqrt", int, float or None, default="sqrt"
        Number of columns that a base clustering sees, or their share; "sqrt": the
        rounded root of their number; None: all.
    scale : {"minmax", "standard"} or None, default="minmax"
        Scale columns to lie between 0 and 1, or to variance 1.
    consensus : {"average", "evidence", "cspa", "mcla", "hbgf"}, default="average"
        How to combine them; see `combine_clusterings`.
    normalize : {"cooccurrence", "n_estimators"}, default="cooccurrence"
        Divide how often two rows are together by the number of clusterings that drew
        both, or, as printed in the paper, by the number of all.
    max_clusters : int, default=None
        Largest number of consensus clusters to compare; None: the largest number of
        base clusters, and at most the root of the number of rows.
    n_landmarks : int or None, default=5000
        Of more rows, so many are drawn, and linked; each other row goes to the cluster
        with the highest mean co-association. None: link all rows.
    n_jobs : int, default=None
        Number of threads.
    random_state : int, RandomState instance or None, default=None
        Draws rows, columns, starts and landmarks.

    Attributes
    ----------
    labels_ : ndarray of int64 of shape (n_samples,)
        Consensus cluster of each row.
    n_clusters_ : int
        Number of consensus clusters.
    members_ : BaseClusterings
        The base clusterings: their ``features``, ``centers`` and ``labelings``.
    agreement_ : dict of int to float
        Average normalized mutual information for each number of clusters compared.
    landmarks_ : ndarray of int64
        Rows that were linked; all, if there are few.
    affinity_ : list of ndarray of shape (n_base_clusters + 1, n_clusters)
        For each base clustering, the share of each consensus cluster's rows in each
        base cluster; the last row, of rows without a label, is 0.

    See Also
    --------
    manyminds.feature_selection.RCESelector : The columns that hold clusters together.

    Notes
    -----
    The paper divides by the number of all clusterings, though two rows are both drawn
    in four of ten only: entries then vary with that number as well.

    Memory is bounded by ``n_landmarks``: 16 bytes for each pair of landmarks, and a
    byte for each row and base clustering.

    References
    ----------
    .. [1] Elghazel and Aussem, "Feature selection for unsupervised learning using
       random cluster ensembles", ICDM, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import RandomClusterEnsemble
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RandomClusterEnsemble(n_clusters=3, random_state=0).fit(X)
    >>> (model.labels_[:50] == 0).all()
    np.True_
    >>> model.predict([[5.0, 3.5, 1.5, 0.2]])
    array([0])
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit"]), None],
        "n_estimators": [Interval(Integral, 1, 65_000, closed="both")],
        "n_clusters": [COUNT, StrOptions({"auto"})],
        "base_clusters": [COUNT, StrOptions({"auto"})],
        "max_base_clusters": [SEVERAL, None],
        "max_features": [
            COUNT,
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
            StrOptions({"sqrt"}),
            None,
        ],
        "scale": [StrOptions({"minmax", "standard"}), None],
        "consensus": [StrOptions(set(CONSENSUS))],
        "normalize": [StrOptions(set(NORMALIZATIONS))],
        "max_clusters": [SEVERAL, None],
        "n_landmarks": [SEVERAL, None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=200,
        *,
        n_clusters="auto",
        base_clusters="auto",
        max_base_clusters=10,
        max_features="sqrt",
        scale="minmax",
        consensus="average",
        normalize="cooccurrence",
        max_clusters=None,
        n_landmarks=5000,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_clusters = n_clusters
        self.base_clusters = base_clusters
        self.max_base_clusters = max_base_clusters
        self.max_features = max_features
        self.scale = scale
        self.consensus = consensus
        self.normalize = normalize
        self.max_clusters = max_clusters
        self.n_landmarks = n_landmarks
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Fit the base clusterings, and find their consensus.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training samples.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted clusterer.
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        rng = check_random_state(self.random_state)

        self._offset, self._span = _learn_scale(X, self.scale)
        recipe = Recipe(
            self.estimator,
            self.base_clusters,
            self.max_base_clusters,
            count_features(self.max_features, X.shape[1]),
        )
        seeds = draw_member_seeds(rng, self.n_estimators)
        self.members_ = fit_members(self._place(X), recipe, seeds, self.n_jobs)
        found = find_consensus(
            self.members_.labelings,
            self.n_clusters,
            consensus=self.consensus,
            normalize=self.normalize,
            max_clusters=self.max_clusters,
            n_landmarks=self.n_landmarks,
            n_jobs=self.n_jobs,
            rng=rng,
        )
        self.labels_, self.n_clusters_ = found.labels, found.n_clusters
        self.agreement_, self.landmarks_ = found.agreement, found.rows
        self.affinity_ = found.affinity
        return self

    def predict(self, X):
        """Return the cluster with the highest mean co-association with each row.

        A training row may be on the border of two clusters, and belong to another one
        in ``labels_``, which linkage has made.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        labels : ndarray of int64 of shape (n_samples,)
            Their clusters.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        codes = self.members_.label(self._place(X))
        return assign_by_affinity(codes, self.affinity_)

    def consensus_matrix(self, rows=None):
        """Return the co-association of some training rows.

        Parameters
        ----------
        rows : array-like of int, default=None
            Positions of the rows; None: those in ``landmarks_``.

        Returns
        -------
        matrix : ndarray of shape (n_rows, n_rows)
            Between 0 and 1, with ones in the diagonal.
        """
        check_is_fitted(self)
        rows = self.landmarks_ if rows is None else np.asarray(rows)
        labelings = self.members_.labelings.take(rows)
        return coassociation(labelings, self.normalize, self.n_jobs)

    def _place(self, X):
        """Return scaled rows, transposed: one column of X after the other."""
        return np.ascontiguousarray(((X - self._offset) / self._span).T)


def _learn_scale(X, scale):
    """Return what to subtract from each column, and its divisor."""
    if scale is None:
        return np.zeros(X.shape[1]), np.ones(X.shape[1])
    if scale == "minmax":
        offset, span = X.min(axis=0), np.ptp(X, axis=0)
    else:
        offset, span = X.mean(axis=0), X.std(axis=0)
    return offset, np.where(span > 0.0, span, 1.0)
