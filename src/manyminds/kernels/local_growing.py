"""Growing trees whose nodes draw their feature by what it tells about their own rows.

A node draws one feature, with odds that are sums over its rows of a matrix of gains.
Sums are found for the smaller child only; those of the other child are what is left of
the parent's. As all gains are whole numbers nothing is lost to rounding.
"""

from math import inf, nan

import numpy as np

from manyminds.kernels._jit import helper, kernel

N_BINS, FIRST_BIN, HAS_MISSING, IS_CATEGORICAL = range(4)  # columns of the table
LOW, HIGH = range(2)  # edges
FEATURE, LEFT, N_SAMPLES, MISSING_LEFT, CATEGORY_SET = range(5)  # ints
THRESHOLD, IMPURITY, NODE_WEIGHT = range(3)  # floats
ROW, SPARE_ROW = range(2)  # rows
TOTAL, ON_LEFT = range(2)  # classes
CLEARLY = 1e-10  # how much better a cut must be: rounding must not settle ties
TRIED = -1.0  # odds of a feature that was drawn in vain
FEW = 16  # a node with so much fewer rows than bins looks at those it has rows in

_ZERO, _ONE, _LOW_SIX = np.uint64(0), np.uint64(1), np.uint64(63)


# ---------------------------------------------------------------- draws


@helper(nogil=True, error_model="numpy")
def _draw(state):
    """Draw 32 random bits: Marsaglia's multiply-with-carry, which fits into int64."""
    x = state[0]
    x = 1791398085 * (x & 0xFFFFFFFF) + (x >> 32)
    state[0] = x
    return x & 0xFFFFFFFF


@helper(nogil=True, error_model="numpy")
def _draw_seed(state):
    """Draw a state for a generator of its own."""
    return ((_draw(state) << 30) ^ _draw(state)) & 0x3FFFFFFFFFFFFFFF | 1


@helper(nogil=True, error_model="numpy")
def _fill_odds(sums, slot, odds):
    """Make odds of the sums of gains, those below zero counting as zero."""
    total = 0.0
    for f in range(len(odds)):
        odds[f] = max(sums[slot, f], 0.0)
        total += odds[f]
    return total


@helper(nogil=True, error_model="numpy")
def _level_odds(odds):
    """Return all features without odds, unless they were tried before, the same."""
    total = 0.0
    for f in range(len(odds)):
        if odds[f] == 0.0:
            odds[f] = 1.0
            total += 1.0
    return total


@helper(nogil=True, error_model="numpy")
def _draw_feature(state, odds, total):
    """Draw a feature by its odds, whole numbers that add up to ``total``."""
    fraction = ((_draw(state) << 21) | (_draw(state) >> 11)) / 9007199254740992.0
    goal = min(np.floor(fraction * total), total - 1.0)
    f = 0
    while goal >= max(odds[f], 0.0):
        goal -= max(odds[f], 0.0)
        f += 1
    return f


# ---------------------------------------------------------------- one feature


