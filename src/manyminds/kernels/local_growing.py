"""Growing trees whose nodes draw a feature by its relevance for their own samples.

A node draws one feature, with odds that are sums over its samples of a matrix of gains.
Sums are computed for the smaller child only; those of the other child are the
difference to the parent's. All gains are whole numbers, so there is no rounding error.
"""

from math import inf, nan

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import LOW_SIX, ONE, ZERO, has_category, threshold_between
from manyminds.kernels.bundles import (
    CATEGORY_SET,
    FEATURE,
    FIRST_BIN,
    HAS_MISSING,
    IMPURITY,
    IS_CATEGORICAL,
    LEFT,
    MISSING_LEFT,
    N_BINS,
    N_SAMPLES,
    NODE_WEIGHT,
    ROW,
    SPARE_ROW,
    THRESHOLD,
)
from manyminds.kernels.draws import draw_seed
from manyminds.kernels.local_cuts import (
    TOTAL,
    TRIED,
    Room,
    draw_feature,
    fill_bins,
    fill_odds,
    level_odds,
    search_feature,
)

# ---------------------------------------------------------------- one node


@helper(nogil=True, error_model="numpy")
def _describe(node, start, end, label, logs, room, record):
    """Write a node's record as that of a leaf; return whether it has two classes."""
    ints, floats, values = record.ints, record.floats, record.values
    m, whole, n_present, inner = values.shape[1], 0, 0, 0.0
    for k in range(m):
        values[node, k] = 0.0
    for i in range(start, end):
        row = room.rows[ROW, i]
        values[node, label[row]] += room.counts[row]
        whole += room.counts[row]
    for k in range(m):
        n_present += values[node, k] > 0.0
        inner += logs[np.int64(values[node, k])]
        values[node, k] /= whole
    ints[FEATURE, node], ints[LEFT, node], ints[N_SAMPLES, node] = -1, -1, end - start
    ints[MISSING_LEFT, node], ints[CATEGORY_SET, node] = 0, -1
    floats[THRESHOLD, node], floats[NODE_WEIGHT, node] = nan, whole
    floats[IMPURITY, node] = max((logs[whole] - inner) / whole, 0.0)
    return n_present >= 2


@helper(nogil=True, error_model="numpy")
def _partition(codes, at, n_bins, below, missing_left, number, sets, start, end, rows):
    """Move the samples that go left to the front of the node; return their number.

    number  the set of categories that go left, or -1: bins up to ``below`` do
    """
    n_left, n_right = 0, 0
    for i in range(start, end):
        row = rows[ROW, i]
        code = np.int64(codes[at + row])
        if code == n_bins:
            is_left = missing_left == 1
        elif number >= 0:
            is_left = has_category(sets, number, code)
        else:
            is_left = code <= below
        if is_left:
            rows[ROW, start + n_left] = row
            n_left += 1
        else:
            rows[SPARE_ROW, n_right] = row
            n_right += 1
    for i in range(n_right):
        rows[ROW, start + n_left + i] = rows[SPARE_ROW, i]
    return n_left


@helper(nogil=True, error_model="numpy")
def _add_absent(order, n_values, sets, number):
    """Add the categories that the node has no sample of to those that go left."""
    for w in range(sets.shape[1]):
        present = ZERO
        for j in range(n_values):
            if order[j] // 64 == w:
                present |= ONE << (np.uint64(order[j]) & LOW_SIX)
        sets[number, w] |= ~present


@helper(nogil=True, error_model="numpy")
def _add_gains(start, end, gains, room, slot):
    """Sum the gains of a node's samples, each as often as it was drawn."""
    n_features, sums = gains.shape[1], room.sums
    for f in range(n_features):
        sums[slot, f] = 0.0
    for i in range(start, end):
        row = room.rows[ROW, i]
        n = np.float64(room.counts[row])
        for f in range(n_features):
            sums[slot, f] += n * gains[row, f]


@helper(nogil=True, error_model="numpy")
def _split_node(
    table, label, logs, redraw, node, start, end, slot, n_sets, room, record
):
    """Draw a feature and partition a node; return how many samples go left.

    0: the node is a leaf. If the feature is constant in the node and ``redraw`` is set,
    another one is drawn.
    """
    codes, columns, edges = table
    ints, floats, sets, odds = (
        record.ints,
        record.floats,
        record.category_sets,
        room.odds,
    )
    m, n_samples = record.values.shape[1], len(label)
    for k in range(m):
        n_drawn = record.values[node, k] * floats[NODE_WEIGHT, node]
        room.classes[TOTAL, k] = np.int64(n_drawn + 0.5)
    total, below, above, missing_left = fill_odds(room.sums, slot, odds), -1, -1, -1
    f, n_touched = 0, 0
    for _ in range(len(odds) if redraw else 1):
        if total <= 0.0:
            total = level_odds(odds)
        f = draw_feature(room.state, odds, total)
        n_codes = columns[f, N_BINS] + columns[f, HAS_MISSING]
        n_touched = fill_bins(codes, f * n_samples, n_codes, start, end, label, m, room)
        below, above, missing_left = search_feature(
            columns, f, n_touched, m, room, logs, sets, n_sets
        )
        if below >= 0:
            break
        total -= odds[f]
        odds[f] = TRIED
    if below < 0:
        return 0
    number, n_bins, first = -1, columns[f, N_BINS], columns[f, FIRST_BIN]
    floats[THRESHOLD, node] = inf
    if columns[f, IS_CATEGORICAL] == 1:
        number, floats[THRESHOLD, node] = n_sets, nan
    elif above >= 0:
        floats[THRESHOLD, node] = threshold_between(edges, first + below, first + above)
    n_left = _partition(
        codes, f * n_samples, n_bins, below, missing_left, number, sets, start, end,
        room.rows,
    )  # fmt: skip
    # Missing values and categories that the node has not seen follow the majority.
    most_left = 2 * n_left > end - start
    if number >= 0 and most_left:
        _add_absent(room.order, n_touched - (missing_left >= 0), sets, number)
    ints[FEATURE, node], ints[CATEGORY_SET, node] = f, number
    ints[MISSING_LEFT, node] = most_left if missing_left < 0 else missing_left
    return n_left


