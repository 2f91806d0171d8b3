"""Pruning grown trees: weakest links, reduced error, and the nodes that remain.

A child has a greater number than its parent in every tree, so that a loop downwards
through the numbers meets children first.
"""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.walking import goes_right

ALPHA, COST = range(2)  # columns of a path
PARENT, SIZE, PLACE, NODE_AT, LEAVES = range(5)  # rows of ints
OWN, BRANCH = range(2)  # rows of costs
_NOT_LARGER = 1.0 + 1e-12  # but for rounding


# ---------------------------------------------------------------- remaining nodes


@kernel(nogil=True, error_model="numpy")
def list_kept_nodes(left, starts, becomes_leaf):
    """List the nodes that remain when some nodes become leaves.

    left          (n_nodes,)      int32, left child within its tree, -1 in a leaf
    starts        (n_trees + 1,)  int64, where the nodes of each tree begin
    becomes_leaf  (n_nodes,)      bool

    Returns the numbers of the nodes that remain (n_kept,) int64, in increasing order,
    which keeps the two children of a node adjacent; their new left children (n_kept,)
    int32; and the first node of each tree among them (n_trees + 1,) int64.
    """
    n_nodes, n_trees = len(left), len(starts) - 1
    number = np.full(n_nodes, -1, np.int64)  # new number within the tree; -1: cut off
    kept = np.empty(n_nodes, np.int64)
    new_starts = np.zeros(n_trees + 1, np.int64)
    n_kept = 0
    for tree in range(n_trees):
        first = starts[tree]
        number[first] = 0
        for node in range(first, starts[tree + 1]):
            if number[node] >= 0:
                number[node] = n_kept - new_starts[tree]
                kept[n_kept] = node
                n_kept += 1
                if left[node] >= 0 and not becomes_leaf[node]:
                    number[first + left[node]] = number[first + left[node] + 1] = 0
        new_starts[tree + 1] = n_kept
    new_left = np.full(n_kept, -1, np.int32)
    for tree in range(n_trees):
        for i in range(new_starts[tree], new_starts[tree + 1]):
            node = kept[i]
            if left[node] >= 0 and not becomes_leaf[node]:
                new_left[i] = number[starts[tree] + left[node]]
    return kept[:n_kept], new_left, new_starts


# ---------------------------------------------------------------- weakest links


@helper(nogil=True, error_model="numpy")
def _lay_out(left, first, n_nodes, ints):
    """Find each node's parent, its size, and its place in depth-first order."""
    ints[PARENT, 0], ints[PLACE, 0] = -1, 0
    for node in range(n_nodes - 1, -1, -1):
        child = left[first + node]
        ints[SIZE, node] = 1
        if child >= 0:
            ints[SIZE, node] += ints[SIZE, child] + ints[SIZE, child + 1]
            ints[PARENT, child] = ints[PARENT, child + 1] = node
    for node in range(n_nodes):
        child, place = left[first + node], ints[PLACE, node]
        ints[NODE_AT, place] = node
        if child >= 0:
            ints[PLACE, child] = place + 1
            ints[PLACE, child + 1] = place + 1 + ints[SIZE, child]


@helper(nogil=True, error_model="numpy")
def _add_up_costs(left, impurity, weight, first, n_nodes, ints, costs):
    """Find each node's cost as a leaf and with its branch, and count its leaves."""
    for node in range(n_nodes):
        share = weight[first + node] * impurity[first + node]
        costs[OWN, node], costs[BRANCH, node] = share / weight[first], 0.0
        ints[LEAVES, node] = 0
    for i in range(n_nodes):
        leaf = ints[NODE_AT, i]
        if left[first + leaf] < 0:
            at = leaf
            while at >= 0:
                costs[BRANCH, at] += costs[OWN, leaf]
                ints[LEAVES, at] += 1
                at = ints[PARENT, at]


@helper(nogil=True, error_model="numpy")
def _set_strength(strengths, n_places, place, strength):
    """Set the strength of one link, and the minima above it in the tournament."""
    at = n_places + place
    strengths[at] = strength
    while at > 1:
        at //= 2
        strengths[at] = min(strengths[2 * at], strengths[2 * at + 1])


@helper(nogil=True, error_model="numpy")
def _weakest(strengths, n_places):
    """Return the place of the weakest link, the first one of ties."""
    at = 1
    while at < n_places:
        at *= 2
        if strengths[at] > strengths[at + 1]:
            at += 1
    return at - n_places


@helper(nogil=True, error_model="numpy")
def _cut_link(node, n_places, ints, costs, strengths):
    """Turn a node into a leaf, and update its ancestors."""
    place = ints[PLACE, node]
    for i in range(place, place + ints[SIZE, node]):
        if strengths[n_places + i] < inf:
            _set_strength(strengths, n_places, i, inf)
    n_fewer = ints[LEAVES, node] - 1
    rise = costs[OWN, node] - costs[BRANCH, node]
    costs[BRANCH, node] = costs[OWN, node]
    at = ints[PARENT, node]
    while at >= 0:
        ints[LEAVES, at] -= n_fewer
        costs[BRANCH, at] += rise
        saved = costs[OWN, at] - costs[BRANCH, at]
        strength = saved / (ints[LEAVES, at] - 1)
        _set_strength(strengths, n_places, ints[PLACE, at], strength)
        at = ints[PARENT, at]


