"""Unsupervised forest: clusters of rows that share leaves of trees without labels."""

import warnings
from numbers import Integral

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.ensemble.clusterings.graphs import embed_graph, group_nodes
from manyminds.ensemble.clusterings.linkage import number_parts
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.ensemble.local.proximity import find_neighbors

COUNT = Interval(Integral, 1, None, closed="left")


class UnsupervisedForest(ClusterMixin, DocLinkMixin, BaseEstimator):
    """Cluster rows by the leaves that they share in a forest without labels.

    A random forest learns to tell the rows from synthetic ones, whose columns are drawn
    independently of each other [1]_. Two rows are near if they share many leaves [2]_.
    The nearest neighbors of each row make a sparse graph, which is partitioned.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters.
    n_estimators : int, default=500
        Number of trees.
    synthetic : {"marginals", "uniform"}, default="marginals"
        How to draw a column of the synthetic rows: from the values of the column, or
        uniformly between its extremes.
    n_neighbors : int, default=50
        Number of nearest rows whose proximity is stored for each row.
    n_jobs : int, default=None
        Number of threads.
    random_state : int, RandomState instance or None, default=None
        Draws synthetic rows, and seeds the forest and the partition.

    Attributes
    ----------
    labels_ : ndarray of int64 of shape (n_samples,)
        Cluster of each row.
    n_clusters_ : int
        Number of clusters found.
    forest_ : RandomForestClassifier
        The forest; class 1 are the rows, class 0 the synthetic ones.
    oob_error_ : float
        Share of the rows, real and synthetic, that the forest mistakes out of bag. At
        one half, columns are independent as far as the forest can tell: there are no
        clusters to find.
    feature_importances_ : ndarray of shape (n_features,)
        Mean decrease of impurity by each column.
    proximity_ : sparse array of shape (n_samples, n_samples)
        Share of trees in which two rows share a leaf, of the nearest; symmetric.

    References
    ----------
    .. [1] Breiman and Cutler, "Random forests manual", version 4.0, 2003.
    .. [2] Shi and Horvath, "Unsupervised learning with random forest predictors",
       Journal of Computational and Graphical Statistics 15, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import UnsupervisedForest
    >>> X, y = load_iris(return_X_y=True)
    >>> model = UnsupervisedForest(n_estimators=100, random_state=0).fit(X)
    >>> len(set(model.labels_[:50])), bool(model.oob_error_ < 0.3)
    (1, True)
    """

    _parameter_constraints = {
        "n_clusters": [COUNT],
        "n_estimators": [COUNT],
        "synthetic": [StrOptions({"marginals", "uniform"})],
        "n_neighbors": [COUNT],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters=2,
        n_estimators=500,
        *,
        synthetic="marginals",
        n_neighbors=50,
        n_jobs=None,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.n_estimators = n_estimators
        self.synthetic = synthetic
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Grow the forest, and partition its graph of proximities.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training samples; NaN is a missing value.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted clusterer.
        """
        self._validate_params()
        X = _read(self, X, ensure_min_samples=2)
        rng = check_random_state(self.random_state)
        if self.n_clusters > len(X):
            raise ValueError(
                f"n_clusters must be at most the number of samples, {len(X)}; got "
                f"{self.n_clusters}."
            )

        self.forest_ = grow_unsupervised(
            X, self.n_estimators, self.synthetic, rng, self.n_jobs
        )
        self.oob_error_ = 1.0 - self.forest_.oob_score_
        self.feature_importances_ = self.forest_.feature_importances_
        self._leaves = self.forest_.apply(X)
        self.proximity_ = _keep_nearest(self._leaves, self.n_neighbors, self.n_jobs)
        if self.n_clusters == 1 or len(X) <= 2:
            labels = np.arange(len(X)) % self.n_clusters
        else:
            vectors = embed_graph(self.proximity_, self.n_clusters, rng)
            labels = group_nodes(vectors, self.n_clusters, rng)
        self.labels_ = number_parts(labels)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def predict(self, X):
        """Return the cluster with the highest mean proximity to each row.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples; NaN is a missing value.

        Returns
        -------
        labels : ndarray of int64 of shape (n_samples,)
            Their clusters.
        """
        check_is_fitted(self)
        X = _read(self, X, reset=False)
        sizes = np.bincount(self.labels_)
        score = np.zeros((len(X), self.n_clusters_))
        for leaf, known in zip(self.forest_.apply(X).T, self._leaves.T):
            n_leaves = int(max(leaf.max(), known.max())) + 1
            place = known * self.n_clusters_ + self.labels_
            counts = np.bincount(place, minlength=n_leaves * self.n_clusters_)
            score += (counts.reshape(n_leaves, -1) / sizes)[leaf]
        return score.argmax(axis=1)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _read(model, X, **options):
    return validate_data(
        model, X, dtype=np.float64, ensure_all_finite="allow-nan", **options
    )


def grow_unsupervised(X, n_estimators, synthetic, rng, n_jobs=None):
    """Grow a forest that tells rows from synthetic ones with independent columns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    n_estimators : int
    synthetic : {"marginals", "uniform"}
    rng : RandomState
    n_jobs : int or None, default=None

    Returns
    -------
    forest : RandomForestClassifier
        With ``oob_score_``.
    """
    n_rows = len(X)
    if synthetic == "marginals":
        drawn = rng.randint(n_rows, size=X.shape)
        other = np.take_along_axis(X, drawn, axis=0)
    else:
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
        other = rng.uniform(np.nan_to_num(low), np.nan_to_num(high), size=X.shape)
        other[:, np.isnan(low)] = np.nan
    forest = RandomForestClassifier(
        n_estimators,
        oob_score=True,
        n_jobs=n_jobs,
        random_state=rng.randint(2**31 - 1),
    )
    with warnings.catch_warnings():
        # Of few trees, the error is that of the rows that some tree did not draw.
        warnings.filterwarnings("ignore", message=".*drawn by every member")
        return forest.fit(np.concatenate([X, other]), np.repeat([1, 0], n_rows))


def _keep_nearest(leaves, n_neighbors, n_jobs=None):
    """Return the proximities of each row to its nearest rows, made symmetric."""
    nearest = find_neighbors(leaves, leaves, n_neighbors, n_jobs=n_jobs)
    nearest = csr_array(nearest.maximum(nearest.T))
    nearest.indices = nearest.indices.astype(np.int32)  # as scikit-learn takes them
    nearest.indptr = nearest.indptr.astype(np.int32)
    return nearest
