"""A pool of fitted members, whatever ensemble or list they come from."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from manyminds.ensemble.base import EstimatorMembers, Members, TreeMembers
from manyminds.ensemble.estimators import Ensemble

# Ensembles of scikit-learn whose members know classes by number.
_ENCODING = (
    BaggingClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    VotingClassifier,
)


@dataclass(frozen=True, eq=False)
class Pool:
    """Fitted members, and how to read a table for them.

    Parameters
    ----------
    members : Members
    model : estimator or None
        Ensemble of ours, which checks and encodes tables for its members; None: members
        read tables themselves.
    classes : ndarray of shape (n_known,) or None
        Labels of the classes that members know, sorted; None: members of a regressor.
    """

    members: Members
    model: Any
    classes: np.ndarray | None

    def __len__(self):
        return len(self.members)

    def read(self, X):
        """Return a table as the members see it."""
        if self.model is not None:
            return self.model._read_table(X)
        first = self.members.estimators[0]
        knows_names = hasattr(first, "feature_names_in_")
        return X if knows_names or not hasattr(X, "iloc") else X.to_numpy()

    def labels(self, X, classes):
        """Return the class numbers by each member: (n_members, n_samples), int32.

        They are places among ``classes``, which include all that the members know.
        """
        return self.label_table(self.read(X), classes)

    def label_table(self, table, classes):
        """Return the same for a table as the members see it."""
        labels = self.members.labels(table)
        if len(classes) == len(self.classes):
            return labels.astype(np.int32, copy=False)
        return np.searchsorted(classes, self.classes).astype(np.int32)[labels]

    def values(self, X, classes=None):
        """Return probabilities or targets: (n_members, n_samples, n_values)."""
        return self.value_table(self.read(X), classes)

    def value_table(self, table, classes=None):
        """Return the same for a table as the members see it."""
        values = self.members.values(table)
        if classes is None or len(classes) == len(self.classes):
            return values
        spread = np.zeros((*values.shape[:2], len(classes)))
        spread[:, :, np.searchsorted(classes, self.classes)] = values
        return spread

    def select(self, kept):
        """Return the pool of some of the members, in this order."""
        return replace(self, members=_select(self.members, kept))


@dataclass(frozen=True, eq=False)
class KeptMembers(Members):
    """Some members of an ensemble that can only predict as a whole.

    Parameters
    ----------
    members : Members
        All of them.
    kept : ndarray of int
    """

    members: Members
    kept: np.ndarray

    def __len__(self):
        return len(self.kept)

    def values(self, X):
        """Return the values of each member: (n_members, n_samples, n_values)."""
        return self.members.values(X)[self.kept]

    def labels(self, X):
        """Return the most probable class of each member: (n_members, n_samples)."""
        return self.members.labels(X)[self.kept]

    def _predict_each(self, X):
        return iter(self.values(X))


def _select(members, kept):
    kept = np.asarray(kept, dtype=np.intp)
    if type(members) is TreeMembers:
        return replace(members, trees=members.trees.select(kept))
    if type(members) is EstimatorMembers:
        views = members.views
        return replace(
            members,
            estimators=[members.estimators[t] for t in kept],
            views=None if views is None else [views[t] for t in kept],
        )
    return KeptMembers(members, kept)


@dataclass(frozen=True, eq=False)
class Committee:
    """Kept members of a pool, with weights, which vote or are averaged.

    Parameters
    ----------
    pool : Pool
    weights : ndarray of shape (n_members,)
    is_hard : bool
        Whether each votes for one class, instead of by its probabilities.
    """

    pool: Pool
    weights: np.ndarray
    is_hard: bool

    def sum_values(self, X, classes=None):
        """Return the weighted sum of votes or targets: (n_samples, n_values)."""
        table, members = self.pool.read(X), self.pool.members
        if type(members) is TreeMembers:
            total = self._voters.mean(table) * len(members)
        else:
            each = zip(self.weights, members._predict_each(table))
            total = sum(w * self._harden(values) for w, values in each)
        if classes is None or len(classes) == len(self.pool.classes):
            return total
        spread = np.zeros((len(total), len(classes)))
        spread[:, np.searchsorted(classes, self.pool.classes)] = total
        return spread

    @cached_property
    def _voters(self):
        """The trees with votes for values: their sum takes one walk."""
        trees = self.pool.members.trees
        weights = np.repeat(self.weights, trees.node_counts)[:, np.newaxis]
        value = self._harden(trees.value) * weights
        return replace(self.pool.members, trees=replace(trees, value=value))

    def _harden(self, values):
        """Turn probabilities into votes for the most probable class, if need be."""
        if not self.is_hard:
            return values
        return np.eye(values.shape[1])[values.argmax(axis=1)]

    def __getstate__(self):
        # The cached trees are left out.
        return {name: getattr(self, name) for name in ("pool", "weights", "is_hard")}


def is_frozen(estimator):
    """Return whether an estimator, or each of a list, is frozen."""
    if isinstance(estimator, (list, tuple)):
        return len(estimator) > 0 and all(is_frozen(one) for one in estimator)
    return isinstance(estimator, FrozenEstimator)


def open_pool(model):
    """Return the pool of a fitted ensemble, or of a list of fitted estimators.

    Parameters
    ----------
    model : estimator or list of estimators
        An ensemble of ours, one with ``estimators_``, or the members themselves.

    Returns
    -------
    pool : Pool
    """
    if isinstance(model, (list, tuple)):
        members = [_thaw(one) for one in model]
        for one in members:
            check_is_fitted(one)
        return _pool_estimators(members, _unite_classes(members), None)
    model = _thaw(model)
    check_is_fitted(model)
    if isinstance(model, Ensemble) and hasattr(model, "_members"):
        return Pool(model._members, model, getattr(model, "classes_", None))
    if not hasattr(model, "estimators_"):
        raise TypeError(
            "estimator must be an ensemble with estimators_ or a list of estimators; "
            f"got {type(model).__name__}."
        )
    members = list(np.ravel(model.estimators_))
    classes = model.classes_ if is_classifier(model) else None
    return _pool_estimators(members, classes, model)


def _thaw(estimator):
    return estimator.estimator if isinstance(estimator, FrozenEstimator) else estimator


def _unite_classes(members):
    """Return the classes of all members; None if they are regressors."""
    classifies = [is_classifier(one) for one in members]
    if len(set(classifies)) != 1:
        raise ValueError(
            "estimator must be a list of one classifier or more, or of one regressor "
            f"or more; got {members!r}."
        )
    if not classifies[0]:
        return None
    return np.unique(np.concatenate([one.classes_ for one in members]))


def _pool_estimators(members, classes, model):
    if classes is not None and not all(is_classifier(one) for one in members):
        raise TypeError(
            f"The members of estimator={type(model).__name__} are no classifiers: "
            "their sum predicts, and none of them votes for a class alone."
        )
    known = np.arange(len(classes)) if isinstance(model, _ENCODING) else classes
    views = getattr(model, "estimators_features_", None)
    views = None if views is None else [np.asarray(one) for one in views]
    n_jobs = getattr(model, "n_jobs", None)
    return Pool(EstimatorMembers(members, known, views, n_jobs), None, classes)
