"""Members of a learner of many labels: any classifiers, our trees on one table."""

from copy import copy
from functools import cached_property

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state

from manyminds.ensemble.bagging.estimator_fitting import fit_on_rows
from manyminds.ensemble.bagging.tree_fitting import can_grow_together
from manyminds.ensemble.base import (
    make_member,
    read_probabilities,
)
from manyminds.ensemble.forests.base import ForestClassifier
from manyminds.ensemble.forests.extra_trees import ExtraTreesClassifier
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.kernels.bundles import FIRST_BIN, Table
from manyminds.trees.binning import bin_table
from manyminds.trees.decision_tree import DecisionTreeClassifier
from manyminds.trees.growing import draw_seeds, grow, make_sampling
from manyminds.trees.pruning import prune_cost_complexity
from manyminds.trees.rare_codes import list_rare_codes
from manyminds.trees.structure import Trees

_GROWN = DecisionTreeClassifier, RandomForestClassifier, ExtraTreesClassifier


class MemberFitter:
    """Fit clones of a classifier to many targets on one table.

    Trees and forests of our engine bin the table once and are kept as `Trees`. Others
    are fitted as they are, and see categories as the codes of the encoder.

    Parameters
    ----------
    estimator : classifier
        Estimator to clone.
    X : ndarray of shape (n_samples, n_features)
        Training rows, encoded.
    encoder : ColumnEncoder
        Encoder of the rows.
    """

    def __init__(self, estimator, X, encoder):
        self.estimator, self.X, self.n_features = estimator, X, X.shape[1]
        self.table = None
        categorical = encoder.is_categorical
        if _shares_table(estimator):
            self.estimator = clone(estimator)
            self.estimator._validate_params()
            self.table = bin_table(X, categorical, estimator.max_bins)
        elif categorical is not None:
            raise ValueError(
                f"X has categorical columns, which {type(estimator).__name__} would "
                "take for numbers: encode them, or use trees of this package."
            )

    def add_columns(self, extra):
        """Return a fitter with further columns, of which members see the first ones."""
        table = self.table
        if table is not None:
            table = _join_columns(table, bin_table(extra.astype(float)))
        return self._replace_rows(np.column_stack([self.X, extra]), table)

    def take_rows(self, rows):
        """Return a fitter of these rows, which may be repeated."""
        table = self.table
        if table is not None:
            codes = table.codes.reshape(-1, len(self.X))[:, rows]
            table = table._replace(codes=codes.ravel())
        return self._replace_rows(self.X[rows], table)

    def _replace_rows(self, X, table):
        fitter = copy(self)
        fitter.X, fitter.table = X, table
        fitter.__dict__.pop("_rare", None)
        return fitter

    @cached_property
    def _rare(self):
        """Rare codes of the table, listed once for all single trees."""
        return list_rare_codes(self.table, len(self.X))

    def fit(self, target, n_classes, weights, seed, n_extra=0):
        """Fit a member.

        Parameters
        ----------
        target : ndarray of shape (n_samples,)
            Class numbers, from 0 to ``n_classes - 1``.
        n_classes : int
            Number of classes.
        weights : ndarray of shape (n_samples,)
            Weights; rows of weight 0 are left out.
        seed : int
            Seed of the member.
        n_extra : int, default=0
            How many of the extra columns the member sees.

        Returns
        -------
        member : Trees or classifier
            To be passed to `read_member`.
        """
        n_seen = self.n_features + n_extra
        if self.table is not None:
            # Without the checks of make_member, which take as long as a small tree.
            member = copy(self.estimator)
            member.random_state = int(seed)
            return self._grow(member, target, n_classes, weights, n_seen)
        member, of_rows = make_member(self.estimator, seed), target[weights > 0.0]
        if (of_rows == of_rows[0]).all():
            member = DummyClassifier(strategy="most_frequent")
        return fit_on_rows(member, self.X[:, :n_seen], target, weights)

    def _grow(self, member, target, n_classes, weights, n_seen):
        """Grow a tree or a forest on the columns that the member sees."""
        X, (codes, columns, edges) = self.X[:, :n_seen], self.table
        member.classes_ = np.arange(n_classes)
        n_trees, n_draws, splitter = 1, 0, getattr(member, "splitter", None)
        rare = None
        if isinstance(member, ForestClassifier):
            n_trees, splitter = member.n_estimators, member._splitter
            n_draws = member._get_n_draws(np.count_nonzero(weights), weights)
        else:
            rare = self._rare
        odds = None if (weights == 1.0).all() else weights
        sampling = make_sampling(*X.shape, odds, bootstrap=n_draws)
        rules = member._make_rules(X, n_draws or weights.sum(), splitter=splitter)
        table = Table(codes[: X.size], columns[:n_seen], edges)
        seeds = draw_seeds(check_random_state(member.random_state), n_trees)
        target = target.astype(np.float64)
        trees = grow(table, target, rules, sampling, seeds, rare=rare)
        return prune_cost_complexity(trees, member.ccp_alpha)


def _shares_table(estimator):
    """Return whether a classifier is a tree or forest that can share a table."""
    if type(estimator) is DecisionTreeClassifier:
        return can_grow_together(estimator)
    if type(estimator) not in _GROWN:
        return False
    params = estimator.get_params(deep=False)
    names = "feature_weights", "class_weight"
    by_dtype = isinstance(estimator.categorical_features, str)
    return by_dtype and all(params[name] is None for name in names)


def _join_columns(table, other):
    """Put the columns of one binned table after those of another."""
    columns = other.columns.copy()
    columns[:, FIRST_BIN] += table.edges.shape[1]
    return Table(
        np.concatenate([table.codes, other.codes.astype(table.codes.dtype)]),
        np.concatenate([table.columns, columns]),
        np.concatenate([table.edges, other.edges], axis=1),
    )


def read_member(member, X, n_classes):
    """Return a member's probabilities of all classes: (n_samples, n_classes).

    X may have columns beyond those that the member has seen.
    """
    if isinstance(member, Trees):
        return member.mean_value(X)
    if X.shape[1] > member.n_features_in_:
        X = X[:, : member.n_features_in_]
    return read_probabilities(member, X, n_classes)
