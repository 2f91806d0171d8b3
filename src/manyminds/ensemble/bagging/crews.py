"""What pools share that fit many members of one kind, our trees all at once."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.bagging.plain_crew import PlainCrew, take
from manyminds.ensemble.bagging.tree_crew import (
    TreeCrew,
    TreeMembers,
    can_grow_together,
)
from manyminds.trees.base import TreeModel
from manyminds.utils.tables import is_frame, take_rows

_BLOCK_CELLS = 2**22  # answers held at once
_NAMES = ("classes_", "n_classes_", "feature_names_in_", "n_features_in_", "_encoder")


class CrewModel(TreeModel):
    """An estimator whose model are its members; a subclass names ``_default``."""

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "categorical_features": TreeModel._parameter_constraints[
            "categorical_features"
        ],
    }

    def _get_estimator(self):
        """Return the members' estimator, not fitted."""
        return self._default() if self.estimator is None else self.estimator

    def _read_training_set(self, X, y, sample_weight, reset=True):
        _refuse_sparse(self, X)
        estimator = self._get_estimator()
        if is_classifier(self) and is_regressor(estimator):
            raise ValueError(
                f"estimator={estimator!r} is no classifier, as it must be."
            )
        if is_classifier(estimator) and not is_classifier(self):
            raise ValueError(f"estimator={estimator!r} is no regressor, as it must be.")
        return super()._read_training_set(X, y, sample_weight, reset)

    def _make_crew(self, given, X):
        """Choose how members are fitted, on a table as given and as read.

        Of the table as given, they see the rows that have a weight.
        """
        estimator = self._get_estimator()
        tree, oracle = take_apart(estimator)
        how = {
            "n_classes": self._n_values if is_classifier(self) else None,
            "n_jobs": getattr(self, "n_jobs", None),
        }
        if can_grow_together(tree):
            if oracle is not None:
                estimator._validate_params()
            how["oracle"] = oracle
            return TreeCrew(tree, X, self._encoder, **how)
        return PlainCrew(estimator, self._take_weighted(given, X), **how)

    def _take_weighted(self, given, X):
        """Return the rows that have a weight, in a frame if they were given in one."""
        if not is_frame(given):
            return X
        kept = self._has_weight
        return given if kept is None else take_rows(given, np.flatnonzero(kept))

    def _view(self, X):
        """Check a table, and return it as the members see it."""
        check_is_fitted(self)
        _refuse_sparse(self, X)
        encoded = self._read_table(X)
        is_tree = isinstance(self._members, TreeMembers)
        return encoded if is_tree or not is_frame(X) else X

    def _mean_value(self, X):
        X = self._view(X)
        return self._members.mean(X)

    @property
    def estimators_(self):
        """The members as fitted estimators; trees are made into such when asked for."""
        members = self._members
        if not isinstance(members, TreeMembers):
            return members.estimators
        return [self._make_member(members, t) for t in range(len(members))]

    def _make_member(self, members, t):
        """Return member ``t`` of a crew of trees as a fitted estimator."""
        estimator = self._get_estimator()
        if members.planes is None:
            return adopt_tree(self, estimator, members.trees.tree(t))
        member = clone(estimator)
        lend_names(self, member)
        member._set_members(members.member(t))
        return member

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        inside = get_tags(take_apart(self._get_estimator())[0])
        tags.input_tags.allow_nan = inside.input_tags.allow_nan
        return tags


def take_apart(estimator):
    """Return the tree, or other learner, inside an oracle, and the oracle's settings.

    Settings are None if there is no oracle around the estimator.
    """
    if hasattr(estimator, "_take_apart"):
        return estimator._take_apart()
    return estimator, None


def lend_names(model, member):
    """Return a member the names of columns and classes that the model has read."""
    for name in _NAMES:
        if hasattr(model, name):
            setattr(member, name, getattr(model, name))


def adopt_tree(model, estimator, tree):
    """Make a fitted estimator of a tree that was grown for it."""
    member = clone(estimator)
    lend_names(model, member)
    member.tree_ = tree
    return member


def draw_bags(state, n_members, n_draws, weights):
    """Draw rows with replacement for each member; tell how often each was drawn.

    Parameters
    ----------
    state : RandomState
    n_members, n_draws : int
        How many bags, and how many rows in each.
    weights : ndarray of shape (n_samples,)
        Odds of a row's draw.

    Returns
    -------
    counts : ndarray of shape (n_members, n_samples)
    """
    bounds = np.cumsum(weights)
    counts = np.empty((n_members, len(weights)))
    for bag in counts:
        drawn = np.searchsorted(
            bounds, state.uniform(size=n_draws) * bounds[-1], "right"
        )
        bag[:] = np.bincount(drawn, minlength=len(weights))[: len(weights)]
    return counts


def left_out_mean(members, X, in_bag):
    """Average, for each training row, over the members that did not draw it.

    Parameters
    ----------
    members : TreeMembers or PlainMembers
    X : ndarray or dataframe of shape (n_samples, n_features)
        Training rows, as the members see them.
    in_bag : ndarray of bool of shape (n_members, n_samples)

    Returns
    -------
    mean : ndarray of shape (n_samples, n_values)
        For a row that all members drew, the mean of them all.
    n_left_out : ndarray of shape (n_samples,)
        Number of members that did not draw it.
    """
    n_left_out = np.count_nonzero(~in_bag, axis=0)
    asked = ~in_bag | (n_left_out == 0)
    step, totals = max(1, _BLOCK_CELLS // len(members)), []
    for first in range(0, len(n_left_out), step):
        rows = np.arange(first, min(first + step, len(n_left_out)))
        values = members.values(take(X, rows))
        totals.append(np.where(asked[:, rows, None], values, 0.0).sum(axis=0))
    total = np.concatenate(totals)
    return total / np.count_nonzero(asked, axis=0)[:, None], n_left_out


def _refuse_sparse(model, X):
    if issparse(X):
        raise TypeError(
            f"{type(model).__name__} takes no sparse X: make it dense by X.toarray()."
        )