# ---------------------------------------------------------------- one tree


@helper(nogil=True, error_model="numpy")
def _push(open_nodes, n_open, node, start, end, slot, seed):
    """Put a node on the stack."""
    open_nodes[n_open, 0], open_nodes[n_open, 1] = node, start
    open_nodes[n_open, 2], open_nodes[n_open, 3] = end, slot
    open_nodes[n_open, 4] = seed


@helper(nogil=True, error_model="numpy")
def _grow_tree(
    table, label, gains, logs, redraw, seed, first, n_sets, n_rows, open_nodes, room,
    record,
):  # fmt: skip
    """Grow a tree whose root is node ``first``; return where nodes and sets end.

    Each node has a generator of its own, so the order of nodes does not matter. The
    smaller child goes first: sums are then stored for no more nodes at a time than the
    samples can be halved.
    """
    ints, sums, state = record.ints, room.sums, room.state
    n_nodes, n_open = first + 1, 0
    if _describe(first, 0, n_rows, label, logs, room, record):
        _add_gains(0, n_rows, gains, room, 0)
        _push(open_nodes, 0, first, 0, n_rows, 0, seed)
        n_open = 1
    while n_open > 0:
        n_open -= 1
        node, start = open_nodes[n_open, 0], open_nodes[n_open, 1]
        end, slot = open_nodes[n_open, 2], open_nodes[n_open, 3]
        state[0] = open_nodes[n_open, 4]
        left_seed, right_seed = draw_seed(state), draw_seed(state)
        n_left = _split_node(
            table, label, logs, redraw, node, start, end, slot, n_sets, room, record
        )
        if n_left == 0:
            continue
        left, right, middle = n_nodes, n_nodes + 1, start + n_left
        ints[LEFT, node] = left - first
        n_sets += ints[CATEGORY_SET, node] >= 0
        n_nodes += 2
        left_open = _describe(left, start, middle, label, logs, room, record)
        right_open = _describe(right, middle, end, label, logs, room, record)
        left_small = 2 * n_left <= end - start
        if left_open or right_open:
            a, b = (start, middle) if left_small else (middle, end)
            _add_gains(a, b, gains, room, slot + 1)
            for f in range(gains.shape[1]):
                sums[slot, f] -= sums[slot + 1, f]
        for turn in range(2):  # the larger child first: it waits
            is_left = (turn == 1) == left_small
            if is_left and left_open:
                _push(open_nodes, n_open, left, start, middle, slot + turn, left_seed)
                n_open += 1
            elif not is_left and right_open:
                _push(open_nodes, n_open, right, middle, end, slot + turn, right_seed)
                n_open += 1
    return n_nodes, n_sets


@kernel(nogil=True, error_model="numpy")
def grow_local_trees(table, label, drawn, gains, logs, redraw, seeds, record):
    """Grow trees until their leaves are of one class.

    table    Table
    label    (n_samples,)               int64
    drawn    (n_trees, n_samples)       int32, C order, how often trees drew each row
    gains    (n_samples, n_features)    float32, C order, whole numbers
    logs     (n_draws + 1,)             float64, x log2 x of whole numbers
    redraw   bool                       draw again after a feature that is constant
    seeds    (n_trees,)                 int64, between 1 and 2**62
    record   Record, written; its ints need no row for codes
    """
    n_samples, n_features = gains.shape
    m, n_slots = record.values.shape[1], 3
    n_codes = table.columns[:, N_BINS].max() + 1
    while n_samples >> (n_slots - 3) > 0:
        n_slots += 1
    room = Room(
        np.empty((2, n_samples), np.int64),
        np.empty(n_samples, np.int64),
        np.empty((n_slots, n_features)),
        np.empty(n_features),
        np.zeros(n_codes * m, np.int64),
        np.zeros(n_codes, np.int64),
        np.empty(n_codes, np.int64),
        np.empty((1, n_codes)),
        np.empty((2, m), np.int64),
        np.empty(1, np.int64),
    )
    open_nodes = np.empty((n_slots + 1, 5), np.int64)
    n_nodes, n_sets = 0, 0
    for t in range(len(seeds)):
        n_rows = 0
        for i in range(n_samples):
            room.counts[i] = drawn[t, i]
            if room.counts[i] > 0:
                room.rows[ROW, n_rows] = i
                n_rows += 1
        n_nodes, n_sets = _grow_tree(
            table, label, gains, logs, redraw, seeds[t], n_nodes, n_sets, n_rows,
            open_nodes, room, record,
        )  # fmt: skip
        record.ends[t, 0], record.ends[t, 1] = n_nodes, n_sets
