"""Bits that each feature would save in the nodes of an MDL tree."""

import numpy as np

from manyminds.trees.nodes.node_rows import list_all_gains

ROUNDING = 1e-10  # fewer bits are a rounding error


def find_savings(tree, table, X, y, weights, feature_cost):
    """Compute the most bits that each feature would save in any node of a tree.

    Parameters
    ----------
    tree : Trees
        A tree of minimum description length, its nodes in the order of their splits.
    table : Table
        The binned table that it was grown on.
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The same table before it was binned.
    y : ndarray of shape (n_samples,)
        Class codes.
    weights : ndarray of shape (n_samples,)
        Sample weights.
    feature_cost : {"full", "index", "none"}
        Cost of naming a feature.

    Returns
    -------
    savings : ndarray of shape (n_features,)
        -inf where no cut has a gain.
    """
    savings = np.full(tree.n_features, -np.inf)
    for node, gains, lefts in list_all_gains(tree, table, X, y, weights):
        weight = tree.weight[node]
        if weight <= 1.0:
            continue
        counts = weight * tree.value[node]
        saved = weight * gains - _cost_of_cuts(counts, lefts)
        saved -= _cost_of_names(tree.feature[:node], tree.n_features, feature_cost)
        savings = np.where(gains > 0.0, np.maximum(savings, saved), savings)
    return savings


def _cost_of_cuts(counts, lefts):
    """Return the cost of the cut of each feature in bits, without its name."""
    rights = np.maximum(counts - lefts, 0.0)
    k, n = np.count_nonzero(counts > 0.0), counts.sum()
    cost = np.log2(n - 1.0) + np.log2(3.0**k - 2.0) - k * _entropy(counts)
    for side in (lefts, rights):
        side = np.where(side < ROUNDING, 0.0, side)
        cost = cost + np.count_nonzero(side, axis=-1) * _entropy(side)
    return cost


def _cost_of_names(split_by, n_features, feature_cost):
    """Return the cost of naming each feature after the splits so far, in bits."""
    if feature_cost == "none":
        return np.zeros(n_features)
    split_by = split_by[split_by >= 0]
    n_splits, used = len(split_by), np.unique(split_by)
    n_used = len(used)
    cost = (n_splits + 1) * np.log2(n_used + 1)
    if n_used > 0:
        cost -= n_splits * np.log2(n_used)
    costs = np.full(n_features, cost)
    if feature_cost == "full":
        costs += np.log2(n_features)
    costs[used] = np.log2(n_used) if n_used > 0 else 0.0
    return costs


def _entropy(counts):
    """Return the entropy, in bits, of class counts along the last axis."""
    total = np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    shares = counts / total
    logs = np.log2(np.where(shares > 0.0, shares, 1.0))
    return -np.sum(shares * logs, axis=-1)
