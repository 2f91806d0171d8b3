"""Searching the nodes of grown trees again, and the gain of irrelevant features.

The samples of a node are adjacent in ``TreeSamples.rows``: nothing is partitioned here.
"""

from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bundles import HAS_MISSING, IS_CATEGORICAL, N_BINS
from manyminds.kernels.criteria import x_log_x
from manyminds.kernels.draws import draw_below

# Rows of the sums over classes; for numbers the "classes" are weight and target.
TOTAL, ON_LEFT, BEST_LEFT = np.arange(3)

ROUNDING = 1e-10  # of a gain: smaller differences are ties
SPARSE = 8  # bins per sample from which on a node sorts its bins rather than scans all


class TreeSamples(NamedTuple):
    """The training samples of a tree; those of a node are adjacent.

    numeric    bool, whether targets are numbers, not classes
    codes      (at least n_features * n_samples,)  uint8 or uint16, column after column
    columns    (n_features, 4)  int64, see ``manyminds.kernels.bundles.Table``
    n_samples  int, rows of the table
    rows       (n_rows,)  int64, rows of the tree
    y          (n_rows,)  float64, their targets
    weights    (n_rows,)  float64, their weights
    """

    numeric: bool
    codes: np.ndarray
    columns: np.ndarray
    n_samples: int
    rows: np.ndarray
    y: np.ndarray
    weights: np.ndarray


class Room(NamedTuple):
    """What the search of a node works in.

    hist   (n_codes, n_values)  float64, weight by bin and class; zero between features
    order  (n_codes + 1,)       int64, bins in the order of the scan
    keys   (n_codes + 1,)       float64, by which categories are sorted
    sums   (3, n_values)        float64, class weights
    """

    hist: np.ndarray
    order: np.ndarray
    keys: np.ndarray
    sums: np.ndarray


@helper(nogil=True, error_model="numpy")
def _loss(numeric, sums, side, rest, m):
    """Return weight times impurity of one side, or with ``rest`` of the other side."""
    total, loss = 0.0, 0.0
    if numeric:
        w, s = sums[side, 0], sums[side, 1]
        if rest:
            w, s = sums[TOTAL, 0] - w, sums[TOTAL, 1] - s
        return -s * s / w if w > 0.0 else 0.0
    for c in range(m):
        x = sums[TOTAL, c] - sums[side, c] if rest else sums[side, c]
        loss -= x_log_x(x)
        total += x
    return loss + x_log_x(total)


@helper(nogil=True, error_model="numpy")
def _fill(samples, feature, start, end, n_codes, hist, order):
    """Sum each bin of a node; list its bins in order; return their number."""
    numeric, codes, rows = samples.numeric, samples.codes, samples.rows
    y, weights, n_samples = samples.y, samples.weights, samples.n_samples
    n_rows, at = end - start, feature * n_samples
    for i in range(start, end):
        b = np.int64(codes[at + rows[i]])
        if numeric:
            hist[b, 0] += weights[i]
            hist[b, 1] += weights[i] * y[i]
        else:
            hist[b, np.int64(y[i])] += weights[i]
    n_found = 0
    if n_rows * SPARSE < n_codes:
        for i in range(start, end):  # by insertion, equal ones once
            b, j = np.int64(codes[at + rows[i]]), n_found
            while j > 0 and order[j - 1] > b:
                j -= 1
            if j == 0 or order[j - 1] != b:
                for k in range(n_found, j, -1):
                    order[k] = order[k - 1]
                order[j] = b
                n_found += 1
        return n_found
    for b in range(n_codes):
        is_there = False
        for c in range(hist.shape[1]):
            is_there = is_there or hist[b, c] > 0.0
        if is_there:
            order[n_found] = b
            n_found += 1
    return n_found


@helper(nogil=True, error_model="numpy")
def _sort_categories(numeric, turn, n_values, m, hist, order, keys):
    """Order a node's categories by the share of a class, or by their mean."""
    for j in range(n_values):
        b, weight = order[j], 0.0
        for c in range(1 if numeric else m):
            weight += hist[b, c]
        key, i = hist[b, turn] / weight, j
        while i > 0 and keys[i - 1] > key:
            keys[i], order[i] = keys[i - 1], order[i - 1]
            i -= 1
        keys[i], order[i] = key, b