@kernel(nogil=True, error_model="numpy")
def cut_weakest_links(left, impurity, weight, starts, ccp_alpha, becomes_leaf, path):
    """Mark the nodes at which minimal cost-complexity pruning cuts each tree.

    A node's cost is its share of the root's weight times its impurity. Its link is as
    strong as the cost that its branch saves, per leaf that the branch has in excess of
    one. The weakest link is cut, the first of equals when a node comes before its left
    and its left before its right branch, until all are stronger than ``ccp_alpha``.

    left          (n_nodes,)      int32
    impurity      (n_nodes,)      float64
    weight        (n_nodes,)      float64
    starts        (n_trees + 1,)  int64
    becomes_leaf  (n_nodes,)      bool, set in place
    path          (largest tree + 1, 2)  float64, written for the last
                  tree: strength of the link cut, cost of all leaves then; before any
                  cut the strength is 0

    Returns the number of cuts in the last tree. Costs O(n log(n) depth) for n nodes.
    """
    n_largest, n_cuts = len(path) - 1, 0
    ints = np.empty((5, n_largest), np.int64)
    costs = np.empty((2, n_largest))
    strengths = np.empty(4 * n_largest)
    for tree in range(len(starts) - 1):
        first, n_nodes, n_places = starts[tree], starts[tree + 1] - starts[tree], 1
        while n_places < n_nodes:
            n_places *= 2
        for i in range(2 * n_places):
            strengths[i] = inf
        _lay_out(left, first, n_nodes, ints)
        _add_up_costs(left, impurity, weight, first, n_nodes, ints, costs)
        for node in range(n_nodes):
            if left[first + node] >= 0:
                saved = costs[OWN, node] - costs[BRANCH, node]
                strength = saved / (ints[LEAVES, node] - 1)
                _set_strength(strengths, n_places, ints[PLACE, node], strength)

        path[0, ALPHA], path[0, COST] = 0.0, costs[BRANCH, 0]
        n_cuts = 0
        while strengths[1] < inf and strengths[1] <= ccp_alpha:
            n_cuts += 1
            path[n_cuts, ALPHA] = strengths[1]
            node = ints[NODE_AT, _weakest(strengths, n_places)]
            becomes_leaf[first + node] = True
            _cut_link(node, n_places, ints, costs, strengths)
            path[n_cuts, COST] = costs[BRANCH, 0]
    return n_cuts


# ---------------------------------------------------------------- reduced error


@kernel(nogil=True, error_model="numpy")
def mark_by_reduced_error(
    splits, starts, prediction, X, y, weights, is_squared, becomes_leaf
):
    """Mark the nodes whose error as a leaf is no larger than that of their branch.

    splits        Splits
    starts        (n_trees + 1,)  int64, first nodes of some of the trees; nodes of
                  other trees may come before and after
    prediction    (n_nodes,)  float64, what each node predicts as a leaf
    X             (n_rows, n_features)  float64, C order
    y             (n_rows,)   float64, targets or class numbers
    weights       (n_trees or 1, n_rows)  float64; rows of weight 0 are left out
    is_squared    bool: squared error; otherwise the weight that is misclassified
    becomes_leaf  (n_nodes,)  bool, set in place

    Costs O(nodes + rows x depth) for each tree.
    """
    feature, left, base = splits.feature, splits.left, starts[0]
    error = np.zeros(starts[-1] - base)  # as a leaf, later of the pruned branch
    for tree in range(len(starts) - 1):
        first, which = starts[tree], tree if len(weights) > 1 else 0
        for i in range(len(y)):
            w = weights[which, i]
            if w == 0.0:
                continue
            node = first
            while True:
                if is_squared:
                    error[node - base] += w * (prediction[node] - y[i]) ** 2
                elif prediction[node] != y[i]:
                    error[node - base] += w
                if left[node] < 0:
                    break
                right = goes_right(splits, node, X[i, feature[node]])
                node = first + left[node] + np.int64(right)
        for node in range(starts[tree + 1] - 1, first - 1, -1):
            if left[node] >= 0:
                child = first + left[node]
                branch = error[child - base] + error[child - base + 1]
                becomes_leaf[node] = error[node - base] <= branch * _NOT_LARGER
                error[node - base] = min(error[node - base], branch)


@kernel(nogil=True, error_model="numpy")
def add_rows_to_values(splits, starts, weight, X, y, weights, is_mean, value):
    """Add rows to the class proportions, or to the mean, of the nodes that they pass.

    weight   (n_nodes,)           float64, weight of the rows behind ``value``
    is_mean  bool: value is the mean of y; otherwise proportions of the classes
    value    (n_nodes, n_values)  float64, changed in place

    The other arguments are those of ``mark_by_reduced_error``.
    """
    feature, left = splits.feature, splits.left
    n_values, base, n_nodes = value.shape[1], starts[0], starts[-1] - starts[0]
    added, sums = np.zeros(n_nodes), np.zeros((n_nodes, n_values))
    for tree in range(len(starts) - 1):
        first, which = starts[tree], tree if len(weights) > 1 else 0
        for i in range(len(y)):
            w = weights[which, i]
            if w == 0.0:
                continue
            node = first
            while True:
                added[node - base] += w
                if is_mean:
                    sums[node - base, 0] += w * y[i]
                else:
                    sums[node - base, np.int64(y[i])] += w
                if left[node] < 0:
                    break
                right = goes_right(splits, node, X[i, feature[node]])
                node = first + left[node] + np.int64(right)
    for i in range(n_nodes):
        for k in range(n_values):
            change = sums[i, k] - added[i] * value[base + i, k]
            value[base + i, k] += change / (weight[base + i] + added[i])
