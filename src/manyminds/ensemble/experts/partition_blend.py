"""MMM: average local classifiers of three partitions of the same rows."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import StrOptions
from manyminds.ensemble.base import draw_member_seeds, share_votes
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.base import LocalClassifier
from manyminds.ensemble.experts.classwise_local import ClasswiseClusterLocalClassifier
from manyminds.ensemble.experts.cluster_local import ClusterLocalClassifier
from manyminds.ensemble.experts.slice_local import (
    FeatureSliceLocalClassifier,
    find_column,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class PartitionBlendClassifier(LocalClassifier):
    r"""Average three local classifiers: clusters, clusters within classes, slices.

    The three partitions are different views of the same rows; their probabilities are
    averaged, or their predictions vote [1]_.

    Parameters
    ----------
    {estimator}
    n_regions : int, default=4
        Number of clusters and of slices, k; within each of c classes there are
        :math:`k^{1/c}` clusters, rounded.
    feature : int or str, default=None
        The column that is sliced; see `FeatureSliceLocalClassifier`.
    {scale}
    {correction}
    voting : {"soft", "hard"}, default="soft"
        Whether probabilities are averaged, or predictions vote.
    {run}

    Attributes
    ----------
    estimators_ : list of classifiers
        The three local classifiers, fitted on class numbers.
    {class_names}

    Notes
    -----
    The mean absolute error of averaged probabilities is the mean of the three errors,
    since it is linear in probabilities: the gain that the paper prints comes from
    comparing rounded predictions with probabilities that are not. The Brier score and
    the log-loss are convex: there, averages can be better than their parts.

    {local_references}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import PartitionBlendClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> blend = PartitionBlendClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(blend.score(X[1::2], y[1::2]) > 0.93)
    True
    >>> [len(local.estimators_) for local in blend.estimators_]
    [4, 4, 4]
    """

    _parameter_constraints = {
        **LocalClassifier._parameter_constraints,
        "feature": FeatureSliceLocalClassifier._parameter_constraints["feature"],
        "scale": [StrOptions({"standard"}), None],
        "voting": [StrOptions({"soft", "hard"})],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator=None,
        n_regions=4,
        *,
        feature=None,
        scale="standard",
        prior_correction="none",
        voting="soft",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_regions = n_regions
        self.feature = feature
        self.scale = scale
        self.prior_correction = prior_correction
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the three local classifiers.

        {fit_table}
        """
        X, label, weight = self._read_training_set(X, y, sample_weight)
        n_inside = max(1, round(self.n_regions ** (1.0 / self.n_classes_)))
        feature = self.feature
        if feature is not None:
            feature = find_column(self, feature)
        seeds = draw_member_seeds(check_random_state(self.random_state), 3)

        common = {
            "estimator": self.estimator,
            "prior_correction": self.prior_correction,
            "n_jobs": self.n_jobs,
        }
        self.estimators_ = [
            ClusterLocalClassifier(
                n_regions=self.n_regions, scale=self.scale, **common
            ),
            ClasswiseClusterLocalClassifier(
                n_regions=n_inside, scale=self.scale, **common
            ),
            FeatureSliceLocalClassifier(
                n_regions=self.n_regions, feature=feature, **common
            ),
        ]
        for local, seed in zip(self.estimators_, seeds):
            local.set_params(random_state=int(seed)).fit(X, label, weight)
        return self

    @property
    def _members(self):
        return super(LocalClassifier, self)._members

    def route(self, X):
        """Return the expert of each row in each of the three partitions.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples to route.

        Returns
        -------
        expert : ndarray of int of shape (n_samples, 3)
            Places in ``estimators_`` of each local classifier.
        """
        X = self._read_table(X)
        return np.column_stack([local.route(X) for local in self.estimators_])

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Mean of the probabilities of the three; with ``voting="hard"``, shares of
            their predictions. Columns in the order of ``classes_``.
        """
        X = self._read_table(X)
        if self.voting == "hard":
            return share_votes(self._members.labels(X), self.n_classes_)
        return self._members.mean(X)
