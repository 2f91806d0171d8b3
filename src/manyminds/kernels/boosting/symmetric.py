"""Growing a symmetric (oblivious) tree: all nodes of a level have the same split."""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.boosting.bundles import (
    A_SET,
    CODE,
    END,
    FEATURE,
    GAIN,
    KIND,
    LOWER,
    MISSING_GO_LEFT,
    MISSING_GO_RIGHT,
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
from manyminds.kernels.boosting.growing import begin_tree
from manyminds.kernels.boosting.histograms import fill_block, subtract_block
from manyminds.kernels.boosting.partition import mark_sides, split_rows
from manyminds.kernels.boosting.searching import (
    agree_on_split,
    draw_mask,
    may_interact,
    note_split,
    set_limits,
)
from manyminds.kernels.boosting.splits import (
    decode,
    draw_number,
    mix,
    sort_categories,
)
from manyminds.kernels.boosting.team import wait

_NONE = np.int64(-1)
_NOTHING = np.int64(0)
_CUTS = np.int64(1) << np.int64(40)  # what draws cuts, apart from what draws features
_SIX, _LOW_SIX, _ONE = np.uint64(6), np.uint64(63), np.uint64(1)


@helper(nogil=True, error_model="numpy")
def grow_symmetric(
    table, packing, growth, memory, team, leaves, seat, candidates, nodes, job, levels
):
    """Grow a tree level by level; return its number of leaves.

    The arguments are those of ``grow_tree``, and ``levels``. Leaves are numbered from
    left to right; the children of leaf l are 2 l and 2 l + 1.
    """
    tree, seed, n_rows, total = job
    thread, rank, n_threads = seat
    begin_tree(growth, leaves, thread, n_rows, total)
    n_leaves, turn = 1, 0
    size = np.int64(table.offsets[-1])
    for block in range(rank, len(table.block_starts) - 1, n_threads):
        fill_block(
            table, block, memory.rows, team, 0, n_rows, memory.packed,
            memory.histograms, 0,
        )  # fmt: skip
    if rank == 0:
        nodes.counts[tree, 1] = 0
    for depth in range(growth.max_depth):
        turn = 1 - turn
        _search_level(
            table, packing, growth, memory, team, leaves, seat, candidates,
            (turn, depth, n_leaves, seed), levels,
        )  # fmt: skip
        if leaves.reals[thread, 0, GAIN] == -inf:
            break
        _sum_left_sides(table, memory, team, leaves, thread, n_leaves, levels, size)
        wait(memory.words, team, n_threads)
        if rank == 0:
            _write_level(table, leaves, thread, nodes, tree, depth, n_leaves, levels)
        turn = _split_level(
            table, memory, team, leaves, seat, candidates, n_leaves, levels, turn
        )
        n_leaves *= 2
        if depth + 1 < growth.max_depth:
            _fill_level(table, memory, team, leaves, seat, n_leaves, size)
    for leaf in range(n_leaves):
        leaves.ints[thread, leaf, NODE] = n_leaves - 1 + leaf
        leaves.reals[thread, leaf, LOWER] = -inf
        leaves.reals[thread, leaf, UPPER] = inf
    if rank == 0:
        nodes.counts[tree, 0] = 2 * n_leaves - 1
    return n_leaves


# ---------------------------------------------------------------- searching


@helper(nogil=True, error_model="numpy")
def _search_level(
    table, packing, growth, memory, team, leaves, seat, candidates, work, levels
):
    """Find the split with the greatest sum of gains over all leaves of a level."""
    thread, rank, n_threads = seat
    turn, depth, n_leaves, seed = work
    place, parents = 2 * turn, 0.0
    for leaf in range(n_leaves):
        levels.scores[thread, leaf] = _score_whole(
            packing, growth, leaves, thread, leaf
        )
        parents += levels.scores[thread, leaf]
    candidates.reals[thread, place, 0] = parents
    candidates.ints[thread, place, 0] = _NONE
    level_seed = mix(seed, np.int64(depth))
    if growth.max_features < growth.tree_features:
        draw_mask(
            level_seed, growth.max_features, growth.tree_features, leaves.features,
            thread, 0,
        )  # fmt: skip
    for block in range(rank, len(table.block_starts) - 1, n_threads):
        for column in range(table.block_starts[block], table.block_starts[block + 1]):
            drawn = leaves.features[thread, 1, column] == 1
            if drawn and may_interact(table, leaves, thread, 0, column):
                _try_column(
                    table, packing, growth, memory.histograms, team, leaves,
                    (np.int64(column), n_leaves, level_seed), candidates,
                    (thread, place), levels,
                )  # fmt: skip
    wait(memory.words, team, n_threads)
    agree_on_split(packing, growth, leaves, 0, candidates, seat, place, parents)


@helper(nogil=True, error_model="numpy")
def _score_whole(packing, growth, leaves, thread, leaf):
    """Return twice the gain of an undivided leaf, in packed units; 0 if it is empty."""
    g, h, _ = decode(packing, leaves.ints[thread, leaf, TOTAL])
    hessian = h + growth.l2 / packing.hessian_unit
    return np.float64(g) * np.float64(g) / hessian if hessian > 0.0 else 0.0


@helper(nogil=True, error_model="numpy")
def _try_column(
    table, packing, growth, histograms, team, leaves, work, candidates, seat, levels
):
    """Compare the best split of a column, in all leaves, with the best so far."""
    column, n_leaves, seed = work
    thread, place = seat
    first, size = np.int64(table.offsets[column]), np.int64(table.offsets[-1])
    n_bins = np.int64(table.offsets[column + 1]) - first - 1
    for c in range(n_bins + 1):
        leaves.sums[thread, c] = 0
    for leaf in range(n_leaves):
        if leaves.ints[thread, leaf, END] == leaves.ints[thread, leaf, START]:
            continue
        base = leaves.ints[thread, leaf, SLOT] * size + first
        for c in range(n_bins + 1):
            leaves.sums[thread, c] += histograms[team, base + c]
    has_missing = leaves.sums[thread, n_bins] != 0
    categorical = table.categorical[column]
    n_ways = 2 if has_missing and not categorical else 1
    for way in range(n_ways):
        n_listed = _list_codes(
            packing, growth, leaves, thread, n_bins, categorical, has_missing, way
        )
        if n_listed < 2:
            continue
        low, high = _NOTHING, n_listed - 1
        # The order of categories differs from leaf to leaf: the best cut of them all.
        if growth.random_cuts and not categorical:
            low = draw_number(mix(seed, _CUTS), column, n_listed - 1)
            high = low + 1
        _add_gains(
            packing, growth, histograms, team, leaves, n_leaves,
            (thread, first, size, low, high), levels,
            growth.categorical_l2 if categorical else 0.0,
        )  # fmt: skip
        for k in range(low, high):
            gain = levels.gains[thread, k]
            if gain > candidates.reals[thread, place, 0]:
                _note_level_split(
                    packing, leaves, candidates, thread, place, gain,
                    (column, n_bins, n_listed, k, categorical, has_missing, way),
                )  # fmt: skip


@helper(nogil=True, error_model="numpy")
def _list_codes(packing, growth, leaves, thread, n_bins, categorical, has_missing, way):
    """List the codes of a column in the order in which they are cut; count them.

    Empty bins are left out. Missing values of a column of numbers come first or last.
    """
    n_listed = _NOTHING
    if categorical:
        for c in range(n_bins + 1):
            word = leaves.sums[thread, c]
            if word != 0:
                g, h, _ = decode(packing, word)
                smoothing = growth.smoothing / packing.hessian_unit
                leaves.keys[thread, c] = g / (h + smoothing)
                leaves.order[thread, n_listed] = c
                n_listed += 1
        sort_categories(leaves.order, leaves.keys, thread, n_listed)
        return n_listed
    if has_missing and way == MISSING_GO_LEFT:
        leaves.order[thread, n_listed] = n_bins
        n_listed += 1
    for c in range(n_bins):
        if leaves.sums[thread, c] != 0:
            leaves.order[thread, n_listed] = c
            n_listed += 1
    if has_missing and way == MISSING_GO_RIGHT:
        leaves.order[thread, n_listed] = n_bins
        n_listed += 1
    return n_listed


@helper(nogil=True, error_model="numpy")
def _add_gains(
    packing, growth, histograms, team, leaves, n_leaves, work, levels, more_l2
):
    """Sum the gains of all leaves for cuts of the listed codes, from low to high.

    A leaf in which a side would have too few rows gains nothing.
    """
    thread, first, size, low, high = work
    for k in range(low, high):
        levels.gains[thread, k] = 0.0
    for leaf in range(n_leaves):
        if leaves.ints[thread, leaf, END] == leaves.ints[thread, leaf, START]:
            continue
        min_count, min_hessian, l2, _, _, _ = set_limits(
            packing, growth, leaves, thread, leaf, 1.0
        )
        l2 += more_l2 / packing.hessian_unit
        base = leaves.ints[thread, leaf, SLOT] * size + first
        g, h, count = decode(packing, leaves.ints[thread, leaf, TOTAL])
        all_g, all_h = np.float64(g), np.float64(h)
        whole, left = levels.scores[thread, leaf], _NOTHING
        for k in range(low):
            left += histograms[team, base + leaves.order[thread, k]]
        for k in range(low, high):
            left += histograms[team, base + leaves.order[thread, k]]
            g, h, n = decode(packing, left)
            gl, hl = np.float64(g), np.float64(h)
            gr, hr = all_g - gl, all_h - hl
            gain = whole
            if (
                n >= min_count
                and count - n >= min_count
                and hl >= min_hessian
                and hr >= min_hessian
            ):
                hl, hr = hl + l2, hr + l2
                gain = (gl * gl * hr + gr * gr * hl) / (hl * hr)
            levels.gains[thread, k] += gain


@helper(nogil=True, error_model="numpy")
def _note_level_split(packing, leaves, candidates, thread, place, gain, split):
    """Write the split of a level down as the best so far.

    Missing values and categories that the level has not seen follow most of its rows.
    """
    column, n_bins, n_listed, k, categorical, has_missing, way = split
    order, left, total = leaves.order, _NOTHING, _NOTHING
    for i in range(n_listed):
        total += leaves.sums[thread, order[thread, i]]
        left = total if i == k else left
    most_left = 2 * decode(packing, left)[1] >= decode(packing, total)[1]
    if categorical:
        note_split(candidates, thread, place, gain, column, k + 1, A_SET, _NOTHING)
        for w in range(4):
            candidates.sets[thread, place, w] = np.uint64(0)
        for i in range(k + 1):
            c = np.uint64(order[thread, i])
            candidates.sets[thread, place, c >> _SIX] |= _ONE << (c & _LOW_SIX)
        for c in range(np.uint64(n_bins + 1)):
            if most_left and leaves.sums[thread, c] == 0:
                candidates.sets[thread, place, c >> _SIX] |= _ONE << (c & _LOW_SIX)
        return
    code, following = order[thread, k], order[thread, k + 1]
    if code == n_bins:  # missing values alone go left
        code = following - 1
    elif following == n_bins:  # missing values alone go right
        code = n_bins - 1
    else:
        code = (code + following - 1) // 2
    kind = way if has_missing else (MISSING_GO_LEFT if most_left else MISSING_GO_RIGHT)
    note_split(candidates, thread, place, gain, column, code, kind, _NOTHING)


# ---------------------------------------------------------------- splitting


@helper(nogil=True, error_model="numpy")
def _sum_left_sides(table, memory, team, leaves, thread, n_leaves, levels, size):
    """Sum the histogram of each leaf over the codes that go left."""
    column = leaves.ints[thread, 0, FEATURE]
    first = np.int64(table.offsets[column])
    n_bins = np.int64(table.offsets[column + 1]) - first - 1
    mark_sides(
        leaves.side, thread, n_bins, leaves.ints[thread, 0, CODE],
        leaves.ints[thread, 0, KIND], leaves.sets, 0,
    )  # fmt: skip
    for leaf in range(n_leaves):
        base, left = leaves.ints[thread, leaf, SLOT] * size + first, _NOTHING
        for c in range(n_bins + 1):
            if leaves.side[thread, c] == 1:
                left += memory.histograms[team, base + c]
        levels.left_totals[thread, leaf] = left


@helper(nogil=True, error_model="numpy")
def _write_level(table, leaves, thread, nodes, tree, depth, n_leaves, levels):
    """Write the split of a level to its nodes of the grown tree."""
    ints = leaves.ints
    kind, number = ints[thread, 0, KIND], _NONE
    if kind >= A_SET:
        number = np.int64(nodes.counts[tree, 1])
        nodes.counts[tree, 1] = number + 1
        for w in range(4):
            nodes.sets[tree, number, w] = leaves.sets[thread, 0, w]
    column = ints[thread, 0, FEATURE]
    n_bins = table.offsets[column + 1] - table.offsets[column] - _ONE
    missing_left = leaves.side[thread, n_bins] == 1
    n_filled = 0
    for leaf in range(n_leaves):
        n_filled += ints[thread, leaf, END] > ints[thread, leaf, START]
    for leaf in range(n_leaves):
        node = n_leaves - 1 + leaf
        nodes.ints[tree, node, NODE_FEATURE] = column
        nodes.ints[tree, node, NODE_CODE] = ints[thread, 0, CODE]
        nodes.ints[tree, node, NODE_LEFT] = 2 * node + 1
        nodes.ints[tree, node, NODE_MISSING_LEFT] = missing_left
        nodes.ints[tree, node, NODE_SET] = number
        n = ints[thread, leaf, END] - ints[thread, leaf, START]
        nodes.ints[tree, node, NODE_N] = n
        gain = leaves.reals[thread, 0, GAIN] / n_filled
        nodes.reals[tree, node, NODE_GAIN] = gain if n > 0 else 0.0


@helper(nogil=True, error_model="numpy")
def _split_level(table, memory, team, leaves, seat, candidates, n_leaves, levels, turn):
    """Split all leaves of a level by the same rule, the last one first."""
    thread, ints = seat[0], leaves.ints
    column = ints[thread, 0, FEATURE]
    at = table.places[column, 0], table.places[column, 1]
    for w in range(table.groups.shape[1]):
        leaves.groups[thread, 0, w] &= table.groups[column, w]
    for leaf in range(n_leaves - 1, -1, -1):
        start, end = ints[thread, leaf, START], ints[thread, leaf, END]
        n_left = _NOTHING
        if end > start:
            turn = 1 - turn
            n_left = split_rows(
                table.codes, at, memory, team, start, end, leaves.side, seat,
                candidates.ints, turn,
            )  # fmt: skip
        total, slot = ints[thread, leaf, TOTAL], ints[thread, leaf, SLOT]
        left_total = levels.left_totals[thread, leaf]
        for child in (2 * leaf + 1, 2 * leaf):
            is_left = child == 2 * leaf
            ints[thread, child, START] = start if is_left else start + n_left
            ints[thread, child, END] = start + n_left if is_left else end
            ints[thread, child, TOTAL] = left_total if is_left else total - left_total
            ints[thread, child, SLOT] = slot
    return turn


@helper(nogil=True, error_model="numpy")
def _fill_level(table, memory, team, leaves, seat, n_leaves, size):
    """Make the histograms of new leaves: of the smaller of two from its rows.

    The larger one takes the parent's slot, the smaller one a slot of its own.
    """
    thread, rank, n_threads = seat
    ints = leaves.ints
    for left in range(0, n_leaves, 2):
        n = ints[thread, left, END] - ints[thread, left, START]
        n_right = ints[thread, left + 1, END] - ints[thread, left + 1, START]
        small = left if n <= n_right else left + 1
        large = left + 1 if n <= n_right else left
        parent = ints[thread, large, SLOT]
        ints[thread, small, SLOT] = n_leaves // 2 + left // 2
        for block in range(rank, len(table.block_starts) - 1, n_threads):
            slot = ints[thread, small, SLOT]
            fill_block(
                table, block, memory.rows, team, ints[thread, small, START],
                ints[thread, small, END], memory.packed, memory.histograms, slot * size,
            )  # fmt: skip
            subtract_block(
                table, block, memory.histograms, team, parent * size, slot * size
            )


# ---------------------------------------------------------------- values


@helper(nogil=True, error_model="numpy")
def widen_range(growth, leaves, thread, leaf, n_leaves):
    """Return the rows of a leaf, or of the nearest node above it that has enough."""
    first, last = leaf, leaf
    start, end = leaves.ints[thread, leaf, START], leaves.ints[thread, leaf, END]
    width = 1
    while end - start < growth.min_samples_leaf and width < n_leaves:
        width *= 2
        first = leaf // width * width
        last = first + width - 1
        start, end = leaves.ints[thread, first, START], leaves.ints[thread, last, END]
    return start, end
