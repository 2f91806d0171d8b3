"""RCE: select the features that hold the clusters of a random ensemble together."""

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble import RandomClusterEnsemble
from manyminds.ensemble.base import draw_member_seeds
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    Selector,
    count_to_select,
    rank_scores,
)
from manyminds.feature_selection.unsupervised.permuted_labels import count_changes
from manyminds.feature_selection.unsupervised.scree import scree_test
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class RCESelector(Selector):
    """Select features without labels, for each cluster and for all of them.

    A `RandomClusterEnsemble` clusters the rows. The importance of a feature for a row
    is the share of base clusterings that put the row into another cluster when the
    feature is permuted, among those that did not draw the row. Summed over the rows of
    a consensus cluster, it shows which features hold this cluster together; a scree
    test selects them, and the selection is their union [1]_.

    Parameters
    ----------
    clusterer : RandomClusterEnsemble, default=None
        The ensemble; None: with default parameters.
    n_estimators : int, default=200
        Number of base clusterings, if ``clusterer`` is None.
    n_features_to_select : int, float or None, default=None
        Number of features to select, or their share of all, those of the highest
        ``scores_``; None: the union of the features that each cluster's scree test
        selects.
    normalize : {"tested", "n_estimators"}, default="tested"
        Divide how often a row changes clusters by the number of clusterings in which
        the feature was permuted with this row, or, as printed in the paper, by the
        number of all.
    n_jobs : int, default=None
        Number of threads; also of the default clusterer.
    random_state : int, RandomState instance or None, default=None
        Seeds the clusterer, and draws the permutations.

    Attributes
    ----------
    clusterer_ : RandomClusterEnsemble
        The fitted ensemble.
    labels_ : ndarray of shape (n_samples,)
        Consensus cluster of each row.
    sample_importances_ : ndarray of shape (n_samples, n_features)
        Importance of each feature for each row, between 0 and 1.
    cluster_importances_ : ndarray of shape (n_clusters, n_features)
        Their sums over the rows of each consensus cluster.
    local_support_ : ndarray of bool of shape (n_clusters, n_features)
        Features that the scree test selects for each cluster.
    n_tested_ : ndarray of shape (n_features,)
        Mean number of clusterings in which a row was tested for each feature. Below
        about ten, importances are noise: use more members.
    scores_ : ndarray of shape (n_features,)
        Sum of the importances of all rows.
    ranking_ : ndarray of shape (n_features,)
        1 for the highest score; among equals the first goes first.
    {support}
    {n_features_in}

    Notes
    -----
    Each row tests a feature in about ``0.37 * n_estimators * max_features /
    n_features`` clusterings: with the root of the number of features, members must grow
    like that root.

    References
    ----------
    .. [1] Elghazel and Aussem, "Feature selection for unsupervised learning using
       random cluster ensembles", ICDM, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import RCESelector
    >>> X, y = load_iris(return_X_y=True)
    >>> RCESelector(random_state=0).fit(X).get_support(indices=True)
    array([2, 3])
    """

    _parameter_constraints = {
        "clusterer": [HasMethods(["fit", "consensus_matrix"]), None],
        "n_estimators": [Interval(Integral, 1, 65_000, closed="both")],
        "n_features_to_select": [*N_TO_SELECT, None],
        "normalize": [StrOptions({"tested", "n_estimators"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        clusterer=None,
        *,
        n_estimators=200,
        n_features_to_select=None,
        normalize="tested",
        n_jobs=None,
        random_state=None,
    ):
        self.clusterer = clusterer
        self.n_estimators = n_estimators
        self.n_features_to_select = n_features_to_select
        self.normalize = normalize
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Cluster the rows, and measure the importance of each feature.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training samples.
        y : None
            Ignored.

        Returns
        -------
        {fitted}
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        rng = check_random_state(self.random_state)

        self.clusterer_ = self._make_clusterer(rng).fit(X)
        self.labels_ = self.clusterer_.labels_
        members = self.clusterer_.members_
        seeds = draw_member_seeds(rng, len(members))
        changed, tested = count_changes(
            members, self.clusterer_._place(X), seeds, self.n_jobs
        )
        self.n_tested_ = tested.mean(axis=0)
        divisor = tested if self.normalize == "tested" else np.uint16(len(members))
        self.sample_importances_ = changed / np.maximum(divisor, 1)
        self.cluster_importances_ = np.zeros((self.clusterer_.n_clusters_, X.shape[1]))
        np.add.at(self.cluster_importances_, self.labels_, self.sample_importances_)
        self.local_support_ = np.array(
            [scree_test(c) for c in self.cluster_importances_]
        )
        self.scores_ = self.cluster_importances_.sum(axis=0)
        self.ranking_ = rank_scores(self.scores_)
        self.support_ = self.local_support_.any(axis=0)
        if self.n_features_to_select is not None:
            n_kept = count_to_select(self.n_features_to_select, X.shape[1])
            self.support_ = self.ranking_ <= n_kept
        return self

    def _make_clusterer(self, rng):
        """Return an unfitted ensemble with a seed of its own."""
        clusterer = self.clusterer
        if clusterer is None:
            clusterer = RandomClusterEnsemble(
                n_estimators=self.n_estimators, n_jobs=self.n_jobs
            )
        return clone(clusterer).set_params(random_state=rng.randint(2**31 - 1))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        return tags
