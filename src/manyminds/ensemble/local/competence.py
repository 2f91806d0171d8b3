"""Predictions of local members: of all, or of those most competent for each row."""

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from manyminds.ensemble.base import EstimatorMembers, TreeMembers, adopt_tree
from manyminds.ensemble.estimators import Ensemble
from manyminds.ensemble.local.centroids import SPARSE_METRICS
from manyminds.trees.base import TreeClassifierMixin, TreeModel, TreeRegressorMixin
from manyminds.trees.columns import map_dense_blocks
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring

_BLOCK_VALUES = 2**21  # members by rows by classes, held at once


class LocalForest(Ensemble, TreeModel):
    """A forest whose members are competent in different regions.

    A subclass's ``fit`` sets ``_locality``, ``centroids_``, ``sample_centroids_``,
    ``_seeds`` and either ``trees_``, the trees of our engine, or ``_estimators``, any
    fitted estimators, which see points instead of rows. Its ``_tree`` is the class of a
    single tree.
    """

    @property
    def _members(self):
        if self._estimators is None:
            return TreeMembers(self.trees_, self.n_jobs)
        classes = np.arange(self._n_values) if is_classifier(self) else None
        return EstimatorMembers(self._estimators, classes, n_jobs=self.n_jobs)

    def _mean_value(self, X):
        """Average the predictions of the active members for each row."""
        X = self._read_table(X)
        n_members = len(self.centroids_)
        n_active = self._count_active(n_members)
        if n_active < n_members or self.competence_weighted:
            return self._map_blocks(lambda X: self._average_best(X)[n_active - 1], X)
        if self._estimators is None and not self._votes:
            return self._members.mean(X)
        return self._map_blocks(lambda X: self._predict_values(X).mean(axis=0), X)

    def _count_active(self, n_members):
        """Return how many members predict a row."""
        if self.n_active is not None and self.n_active > n_members:
            raise ValueError(
                f"n_active={self.n_active} is more than there are: it takes at most "
                f"n_estimators={n_members}."
            )
        return n_members if self.n_active is None else self.n_active

    @property
    def _votes(self):
        """Whether a member votes for one class, instead of predicting probabilities."""
        return getattr(self, "voting", "soft") == "hard"

    def _map_blocks(self, function, X, axis=0):
        """Apply a function to some rows at a time: values of all members take room."""
        n_rows = max(1, _BLOCK_VALUES // (len(self.centroids_) * self._n_values))

        def apply(X):
            starts = range(0, max(1, len(X)), n_rows)
            blocks = [function(X[first : first + n_rows]) for first in starts]
            return np.concatenate(blocks, axis=axis)

        return map_dense_blocks(apply, X, axis)

    def _predict_values(self, X):
        """Return the values of each member: (n_estimators, n_rows, n_values)."""
        seen = X if self._estimators is None else self._locality.place(X)
        values = self._members.values(seen)
        if self._votes:
            values = np.eye(self._n_values)[values.argmax(axis=2)]
        return values

    def _predict_members(self, X):
        def predict(X):
            values = self._predict_values(X)
            return values.argmax(axis=2) if is_classifier(self) else values[:, :, 0]

        return self._map_blocks(predict, X, axis=1)

    def _average_best(self, X):
        """Average the values of the k most competent members, for every k."""
        values, points = self._predict_values(X), self._locality.place(X)
        competence = self._locality.log_weights(points, self.sample_centroids_)
        order = np.argsort(-competence, axis=0, kind="stable")
        values = np.take_along_axis(values, order[:, :, np.newaxis], axis=0)
        share = np.ones_like(competence)
        if self.competence_weighted:
            share = np.take_along_axis(competence, order, axis=0)
            share = np.exp(share - share[0])  # relative to the most competent: no 0 / 0
        values *= share[:, :, np.newaxis]
        return np.cumsum(values, axis=0) / np.cumsum(share, axis=0)[:, :, np.newaxis]

    def _predict_path(self, X):
        """Return the averages for every number of active members, least first."""
        X = self._read_table(X)
        return self._map_blocks(self._average_best, X, axis=1)

    @property
    def estimators_(self):
        """The members as fitted estimators; trees are made on access."""
        check_is_fitted(self, "centroids_")
        if self._estimators is not None:
            return self._estimators
        return [self._make_tree(t) for t in range(self.trees_.n_trees)]

    def _make_tree(self, t):
        """Return tree ``t`` as a fitted estimator of its own."""
        tree = self._tree(
            max_features=self.max_features,
            max_leaf_nodes=self.max_leaf_nodes,
            max_bins=self.max_bins,
            categorical_features=self.categorical_features,
            random_state=int(self._seeds[t] % (2**32 - 1)),
        )
        return adopt_tree(self, tree, self.trees_.tree(t))

    @property
    def feature_importances_(self):
        """Mean over the trees of each feature's share in the fall of impurity."""
        check_is_fitted(self, "centroids_")
        if self._estimators is not None:
            raise AttributeError(
                "feature_importances_ is for trees: it needs estimator=None."
            )
        return self._members.feature_importances()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        takes = self.estimator is None or get_tags(self.estimator).input_tags.sparse
        tags.input_tags.sparse = takes and self.metric in SPARSE_METRICS
        return tags


@fill_docstring(**ROWS)
class LocalForestClassifier(TreeClassifierMixin, LocalForest):
    """A local forest that votes for classes."""

    _tree = DecisionTreeClassifier

    def predict_proba_path(self, X):
        """Predict the probabilities by the k most competent trees, for every k.

        {classify_table}
        path : ndarray of shape (n_estimators, n_samples, n_classes)
            ``path[k - 1]`` is that of ``predict_proba`` with ``n_active=k``.
        """
        return self._predict_path(X)

    def score_path(self, X, y, sample_weight=None):
        """Measure the accuracy of the k most competent trees, for every k.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to classify.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        scores : ndarray of shape (n_estimators,)
            Accuracy with ``n_active=1``, 2, ... and so on.
        """
        labels = self.classes_.take(self._predict_path(X).argmax(axis=2))
        return np.array(
            [accuracy_score(y, some, sample_weight=sample_weight) for some in labels]
        )


@fill_docstring(**ROWS)
class LocalForestRegressor(TreeRegressorMixin, LocalForest):
    """A local forest that averages numbers."""

    _tree = DecisionTreeRegressor

    def predict_path(self, X):
        """Predict the target by the k most competent trees, for every k.

        {predict_table}
        path : ndarray of shape (n_estimators, n_samples)
            ``path[k - 1]`` is that of ``predict`` with ``n_active=k``.
        """
        return self._predict_path(X)[:, :, 0]

    def score_path(self, X, y, sample_weight=None):
        """Measure R² of the k most competent trees, for every k.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to predict.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        scores : ndarray of shape (n_estimators,)
            R² with ``n_active=1``, 2, ... and so on.
        """
        path = self._predict_path(X)
        return np.array(
            [r2_score(y, some, sample_weight=sample_weight) for some in path]
        )
