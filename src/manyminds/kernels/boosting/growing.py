"""Growing one boosted tree: best leaf first, by a team of threads.

Each thread makes the histograms of its own columns and scans them; then all threads
compare what they found and go on with the same leaf. Every thread keeps its own list of
the leaves, so that few barriers are needed.
"""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.boosting.bundles import (
    A_SET,
    A_SET_NO_MISSING,
    CODE,
    DEPTH,
    END,
    FEATURE,
    GAIN,
    KIND,
    LEFT_TOTAL,
    LOWER,
    NO_MISSING,
    NODE,
    NODE_CODE,
    NODE_FEATURE,
    NODE_GAIN,
    NODE_LEFT,
    NODE_MISSING_LEFT,
    NODE_N,
    NODE_SET,
    SLOT,
    START,
    TOTAL,
    UPPER,
)
from manyminds.kernels.boosting.partition import mark_sides, split_rows
from manyminds.kernels.boosting.searching import may_split, search_leaves
from manyminds.kernels.boosting.splits import (
    clip_value,
    decode,
)

_NONE = np.int64(-1)
_NOTHING = np.int64(0)
_ONE = np.uint64(1)


@helper(nogil=True, error_model="numpy")
def _choose_leaf(growth, leaves, thread, n_leaves):
    """Return the leaf with the greatest gain, or the newest with any; -1 if none."""
    best, chosen = -inf, _NONE
    for leaf in range(n_leaves):
        gain = leaves.reals[thread, leaf, GAIN]
        if gain > best or (gain > -inf and not growth.best_first):
            best, chosen = gain, leaf
    return chosen


@helper(nogil=True, error_model="numpy")
def _free(leaves, thread, leaf, n_free):
    """Return the slot of a leaf to the free ones; return how many there are."""
    if leaves.ints[thread, leaf, SLOT] >= 0:
        leaves.free_slots[thread, n_free] = leaves.ints[thread, leaf, SLOT]
        leaves.ints[thread, leaf, SLOT] = _NONE
        n_free += 1
    return n_free


@helper(nogil=True, error_model="numpy")
def _write_split(table, leaves, thread, leaf, n_left, nodes, tree, n_nodes):
    """Write the split of a leaf, whose sides are marked, to its node of the tree."""
    ints = leaves.ints
    node, n = ints[thread, leaf, NODE], ints[thread, leaf, END]
    n -= ints[thread, leaf, START]
    column, kind = ints[thread, leaf, FEATURE], ints[thread, leaf, KIND]
    nodes.ints[tree, node, NODE_FEATURE] = column
    nodes.ints[tree, node, NODE_CODE] = ints[thread, leaf, CODE]
    nodes.ints[tree, node, NODE_LEFT] = n_nodes
    nodes.ints[tree, node, NODE_N] = n
    nodes.ints[tree, node, NODE_SET] = _NONE
    nodes.reals[tree, node, NODE_GAIN] = leaves.reals[thread, leaf, GAIN]
    n_bins = table.offsets[column + 1] - table.offsets[column] - _ONE
    missing_left = leaves.side[thread, n_bins] == 1
    if kind == NO_MISSING or kind == A_SET_NO_MISSING:
        missing_left = 2 * n_left >= n
    if kind >= A_SET:
        n_sets = nodes.counts[tree, 1]
        nodes.ints[tree, node, NODE_SET] = n_sets
        nodes.counts[tree, 1] = n_sets + 1
        for w in range(4):
            nodes.sets[tree, n_sets, w] = leaves.sets[thread, leaf, w]
    nodes.ints[tree, node, NODE_MISSING_LEFT] = missing_left


@helper(nogil=True, error_model="numpy")
def _divide_leaf(
    table, packing, growth, leaves, thread, leaf, n_left, n_leaves, n_nodes
):
    """Turn a leaf into its left child, and the next new leaf into the right one."""
    ints, reals, right = leaves.ints, leaves.reals, n_leaves
    column = ints[thread, leaf, FEATURE]
    total, left_total = ints[thread, leaf, TOTAL], ints[thread, leaf, LEFT_TOTAL]
    ints[thread, right, START] = ints[thread, leaf, START] + n_left
    ints[thread, right, END] = ints[thread, leaf, END]
    ints[thread, leaf, END] = ints[thread, right, START]
    ints[thread, right, TOTAL] = total - left_total
    ints[thread, leaf, TOTAL] = left_total
    ints[thread, leaf, NODE], ints[thread, right, NODE] = n_nodes, n_nodes + 1
    ints[thread, leaf, DEPTH] += 1
    ints[thread, right, DEPTH] = ints[thread, leaf, DEPTH]
    for w in range(table.groups.shape[1]):
        leaves.groups[thread, leaf, w] &= table.groups[column, w]
        leaves.groups[thread, right, w] = leaves.groups[thread, leaf, w]
    for k in range(reals.shape[2]):
        reals[thread, right, k] = reals[thread, leaf, k]
    reals[thread, leaf, GAIN], reals[thread, right, GAIN] = -inf, -inf
    sign = table.monotonic[column]
    if growth.bounded and sign != 0:
        unit = packing.gradient_unit / packing.hessian_unit
        lower, upper = reals[thread, leaf, LOWER], reals[thread, leaf, UPPER]
        middle = 0.0
        for side in (leaf, right):
            g, h, _n = decode(packing, ints[thread, side, TOTAL])
            hessian = h + growth.l2 / packing.hessian_unit
            value = clip_value(np.float64(g), hessian, lower / unit, upper / unit)
            middle += 0.5 * value * unit
        if sign > 0:
            reals[thread, leaf, UPPER], reals[thread, right, LOWER] = middle, middle
        else:
            reals[thread, leaf, LOWER], reals[thread, right, UPPER] = middle, middle


