"""Growing one tree as long as a split shortens the description of the labels."""

from math import inf, log2
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import threshold_between
from manyminds.kernels.bundles import (
    FEATURE,
    FIRST_BIN,
    HIGH,
    IMPURITY,
    LEFT,
    LOW,
    MISSING_LEFT,
    N_BINS,
    N_SAMPLES,
    NODE_WEIGHT,
    THRESHOLD,
)

# What the name of a split's feature costs, besides its cut.
NO_COST, INDEX_COST, FULL_COST = range(3)

START, END, DEPTH = range(4, 7)  # further rows of ints
TOTAL, ON_LEFT, BEST_LEFT, MISSING = np.arange(4)  # sums
SAVED, CUT, CUT_MISSING_LEFT, KEY = np.arange(4)  # found
USED, N_USED, N_SPLITS = np.arange(3)  # names: used[f] is in the row USED

ROUNDING = 1e-10  # bits that may be rounding: smaller differences are ties


class Inputs(NamedTuple):
    """What a tree is grown from; see ``grow_described_tree``."""

    codes: np.ndarray
    columns: np.ndarray
    edges: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    logs: np.ndarray


class Room(NamedTuple):
    """What the search of a node works in.

    rows   (n_samples,)          int64; those of a node are adjacent
    hist   (n_codes, n_classes)  float64, weights by bin; zero between features
    sums   (4, n_classes)        float64, class weights
    names  (3, n_features)       int64, which features have been used, and how often
    found  (4,)                  float64, the best cut of a feature
    """

    rows: np.ndarray
    hist: np.ndarray
    sums: np.ndarray
    names: np.ndarray
    found: np.ndarray


@helper(nogil=True, error_model="numpy")
def _n_log_n(x, table):
    """Return x times log2 x; from the table where x is a small whole number."""
    whole = np.int64(x)
    if whole == x and whole < len(table):
        return table[whole]
    return x * log2(x) if x > 0.0 else 0.0


@helper(nogil=True, error_model="numpy")
def _count_bits(sums, side, table):
    """Return the bits of the labels of one side: its weight times its entropy."""
    bits, weight = 0.0, 0.0
    for c in range(sums.shape[1]):
        bits -= _n_log_n(sums[side, c], table)
        weight += sums[side, c]
    return max(bits + _n_log_n(weight, table), 0.0)


@helper(nogil=True, error_model="numpy")
def _count_bits_of_rest(sums, side, table):
    """Return the bits of the labels that are not on one side."""
    bits, weight = 0.0, 0.0
    for c in range(sums.shape[1]):
        rest = max(sums[TOTAL, c] - sums[side, c], 0.0)
        bits -= _n_log_n(rest, table)
        weight += rest
    return max(bits + _n_log_n(weight, table), 0.0)


@helper(nogil=True, error_model="numpy")
def _describe_node(node, inputs, room, ints, floats, values):
    """Write a node's statistics to its record; return how many classes it has."""
    y, weights, rows, sums = inputs.y, inputs.weights, room.rows, room.sums
    n_samples = 0
    for c in range(sums.shape[1]):
        sums[TOTAL, c] = 0.0
    for i in range(ints[START, node], ints[END, node]):
        weight = weights[rows[i]]
        if weight > 0.0:
            sums[TOTAL, y[rows[i]]] += weight
            n_samples += 1
    total, n_classes = 0.0, 0
    for c in range(sums.shape[1]):
        total += sums[TOTAL, c]
        n_classes += sums[TOTAL, c] > 0.0
    for c in range(sums.shape[1]):
        values[node, c] = sums[TOTAL, c] / total
    ints[FEATURE, node], ints[LEFT, node], ints[MISSING_LEFT, node] = -1, -1, 0
    ints[N_SAMPLES, node] = n_samples
    floats[THRESHOLD, node], floats[NODE_WEIGHT, node] = np.nan, total
    floats[IMPURITY, node] = _count_bits(sums, TOTAL, inputs.logs) / total
    return n_classes


@helper(nogil=True, error_model="numpy")
def _fill_bins(codes, at, start, end, y, weights, rows, hist):
    """Add up the weights of each bin and class; return the lowest and highest bin."""
    low, high = np.int64(2**62), np.int64(-1)
    for i in range(start, end):
        row = rows[i]
        if weights[row] > 0.0:
            code = np.int64(codes[at + row])
            hist[code, y[row]] += weights[row]
            low, high = min(low, code), max(high, code)
    return low, high


