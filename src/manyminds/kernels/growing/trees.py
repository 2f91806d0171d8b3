"""Whole trees: draw the samples, then open and split nodes until none is left."""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bundles import (
    CATEGORY_SET,
    FEATURE,
    FEATURES,
    KEY,
    LEFT,
    ROW,
    THRESHOLD,
    WEIGHT,
    OpenNode,
    Y,
)
from manyminds.kernels.criteria import BALANCED_ERROR, is_separability
from manyminds.kernels.draws import draw_rows, draw_seed
from manyminds.kernels.growing.nodes import open_node, partition_samples

_NOTHING = np.int64(0)


# ---------------------------------------------------------------- open nodes


@helper(nogil=True, error_model="numpy")
def _push(open_nodes, priorities, n_open, heap, priority, node):
    """Put a node on the stack, or on the heap whose top has the highest priority."""
    at = n_open
    while heap and at > 0 and priorities[(at - 1) // 2] < priority:
        priorities[at] = priorities[(at - 1) // 2]
        for j in range(5):
            open_nodes[at, j] = open_nodes[(at - 1) // 2, j]
        at = (at - 1) // 2
    priorities[at] = priority
    open_nodes[at, 0], open_nodes[at, 1] = node.number, node.start
    open_nodes[at, 2], open_nodes[at, 3] = node.end, node.depth
    open_nodes[at, 4] = node.seed


@helper(nogil=True, error_model="numpy")
def _pop(open_nodes, priorities, n_open, heap):
    """Remove and return the newest node of a stack, or the top of a heap."""
    last, at = n_open - 1, 0
    moved = priorities[last]
    if heap:
        for j in range(5):
            open_nodes[last + 1, j] = open_nodes[last, j]
            open_nodes[last, j] = open_nodes[0, j]
    while heap and 2 * at + 1 < last:
        child = 2 * at + 1
        if child + 1 < last and priorities[child + 1] > priorities[child]:
            child += 1
        if priorities[child] <= moved:
            break
        priorities[at] = priorities[child]
        for j in range(5):
            open_nodes[at, j] = open_nodes[child, j]
        at = child
    if heap and at < last:
        priorities[at] = moved
        for j in range(5):
            open_nodes[at, j] = open_nodes[last + 1, j]
    return OpenNode(
        open_nodes[last, 0],
        open_nodes[last, 1],
        open_nodes[last, 2],
        open_nodes[last, 3],
        open_nodes[last, 4],
    )


# ---------------------------------------------------------------- the root


@helper(nogil=True, error_model="numpy")
def _choose_samples(rules, sampling, which, y, samples, scratch):
    """Lay out the samples of a tree with their weights; return their number."""
    rows, reals, sums = samples.rows, samples.reals, scratch.sums
    n_samples = len(y)
    for i in range(n_samples):
        reals[WEIGHT, i] = 0.0 if sampling.n_draws > 0 else 1.0
    draw_rows(scratch.state, sampling.n_draws, sampling.draw_bounds, reals, WEIGHT)
    n_present, n_drawn = 0, 0.0
    if rules.balance_classes:
        for c in range(rules.n_classes):
            sums[KEY, c] = 0.0
        for i in range(n_samples):
            sums[KEY, np.int64(y[i])] += reals[WEIGHT, i]
            n_drawn += reals[WEIGHT, i]
        for c in range(rules.n_classes):
            n_present += sums[KEY, c] > 0.0
    n_rows = 0
    for i in range(n_samples):
        w = reals[WEIGHT, i] * sampling.weights[which, i]
        if rules.balance_classes and w > 0.0:
            w *= n_drawn / (n_present * sums[KEY, np.int64(y[i])])
        if w > 0.0:
            rows[ROW, n_rows], reals[Y, n_rows], reals[WEIGHT, n_rows] = i, y[i], w
            n_rows += 1
    return n_rows


@helper(nogil=True, error_model="numpy")
def _weigh_root(rules, n_rows, reals, class_weight):
    """Return the weight of the root; set the class weights for balanced error."""
    root_weight = 0.0
    balanced = rules.criterion == BALANCED_ERROR
    for c in range(rules.n_classes):
        class_weight[c] = 0.0 if balanced else 1.0
    for i in range(n_rows):
        root_weight += reals[WEIGHT, i]
        if balanced:
            class_weight[np.int64(reals[Y, i])] += reals[WEIGHT, i]
    if balanced:
        return np.float64(rules.n_classes)
    is_squared = is_separability(rules.criterion)
    return root_weight * root_weight if is_squared else root_weight


# ---------------------------------------------------------------- all trees


@helper(nogil=True, error_model="numpy")
def _close_remaining(open_nodes, n_open, ints, floats):
    """Turn the nodes that max_leaf_nodes left unsplit into leaves."""
    for j in range(n_open):
        ints[FEATURE, open_nodes[j, 0]] = -1
        ints[CATEGORY_SET, open_nodes[j, 0]] = -1
        floats[THRESHOLD, open_nodes[j, 0]] = np.nan


@kernel(allocates=False, nogil=True, error_model="numpy")
def grow_trees(
    general, table, rules, sampling, y, seeds, first_tree, work, record, labels=None,
    rare=None,
):  # fmt: skip
    """Grow a tree for each seed.

    One function, though a long one: a helper that takes all bundles takes an eighth of
    the time to compile.

    general     None, or True if some column or rule is not plain: see search_feature
    table       Table
    rules       Rules
    sampling    Sampling; tree t of this call uses its row ``first_tree + t``
    y           (n_samples,) float64, targets, or classes 0 ... n_classes - 1
    seeds       (n_trees,) int64, between 1 and 2**62
    work        Work
    record      Record, written
    labels      Labels of trees with many targets, for which y is not used; or None
    rare        RareCodes of a table whose features are all searched; or None
    """
    samples, classes, _, scratch, open_nodes, priorities = work
    odds, state, ints = sampling.feature_odds, scratch.state, record.ints
    n_nodes, n_sets, heap = _NOTHING, _NOTHING, rules.max_leaf_nodes > 0
    for j in range(len(table.columns)):
        scratch.draws[FEATURES, j] = j
    for t in range(len(seeds)):
        state[0] = seeds[t]
        which = first_tree + t if len(sampling.weights) > 1 else _NOTHING
        which_odds = first_tree + t if len(odds) > 1 else _NOTHING
        n_rows = _choose_samples(rules, sampling, which, y, samples, scratch)
        root_weight = _weigh_root(rules, n_rows, samples.reals, classes.weight)
        first, n_leaves, n_new, n_open = n_nodes, 1, 1, _NOTHING
        start, middle, end, depth = _NOTHING, n_rows, n_rows, _NOTHING
        left_seed, right_seed = draw_seed(state), _NOTHING
        while True:
            # Open the new nodes, the root or both children, and choose their splits.
            for j in range(n_new - 1, -1, -1):
                a, b = start if j == 0 else middle, middle if j == 0 else end
                seed = left_seed if j == 0 else right_seed
                node = OpenNode(n_nodes + j, a, b, depth, seed)
                priority = open_node(
                    general, rules, table, odds, which_odds, node, root_weight, n_sets,
                    labels, rare, work, record,
                )  # fmt: skip
                if priority > -inf:
                    n_sets += ints[CATEGORY_SET, node.number] >= 0
                    _push(open_nodes, priorities, n_open, heap, priority, node)
                    n_open += 1
            n_nodes += n_new
            # Split the next node, the newest or that of the highest priority.
            if n_open == 0 or (heap and n_leaves >= rules.max_leaf_nodes):
                break
            node = _pop(open_nodes, priorities, n_open, heap)
            n_open -= 1
            start, end, depth = node.start, node.end, node.depth + 1
            state[0] = node.seed
            left_seed, right_seed = draw_seed(state), draw_seed(state)
            n_left = partition_samples(
                table, rules.max_features, node, samples, ints, record.category_sets
            )
            ints[LEFT, node.number] = n_nodes - first
            middle, n_new = start + n_left, 2
            n_leaves += 1
        _close_remaining(open_nodes, n_open, ints, record.floats)
        record.ends[t, 0], record.ends[t, 1] = n_nodes, n_sets
