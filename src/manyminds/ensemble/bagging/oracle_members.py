"""Trees in pairs below a random oracle: joined to one tree, predicting, split again."""

from dataclasses import dataclass, replace

import numpy as np

from manyminds.ensemble.bagging.hyperplanes import Hyperplanes
from manyminds.ensemble.base import Members, TreeMembers
from manyminds.trees.structure import Trees

_BLOCK_CELLS = 2**22  # values of a table and of its projections held at once


@dataclass(frozen=True, eq=False)
class OracleMembers(TreeMembers):
    """Trees with the plane of a random oracle at their root.

    Parameters
    ----------
    trees : Trees
    n_jobs : int or None
        Number of threads.
    planes : Hyperplanes
    n_features : int
        Number of columns of the table, without projections.
    """

    planes: Hyperplanes | None = None
    n_features: int = 0

    @classmethod
    def join(cls, parts):
        """Return the members of all ``parts``, one after the other."""
        if len(parts) == 1:
            return parts[0]
        n_features = parts[0].n_features
        planes = Hyperplanes.concatenate([part.planes for part in parts])
        trees = Trees.concatenate([part.trees for part in parts])
        feature = trees.feature.copy()
        feature[trees.starts[:-1]] = n_features + np.arange(len(planes))
        trees = replace(trees, feature=feature, n_features=n_features + len(planes))
        return replace(parts[0], trees=trees, planes=planes)

    def member(self, t):
        """Return member ``t`` alone."""
        tree = self.trees.tree(t)
        feature = tree.feature.copy()
        feature[0] = self.n_features
        tree = replace(tree, feature=feature, n_features=self.n_features + 1)
        return replace(self, trees=tree, planes=self.planes.plane(t))

    def out_of_bag_mean(self, X, count_draws):
        """Average over the trees that did not draw a sample; see `Members`."""
        return Members.out_of_bag_mean(self, X, count_draws)

    def _map(self, function, X, axis=0):
        step = max(1, _BLOCK_CELLS // self.trees.n_features)
        blocks = (X[first : first + step] for first in range(0, max(len(X), 1), step))
        results = [
            function(np.hstack([X, self.planes.project(X)]), n_jobs=self.n_jobs)
            for X in blocks
        ]
        return np.concatenate(results, axis=axis)


def join_pairs(pairs, limits, n_features):
    """Join trees in pairs, below a new root for each that splits by its own new column.

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
    # As impure as both together: the split of the oracle decreases no impurity.
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
    """Return the two trees of a member: the inverse of `join_pairs`."""
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
