"""Members that are trees of our engine, with random oracles or without, all at once."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from manyminds.ensemble.bagging.hyperplanes import Hyperplanes, draw_hyperplanes
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.growing import draw_seeds, grow, make_sampling
from manyminds.trees.pruning import prune_cost_complexity
from manyminds.trees.rep_tree import (
    REPTreeClassifier,
    REPTreeRegressor,
    grow_rep_trees,
)
from manyminds.trees.structure import Trees

_PLAIN_TREES = DecisionTreeClassifier, DecisionTreeRegressor
_REP_TREES = REPTreeClassifier, REPTreeRegressor
_MAX_CELLS = 2**23  # weights held at once: 64 MB
_BLOCK_CELLS = 2**22  # values of a table and of its projections held at once


def can_grow_together(tree):
    """Return whether many trees of this kind can be grown by one call of the engine.

    Shares of rows or of weight, and weights of classes or features, mean something else
    for each member: such trees are fitted one by one.
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


class TreeCrew:
    """Grow members that are trees of our engine, with random oracles or without.

    The table is binned once for all. A member with an oracle is a tree whose root asks
    on which side of a plane a row lies: it splits by a column of its own, the
    projection, that is put beside the table.

    Parameters
    ----------
    tree : estimator
        One of those that `can_grow_together`.
    X : ndarray of shape (n_samples, n_features)
        Training rows, encoded.
    encoder : ColumnEncoder
        What encoded them.
    oracle : dict, default=None
        ``min_samples_side`` of the random oracle; None: no oracle.
    n_classes : int, default=None
        Number of classes; None: a number is to be predicted.
    n_jobs : int, default=None
        Number of threads. Nothing depends on it.
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
            How many to grow.
        state : RandomState
            What the members draw from.
        columns : ndarray of bool of shape (n_members, n_features), default=None
            Which columns each member sees, equally many; None: all.

        Returns
        -------
        members : TreeMembers
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
        return TreeMembers.join(parts)

    def _fit_some(self, y, weights, n_members, state, columns):
        n_features = self.X.shape[1]
        if self.oracle is None:
            of_each = np.broadcast_to(weights, (n_members, len(y)))
            trees = self._grow(y, of_each, state, columns)
            return TreeMembers(trees, None, n_features, self.n_jobs)
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
        pairs = self._grow(y, self._share_out(weights, planes), state, seen)
        trees = join_pairs(pairs, planes.limits, n_features)
        return TreeMembers(trees, planes, n_features, self.n_jobs)

    def _share_out(self, weights, planes):
        """Return each of a pair the weights of its side; both all, if there is no plane.

        Without a plane no row is ever sent to the second tree of the pair.
        """
        is_second = (planes.project(self.X) > planes.limits).T
        has_none = planes.distances[:, None] == 0.0
        shared = np.empty((len(planes), 2, len(self.X)))
        shared[:, 0] = np.where(is_second, 0.0, weights)
        shared[:, 1] = np.where(is_second | has_none, weights, 0.0)
        return shared.reshape(2 * len(planes), len(self.X))

    def _grow(self, y, weights, state, columns):
        model, X = self.tree, self.X
        how = {"feature_weights": columns, "n_jobs": self.n_jobs}
        if isinstance(model, _REP_TREES):
            return grow_rep_trees(model, self.table, X, y, weights, state, **how)
        n_seen = X.shape[1] if columns is None else int(columns[0].sum())
        rules = model._make_rules(X[:, :n_seen], 1.0, splitter=model.splitter)
        sampling = make_sampling(*X.shape, weights, feature_weights=columns)
        seeds = draw_seeds(state, len(weights))
        trees = grow(self.table, y, rules, sampling, seeds, n_jobs=self.n_jobs)
        return prune_cost_complexity(trees, model.ccp_alpha)


def join_pairs(pairs, limits, n_features):
    """Join trees in pairs, below a new root for each that asks its own new column.

    Parameters
    ----------
    pairs : Trees
        The two trees of each pair come one after the other.
    limits : ndarray of shape (n_pairs,)
        Greatest value of the new column that goes to the first tree.
    n_features : int
        Number of columns before: pair ``t`` has column ``n_features + t``.

    Returns
    -------
    trees : Trees
        One for each pair: root, the two roots below it, the rest of the first tree,
        the rest of the second.
    """
    n_pairs = len(limits)
    n_nodes = pairs.node_counts.reshape(n_pairs, 2)
    starts = np.append(0, np.cumsum(n_nodes.sum(axis=1) + 1))
    tree = np.repeat(np.arange(2 * n_pairs), pairs.node_counts)
    within = np.arange(len(tree)) - pairs.starts[tree]
    shift = np.where(tree % 2 == 0, 2, 1 + n_nodes[tree // 2, 0])
    place = starts[tree // 2] + np.where(within == 0, 1 + tree % 2, within + shift)

    def lay_out(values, of_roots):
        laid = np.empty((starts[-1], *values.shape[1:]), dtype=values.dtype)
        laid[place], laid[starts[:-1]] = values, of_roots
        return laid

    first, second = starts[:-1] + 1, starts[:-1] + 2
    weight = lay_out(pairs.weight, 0.0)
    weight[starts[:-1]] = weight[first] + weight[second]
    share = (weight[first] / weight[starts[:-1]])[:, None]
    value, impurity = lay_out(pairs.value, 0.0), lay_out(pairs.impurity, 0.0)
    n_samples = lay_out(pairs.n_samples, 0)
    # As impure as both together: the oracle takes no credit for the split.
    for one, part in ((value, share), (impurity, share[:, 0])):
        one[starts[:-1]] = part * one[first] + (1.0 - part) * one[second]
    n_samples[starts[:-1]] = n_samples[first] + n_samples[second]
    left = np.where(pairs.left >= 0, pairs.left + shift, -1).astype(np.int32)
    return replace(
        pairs,
        feature=lay_out(pairs.feature, n_features + np.arange(n_pairs)),
        threshold=lay_out(pairs.threshold, limits),
        left=lay_out(left, 1),
        missing_left=lay_out(pairs.missing_left, True),
        category_set=lay_out(pairs.category_set, -1),
        impurity=impurity,
        weight=weight,
        n_samples=n_samples,
        value=value,
        starts=starts,
        n_features=n_features + n_pairs,
    )


def split_pair(trees, t, n_features):
    """Take the two trees of a member apart again: the inverse of `join_pairs`."""
    tree = trees.tree(t)
    n_nodes = len(tree.left)
    n_first = tree.left[2] - 2 if tree.left[2] >= 0 else n_nodes - 2
    first = np.append(1, np.arange(3, n_first + 2))
    second = np.append(2, np.arange(n_first + 2, n_nodes))
    return [
        _cut_out(tree, nodes, shift, n_features)
        for nodes, shift in ((first, 2), (second, n_first + 1))
    ]


def _cut_out(tree, nodes, shift, n_features):
    part = tree._with_nodes(nodes, np.array([0, len(nodes)]))
    left = np.where(part.left >= 0, part.left - shift, -1).astype(np.int32)
    return replace(part, left=left, n_features=n_features)


@dataclass(frozen=True, eq=False)
class TreeMembers:
    """Grown members; those with an oracle have its plane at their root.

    Parameters
    ----------
    trees : Trees
    planes : Hyperplanes or None
    n_features : int
        Number of columns of the table.
    n_jobs : int or None
        Number of threads.
    """

    trees: Trees
    planes: Hyperplanes | None
    n_features: int
    n_jobs: Any = None

    def __len__(self):
        return self.trees.n_trees

    @classmethod
    def join(cls, parts):
        """Return the members of all ``parts``, one after the other."""
        if len(parts) == 1:
            return parts[0]
        n_features, trees = parts[0].n_features, [part.trees for part in parts]
        if parts[0].planes is None:
            joined, planes = Trees.concatenate(trees), None
        else:
            planes = Hyperplanes.concatenate([part.planes for part in parts])
            joined = Trees.concatenate(trees)
            feature = joined.feature.copy()
            feature[joined.starts[:-1]] = n_features + np.arange(len(planes))
            joined = replace(
                joined, feature=feature, n_features=n_features + len(planes)
            )
        return cls(joined, planes, n_features, parts[0].n_jobs)

    def member(self, t):
        """Return member ``t`` alone."""
        tree = self.trees.tree(t)
        if self.planes is None:
            return replace(self, trees=tree)
        feature = tree.feature.copy()
        feature[0] = self.n_features
        tree = replace(tree, feature=feature, n_features=self.n_features + 1)
        return replace(self, trees=tree, planes=self.planes.plane(t))

    def values(self, X):
        """Return what each member says: (n_members, n_rows, n_values)."""
        return self._ask(X, self.trees.values_by_tree, axis=1)

    def mean(self, X):
        """Return the mean of what the members say: (n_rows, n_values)."""
        return self._ask(X, self.trees.mean_value)

    def _ask(self, X, question, axis=0):
        if self.planes is None:
            return question(X, n_jobs=self.n_jobs)
        step = max(1, _BLOCK_CELLS // self.trees.n_features)
        blocks = (X[first : first + step] for first in range(0, max(len(X), 1), step))
        answers = [
            question(np.hstack([X, self.planes.project(X)]), n_jobs=self.n_jobs)
            for X in blocks
        ]
        return np.concatenate(answers, axis=axis)