@helper(nogil=True, error_model="numpy")
def _sort_by_key(order, keys, n):
    """Sort ``order[:n]`` by the key of each bin, by heaps: nothing is allocated."""
    for size in range(n // 2 - 1 + n, -1, -1):
        if size >= n:
            root, end = size - n, n  # first build the heap ...
        else:
            root, end = 0, size  # ... then move its largest to the end, again and again
            order[0], order[end] = order[end], order[0]
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and keys[order[child]] < keys[order[child + 1]]:
                child += 1
            if keys[order[root]] >= keys[order[child]]:
                break
            order[root], order[child] = order[child], order[root]
            root = child


@helper(nogil=True, error_model="numpy")
def _fill_bins(
    codes, at, n_codes, start, end, rows, label, counts, m, hist, weight, order, keys
):
    """Count a node's rows by bin and class; list its bins in rising order.

    Returns how many bins the node has rows in.
    """
    n_touched, lists = 0, n_codes > FEW * (end - start)
    for i in range(start, end):
        row = rows[ROW, i]
        b, n = np.int64(codes[at + row]), counts[row]
        if lists and weight[b] == 0:
            order[n_touched] = b
            keys[b] = b
            n_touched += 1
        weight[b] += n
        hist[b * m + label[row]] += n
    if lists:
        _sort_by_key(order, keys, n_touched)
    else:
        for b in range(n_codes):
            if weight[b] > 0:
                order[n_touched] = b
                n_touched += 1
    return n_touched


@helper(nogil=True, error_model="numpy")
def _move_bin(b, m, hist, classes, x_log_x):
    """Move a bin to the left; return how the sum of x log x over classes changes."""
    change = 0.0
    for k in range(m):
        n = hist[b * m + k]
        if n > 0:
            total, left = classes[TOTAL, k], classes[ON_LEFT, k]
            change -= x_log_x[left] + x_log_x[total - left]
            left += n
            change += x_log_x[left] + x_log_x[total - left]
            classes[ON_LEFT, k] = left
    return change


@helper(nogil=True, error_model="numpy")
def _scan(n_values, missing_bin, missing_left, m, hist, weight, order, classes, logs):
    """Find the cut with the largest fall of weight times entropy.

    Returns the fall and how many of the bins of ``order`` go left; 0: no cut.
    """
    whole, both_sides = 0, 0.0
    for k in range(m):
        whole += classes[TOTAL, k]
        both_sides += logs[classes[TOTAL, k]]
        classes[ON_LEFT, k] = 0
    before, w = logs[whole] - both_sides, 0
    if missing_left:
        both_sides += _move_bin(missing_bin, m, hist, classes, logs)
        w += weight[missing_bin]
    n_cuts = n_values if missing_bin >= 0 and not missing_left else n_values - 1
    best, cut = -inf, 0
    for j in range(n_cuts):
        b = np.int64(order[j])
        both_sides += _move_bin(b, m, hist, classes, logs)
        w += weight[b]
        score = before - (logs[w] + logs[whole - w] - both_sides)
        if cut == 0 or score > best + CLEARLY * abs(best):
            best, cut = score, j + 1
    return best, cut


@helper(nogil=True, error_model="numpy")
def _keep_set(order, cut, sets, number):
    """Write down that the first ``cut`` categories of ``order`` go left."""
    for w in range(sets.shape[1]):
        sets[number, w] = _ZERO
    for j in range(cut):
        sets[number, order[j] // 64] |= _ONE << (np.uint64(order[j]) & _LOW_SIX)


@helper(nogil=True, error_model="numpy")
def _search_feature(
    columns, f, n_touched, m, hist, weight, order, keys, classes, logs, sets, number
):
    """Find a feature's best cut: (bin below it, bin above it, missing left).

    Bin below it -1: the feature is constant in the node. Bin above it -1: the cut is
    between all values and the missing ones. Missing left -1: the node has no missing
    values. Cleans up; for categories, the set of this number tells what goes left.
    """
    n_values, missing_bin = n_touched, -1
    if n_touched > 0 and order[n_touched - 1] == columns[f, N_BINS]:
        n_values, missing_bin = n_touched - 1, columns[f, N_BINS]
    categorical = columns[f, IS_CATEGORICAL] == 1
    n_turns = 1 if n_touched >= 2 else 0
    if categorical and m > 2:
        n_turns *= m
    best, below, above, best_missing_left = -inf, -1, -1, -1
    for turn in range(n_turns):
        if categorical:
            k = turn if m > 2 else 1
            for j in range(n_values):
                b = order[j]
                keys[b] = hist[b * m + k] / weight[b]
            _sort_by_key(order, keys, n_values)
        for missing_left in range(2 if missing_bin >= 0 else 1):
            score, cut = _scan(
                n_values, missing_bin, missing_left == 1, m, hist, weight, order,
                classes, logs,
            )  # fmt: skip
            if cut > 0 and (below < 0 or score > best + CLEARLY * abs(best)):
                best, below, above = score, np.int64(order[cut - 1]), -1
                best_missing_left = missing_left if missing_bin >= 0 else -1
                if cut < n_values:
                    above = np.int64(order[cut])
                if categorical:
                    _keep_set(order, cut, sets, number)
    for j in range(n_touched):
        b = order[j]
        weight[b] = 0
        for k in range(m):
            hist[b * m + k] = 0
    return below, above, best_missing_left


@helper(nogil=True, error_model="numpy")
def _threshold_between(edges, first, below, above):
    """The middle between two bins, never rounded into the upper one."""
    if above < 0:
        return inf
    a, b = edges[HIGH, first + below], edges[LOW, first + above]
    middle = a + (b - a) / 2.0
    return middle if middle < b else a


# ---------------------------------------------------------------- one node


@helper(nogil=True, error_model="numpy")
def _describe(start, end, rows, label, counts, logs, node, ints, floats, values):
    """Write a node's record as if it were a leaf; return whether it has two classes."""
    m, whole, n_present, inner = values.shape[1], 0, 0, 0.0
    for k in range(m):
        values[node, k] = 0.0
    for i in range(start, end):
        row = rows[ROW, i]
        values[node, label[row]] += counts[row]
        whole += counts[row]
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
def _is_chosen(sets, number, code):
    """Whether a category belongs to one of the sets."""
    word = sets[number, code // 64] >> (np.uint64(code) & _LOW_SIX)
    return (word & _ONE) == _ONE


@helper(nogil=True, error_model="numpy")
def _part_rows(codes, at, n_bins, below, missing_left, number, sets, start, end, rows):
    """Bring the rows that go left to the front of the node; return how many they are.

    number  the set that goes left, or -1: bins up to ``below`` do
    """
    n_left, n_right = 0, 0
    for i in range(start, end):
        row = rows[ROW, i]
        code = np.int64(codes[at + row])
        if code == n_bins:
            is_left = missing_left == 1
        elif number >= 0:
            is_left = _is_chosen(sets, number, code)
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
    """Add the categories that the node has no row of to those that go left."""
    for w in range(sets.shape[1]):
        present = _ZERO
        for j in range(n_values):
            if order[j] // 64 == w:
                present |= _ONE << (np.uint64(order[j]) & _LOW_SIX)
        sets[number, w] |= ~present


@helper(nogil=True, error_model="numpy")
def _add_rows(start, end, rows, counts, gains, sums, slot):
    """Sum the gains of rows, each as often as it was drawn."""
    n_features = gains.shape[1]
    for f in range(n_features):
        sums[slot, f] = 0.0
    for i in range(start, end):
        row = rows[ROW, i]
        n = np.float64(counts[row])
        for f in range(n_features):
            sums[slot, f] += n * gains[row, f]


@helper(nogil=True, error_model="numpy")
def _split_node(
    codes, columns, edges, label, counts, rows, start, end, node, n_sets, redraw, state,
    sums, slot, odds, hist, weight, order, keys, classes, logs, ints, floats, values,
    sets,
):  # fmt: skip
    """Draw a feature and part a node's rows; return how many go left, 0: it is a leaf.

    If the feature is constant in the node, draw another one if ``redraw`` says so.
    """
    m, n_samples = values.shape[1], len(label)
    for k in range(m):
        classes[TOTAL, k] = np.int64(values[node, k] * floats[NODE_WEIGHT, node] + 0.5)
    total, below, above, missing_left = _fill_odds(sums, slot, odds), -1, -1, -1
    f, n_touched = 0, 0
    for _ in range(len(odds) if redraw else 1):
        if total <= 0.0:
            total = _level_odds(odds)
        f = _draw_feature(state, odds, total)
        n_touched = _fill_bins(
            codes, f * n_samples, columns[f, N_BINS] + columns[f, HAS_MISSING], start,
            end, rows, label, counts, m, hist, weight, order, keys,
        )  # fmt: skip
        below, above, missing_left = _search_feature(
            columns, f, n_touched, m, hist, weight, order, keys, classes, logs, sets,
            n_sets,
        )  # fmt: skip
        if below >= 0:
            break
        total -= odds[f]
        odds[f] = TRIED
    if below < 0:
        return 0
    number, n_bins = -1, columns[f, N_BINS]
    floats[THRESHOLD, node] = _threshold_between(
        edges, columns[f, FIRST_BIN], below, above
    )
    if columns[f, IS_CATEGORICAL] == 1:
        number, floats[THRESHOLD, node] = n_sets, nan
    n_left = _part_rows(
        codes, f * n_samples, n_bins, below, missing_left, number, sets, start, end,
        rows,
    )  # fmt: skip
    # What the node has not seen, missing values and categories, joins the many.
    many_left = 2 * n_left > end - start
    if number >= 0 and many_left:
        _add_absent(order, n_touched - (missing_left >= 0), sets, number)
    ints[FEATURE, node], ints[CATEGORY_SET, node] = f, number
    ints[MISSING_LEFT, node] = many_left if missing_left < 0 else missing_left
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
    codes, columns, edges, label, counts, gains, logs, redraw, seed, first, n_sets,
    rows, n_rows, sums, odds, hist, weight, order, keys, classes, state, open_nodes,
    ints, floats, values, sets,
):  # fmt: skip
    """Grow a tree whose root is node ``first``; return where nodes and sets end.

    Each node has a generator of its own, so the order of nodes does not matter. The
    smaller child goes first: sums are then kept for no more nodes at a time than the
    rows can be halved.
    """
    n_nodes, n_open = first + 1, 0
    if _describe(0, n_rows, rows, label, counts, logs, first, ints, floats, values):
        _add_rows(0, n_rows, rows, counts, gains, sums, 0)
        _push(open_nodes, 0, first, 0, n_rows, 0, seed)
        n_open = 1
    while n_open > 0:
        n_open -= 1
        node, start = open_nodes[n_open, 0], open_nodes[n_open, 1]
        end, slot = open_nodes[n_open, 2], open_nodes[n_open, 3]
        state[0] = open_nodes[n_open, 4]
        left_seed, right_seed = _draw_seed(state), _draw_seed(state)
        n_left = _split_node(
            codes, columns, edges, label, counts, rows, start, end, node, n_sets,
            redraw, state, sums, slot, odds, hist, weight, order, keys, classes, logs,
            ints, floats, values, sets,
        )  # fmt: skip
        if n_left == 0:
            continue
        left, right, middle = n_nodes, n_nodes + 1, start + n_left
        ints[LEFT, node] = left - first
        n_sets += ints[CATEGORY_SET, node] >= 0
        n_nodes += 2
        left_open = _describe(
            start, middle, rows, label, counts, logs, left, ints, floats, values
        )
        right_open = _describe(
            middle, end, rows, label, counts, logs, right, ints, floats, values
        )
        left_small = 2 * n_left <= end - start
        if left_open or right_open:
            a, b = (start, middle) if left_small else (middle, end)
            _add_rows(a, b, rows, counts, gains, sums, slot + 1)
            for f in range(len(odds)):
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
def grow_local_trees(
    codes, columns, edges, label, drawn, gains, logs, redraw, seeds, ints, floats,
    values, sets, ends,
):  # fmt: skip
    """Grow trees until their leaves are of one class.

    codes    (n_features * n_samples,)  uint8 or uint16, column after column
    columns  (n_features, 4)            int64, see ``manyminds.trees.arrays.Table``
    edges    (2, n_bins)                float64, C order
    label    (n_samples,)               int64
    drawn    (n_trees, n_samples)       int32, C order, how often trees drew each row
    gains    (n_samples, n_features)    float32, C order, whole numbers
    logs     (n_draws + 1,)             float64, x log2 x of whole numbers
    redraw   bool                       draw again after a feature that is constant
    seeds    (n_trees,)                 int64, between 1 and 2**62
    ints     (5, n_nodes)               int32, written: see the names above
    floats   (3, n_nodes)               float64, written
    values   (n_nodes, n_classes)       float64, written: shares of the classes
    sets     (n_sets, n_words)          uint64, written: categories that go left
    ends     (n_trees, 2)               int64, written: where nodes and sets of each end
    """
    n_samples, n_features = gains.shape
    n_codes, m, n_slots = columns[:, N_BINS].max() + 1, values.shape[1], 3
    while n_samples >> (n_slots - 3) > 0:
        n_slots += 1
    rows = np.empty((2, n_samples), np.int64)
    counts = np.empty(n_samples, np.int64)
    sums, odds = np.empty((n_slots, n_features)), np.empty(n_features)
    hist, weight = np.zeros(n_codes * m, np.int64), np.zeros(n_codes, np.int64)
    order, keys = np.empty(n_codes, np.int64), np.empty(n_codes)
    classes, state = np.empty((2, m), np.int64), np.empty(1, np.int64)
    open_nodes = np.empty((n_slots + 1, 5), np.int64)
    n_nodes, n_sets = 0, 0
    for t in range(len(seeds)):
        n_rows = 0
        for i in range(n_samples):
            counts[i] = drawn[t, i]
            if counts[i] > 0:
                rows[ROW, n_rows] = i
                n_rows += 1
        n_nodes, n_sets = _grow_tree(
            codes, columns, edges, label, counts, gains, logs, redraw, seeds[t],
            n_nodes, n_sets, rows, n_rows, sums, odds, hist, weight, order, keys,
            classes, state, open_nodes, ints, floats, values, sets,
        )  # fmt: skip
        ends[t, 0], ends[t, 1] = n_nodes, n_sets
