"""Pruning grown trees: weakest links, reduced error, and what is left of the nodes.

A child has a greater number than its parent in every tree, so that a loop downwards
through the numbers meets children first.
"""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper, kernel

ALPHA, COST = range(2)  # columns of a path
PARENT, SIZE, PLACE, NODE_AT, LEAVES = range(5)  # rows of ints
OWN, BRANCH = range(2)  # rows of costs
_NOT_LARGER = 1.0 + 1e-12  # but for rounding
_ONE, _SIX, _LOW_SIX = np.uint64(1), np.uint64(6), np.uint64(63)


# ---------------------------------------------------------------- what is left


@kernel(nogil=True, error_model="numpy")
def list_kept_nodes(left, starts, becomes_leaf):
    """List the nodes that stay when some nodes become leaves.

    left          (n_nodes,)      int32, left child within its tree, -1 in a leaf
    starts        (n_trees + 1,)  int64, where the nodes of each tree begin
    becomes_leaf  (n_nodes,)      bool

    Returns the numbers of the nodes that stay (n_kept,) int64, in rising order, which
    keeps the two children of a node side by side; their new left children (n_kept,)
    int32; and where the trees begin among them (n_trees + 1,) int64.
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
    """Find each node's parent, its size, and its place: parents and left come first."""
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
    """Find the place of the weakest link, the first of equals."""
    at = 1
    while at < n_places:
        at *= 2
        if strengths[at] > strengths[at + 1]:
            at += 1
    return at - n_places


@helper(nogil=True, error_model="numpy")
def _cut_link(node, n_places, ints, costs, strengths):
    """Turn a node into a leaf, and tell those above it."""
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
    path          (most nodes of a tree + 1, 2)  float64, to be filled for the last
                  tree: strength of the link cut, cost of all leaves then; before any
                  cut the strength is 0

    Returns the number of cuts in the last tree. Costs O(n log(n) depth) for n nodes.
    """
    n_most, n_cuts = len(path) - 1, 0
    ints = np.empty((5, n_most), np.int64)
    costs = np.empty((2, n_most))
    strengths = np.empty(4 * n_most)
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


@helper(nogil=True, error_model="numpy")
def _is_right(x, threshold, missing_left, category_set, category_sets):
    """Whether a value goes right. A set's threshold is NaN, so it compares as False."""
    right = x > threshold
    if not right and not x <= threshold:
        right = not missing_left
        if x >= 0.0 and x < 64.0 * category_sets.shape[1]:
            code = np.uint64(x)
            word = category_sets[category_set, code >> _SIX] >> (code & _LOW_SIX)
            right = (word & _ONE) != _ONE
    return right


@kernel(nogil=True, error_model="numpy")
def mark_by_reduced_error(
    feature, threshold, left, missing_left, category_set, category_sets,
    starts, answer, X, y, weights, is_squared, becomes_leaf,
):  # fmt: skip
    """Mark the nodes that do no worse as leaves than their branches do, on given rows.

    feature ... category_sets  as in ``manyminds.trees.structure.Trees``
    starts        (n_trees + 1,)  int64, where the nodes of the trees in question begin;
                  nodes of other trees may come before and after
    answer        (n_nodes,)  float64, what each node predicts as a leaf
    X             (n_rows, n_features)  float64, C order
    y             (n_rows,)   float64, targets or class numbers
    weights       (n_trees or 1, n_rows)  float64; rows of weight 0 are left out
    is_squared    bool: squared error; otherwise the weight that is misclassified
    becomes_leaf  (n_nodes,)  bool, set in place

    Costs O(nodes + rows x depth) for each tree.
    """
    base = starts[0]
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
                    error[node - base] += w * (answer[node] - y[i]) ** 2
                elif answer[node] != y[i]:
                    error[node - base] += w
                if left[node] < 0:
                    break
                right = _is_right(
                    X[i, feature[node]],
                    threshold[node],
                    missing_left[node],
                    category_set[node],
                    category_sets,
                )
                node = first + left[node] + np.int64(right)
        for node in range(starts[tree + 1] - 1, first - 1, -1):
            if left[node] >= 0:
                child = first + left[node]
                branch = error[child - base] + error[child - base + 1]
                becomes_leaf[node] = error[node - base] <= branch * _NOT_LARGER
                error[node - base] = min(error[node - base], branch)


@kernel(nogil=True, error_model="numpy")
def add_rows_to_values(
    feature, threshold, left, missing_left, category_set, category_sets,
    starts, weight, X, y, weights, is_mean, value,
):  # fmt: skip
    """Add rows to the class shares, or to the mean, of the nodes that they pass.

    weight   (n_nodes,)           float64, weight of the rows that ``value`` is made of
    is_mean  bool: value is the mean of y; otherwise shares of the classes
    value    (n_nodes, n_values)  float64, changed in place

    The other arguments are those of ``mark_by_reduced_error``.
    """
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
                right = _is_right(
                    X[i, feature[node]],
                    threshold[node],
                    missing_left[node],
                    category_set[node],
                    category_sets,
                )
                node = first + left[node] + np.int64(right)
    for i in range(n_nodes):
        for k in range(n_values):
            change = sums[i, k] - added[i] * value[base + i, k]
            value[base + i, k] += change / (weight[base + i] + added[i])