@helper(nogil=True, error_model="numpy")
def _try_cut(bits, cut, missing_left, sums, table, found):
    """Store a cut if it saves more bits of labels than the best so far."""
    saved = bits - _count_bits(sums, ON_LEFT, table)
    saved -= _count_bits_of_rest(sums, ON_LEFT, table)
    if saved > found[SAVED] + ROUNDING:
        found[SAVED], found[CUT] = saved, cut
        found[CUT_MISSING_LEFT] = missing_left
        for c in range(sums.shape[1]):
            sums[BEST_LEFT, c] = sums[ON_LEFT, c]


@helper(nogil=True, error_model="numpy")
def _cut_between(edges, lower, upper):
    """Return the middle between two bins, never inside a bin without weight."""
    cut = threshold_between(edges, lower, upper)
    for between in range(lower + 1, upper):
        if edges[LOW, between] <= cut < edges[HIGH, between]:
            cut = edges[HIGH, between]
    return cut


@helper(nogil=True, error_model="numpy")
def _scan(bits, edges, first, n_bins, low, high, has_missing, room, table):
    """Find the cut that saves most bits, with missing values on either side.

    Between two bins of one and the same class there is never a best cut.
    """
    hist, sums, found = room.hist, room.sums, room.found
    for missing_left in range(2 if has_missing else 1):
        last, last_class = -1, -1
        for c in range(sums.shape[1]):
            sums[ON_LEFT, c] = sums[MISSING, c] if missing_left else 0.0
        for b in range(low, min(high, n_bins - 1) + 1):
            n_classes, only_class = 0, -1
            for c in range(sums.shape[1]):
                if hist[b, c] > 0.0:
                    n_classes += 1
                    only_class = c
            if n_classes == 0:
                continue
            only_class = only_class if n_classes == 1 else -1
            if last >= 0 and (only_class < 0 or only_class != last_class):
                cut = _cut_between(edges, first + last, first + b)
                _try_cut(bits, cut, missing_left, sums, table, found)
            for c in range(sums.shape[1]):
                sums[ON_LEFT, c] += hist[b, c]
            last, last_class = b, only_class
        if has_missing and missing_left == 0 and last >= 0:
            _try_cut(bits, inf, 0, sums, table, found)


@helper(nogil=True, error_model="numpy")
def _price_split(n, k, bits, sums, table):
    """Return the bits of the cut and of the change of the code book (eq. 2.23)."""
    k_left, k_right, n_left = 0, 0, 0.0
    for c in range(sums.shape[1]):
        k_left += sums[BEST_LEFT, c] > 0.0
        k_right += sums[TOTAL, c] - sums[BEST_LEFT, c] > 0.0
        n_left += sums[BEST_LEFT, c]
    arrangement = k * log2(3.0) + log2(1.0 - 2.0 * 3.0**-k)
    left = _count_bits(sums, BEST_LEFT, table) / n_left
    right = _count_bits_of_rest(sums, BEST_LEFT, table) / (n - n_left)
    return log2(n - 1.0) + arrangement - k * bits / n + k_left * left + k_right * right


@helper(nogil=True, error_model="numpy")
def _price_feature(kind, feature, n_features, names):
    """Return the bits that it takes to name the feature of a split (eq. 2.24)."""
    if kind == NO_COST:
        return 0.0
    n_used, n_splits = names[N_USED, 0], names[N_SPLITS, 0]
    if names[USED, feature]:
        return log2(n_used)
    cost = (n_splits + 1) * log2(n_used + 1)
    if n_used > 0:
        cost -= n_splits * log2(n_used)
    return cost + log2(n_features) if kind == FULL_COST else cost


@helper(nogil=True, error_model="numpy")
def _search_node(node, k, inputs, rules, room, ints, floats):
    """Write the best split that pays to the node; return whether there is one.

    ``rules`` are the kind of feature cost, whether to choose by the bits that remain
    after all costs, and the largest depth.
    """
    columns, table, sums, found = inputs.columns, inputs.logs, room.sums, room.found
    n, n_samples, n_features = floats[NODE_WEIGHT, node], len(inputs.y), len(columns)
    start, end = ints[START, node], ints[END, node]
    bits, best = _count_bits(sums, TOTAL, table), -inf
    for f in range(n_features):
        n_bins, first = columns[f, N_BINS], columns[f, FIRST_BIN]
        low, high = _fill_bins(
            inputs.codes, f * n_samples, start, end, inputs.y, inputs.weights,
            room.rows, room.hist,
        )  # fmt: skip
        has_missing = high == n_bins
        for c in range(sums.shape[1]):
            sums[MISSING, c] = room.hist[n_bins, c]
        found[SAVED] = 0.0
        _scan(bits, inputs.edges, first, n_bins, low, high, has_missing, room, table)
        for b in range(low, high + 1):
            for c in range(sums.shape[1]):
                room.hist[b, c] = 0.0
        if found[SAVED] <= ROUNDING:
            continue
        cost = _price_split(n, k, bits, sums, table)
        cost += _price_feature(rules[0], f, n_features, room.names)
        key = found[SAVED] - cost if rules[1] else found[SAVED]
        if found[SAVED] >= cost - ROUNDING and key > best + ROUNDING:
            best = key
            ints[FEATURE, node], floats[THRESHOLD, node] = f, found[CUT]
            ints[MISSING_LEFT, node] = found[CUT_MISSING_LEFT] == 1.0
            if not has_missing:  # missing values follow the majority of the weight
                on_left = 0.0
                for c in range(sums.shape[1]):
                    on_left += sums[BEST_LEFT, c]
                ints[MISSING_LEFT, node] = on_left > n / 2.0
    return best > -inf


