"""Searching the nodes of grown trees once more, and the gain that chance alone brings.

The rows of a node lie side by side in ``rows``, so nothing is parted here.
"""

from math import log2

import numpy as np

from manyminds.kernels._jit import helper, kernel

# Columns of the table's ``columns``.
N_BINS, FIRST_BIN, HAS_MISSING, IS_CATEGORICAL = range(4)

# Rows of the sums over classes; for numbers the "classes" are weight and target.
TOTAL, ON_LEFT, BEST_LEFT = np.arange(3)

ROUNDING = 1e-10  # of a gain: smaller differences settle no question
SPARSE = 8  # with so many bins for each row, the bins are sorted rather than looked at

# x log2 x of small whole numbers: without weights, entropies need few others.
_N_LOGS = 2048
_X_LOG_X = np.arange(_N_LOGS) * np.log2(np.maximum(np.arange(_N_LOGS), 1))


@helper(nogil=True, error_model="numpy")
def _x_log_x(x):
    """x log2 x, and 0 for what rounding leaves of nothing."""
    if x < _N_LOGS:
        whole = np.int64(x)
        if whole == x:
            return _X_LOG_X[whole]
    return x * log2(x) if x > 0.0 else 0.0


@helper(nogil=True, error_model="numpy")
def _loss(numeric, sums, side, rest, m):
    """Return weight times impurity of one side, or with ``rest`` of what it leaves."""
    total, loss = 0.0, 0.0
    if numeric:
        w, s = sums[side, 0], sums[side, 1]
        if rest:
            w, s = sums[TOTAL, 0] - w, sums[TOTAL, 1] - s
        return -s * s / w if w > 0.0 else 0.0
    for c in range(m):
        x = sums[TOTAL, c] - sums[side, c] if rest else sums[side, c]
        loss -= _x_log_x(x)
        total += x
    return loss + _x_log_x(total)


@helper(nogil=True, error_model="numpy")
def _fill(
    numeric, feature, start, end, n_samples, codes, n_codes, rows, y, weights, hist,
    order,
):  # fmt: skip
    """Add up each bin of a node; list its bins in rising order; return their number."""
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
def _scan(numeric, m, n_values, gap, gap_left, before, best, hist, order, sums):
    """Try the cuts "the first j bins of order go left"; return the best fall of loss.

    gap  code of the missing values, or -1 where the node has none

    Where a cut is better than ``best``, what it leaves on the left is kept.
    """
    for c in range(m):
        sums[ON_LEFT, c] = hist[gap, c] if gap_left else 0.0
    n_cuts = n_values if gap >= 0 and not gap_left else n_values - 1
    for j in range(n_cuts):
        for c in range(m):
            sums[ON_LEFT, c] += hist[order[j], c]
        fall = before - _loss(numeric, sums, ON_LEFT, False, m)
        fall -= _loss(numeric, sums, ON_LEFT, True, m)
        if fall > best + ROUNDING:
            best = fall
            for c in range(m):
                sums[BEST_LEFT, c] = sums[ON_LEFT, c]
    return best


@helper(nogil=True, error_model="numpy")
def _search(
    numeric, feature, start, end, n_samples, codes, columns, rows, y, weights, hist,
    order, keys, sums,
):  # fmt: skip
    """Return the largest fall of weight times impurity that a feature can bring.

    The sums' BEST_LEFT tell what goes left. It is 0 if the feature is constant here.
    """
    m, n_bins = hist.shape[1], columns[feature, N_BINS]
    n_codes = n_bins + columns[feature, HAS_MISSING]
    n_values = _fill(
        numeric, feature, start, end, n_samples, codes, n_codes, rows, y, weights,
        hist, order,
    )  # fmt: skip
    n_found, gap = n_values, -1
    if order[n_values - 1] == n_bins:
        n_values, gap = n_values - 1, n_bins
    before, best, n_turns = _loss(numeric, sums, TOTAL, False, m), 0.0, 1
    categorical = columns[feature, IS_CATEGORICAL] == 1
    if categorical and not numeric and m > 2:
        n_turns = m
    for turn in range(n_turns):
        if categorical:
            which = turn if n_turns > 1 else 1
            _sort_categories(numeric, which, n_values, m, hist, order, keys)
        for gap_left in range(2 if gap >= 0 else 1):
            best = _scan(
                numeric, m, n_values, gap, gap_left == 1, before, best, hist, order,
                sums,
            )  # fmt: skip
    for j in range(n_found):
        for c in range(m):
            hist[order[j], c] = 0.0
    return best


@helper(nogil=True, error_model="numpy")
def _add_up_node(numeric, start, end, y, weights, sums):
    """Sum up the classes of a node; return its weight."""
    weight = 0.0
    for c in range(sums.shape[1]):
        sums[TOTAL, c] = 0.0
    for i in range(start, end):
        weight += weights[i]
        if numeric:
            sums[TOTAL, 0] += weights[i]
            sums[TOTAL, 1] += weights[i] * y[i]
        else:
            sums[TOTAL, np.int64(y[i])] += weights[i]
    return weight