@helper(nogil=True, error_model="numpy")
def _scan(numeric, n_values, missing, missing_left, before, best, room):
    """Score the cuts "the first j bins of order go left"; return the largest decrease.

    missing  code of the missing values, or -1 where the node has none

    Where a cut is better than ``best``, the sums on its left are stored in BEST_LEFT.
    """
    hist, order, sums, m = room.hist, room.order, room.sums, room.hist.shape[1]
    for c in range(m):
        sums[ON_LEFT, c] = hist[missing, c] if missing_left else 0.0
    n_cuts = n_values if missing >= 0 and not missing_left else n_values - 1
    for j in range(n_cuts):
        for c in range(m):
            sums[ON_LEFT, c] += hist[order[j], c]
        decrease = before - _loss(numeric, sums, ON_LEFT, False, m)
        decrease -= _loss(numeric, sums, ON_LEFT, True, m)
        if decrease > best + ROUNDING:
            best = decrease
            for c in range(m):
                sums[BEST_LEFT, c] = sums[ON_LEFT, c]
    return best


@helper(nogil=True, error_model="numpy")
def _search(samples, feature, start, end, room):
    """Return the largest decrease of weight times impurity by a cut of a feature.

    It is 0 if the feature is constant in the node. The sums' BEST_LEFT are those of the
    samples that go left.
    """
    numeric, columns = samples.numeric, samples.columns
    hist, order, sums = room.hist, room.order, room.sums
    m, n_bins = hist.shape[1], columns[feature, N_BINS]
    n_codes = n_bins + columns[feature, HAS_MISSING]
    n_values = _fill(samples, feature, start, end, n_codes, hist, order)
    n_found, missing = n_values, -1
    if order[n_values - 1] == n_bins:
        n_values, missing = n_values - 1, n_bins
    before, best, n_turns = _loss(numeric, sums, TOTAL, False, m), 0.0, 1
    categorical = columns[feature, IS_CATEGORICAL] == 1
    if categorical and not numeric and m > 2:
        n_turns = m
    for turn in range(n_turns):
        if categorical:
            k = turn if n_turns > 1 else 1
            _sort_categories(numeric, k, n_values, m, hist, order, room.keys)
        for missing_left in range(2 if missing >= 0 else 1):
            best = _scan(
                numeric, n_values, missing, missing_left == 1, before, best, room
            )
    for j in range(n_found):
        for c in range(m):
            hist[order[j], c] = 0.0
    return best


@helper(nogil=True, error_model="numpy")
def _sum_node(samples, start, end, sums):
    """Sum the classes of a node; return its weight."""
    y, weights, weight = samples.y, samples.weights, 0.0
    for c in range(sums.shape[1]):
        sums[TOTAL, c] = 0.0
    for i in range(start, end):
        weight += weights[i]
        if samples.numeric:
            sums[TOTAL, 0] += weights[i]
            sums[TOTAL, 1] += weights[i] * y[i]
        else:
            sums[TOTAL, np.int64(y[i])] += weights[i]
    return weight


@helper(nogil=True, error_model="numpy")
def _shuffle(start, end, state, y, weights):
    """Shuffle the targets of a node among its samples, with their weights."""
    for i in range(end - 1, start, -1):
        j = start + draw_below(state, i - start + 1)
        y[i], y[j] = y[j], y[i]
        weights[i], weights[j] = weights[j], weights[i]


@kernel(nogil=True, error_model="numpy")
def find_shadow_gains(samples, starts, ends, features, seed, n_values, gains):
    """Compute the gain of the feature of each node after a shuffle of the targets.

    samples    TreeSamples; its y and weights are shuffled
    starts     (n_nodes,)  int64, first samples of the nodes
    ends       (n_nodes,)  int64, where their samples end
    features   (n_nodes,)  int64, feature of each node
    seed       int64, between 1 and 2**62
    n_values   int, number of classes; 2 for numbers
    gains      (n_nodes,)  float64, written

    Children must precede their parents: shuffling a node mixes its children's samples.
    """
    n_codes = samples.columns[:, N_BINS].max() + 1
    hist, order = np.zeros((n_codes, n_values)), np.empty(n_codes + 1, np.int64)
    room = Room(hist, order, np.empty(n_codes + 1), np.zeros((3, n_values)))
    state = np.full(1, seed)
    for i in range(len(starts)):
        start, end = starts[i], ends[i]
        _shuffle(start, end, state, samples.y, samples.weights)
        weight = _sum_node(samples, start, end, room.sums)
        gains[i] = _search(samples, features[i], start, end, room) / weight


