"""Boosted trees as flat arrays of thresholds and values."""

import numpy as np

from manyminds.kernels.boosting import bundles
from manyminds.trees.structure import Trees


def collect_trees(nodes, n_trees, table):
    """Turn the nodes of boosted trees into ``Trees``.

    Parameters
    ----------
    nodes : Nodes
        What the kernel wrote.
    n_trees : int
        How many of the first trees to take.
    table : BinnedTable
        What the trees were grown on.

    Returns
    -------
    trees : Trees
        The impurity of a node is what its splits and those below it gain, per row.
    """
    counts = nodes.counts[:n_trees, 0]
    used = np.arange(nodes.ints.shape[1]) < counts[:, np.newaxis]
    ints, reals = nodes.ints[:n_trees][used], nodes.reals[:n_trees][used]
    left = ints[:, bundles.NODE_LEFT]
    inner = left >= 0
    feature = np.where(inner, ints[:, bundles.NODE_FEATURE], -1)
    thresholds = np.full(len(left), np.nan)
    set_number = np.where(inner, ints[:, bundles.NODE_SET], -1)
    numeric = inner & (set_number < 0)
    thresholds[numeric] = table.get_thresholds(
        feature[numeric], ints[numeric, bundles.NODE_CODE]
    )
    n_sets = nodes.counts[:n_trees, 1]
    sets_before = np.cumsum(n_sets) - n_sets
    of_tree = np.repeat(np.arange(n_trees), counts)
    set_number += np.where(set_number >= 0, sets_before[of_tree], 0).astype(np.int32)
    if n_sets.any():
        with_set = np.arange(nodes.sets.shape[1]) < n_sets[:, np.newaxis]
        sets = nodes.sets[:n_trees][with_set]
    else:
        sets = np.zeros((0, 4), np.uint64)
    weight = ints[:, bundles.NODE_N].astype(np.float64)
    gains = _sum_gains(nodes, n_trees)[used]
    return Trees(
        feature=feature.astype(np.int32),
        threshold=thresholds,
        left=left.astype(np.int32),
        missing_left=inner & (ints[:, bundles.NODE_MISSING_LEFT] == 1),
        category_set=set_number.astype(np.int32),
        category_sets=sets,
        impurity=gains / np.maximum(weight, 1.0),
        weight=weight,
        n_samples=ints[:, bundles.NODE_N].astype(np.int32),
        value=np.where(inner, 0.0, reals[:, bundles.NODE_VALUE])[:, np.newaxis],
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        n_features=table.n_features,
        max_categories=256 if len(sets) else 0,
    )


def _sum_gains(nodes, n_trees):
    """Return what all splits at and below each node gain: (n_trees, n_nodes)."""
    left = nodes.ints[:n_trees, :, bundles.NODE_LEFT]
    n_nodes = left.shape[1]
    counts = nodes.counts[:n_trees, 0]
    totals = np.zeros((n_trees, n_nodes))
    for node in range(n_nodes - 1, -1, -1):
        which = np.flatnonzero((node < counts) & (left[:, node] >= 0))
        child = left[which, node]
        totals[which, node] = (
            nodes.reals[which, node, bundles.NODE_GAIN]
            + totals[which, child]
            + totals[which, child + 1]
        )
    return totals