@helper(nogil=True, error_model="numpy")
def begin_tree(growth, leaves, thread, n_rows, total):
    """Begin a tree with one leaf that holds all rows."""
    ints = leaves.ints
    ints[thread, 0, START], ints[thread, 0, END] = 0, n_rows
    ints[thread, 0, NODE], ints[thread, 0, DEPTH] = 0, 0
    ints[thread, 0, TOTAL] = total
    for w in range(leaves.groups.shape[2]):
        leaves.groups[thread, 0, w] = ~np.uint64(0)
    leaves.reals[thread, 0, GAIN] = -inf
    leaves.reals[thread, 0, LOWER], leaves.reals[thread, 0, UPPER] = -inf, inf
    ints[thread, 0, SLOT] = 0
    for k in range(growth.n_slots - 1):
        leaves.free_slots[thread, k] = growth.n_slots - 1 - k
    return growth.n_slots - 1


@helper(nogil=True, error_model="numpy")
def grow_tree(
    table, packing, growth, memory, team, leaves, seat, candidates, nodes, job
):
    """Grow a tree on ``memory.rows[team, 0, :n_rows]``; return its number of leaves.

    job  (number of the tree, its seed, number of rows, packed sum over all rows)
    """
    tree, seed, n_rows, total = job
    thread, rank, _n_threads = seat
    n_free = begin_tree(growth, leaves, thread, n_rows, total)
    n_leaves, n_nodes, turn, factor = 1, 1, 0, 1.0
    if rank == 0:
        nodes.counts[tree, 0], nodes.counts[tree, 1] = 1, 0
    if may_split(growth, leaves, thread, 0):
        work = turn, _NOTHING, _NONE, _NOTHING, _NONE, False, False, 1.0
        search_leaves(
            table, packing, growth, memory, team, leaves, seat, candidates, work, seed
        )
    ints = leaves.ints
    while n_leaves < growth.max_leaves:
        leaf = _choose_leaf(growth, leaves, thread, n_leaves)
        if leaf < 0:
            break
        column = ints[thread, leaf, FEATURE]
        n_bins = np.int64(table.offsets[column + 1] - table.offsets[column]) - 1
        mark_sides(
            leaves.side, thread, n_bins, ints[thread, leaf, CODE],
            ints[thread, leaf, KIND], leaves.sets, leaf,
        )  # fmt: skip
        start, end = ints[thread, leaf, START], ints[thread, leaf, END]
        turn = 1 - turn
        n_left = split_rows(
            table.codes, (table.places[column, 0], table.places[column, 1]), memory,
            team, start, end, leaves.side, seat, candidates.ints, turn,
        )  # fmt: skip
        if min(n_left, end - start - n_left) < growth.min_samples_leaf:
            # Hessians stood for counts, and not well enough: ask for more of them.
            factor *= 2.0
            slot = ints[thread, leaf, SLOT]
            work = (
                turn, leaf, _NONE, slot if slot >= 0 else np.int64(growth.n_slots),
                _NONE, False, slot >= 0, factor,
            )  # fmt: skip
            search_leaves(
                table, packing, growth, memory, team, leaves, seat, candidates, work,
                seed,
            )  # fmt: skip
            continue
        factor = 1.0
        if rank == 0:
            _write_split(table, leaves, thread, leaf, n_left, nodes, tree, n_nodes)
        _divide_leaf(
            table, packing, growth, leaves, thread, leaf, n_left, n_leaves, n_nodes
        )
        right = n_leaves
        n_leaves += 1
        n_nodes += 2
        ints[thread, right, SLOT] = _NONE
        if n_leaves == growth.max_leaves:
            break
        small, large = (leaf, right) if 2 * n_left <= end - start else (right, leaf)
        n_free = _search_children(
            table, packing, growth, memory, team, leaves, seat, candidates,
            (turn, leaf, small, large, n_free), seed,
        )  # fmt: skip
    if rank == 0:
        nodes.counts[tree, 0] = n_nodes
    return n_leaves


@helper(nogil=True, error_model="numpy")
def _search_children(
    table, packing, growth, memory, team, leaves, seat, candidates, pair, seed
):
    """Search two new leaves where they may be split; return the number of free slots.

    The larger child takes over the parent's slot, where its histogram is the parent's
    less that of the smaller child. Without such a slot, both are read from their rows.
    """
    turn, leaf, small, large, n_free = pair
    thread, ints = seat[0], leaves.ints
    inherited = ints[thread, leaf, SLOT]
    ints[thread, leaf, SLOT] = _NONE
    small_may = may_split(growth, leaves, thread, small)
    large_may = may_split(growth, leaves, thread, large)
    lent = np.int64(growth.n_slots)
    if small_may or large_may:
        ints[thread, large, SLOT] = inherited
        if n_free > 0:
            n_free -= 1
            ints[thread, small, SLOT] = leaves.free_slots[thread, n_free]
        slot, other = ints[thread, small, SLOT], ints[thread, large, SLOT]
        work = (
            turn, small, large if large_may else _NONE, slot if slot >= 0 else lent,
            other if other >= 0 else lent + 1, other >= 0, False, 1.0,
        )  # fmt: skip
        search_leaves(
            table, packing, growth, memory, team, leaves, seat, candidates, work, seed
        )
    elif inherited >= 0:
        leaves.free_slots[thread, n_free] = inherited
        n_free += 1
    for child in (small, large):
        if leaves.reals[thread, child, GAIN] == -inf:
            n_free = _free(leaves, thread, child, n_free)
    return n_free
