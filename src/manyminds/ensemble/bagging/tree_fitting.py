"""Grow members that are trees of our engine, with random oracles or without."""

import numpy as np
from sklearn.base import clone

from manyminds.ensemble.bagging.hyperplanes import draw_hyperplanes
from manyminds.ensemble.bagging.oracle_members import OracleMembers, join_pairs
from manyminds.ensemble.base import TreeMembers
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.growing import draw_seeds, grow, make_sampling
from manyminds.trees.pruning import prune_cost_complexity
from manyminds.trees.rep_tree import (
    REPTreeClassifier,
    REPTreeRegressor,
    grow_rep_trees,
)

_PLAIN_TREES = DecisionTreeClassifier, DecisionTreeRegressor
_REP_TREES = REPTreeClassifier, REPTreeRegressor
_MAX_CELLS = 2**23  # weights held at once: 64 MB


def can_grow_together(tree):
    """Return whether many such trees can be grown by one call of the engine.

    Fractions of rows or of weight, and weights of classes or features, have another
    value for each member: such trees are fitted one by one.
    """
    if type(tree) not in _PLAIN_TREES + _REP_TREES:
        return False
    params = tree.get_params(deep=False)
    is_unset = [
        params.get(name) is None for name in ("feature_weights", "class_weight")
    ]
    is_whole = [
        not isinstance(params.get(name), float)
        for name in ("min_samples_split", "min_samples_leaf")
    ]
    by_dtype = isinstance(tree.categorical_features, str)
    has_no_share = params.get("min_weight_fraction_leaf", 0.0) == 0.0
    return all(is_unset + is_whole) and by_dtype and has_no_share


class TreeFitter:
    """Grow members that are trees of our engine, with random oracles or without.

    The table is binned once for all. A member with an oracle is a tree whose root
    splits by the side of a plane: by the projection of the rows, a column of its own
    that is appended to the table.

    Parameters
    ----------
    tree : estimator
        One of those that `can_grow_together`.
    X : ndarray of shape (n_samples, n_features)
        Training rows, encoded.
    encoder : ColumnEncoder
        Encoder of the rows.
    oracle : dict, default=None
        ``min_samples_side`` of the random oracle; None: no oracle.
    n_classes : int, default=None
        Number of classes; None: regression.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.
    """

    def __init__(self, tree, X, encoder, *, oracle=None, n_classes=None, n_jobs=None):
        self.tree = clone(tree)
        self.tree._validate_params()
        self.tree._encoder = encoder
        if n_classes is not None:
            self.tree.classes_, self.tree.n_classes_ = np.arange(n_classes), n_classes
        self.X, self.oracle, self.n_jobs = X, oracle, n_jobs
        self.table = self.tree._bin(X, n_jobs)
        is_categorical = encoder.is_categorical
        self.is_categorical = (
            np.zeros(X.shape[1], bool) if is_categorical is None else is_categorical
        )

    def fit(self, y, weights, n_members, state, columns=None):
        """Grow members; all draws come before the threads.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            Targets, or the numbers of classes.
        weights : ndarray of shape (n_members or 1, n_samples)
            Weights of the rows; one row for all members, or one for each.
        n_members : int
            Number of members to grow.
        state : RandomState
            Random numbers of the members.
        columns : ndarray of bool of shape (n_members, n_features), default=None
            Which columns each member sees, equally many; None: all.

        Returns
        -------
        members : Members
        """
        y = np.asarray(y, dtype=np.float64)
        step = max(1, _MAX_CELLS // (2 * len(y)))
        parts = []
        for first in range(0, n_members, step):
            n_some = min(step, n_members - first)
            some = slice(first, first + n_some)
            of_some = weights if len(weights) == 1 else weights[some]
            seen = None if columns is None else columns[some]
            parts.append(self._fit_some(y, of_some, n_some, state, seen))
        return type(parts[0]).join(parts)

    def _fit_some(self, y, weights, n_members, state, columns):
        n_features = self.X.shape[1]
        if self.oracle is None:
            of_each = np.broadcast_to(weights, (n_members, len(y)))
            trees = self._grow(y, of_each, state, columns)
            return TreeMembers(trees, self.n_jobs)
        planes = draw_hyperplanes(
            self.X,
            self.is_categorical,
            weights,
            n_members,
            state,
            columns=columns,
            **self.oracle,
        )
        seen = None if columns is None else np.repeat(columns, 2, axis=0)
        pairs = self._grow(y, self._split_weights(weights, planes), state, seen)
        trees = join_pairs(pairs, planes.limits, n_features)
        return OracleMembers(trees, self.n_jobs, planes, n_features)

    def _split_weights(self, weights, planes):
        """Return the weights of each tree of a pair: those of the rows on its side.

        Without a plane both have all rows, and no row to predict reaches the second.
        """
        is_second = (planes.project(self.X) > planes.limits).T
        has_none = planes.distances[:, None] == 0.0
        shared = np.empty((len(planes), 2, len(self.X)))
        shared[:, 0] = np.where(is_second, 0.0, weights)
        shared[:, 1] = np.where(is_second | has_none, weights, 0.0)
        return shared.reshape(2 * len(planes), len(self.X))

    def _grow(self, y, weights, state, columns):
        model, X = self.tree, self.X
        options = {"feature_weights": columns, "n_jobs": self.n_jobs}
        if isinstance(model, _REP_TREES):
            return grow_rep_trees(model, self.table, X, y, weights, state, **options)
        n_seen = X.shape[1] if columns is None else int(columns[0].sum())
        rules = model._make_rules(X[:, :n_seen], 1.0, splitter=model.splitter)
        sampling = make_sampling(*X.shape, weights, feature_weights=columns)
        seeds = draw_seeds(state, len(weights))
        trees = grow(self.table, y, rules, sampling, seeds, n_jobs=self.n_jobs)
        return prune_cost_complexity(trees, model.ccp_alpha)