@helper(nogil=True, error_model="numpy")
def _partition(node, inputs, rows, spare, ints, floats):
    """Move the rows that go left to the front; return where the others begin.

    Rows without weight are moved, too, so that every row gets to its leaf.
    """
    codes, columns, edges = inputs.codes, inputs.columns, inputs.edges
    n_samples = len(inputs.y)
    f, threshold = ints[FEATURE, node], floats[THRESHOLD, node]
    n_bins, first = columns[f, N_BINS], columns[f, FIRST_BIN]
    n_left, n_right = ints[START, node], 0
    for i in range(ints[START, node], ints[END, node]):
        code = np.int64(codes[f * n_samples + rows[i]])
        if code == n_bins:
            goes_left = ints[MISSING_LEFT, node] == 1
        else:
            goes_left = edges[HIGH, first + code] <= threshold
        if goes_left:
            rows[n_left] = rows[i]
            n_left += 1
        else:
            spare[n_right] = rows[i]
            n_right += 1
    for i in range(n_right):
        rows[n_left + i] = spare[i]
    return n_left


@kernel(nogil=True, error_model="numpy")
def grow_described_tree(
    codes, columns, edges, y, weights, table, rules, ints, floats, values, leaves
):
    """Grow a tree, the oldest open node first; return how many nodes it has.

    codes    (n_features * n_samples,)  uint8 or uint16, one column after the other
    columns  (n_features, 4)            int64, see ``manyminds.kernels.bundles.Table``
    edges    (2, sum of bins)           float64, smallest and largest value of each bin
    y        (n_samples,)               int64, number of the class
    weights  (n_samples,)               float64, how many rows a row counts for
    table    (n_numbers,)               float64, n log2 n for n = 0, 1, 2 ...
    rules    (3,)                       int64, see ``_search_node``
    ints     (7, room for nodes)        int64, written: rows FEATURE, LEFT, ...
    floats   (3, room for nodes)        float64, written: THRESHOLD, IMPURITY, WEIGHT
    values   (room for nodes, n_classes) float64, written: class proportions
    leaves   (n_samples,)               int64, written: the leaf of every row
    """
    n_samples, n_classes, n_features = len(y), values.shape[1], len(columns)
    inputs = Inputs(codes, columns, edges, y, weights, table)
    rows, spare = np.arange(n_samples), np.empty(n_samples, np.int64)
    hist = np.zeros((columns[:, N_BINS].max() + 1, n_classes))
    names = np.zeros((3, n_features), np.int64)
    room = Room(rows, hist, np.zeros((4, n_classes)), names, np.empty(4))
    ints[START, 0], ints[END, 0], ints[DEPTH, 0] = 0, n_samples, 0
    n_nodes, node = 1, 0
    while node < n_nodes:
        k = _describe_node(node, inputs, room, ints, floats, values)
        is_open = k > 1 and floats[NODE_WEIGHT, node] > 1.0
        is_open = is_open and ints[DEPTH, node] < rules[2]
        if is_open and _search_node(node, k, inputs, rules, room, ints, floats):
            middle = _partition(node, inputs, rows, spare, ints, floats)
            ints[LEFT, node] = n_nodes
            ints[START, n_nodes], ints[END, n_nodes] = ints[START, node], middle
            ints[START, n_nodes + 1], ints[END, n_nodes + 1] = middle, ints[END, node]
            ints[DEPTH, n_nodes : n_nodes + 2] = ints[DEPTH, node] + 1
            n_nodes += 2
            names[N_USED, 0] += 1 - names[USED, ints[FEATURE, node]]
            names[USED, ints[FEATURE, node]] = 1
            names[N_SPLITS, 0] += 1
        else:
            for i in range(ints[START, node], ints[END, node]):
                leaves[rows[i]] = node
        node += 1
    return n_nodes
