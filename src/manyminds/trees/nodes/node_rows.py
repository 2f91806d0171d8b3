"""The training rows of every node of grown trees, side by side."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from manyminds.kernels.node_gains import (
    TreeSamples,
    find_all_gains,
    find_shadow_gains,
)
from manyminds.trees.columns import map_dense_blocks


@dataclass(frozen=True, eq=False)
class NodeRows:
    """The rows of one tree, sorted so that those of each node lie side by side.

    Parameters
    ----------
    rows : ndarray of shape (n_rows,), int64
        Rows of the training table.
    starts : ndarray of shape (n_nodes,), int64
        Where the rows of each node begin.
    ends : ndarray of shape (n_nodes,), int64
        Where they end.
    """

    rows: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


def list_node_rows(trees, X, weights, n_jobs=None):
    """Find the training rows of every node, tree by tree.

    Parameters
    ----------
    trees : Trees
        Grown trees.
    X : ndarray or sparse CSC matrix of shape (n_samples, n_features)
        The table that they were grown on.
    weights : ndarray of shape (n_trees or 1, n_samples)
        Weights of the rows in each tree, or in all; rows with 0 have no effect.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    parts : list of NodeRows
        One for each tree.
    """
    starts = _find_starts(trees)
    ends = starts + trees.n_samples
    leaves = map_dense_blocks(lambda rows: trees.apply(rows, n_jobs), X)
    leaves += trees.starts[:-1]
    parts = []
    for t in range(trees.n_trees):
        rows = np.flatnonzero(weights[t if len(weights) > 1 else 0])
        order = np.argsort(starts[leaves[rows, t]], kind="stable")
        nodes = slice(trees.starts[t], trees.starts[t + 1])
        parts.append(NodeRows(rows[order], starts[nodes], ends[nodes]))
    return parts


def shadow_gains(trees, table, X, y, weights, seeds, n_jobs=None):
    """Search every split node once more, by its own feature, for shuffled targets.

    This is the gain by random variation in this node, for any feature (with ties,
    missing values, categories) and any targets.

    Parameters
    ----------
    trees : Trees
        Grown trees.
    table : Table
        The binned table that they were grown on.
    X : ndarray or sparse CSC matrix of shape (n_samples, n_features)
        The same table before it was binned.
    y : ndarray of shape (n_samples,)
        Numbers of the classes, or targets, as float64.
    weights : ndarray of shape (n_trees or 1, n_samples)
        Weights of the rows in each tree, or in all.
    seeds : ndarray of shape (n_trees,)
        Shuffle the targets, tree by tree.
    n_jobs : int, default=None
        Number of threads; the result does not depend on it.

    Returns
    -------
    gains : ndarray of shape (n_splits,)
        For each split node, in their order.
    """
    parts = list_node_rows(trees, X, weights, n_jobs)
    is_numeric = trees.n_values == 1

    def search(t):
        part, tree = parts[t], trees.tree(t)
        split = np.flatnonzero(tree.left >= 0)[::-1]  # children first
        found = np.empty(len(split))
        samples = TreeSamples(
            is_numeric,
            table.codes,
            table.columns,
            len(y),
            part.rows,
            y[part.rows],
            weights[t if len(weights) > 1 else 0][part.rows],
        )
        find_shadow_gains(
            samples,
            part.starts[split],
            part.ends[split],
            tree.feature[split].astype(np.int64),
            seeds[t],
            2 if is_numeric else tree.n_values,
            found,
        )
        return found[::-1]

    run = Parallel(n_jobs, require="sharedmem")
    found = run(delayed(search)(t) for t in range(trees.n_trees))
    return np.concatenate(found) if found else np.empty(0)


def list_all_gains(tree, table, X, y, weights):
    """Find what each feature could gain in each node of one tree, node by node.

    Parameters
    ----------
    tree : Trees
        One grown tree.
    table, X, y : object
        As for `shadow_gains`.
    weights : ndarray of shape (n_samples,)
        Weights of the rows.

    Yields
    ------
    node : int
        Number of a node with two classes or more.
    gains : ndarray of shape (n_features,)
        The largest gain that a cut of each feature brings there.
    lefts : ndarray of shape (n_features, n_classes)
        Weight of each class that this cut sends left; of no meaning without a gain.
    """
    part = list_node_rows(tree, X, weights[np.newaxis])[0]
    samples = TreeSamples(
        False,
        table.codes,
        table.columns,
        len(y),
        part.rows,
        y[part.rows],
        weights[part.rows],
    )
    for node in np.flatnonzero(tree.impurity > 0.0):
        gains = np.empty(tree.n_features)
        lefts = np.empty((tree.n_features, tree.n_values))
        find_all_gains(
            samples,
            part.starts[node],
            part.ends[node],
            tree.n_values,
            gains,
            lefts,
        )
        yield node, gains, lefts


def _find_starts(trees):
    """Find where the rows of each node begin among those of its tree."""
    starts = np.zeros(len(trees.left), dtype=np.int64)
    first = np.repeat(trees.starts[:-1], trees.node_counts)
    depth, split = trees.depth, np.flatnonzero(trees.left >= 0)
    split = split[np.argsort(depth[split], kind="stable")]
    ends = np.cumsum(np.bincount(depth[split])) if len(split) else []
    begin = 0
    for end in ends:  # level by level, all trees at once
        nodes = split[begin:end]
        left = first[nodes] + trees.left[nodes]
        starts[left] = starts[nodes]
        starts[left + 1] = starts[nodes] + trees.n_samples[left]
        begin = end
    return starts
