"""Common base of models that fit batches of clones, our trees all at once."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.bagging.estimator_fitting import EstimatorFitter
from manyminds.ensemble.bagging.oracle_members import OracleMembers
from manyminds.ensemble.bagging.tree_fitting import TreeFitter, can_grow_together
from manyminds.ensemble.base import TreeMembers, adopt_tree, copy_names
from manyminds.trees.base import TreeModel
from manyminds.utils.tables import is_frame, take_rows


class BatchModel(TreeModel):
    """A model of clones of its ``estimator``; a subclass sets ``_default``.

    Its ``fit`` gets a fitter from ``_make_fitter``, whose ``fit`` returns `Members`,
    and stores them in ``_members``.
    """

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
                f"estimator must be a classifier; got the regressor {estimator!r}."
            )
        if is_classifier(estimator) and not is_classifier(self):
            raise ValueError(
                f"estimator must be a regressor; got the classifier {estimator!r}."
            )
        return super()._read_training_set(X, y, sample_weight, reset)

    def _make_fitter(self, given, X):
        """Choose how members are fitted, on a table as passed to ``fit`` and as read.

        Estimators that are not our trees see a dataframe as it was passed.
        """
        estimator = self._get_estimator()
        tree, oracle = take_apart(estimator)
        options = {
            "n_classes": self._n_values if is_classifier(self) else None,
            "n_jobs": getattr(self, "n_jobs", None),
        }
        if can_grow_together(tree):
            if oracle is not None:
                estimator._validate_params()
            return TreeFitter(tree, X, self._encoder, oracle=oracle, **options)
        return EstimatorFitter(estimator, self._take_weighted(given, X), **options)

    def _take_weighted(self, given, X):
        """Return the rows that have a weight, in a dataframe if they came in one."""
        if not is_frame(given):
            return X
        kept = self._has_weight
        return given if kept is None else take_rows(given, np.flatnonzero(kept))

    def _read_table(self, X):
        """Check samples to predict, and return them as the members see them."""
        check_is_fitted(self)
        _refuse_sparse(self, X)
        encoded = super()._read_table(X)
        is_tree = isinstance(self._members, TreeMembers)
        return encoded if is_tree or not is_frame(X) else X

    def _mean_value(self, X):
        X = self._read_table(X)
        return self._members.mean(X)

    @property
    def estimators_(self):
        """The members as fitted estimators; trees are made into such on access."""
        return self._list_estimators(self._members)

    def _list_estimators(self, members):
        if not isinstance(members, TreeMembers):
            return members.estimators
        return [self._make_estimator(members.member(t)) for t in range(len(members))]

    def _make_estimator(self, member):
        """Return a single member of `TreeMembers` as a fitted estimator."""
        estimator = clone(self._get_estimator())
        if not isinstance(member, OracleMembers):
            return adopt_tree(self, estimator, member.trees)
        copy_names(self, estimator)
        return estimator._set_members(member)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        inside = get_tags(take_apart(self._get_estimator())[0])
        tags.input_tags.allow_nan = inside.input_tags.allow_nan
        return tags


def take_apart(estimator):
    """Return the tree, or other learner, inside an oracle, and the oracle's options.

    Options are None if there is no oracle around the estimator.
    """
    if hasattr(estimator, "_take_apart"):
        return estimator._take_apart()
    return estimator, None


def draw_bags(state, n_members, n_draws, weights):
    """Draw rows with replacement for each member; count how often each was drawn.

    Parameters
    ----------
    state : RandomState
    n_members, n_draws : int
        Number of bags, and of rows in each.
    weights : ndarray of shape (n_samples,)
        Odds of drawing each row.

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


def _refuse_sparse(model, X):
    if issparse(X):
        raise TypeError(
            f"{type(model).__name__} takes no sparse X: make it dense by X.toarray()."
        )