@kernel(nogil=True, error_model="numpy")
def find_all_gains(samples, start, end, n_values, gains, lefts):
    """Compute the gain of each feature in one node.

    samples     TreeSamples
    start, end  int, the node's samples
    n_values    int, number of classes; 2 for numbers
    gains       (n_features,)  float64, written
    lefts       (n_features, n_values)  float64, written: sums on the left of the best
                cut of each feature; undefined where the gain is 0
    """
    n_codes = samples.columns[:, N_BINS].max() + 1
    hist, order = np.zeros((n_codes, n_values)), np.empty(n_codes + 1, np.int64)
    room = Room(hist, order, np.empty(n_codes + 1), np.zeros((3, n_values)))
    weight = _sum_node(samples, start, end, room.sums)
    for f in range(len(samples.columns)):
        gains[f] = _search(samples, f, start, end, room) / weight
        for c in range(n_values):
            lefts[f, c] = room.sums[BEST_LEFT, c]


# ------------------------------------------------- the gain of an irrelevant feature


@helper(nogil=True, error_model="numpy")
def _gain_at(n, p, i, j):
    """Information gain of a cut with i of p positives and j of n - p others below."""
    q = n - p
    before = x_log_x(n) - x_log_x(p) - x_log_x(q)
    below = x_log_x(i + j) - x_log_x(i) - x_log_x(j)
    above = x_log_x(n - i - j) - x_log_x(p - i) - x_log_x(q - j)
    return (before - below - above) / n


@helper(nogil=True, error_model="numpy")
def _share_below(n, p, bar, reach):
    """Return the share of arrangements none of whose cuts gains more than ``bar``.

    All arrangements are walked at once, one positive after the other: ``reach[j]`` is
    the chance to have met j others by then and never to have been above the bar. As
    the gain is convex, the j that stay below it are an interval, whose ends increase.
    """
    q, low, high = n - p, 0, 0
    while high < q and _gain_at(n, p, 0, high + 1) <= bar:
        high += 1
    reach[0] = 1.0
    for j in range(1, high + 1):
        reach[j] = reach[j - 1] * (q - j + 1) / (n - j + 1)
    for i in range(1, p + 1):
        last_low, last_high = low, high
        while low <= high and _gain_at(n, p, i, low) > bar:
            low += 1
        if low > high:
            return 0.0
        while high < q and _gain_at(n, p, i, high + 1) <= bar:
            high += 1
        for j in range(low, high + 1):
            chance, n_left = 0.0, n - i - j + 1
            if last_low <= j <= last_high:  # the last one met was a positive
                chance += reach[j] * (p - i + 1) / n_left
            if j > low:  # or it was not
                chance += reach[j - 1] * (q - j + 1) / n_left
            reach[j] = chance
    return reach[q] if high == q else 0.0


@kernel(nogil=True, error_model="numpy")
def list_cut_gains(n, p, gains):
    """List the gains of all cuts that n labels with p positives can have.

    gains  ((p + 1) * (n - p + 1),)  float64, written
    """
    for i in range(p + 1):
        for j in range(n - p + 1):
            gains[i * (n - p + 1) + j] = max(_gain_at(n, p, i, j), 0.0)


@kernel(nogil=True, error_model="numpy")
def find_shares_below(n, p, bars, shares):
    """Find the shares of arrangements of labels whose best cut gains at most ``bars``.

    n, p    int, number of labels, and of positives among them
    bars    (n_bars,)  float64, in increasing order
    shares  (n_bars,)  float64, written
    """
    reach, share = np.empty(n - p + 1), 0.0
    for k in range(len(bars)):
        if share < 1.0 - 1e-9:  # else higher bars need not be tried
            share = _share_below(n, p, bars[k], reach)
        shares[k] = share if share < 1.0 - 1e-9 else 1.0