@helper(nogil=True, error_model="numpy")
def _draw_below(state, n):
    """Draw a whole number below n: Marsaglia's multiply-with-carry, scaled."""
    x = state[0]
    x = 1791398085 * (x & 0xFFFFFFFF) + (x >> 32)
    state[0] = x
    return ((x & 0xFFFFFFFF) * n) >> 32


@helper(nogil=True, error_model="numpy")
def _shuffle(start, end, state, y, weights):
    """Shuffle the targets of a node among its rows; weights go with their targets."""
    for i in range(end - 1, start, -1):
        j = start + _draw_below(state, i - start + 1)
        y[i], y[j] = y[j], y[i]
        weights[i], weights[j] = weights[j], weights[i]


@kernel(nogil=True, error_model="numpy")
def find_shadow_gains(
    numeric, codes, columns, n_samples, rows, y, weights, starts, ends, features, seed,
    n_values, gains,
):  # fmt: skip
    """Find what the feature of each node would gain if the targets were shuffled.

    numeric    bool, whether targets are numbers, not classes
    codes      (at least n_features * n_samples,)  uint8 or uint16, column after column
    columns    (n_features, 4)  int64, see ``manyminds.trees.arrays.Table``
    n_samples  int, rows of the table
    rows       (n_rows,)  int64, rows of a tree; those of a node lie side by side
    y          (n_rows,)  float64, their targets; is shuffled
    weights    (n_rows,)  float64, their weights; is shuffled, too
    starts     (n_nodes,)  int64, where the rows of a node begin
    ends       (n_nodes,)  int64, and end
    features   (n_nodes,)  int64, feature of each node
    seed       int64, between 1 and 2**62
    n_values   int, number of classes; 2 for numbers
    gains      (n_nodes,)  float64, written

    The nodes must come children first: shuffling a node mixes the rows of its children.
    """
    n_codes = columns[:, N_BINS].max() + 1
    hist, order = np.zeros((n_codes, n_values)), np.empty(n_codes + 1, np.int64)
    keys, sums = np.empty(n_codes + 1), np.zeros((3, n_values))
    state = np.full(1, seed)
    for i in range(len(starts)):
        start, end = starts[i], ends[i]
        _shuffle(start, end, state, y, weights)
        weight = _add_up_node(numeric, start, end, y, weights, sums)
        fall = _search(
            numeric, features[i], start, end, n_samples, codes, columns, rows, y,
            weights, hist, order, keys, sums,
        )  # fmt: skip
        gains[i] = fall / weight


@kernel(nogil=True, error_model="numpy")
def find_all_gains(
    numeric, codes, columns, n_samples, rows, y, weights, start, end, n_values, gains,
    lefts,
):  # fmt: skip
    """Find what each feature would gain in one node.

    start, end  int, where the node's rows begin and end
    gains       (n_features,)  float64, written
    lefts       (n_features, n_values)  float64, written: what the best cut of each
                feature has on the left; of no meaning where the gain is 0

    All others are those of ``find_shadow_gains``; nothing is shuffled.
    """
    n_codes = columns[:, N_BINS].max() + 1
    hist, order = np.zeros((n_codes, n_values)), np.empty(n_codes + 1, np.int64)
    keys, sums = np.empty(n_codes + 1), np.zeros((3, n_values))
    weight = _add_up_node(numeric, start, end, y, weights, sums)
    for f in range(len(columns)):
        fall = _search(
            numeric, f, start, end, n_samples, codes, columns, rows, y, weights, hist,
            order, keys, sums,
        )  # fmt: skip
        gains[f] = fall / weight
        for c in range(n_values):
            lefts[f, c] = sums[BEST_LEFT, c]


# ------------------------------------------------- the gain of an irrelevant feature


@helper(nogil=True, error_model="numpy")
def _gain_at(n, p, i, j):
    """Information gain of a cut with i of p positives and j of n - p others below."""
    q = n - p
    before = _x_log_x(n) - _x_log_x(p) - _x_log_x(q)
    below = _x_log_x(i + j) - _x_log_x(i) - _x_log_x(j)
    above = _x_log_x(n - i - j) - _x_log_x(p - i) - _x_log_x(q - j)
    return (before - below - above) / n


@helper(nogil=True, error_model="numpy")
def _share_below(n, p, bar, reach):
    """Return the share of arrangements none of whose cuts gains more than ``bar``.

    All arrangements are walked at once, one positive after the other: ``reach[j]`` is
    the chance to have met j others by then and never to have been above the bar. As
    the gain is convex, the j that stay below it are an interval, whose ends rise.
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
    bars    (n_bars,)  float64, in rising order
    shares  (n_bars,)  float64, written
    """
    reach, share = np.empty(n - p + 1), 0.0
    for k in range(len(bars)):
        if share < 1.0 - 1e-9:  # else higher bars need not be tried
            share = _share_below(n, p, bars[k], reach)
        shares[k] = share if share < 1.0 - 1e-9 else 1.0
