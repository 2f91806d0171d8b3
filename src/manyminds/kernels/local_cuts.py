"""The draw of a node's feature by odds, and the best cut of that feature by entropy."""

from math import inf
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bins import LOW_SIX, ONE, ZERO, sort_by_key
from manyminds.kernels.bundles import IS_CATEGORICAL, N_BINS, ROW
from manyminds.kernels.draws import draw_fraction

TOTAL, ON_LEFT = range(2)  # rows of Room.classes
CLEARLY = 1e-10  # how much better a cut must be: rounding must not break ties
TRIED = -1.0  # odds of a feature that was drawn but is constant in the node
FEW = 16  # bins per sample from which on a node lists only the bins of its samples


class Room(NamedTuple):
    """The samples of a tree, and what the search of a node works in.

    rows     (2, n_samples)         int64, rows of the tree; spare room for a partition
    counts   (n_samples,)           int64, how often the tree drew each row
    sums     (n_slots, n_features)  float64, sums of gains of the open nodes
    odds     (n_features,)          float64, odds of the features in one node
    hist     (n_codes * n_classes,) int64, draws by bin and class; zero between features
    weight   (n_codes,)             int64, draws by bin; zero between features
    order    (n_codes,)             int64, bins in the order of the scan
    keys     (1, n_codes)           float64, by which categories are sorted
    classes  (2, n_classes)         int64, draws of the node by class, those on the left
    state    (1,)                   int64, the random number generator
    """

    rows: np.ndarray
    counts: np.ndarray
    sums: np.ndarray
    odds: np.ndarray
    hist: np.ndarray
    weight: np.ndarray
    order: np.ndarray
    keys: np.ndarray
    classes: np.ndarray
    state: np.ndarray


# ---------------------------------------------------------------- odds of features


@helper(nogil=True, error_model="numpy")
def fill_odds(sums, slot, odds):
    """Make odds of the sums of gains, those below zero counting as zero."""
    total = 0.0
    for f in range(len(odds)):
        odds[f] = max(sums[slot, f], 0.0)
        total += odds[f]
    return total


@helper(nogil=True, error_model="numpy")
def level_odds(odds):
    """Set the odds of all features without odds, unless tried before, to 1."""
    total = 0.0
    for f in range(len(odds)):
        if odds[f] == 0.0:
            odds[f] = 1.0
            total += 1.0
    return total


@helper(nogil=True, error_model="numpy")
def draw_feature(state, odds, total):
    """Draw a feature by its odds, whole numbers that add up to ``total``."""
    goal = min(np.floor(draw_fraction(state) * total), total - 1.0)
    f = 0
    while goal >= max(odds[f], 0.0):
        goal -= max(odds[f], 0.0)
        f += 1
    return f


# ---------------------------------------------------------------- one feature


@helper(nogil=True, error_model="numpy")
def fill_bins(codes, at, n_codes, start, end, label, m, room):
    """Count a node's draws by bin and class; list its bins in increasing order.

    Returns the number of bins that have samples.
    """
    hist, weight, order = room.hist, room.weight, room.order
    n_touched, lists = 0, n_codes > FEW * (end - start)
    for i in range(start, end):
        row = room.rows[ROW, i]
        b, n = np.int64(codes[at + row]), room.counts[row]
        if lists and weight[b] == 0:
            order[n_touched] = b
            room.keys[0, b] = b
            n_touched += 1
        weight[b] += n
        hist[b * m + label[row]] += n
    if lists:
        sort_by_key(order, room.keys, 0, n_touched)
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
    """Find the cut with the largest decrease of weight times entropy.

    Returns the decrease and how many of the bins of ``order`` go left; 0: no cut.
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
def _store_set(order, cut, sets, number):
    """Write the first ``cut`` categories of ``order``, which go left, to a set."""
    for w in range(sets.shape[1]):
        sets[number, w] = ZERO
    for j in range(cut):
        sets[number, order[j] // 64] |= ONE << (np.uint64(order[j]) & LOW_SIX)


@helper(nogil=True, error_model="numpy")
def search_feature(columns, f, n_touched, m, room, logs, sets, number):
    """Find a feature's best cut: (bin below it, bin above it, missing left).

    Bin below it -1: the feature is constant in the node. Bin above it -1: the cut is
    between all values and the missing ones. Missing left -1: the node has no missing
    values. Clears the histogram; for categories, writes those that go left to a set.
    """
    hist, weight, order, classes = room.hist, room.weight, room.order, room.classes
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
                room.keys[0, b] = hist[b * m + k] / weight[b]
            sort_by_key(order, room.keys, 0, n_values)
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
                    _store_set(order, cut, sets, number)
    for j in range(n_touched):
        b = order[j]
        weight[b] = 0
        for k in range(m):
            hist[b * m + k] = 0
    return below, above, best_missing_left
