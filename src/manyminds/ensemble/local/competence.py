"""Answers of local members: of all, or of those most competent about each row."""

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from manyminds.ensemble.base import read_probabilities, run_on_members
from manyminds.ensemble.local.centroids import SPARSE_METRICS
from manyminds.trees.base import TreeClassifierMixin, TreeModel, TreeRegressorMixin
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor

_BLOCK_ANSWERS = 2**21  # members by rows by classes, held at once


class LocalForest(TreeModel):
    """A forest whose members know about different places.

    A subclass's ``fit`` sets ``_locality``, ``centroids_``, ``sample_centroids_``,
    ``_seeds`` and either ``trees_``, the trees of our engine, or ``_members``, fitted
    estimators that see points instead of rows. Its ``_tree`` is the class of a single
    tree.
    """

    def _mean_value(self, X):
        """Average what the active members say about each row."""
        check_is_fitted(self)
        n_members = len(self.centroids_)
        n_active = self._count_active(n_members)
        if n_active < n_members or self.competence_weighted:
            return self._ask_blocks(X, lambda X: self._follow(X)[n_active - 1])
        if self._members is None and not self._votes:
            return self._ask(X, lambda X: self.trees_.mean_value(X, n_jobs=self.n_jobs))
        return self._ask_blocks(X, lambda X: self._answers(X).mean(axis=0))

    def _count_active(self, n_members):
        """Return how many members are asked about a row."""
        if self.n_active is not None and self.n_active > n_members:
            raise ValueError(
                f"n_active={self.n_active} is more than there are: it takes at most "
                f"n_estimators={n_members}."
            )
        return n_members if self.n_active is None else self.n_active

    @property
    def _votes(self):
        """Whether a member says one class for sure, instead of shares of classes."""
        return getattr(self, "voting", "soft") == "hard"

    def _ask_blocks(self, X, question, axis=0):
        """Ask about some rows at a time: the answers of all members take room."""
        n_rows = max(1, _BLOCK_ANSWERS // (len(self.centroids_) * self._n_values))

        def ask(X):
            starts = range(0, max(1, len(X)), n_rows)
            blocks = [question(X[first : first + n_rows]) for first in starts]
            return np.concatenate(blocks, axis=axis)

        return self._ask(X, ask, axis=axis)

    def _answers(self, X):
        """Return what each member says: (n_estimators, n_rows, n_values)."""
        if self._members is None:
            answers = self.trees_.values_by_tree(X, n_jobs=self.n_jobs)
        else:
            answers = self._ask_members(self._locality.place(X))
        if self._votes:
            answers = np.eye(self._n_values)[answers.argmax(axis=2)]
        return answers

    def _ask_members(self, points):
        """Return what members that are no trees of our engine say about points."""
        n_classes = self._n_values

        def ask(member):
            if is_classifier(self):
                return read_probabilities(member, points, n_classes)
            return np.reshape(member.predict(points), (-1, 1))

        each = ((member,) for member in self._members)
        return np.array(list(run_on_members(ask, each, self.n_jobs)))

    def _follow(self, X):
        """Average the answers of the k most competent members, for every k."""
        answers, points = self._answers(X), self._locality.place(X)
        competence = self._locality.log_weights(points, self.sample_centroids_)
        order = np.argsort(-competence, axis=0, kind="stable")
        answers = np.take_along_axis(answers, order[:, :, np.newaxis], axis=0)
        share = np.ones_like(competence)
        if self.competence_weighted:
            share = np.take_along_axis(competence, order, axis=0)
            share = np.exp(share - share[0])  # relative to the most competent: no 0 / 0
        answers *= share[:, :, np.newaxis]
        return np.cumsum(answers, axis=0) / np.cumsum(share, axis=0)[:, :, np.newaxis]

    def _ask_all(self, X, question):
        """Ask every member about each row, some rows at a time."""
        check_is_fitted(self)
        return self._ask_blocks(X, question, axis=1)

    def _path(self, X):
        """Return the averages for every number of active members, least first."""
        return self._ask_all(X, self._follow)

    @property
    def estimators_(self):
        """The members as fitted estimators; trees are made when asked for."""
        check_is_fitted(self, "centroids_")
        if self._members is not None:
            return self._members
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
        for name in ("classes_", "n_classes_", "feature_names_in_", "n_features_in_"):
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        tree._encoder, tree.tree_ = self._encoder, self.trees_.tree(t)
        return tree

    @property
    def feature_importances_(self):
        """Mean over the trees of each feature's share in the fall of impurity."""
        check_is_fitted(self, "centroids_")
        if self._members is not None:
            raise AttributeError(
                "feature_importances_ is for trees: it needs estimator=None."
            )
        shares = self.trees_.feature_importances().mean(axis=0)
        return shares / (shares.sum() or 1.0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        takes = self.estimator is None or get_tags(self.estimator).input_tags.sparse
        tags.input_tags.sparse = takes and self.metric in SPARSE_METRICS
        return tags


class LocalForestClassifier(TreeClassifierMixin, LocalForest):
    """A local forest that votes for classes."""

    _tree = DecisionTreeClassifier

    def predict_all(self, X):
        """Predict the class of each row of X by each tree alone.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        labels : ndarray of shape (n_estimators, n_samples)
            What each tree votes for.
        """
        codes = self._ask_all(X, lambda X: self._answers(X).argmax(axis=2))
        return self.classes_.take(codes)

    def predict_proba_path(self, X):
        """Predict the probabilities by the k most competent trees, for every k.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        path : ndarray of shape (n_estimators, n_samples, n_classes)
            ``path[k - 1]`` is what ``predict_proba`` would give with ``n_active=k``.
        """
        return self._path(X)

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
        labels = self.classes_.take(self._path(X).argmax(axis=2))
        return np.array(
            [accuracy_score(y, some, sample_weight=sample_weight) for some in labels]
        )


class LocalForestRegressor(TreeRegressorMixin, LocalForest):
    """A local forest that averages numbers."""

    _tree = DecisionTreeRegressor

    def predict_all(self, X):
        """Predict the target of each row of X by each tree alone.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to predict.

        Returns
        -------
        targets : ndarray of shape (n_estimators, n_samples)
            What each tree predicts.
        """
        return self._ask_all(X, lambda X: self._answers(X)[:, :, 0])

    def predict_path(self, X):
        """Predict the target by the k most competent trees, for every k.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to predict.

        Returns
        -------
        path : ndarray of shape (n_estimators, n_samples)
            ``path[k - 1]`` is what ``predict`` would give with ``n_active=k``.
        """
        return self._path(X)[:, :, 0]

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
        return np.array(
            [r2_score(y, some, sample_weight=sample_weight) for some in self._path(X)]
        )
