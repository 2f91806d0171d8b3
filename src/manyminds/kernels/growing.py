"""Growing trees over binned columns: histograms, search for splits, partition.

One file, though a long one: Numba's disk cache sees changes of one file only. It reads
from the small to the large: draws, histograms, cuts, one node, trees. What comes in and
what goes out is described in ``manyminds.trees.arrays``.
"""

from math import inf, log2

import numpy as np

from manyminds.kernels._jit import helper, kernel

GINI, ENTROPY, SSV, BALANCED_ERROR, SQUARED_ERROR, SSV_LEXICOGRAPHIC = range(6)

# Rows of the two node records that, with the nodes' values, make a grown tree.
FEATURE, LEFT, N_SAMPLES, MISSING_LEFT, CATEGORY_SET, SPLIT_CODE = range(6)
THRESHOLD, IMPURITY, NODE_WEIGHT = range(3)

# Columns of the table's ``columns``, and rows of the arrays that a thread works in. Few
# arrays with named rows, not many arrays: each one that a helper takes costs time to
# compile. So does each literal that a helper is given, hence NumPy's integers.
N_BINS, FIRST_BIN, HAS_MISSING, IS_CATEGORICAL = range(4)  # columns
LOW, HIGH = range(2)  # edges
ROW, SPARE_ROW = range(2)  # rows
Y, WEIGHT, SHARE, SPARE_Y, SPARE_WEIGHT = np.arange(5)  # reals
LEFT_SUM, RIGHT_SUM, TOTAL, SCALE, SCORE, KEY = np.arange(6)  # sums
FEATURES, SWAPPED, FENWICK = range(3)  # draws
TRIAL_SET, BEST_SET = range(2)  # sets

_NOTHING = np.int64(0)
FEW = 6  # rows for which the best of all partings is found beforehand
CLEARLY = 1.0 + 1e-10  # how much better a cut must be: rounding must not settle ties

# Position of the lowest set bit of a word, for Numba has no instruction for it: the
# powers of two have different remainders modulo 67.
_LOWEST_BIT = np.zeros(67, dtype=np.uint8)
for _i in range(64):
    _LOWEST_BIT[2**_i % 67] = _i
_BITS = np.uint64(67)
_ZERO, _ONE, _TWO, _SIX = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(6)
_LOW_SIX = np.uint64(63)
END_OF_CHAIN = np.uint32(0xFFFFFFFF)  # the end of a chain of rows

# x log2 x of small whole numbers: without weights, entropies need few others.
_N_LOGS = 2048
_X_LOG_X = np.arange(_N_LOGS) * np.log2(np.maximum(np.arange(_N_LOGS), 1))


# ---------------------------------------------------------------- draws


@helper(nogil=True, error_model="numpy")
def _draw(state):
    """Draw 32 random bits: Marsaglia's multiply-with-carry, which fits into int64."""
    x = state[0]
    x = 1791398085 * (x & 0xFFFFFFFF) + (x >> 32)
    state[0] = x
    return x & 0xFFFFFFFF


@helper(nogil=True, error_model="numpy")
def _draw_below(state, n):
    """Draw one of 0 ... n - 1."""
    return (_draw(state) * n) >> 32


@helper(nogil=True, error_model="numpy")
def _draw_seed(state):
    """Draw a state for a generator of its own."""
    return ((_draw(state) << 30) ^ _draw(state)) & 0x3FFFFFFFFFFFFFFF | 1


@helper(nogil=True, error_model="numpy")
def _draw_rows(state, n_draws, draw_bounds, counts, at):
    """Add to ``counts[at]`` how often each row is drawn, with replacement."""
    n_samples, weighted = counts.shape[1], len(draw_bounds) > 0
    for _ in range(n_draws):
        row = _draw_below(state, n_samples)
        if weighted:
            goal = (row + _draw(state) / 4294967296.0) / n_samples
            goal *= draw_bounds[n_samples - 1]
            row, end = _NOTHING, n_samples - 1
            while row < end:
                middle = (row + end) // 2
                if draw_bounds[middle] <= goal:
                    row = middle + 1
                else:
                    end = middle
        counts[at, row] += 1


@kernel(nogil=True, error_model="numpy")
def count_draws(seeds, n_draws, draw_bounds, counts):
    """Return how often each tree draws each row.

    seeds        (n_trees,) int64, those that ``grow_trees`` was given
    draw_bounds  (n_samples,) float64 running sum of odds, or (0,): all rows alike
    counts       (n_trees, n_samples) int32, added to in place
    """
    state = np.empty(1, np.int64)
    for tree in range(len(seeds)):
        state[0] = seeds[tree]
        _draw_rows(state, n_draws, draw_bounds, counts, tree)


@helper(nogil=True, error_model="numpy")
def _fenwick_fill(odds, which, draws):
    """Make ``draws[FENWICK]`` the partial sums of odds by which a draw costs log n."""
    n = odds.shape[1]
    draws[FENWICK, 0] = 0
    for j in range(n):
        draws[FENWICK, j + 1] = odds[which, j]
    for j in range(1, n + 1):
        parent = j + (j & -j)
        if parent <= n:
            draws[FENWICK, parent] += draws[FENWICK, j]


@helper(nogil=True, error_model="numpy")
def _fenwick_draw(state, odds, which, remaining, draws):
    """Draw a feature by its odds, take it out, and return it."""
    n = odds.shape[1]
    fraction = ((_draw(state) << 21) | (_draw(state) >> 11)) / 9007199254740992.0
    goal = min(np.int64(fraction * remaining), remaining - 1)
    step = 1
    while step * 2 <= n:
        step *= 2
    at = 0
    while step > 0:
        if at + step <= n and draws[FENWICK, at + step] <= goal:
            at += step
            goal -= draws[FENWICK, at]
        step //= 2
    j = at + 1
    while j <= n:
        draws[FENWICK, j] -= odds[which, at]
        j += j & -j
    return at


# ---------------------------------------------------------------- histograms
#
# A node with many rows fills a histogram. A node with fewer rows than bins chains the
# rows of each bin together and marks the bins, so that nothing is done for empty bins.
# Indices are unsigned in these loops, since Numba spends instructions on negative ones.


@helper(nogil=True, error_model="numpy")
def _reads_rows(codes, n_samples, n_features, n_rows, max_features):
    """Whether a node's codes lie on fewer cache lines in rows than in columns."""
    lines_of_row = min(max_features, codes.itemsize * n_features / 64 + 0.6)
    lines_of_column = min(n_rows, codes.itemsize * n_samples / 64 + 1.0)
    has_rows = len(codes) >= 2 * n_samples * n_features
    return has_rows and lines_of_row * n_rows < lines_of_column * max_features


@helper(nogil=True, error_model="numpy")
def _locate(reads_rows, feature, n_samples, n_features):
    """Where a feature's codes begin, and how far they are from row to row."""
    at, step = np.uint64(feature * n_samples), _ONE
    if reads_rows:
        at, step = np.uint64(n_samples * n_features + feature), np.uint64(n_features)
    return at, step


@helper(nogil=True, error_model="numpy")
def _fill_pair(codes, at, step, start, end, rows, reals, hist):
    """Add weight and share of each row to the two places of its bin."""
    for i in range(np.uint64(start), np.uint64(end)):
        b = np.uint64(codes[at + step * rows[ROW, i]]) * _TWO
        hist[b] += reals[WEIGHT, i]
        hist[b + _ONE] += reals[SHARE, i]


@helper(nogil=True, error_model="numpy")
def _fill_classes(codes, at, step, start, end, rows, reals, classes, m, hist):
    """Add the weight of each row to the place of its class in its bin."""
    width = np.uint64(m)
    for i in range(np.uint64(start), np.uint64(end)):
        b = np.uint64(codes[at + step * rows[ROW, i]]) * width
        hist[b + classes[i]] += reals[WEIGHT, i]


@helper(nogil=True, error_model="numpy")
def _list_filled(n_codes, m, hist, order):
    """Write the bins that are not empty to ``order``, in rising order."""
    n_touched = 0
    for b in range(n_codes):
        for k in range(m):
            if hist[b * m + k] != 0.0:
                order[n_touched] = b
                n_touched += 1
                break
    return n_touched


@helper(nogil=True, error_model="numpy")
def _chain_rows(codes, at, step, start, end, deep, rows, chains, heads, mask):
    """Chain the rows of each bin: ``heads[bin]`` is one, ``chains[row]`` the next.

    ``mask[0]`` tells which bins are not empty, ``mask[1]`` which of its words to read.
    """
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + step * rows[ROW, i]])
        chains[i] = heads[code]
        heads[code] = i
        word = code >> _SIX
        mask[0, word] |= _ONE << (code & _LOW_SIX)
        if deep:
            mask[1, word >> _SIX] |= _ONE << (word & _LOW_SIX)


@helper(nogil=True, error_model="numpy")
def _list_word(word, first, order, n_touched):
    """Append the bins of one word of the mask to ``order``."""
    while word != _ZERO:
        low = word & (~word + _ONE)
        order[n_touched] = first + _LOWEST_BIT[low % _BITS]
        n_touched += 1
        word ^= low
    return n_touched


@helper(nogil=True, error_model="numpy")
def _list_marked(n_codes, deep, mask, order):
    """Write the marked bins to ``order``, in rising order; clean the mask."""
    n_touched = _NOTHING
    if deep:
        for j in range(n_codes // 4096 + 1):
            index = mask[1, j]
            mask[1, j] = _ZERO
            while index != _ZERO:
                low = index & (~index + _ONE)
                w = 64 * j + _LOWEST_BIT[low % _BITS]
                n_touched = _list_word(mask[0, w], 64 * w, order, n_touched)
                mask[0, w] = _ZERO
                index ^= low
    else:
        for w in range((n_codes + 63) // 64):
            n_touched = _list_word(mask[0, w], 64 * w, order, n_touched)
            mask[0, w] = _ZERO
    return n_touched


@helper(nogil=True, error_model="numpy")
def _fill_from_chains(
    numeric, m, n_touched, order, chains, heads, reals, classes, hist
):
    """Add chained rows to the histogram; clean heads."""
    for j in range(n_touched):
        b = np.int64(order[j])
        i = heads[b]
        heads[b] = END_OF_CHAIN
        while i != END_OF_CHAIN:
            if numeric:
                hist[2 * b] += reals[WEIGHT, i]
                hist[2 * b + 1] += reals[SHARE, i]
            else:
                hist[b * m + classes[i]] += reals[WEIGHT, i]
            i = chains[i]


# ---------------------------------------------------------------- cuts, plain path


@helper(nogil=True, error_model="numpy")
def _cut_pair(
    chained, n_bins, total_weight, total_share, order, reals, chains, heads, hist
):
    """Find the cut with the largest fall of squared error (two classes: of gini / 2).

    The fall is d^2 / (W w_l w_r), d = s_l W - S w_l: no cancellation. Returns it with
    the bins below and above the cut, -1 if there is no cut. Cleans up.

    n_bins  bins listed in ``order`` if the rows are chained, all bins of hist otherwise
    """
    best, bar, lower, upper, last = -inf, -inf, -1, -1, -1
    w, s = 0.0, 0.0
    for j in range(n_bins):
        b, more_w, more_s = j, 0.0, 0.0
        if chained:
            b = np.int64(order[j])
            i = heads[b]
            heads[b] = END_OF_CHAIN
            while i != END_OF_CHAIN:
                more_w += reals[WEIGHT, i]
                more_s += reals[SHARE, i]
                i = chains[i]
        else:
            more_w, more_s = hist[2 * j], hist[2 * j + 1]
            hist[2 * j], hist[2 * j + 1] = 0.0, 0.0
        if more_w > 0.0:
            if last >= 0:
                d = s * total_weight - total_share * w
                score = d * d / (w * (total_weight - w))
                if score > bar:
                    best, bar, lower, upper = score, score * CLEARLY, last, b
            last = b
            w += more_w
            s += more_s
    return best / total_weight, lower, upper


@helper(nogil=True, error_model="numpy")
def _cut_classes(chained, n_bins, m, order, reals, classes, chains, heads, hist, sums):
    """Find the cut with the largest fall of gini for three classes or more.

    With left-hand sums L and totals T: sum L^2 / w_l + sum (T - L)^2 / w_r, that is
    (W A + w_l (sum T^2 - 2 C)) / (w_l w_r) with A = sum L^2 and C = sum L T.
    Returns and takes what ``_cut_pair`` does.
    """
    total_weight, squares = 0.0, 0.0
    for k in range(np.uint64(m)):
        sums[LEFT_SUM, k] = 0.0
        total_weight += sums[TOTAL, k]
        squares += sums[TOTAL, k] * sums[TOTAL, k]
    best, bar, lower, upper, last = -inf, -inf, -1, -1, -1
    w, on_left, cross = 0.0, 0.0, 0.0
    for j in range(n_bins):
        b, more_w, more_left, more_cross = j, 0.0, 0.0, 0.0
        if chained:
            b = np.int64(order[j])
            i = heads[b]
            heads[b] = END_OF_CHAIN
            while i != END_OF_CHAIN:
                k, h = classes[i], reals[WEIGHT, i]
                left = sums[LEFT_SUM, k]
                sums[LEFT_SUM, k] = left + h
                more_w += h
                more_left += h * (2.0 * left + h)
                more_cross += h * sums[TOTAL, k]
                i = chains[i]
        else:
            at = np.uint64(j) * np.uint64(m)
            for k in range(np.uint64(m)):
                h, left = hist[at + k], sums[LEFT_SUM, k]
                hist[at + k] = 0.0
                sums[LEFT_SUM, k] = left + h
                more_w += h
                more_left += h * (2.0 * left + h)
                more_cross += h * sums[TOTAL, k]
        if more_w > 0.0:
            if last >= 0:
                score = total_weight * on_left + w * (squares - 2.0 * cross)
                score /= w * (total_weight - w)
                if score > bar:
                    best, bar, lower, upper = score, score * CLEARLY, last, b
            last = b
            w += more_w
            on_left += more_left
            cross += more_cross
    return best - squares / total_weight, lower, upper


@helper(nogil=True, error_model="numpy")
def _x_log_x(x):
    """x log2 x, and 0 for what rounding leaves of nothing."""
    if x < _N_LOGS:
        whole = np.int64(x)
        if whole == x:
            return _X_LOG_X[whole]
    return x * log2(x) if x > 0.0 else 0.0


@helper(nogil=True, error_model="numpy")
def _move_class(k, h, sums):
    """Move weight of a class to the left; return how its sum of x log x changes."""
    left = sums[LEFT_SUM, k] + h
    sums[LEFT_SUM, k] = left
    after = _x_log_x(left) + _x_log_x(sums[TOTAL, k] - left)
    change = after - sums[KEY, k]
    sums[KEY, k] = after
    return change


@helper(nogil=True, error_model="numpy")
def _cut_by_entropy(
    chained, n_bins, m, order, reals, classes, chains, heads, hist, sums
):
    """Find the cut with the largest fall of entropy.

    With f(x) = x log x, weight times entropy of a side is f(its weight) less the sum of
    f over its classes, which a row changes in one class only. Returns and takes what
    ``_cut_pair`` does.
    """
    total_weight, both_sides = 0.0, 0.0
    for k in range(np.uint64(m)):
        sums[LEFT_SUM, k], sums[KEY, k] = 0.0, _x_log_x(sums[TOTAL, k])
        total_weight += sums[TOTAL, k]
        both_sides += sums[KEY, k]
    before = _x_log_x(total_weight) - both_sides
    best, lower, upper, last, w = -inf, -1, -1, -1, 0.0
    for j in range(n_bins):
        b, more_w, change = j, 0.0, 0.0
        if chained:
            b = np.int64(order[j])
            i = heads[b]
            heads[b] = END_OF_CHAIN
            while i != END_OF_CHAIN:
                more_w += reals[WEIGHT, i]
                change += _move_class(classes[i], reals[WEIGHT, i], sums)
                i = chains[i]
        else:
            at = np.uint64(j) * np.uint64(m)
            for k in range(np.uint64(m)):
                h = hist[at + k]
                if h != 0.0:
                    hist[at + k] = 0.0
                    more_w += h
                    change += _move_class(k, h, sums)
        if more_w > 0.0:
            if last >= 0:
                after = _x_log_x(w) + _x_log_x(total_weight - w) - both_sides
                score = before - after
                if lower < 0 or score > best + (CLEARLY - 1.0) * abs(best):
                    best, lower, upper = score, last, b
            last = b
            w += more_w
            both_sides += change
    return best, lower, upper


# ---------------------------------------------------------------- cuts, general path


@helper(nogil=True, error_model="numpy")
def _impurity(criterion, sums, side, m):
    """Weight times impurity of one side's class weights.

    For squared error the two sums are weight and weighted target, and the sum of
    squares, which no split changes, is left out.
    """
    total, result, most = 0.0, 0.0, 0.0
    for k in range(m):
        total += sums[side, k]
    if criterion == SQUARED_ERROR:
        result = -sums[side, 1] * sums[side, 1] / max(sums[side, 0], 1e-300)
    elif criterion == BALANCED_ERROR:
        for k in range(m):
            result += sums[SCALE, k] * sums[side, k]
            most = max(most, sums[SCALE, k] * sums[side, k])
        result -= most
    elif criterion == ENTROPY:
        for k in range(m):
            if sums[side, k] > 0.0:
                result -= sums[side, k] * log2(sums[side, k] / total)
    else:
        for k in range(m):
            result -= sums[side, k] * sums[side, k]
        result = total + result / max(total, 1e-300)
    return result


@helper(nogil=True, error_model="numpy")
def _separability(criterion, sums, m):
    """SSV of a split: twice the separated pairs, less what is torn of each class.

    For the lexicographic preference all that is torn is less than one row, so that it
    settles ties of the pairs and nothing else.
    """
    n_right, n_both, pairs, torn = 0.0, 1.0, 0.0, 0.0
    for k in range(m):
        n_right += sums[RIGHT_SUM, k]
        n_both += sums[TOTAL, k]
    for k in range(m):
        pairs += sums[LEFT_SUM, k] * (n_right - sums[RIGHT_SUM, k])
        torn += min(sums[LEFT_SUM, k], sums[RIGHT_SUM, k])
    if criterion == SSV_LEXICOGRAPHIC:
        torn /= n_both
    return 2.0 * pairs - torn


@helper(nogil=True, error_model="numpy")
def _is_separability(criterion):
    """Return whether a criterion is SSV, as formula or as text."""
    return criterion == SSV or criterion == SSV_LEXICOGRAPHIC


@helper(nogil=True, error_model="numpy")
def _threshold_between(edges, first, lower_bin, upper_bin):
    """The middle between two bins, never rounded into the upper one."""
    a, b = edges[HIGH, first + lower_bin], edges[LOW, first + upper_bin]
    middle = a + (b - a) / 2.0
    return middle if middle < b else a


@helper(nogil=True, error_model="numpy")
def _settle_ties(edges, first_bin, scattered, n_values, n_scores, order, sums, state):
    """Choose among the best-scored cuts as SSV wants it.

    Neighboring best cuts of a continuous feature: the one nearest to their average.
    Best cuts with worse ones between them, or of a categorical feature: any of them.
    Cuts that are not allowed have the score -inf.
    """
    best = -inf
    for j in range(1, n_scores):
        best = max(best, sums[SCORE, j])
    floor = best - 1e-12 * abs(best)
    n_best, first, last = _NOTHING, 0, 0
    for j in range(1, n_scores):
        if sums[SCORE, j] >= floor:
            n_best += 1
            last = j
            if first == 0:
                first = j
    if scattered or last == n_values or last - first + 1 != n_best:
        skip = _draw_below(state, n_best)
        for j in range(first, last + 1):
            if sums[SCORE, j] >= floor:
                if skip == 0:
                    return j
                skip -= 1
    average = 0.0
    for j in range(first, last + 1):
        average += (
            _threshold_between(
                edges, first_bin, np.int64(order[j - 1]), np.int64(order[j])
            )
            / n_best
        )
    nearest, distance = first, inf
    for j in range(first, last + 1):
        away = abs(
            _threshold_between(
                edges, first_bin, np.int64(order[j - 1]), np.int64(order[j])
            )
            - average
        )
        if away < distance:
            nearest, distance = j, away
    return nearest


@helper(nogil=True, error_model="numpy")
def _move_bin(hist, n_hist, b, m, sums, n_left, counts):
    """Move one bin from the right to the left sums; return the rows on the left."""
    for k in range(m):
        sums[LEFT_SUM, k] += hist[b * m + k]
        sums[RIGHT_SUM, k] -= hist[b * m + k]
    return n_left + n_hist[b] if counts else n_left


@helper(nogil=True, error_model="numpy")
def _scan(
    rules,
    m,
    n_rows,
    n_values,
    missing_bin,
    missing_left,
    only_cut,
    hist,
    n_hist,
    order,
    sums,
):
    """Score the cuts "the first j bins of order go left"; return the best of them.

    missing_bin  code of the missing values, or -1 where the node has none
    only_cut     the one cut to look at, or -1 for all
    """
    criterion, counts, n_left = rules.criterion, rules.min_samples_leaf > 1, _NOTHING
    for k in range(m):
        sums[LEFT_SUM, k], sums[RIGHT_SUM, k] = 0.0, sums[TOTAL, k]
    if missing_left:
        n_left = _move_bin(hist, n_hist, missing_bin, m, sums, n_left, counts)
    parent = _impurity(criterion, sums, TOTAL, m)
    n_cuts = n_values if missing_bin >= 0 and not missing_left else n_values - 1
    best, cut = -inf, 0
    for j in range(1, n_cuts + 1):
        b = np.int64(order[j - 1])
        n_left = _move_bin(hist, n_hist, b, m, sums, n_left, counts)
        sums[SCORE, j] = -inf
        if only_cut >= 0 and j != only_cut:
            continue
        w_left, w_right = sums[LEFT_SUM, 0], sums[RIGHT_SUM, 0]
        if criterion != SQUARED_ERROR:
            for k in range(1, m):
                w_left += sums[LEFT_SUM, k]
                w_right += sums[RIGHT_SUM, k]
        if counts and min(n_left, n_rows - n_left) < rules.min_samples_leaf:
            continue
        if min(w_left, w_right) < rules.min_weight_leaf:
            continue
        if _is_separability(criterion):
            score = _separability(criterion, sums, m)
        else:
            score = parent - _impurity(criterion, sums, LEFT_SUM, m)
            score -= _impurity(criterion, sums, RIGHT_SUM, m)
        sums[SCORE, j] = score
        if cut == 0 or score > best + (CLEARLY - 1.0) * abs(best):
            best, cut = score, j
    return best, cut


@helper(nogil=True, error_model="numpy")
def _sort_by_key(order, sums, n):
    """Sort ``order[:n]`` by the key of each bin, by heaps: nothing is allocated."""
    for size in range(n // 2 - 1 + n, -1, -1):
        if size >= n:
            root, end = size - n, n  # first build the heap ...
        else:
            root, end = 0, size  # ... then move its largest to the end, again and again
            order[0], order[end] = order[end], order[0]
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if (
                child + 1 < end
                and sums[KEY, order[child]] < sums[KEY, order[child + 1]]
            ):
                child += 1
            if sums[KEY, order[root]] >= sums[KEY, order[child]]:
                break
            order[root], order[child] = order[child], order[root]
            root = child


@helper(nogil=True, error_model="numpy")
def _order_categories(criterion, m, n_values, turn, hist, order, sums):
    """Order a node's categories by mean response, or by the share of class ``turn``."""
    for j in range(n_values):
        b = order[j]
        weight = 0.0
        for k in range(1 if criterion == SQUARED_ERROR else m):
            weight += hist[b * m + k]
        sums[KEY, b] = hist[b * m + turn] / weight
    _sort_by_key(order, sums, n_values)


@helper(nogil=True, error_model="numpy")
def _draw_threshold(edges, first, n_values, order, state):
    """Draw a threshold between the node's least and greatest value, as extra-trees do.

    A threshold inside a bin moves to the gap below the bin: all rows of a bin share a
    side.
    """
    low = edges[HIGH, first + order[0]]
    high = edges[HIGH, first + order[n_values - 1]]
    threshold = low + (high - low) * (_draw(state) / 4294967296.0)
    cut = 1
    while cut < n_values - 1 and edges[HIGH, first + order[cut]] <= threshold:
        cut += 1
    if threshold >= edges[LOW, first + order[cut]]:
        threshold = _threshold_between(
            edges, first, np.int64(order[cut - 1]), np.int64(order[cut])
        )
    return cut, threshold


@helper(nogil=True, error_model="numpy")
def _draw_categories(n_values, order, state):
    """Shuffle a node's categories and draw how many of them go left."""
    for j in range(n_values - 1, 0, -1):
        other = _draw_below(state, j + 1)
        order[j], order[other] = order[other], order[j]
    return 1 + _draw_below(state, max(n_values - 1, 1))


@helper(nogil=True, error_model="numpy")
def _keep_set(order, cut, n_values, sets):
    """Keep which categories go left (half of a set) and which occur (other half)."""
    n_words = sets.shape[1] // 2
    for w in range(2 * n_words):
        sets[TRIAL_SET, w] = _ZERO
    for j in range(n_values):
        word, bit = order[j] // 64, _ONE << (np.uint64(order[j]) & _LOW_SIX)
        if j < cut:
            sets[TRIAL_SET, word] |= bit
        sets[TRIAL_SET, n_words + word] |= bit


@helper(nogil=True, error_model="numpy")
def _best_cut_in_general(
    rules,
    feature,
    m,
    n_rows,
    n_touched,
    columns,
    edges,
    hist,
    n_hist,
    order,
    sums,
    sets,
    state,
):
    """Find a feature's best cut: any criterion, missing values, categories.

    Returns what ``_search_feature`` does; for a categorical feature the trial set
    tells what goes left. Cleans hist and n_hist.
    """
    categorical, first = (
        columns[feature, IS_CATEGORICAL] == 1,
        columns[feature, FIRST_BIN],
    )
    n_values, missing_bin = n_touched, -1
    if order[n_touched - 1] == columns[feature, N_BINS]:
        n_values, missing_bin = n_touched - 1, columns[feature, N_BINS]
    n_turns = m if categorical and m > 2 and not rules.random_cuts else 1
    n_turns = n_turns if n_touched >= 2 else 0
    best, best_code, best_threshold, best_missing_left = -inf, -1, inf, 0
    for turn in range(n_turns):
        only_cut, threshold = -1, inf
        if categorical and rules.random_cuts:
            only_cut = _draw_categories(n_values, order, state)
        elif categorical:
            _order_categories(
                rules.criterion, m, n_values, turn if m > 2 else 1, hist, order, sums
            )
        elif rules.random_cuts and n_values >= 2:
            only_cut, threshold = _draw_threshold(edges, first, n_values, order, state)
        for missing_left in range(2 if missing_bin >= 0 else 1):
            score, cut = _scan(
                rules, m, n_rows, n_values, missing_bin, missing_left == 1, only_cut,
                hist, n_hist, order, sums,
            )  # fmt: skip
            clearly = best_code < 0 or score > best + (CLEARLY - 1.0) * abs(best)
            if cut == 0 or not clearly:
                continue
            if _is_separability(rules.criterion) and only_cut < 0:
                n_scores = n_values + (missing_bin >= 0 and missing_left == 0)
                cut = _settle_ties(
                    edges, first, categorical, n_values, n_scores, order, sums, state
                )
            best, best_code, best_missing_left = score, order[cut - 1], missing_left
            best_threshold = threshold
            if categorical:
                _keep_set(order, cut, n_values, sets)
            elif cut < n_values and only_cut < 0:
                best_threshold = _threshold_between(
                    edges, first, np.int64(order[cut - 1]), np.int64(order[cut])
                )
    for j in range(n_touched):
        for k in range(m):
            hist[order[j] * m + k] = 0.0
        n_hist[order[j]] = 0
    upper = -2 if n_touched >= 2 else -1
    return best, best_code, upper, best_threshold, best_missing_left


# ---------------------------------------------------------------- one node


@helper(nogil=True, error_model="numpy")
def _describe_classes(
    rules, start, end, class_weight, reals, class_of, sums, floats, values, node
):
    """Write weight, impurity and class shares of a node to its record.

    Returns how many classes the node has; their weights are in the sums' TOTAL, and
    ``class_of`` tells their places there.
    """
    n_classes, node_weight, m = rules.n_classes, 0.0, _NOTHING
    for c in range(n_classes):
        values[node, c] = 0.0
    for i in range(np.uint64(start), np.uint64(end)):
        values[node, np.int64(reals[Y, i])] += reals[WEIGHT, i]
    for c in range(n_classes):
        if values[node, c] > 0.0:
            node_weight += values[node, c]
            sums[TOTAL, m] = values[node, c]
            sums[SCALE, m] = 1.0 / class_weight[c]
            class_of[c] = m
            m += 1
    for c in range(n_classes):
        values[node, c] /= node_weight
    floats[NODE_WEIGHT, node] = node_weight
    whole = node_weight
    if rules.criterion == BALANCED_ERROR:
        # a share of the node's balanced weight: the worst node of two classes has 1/2
        whole = 0.0
        for k in range(m):
            whole += sums[SCALE, k] * sums[TOTAL, k]
    floats[IMPURITY, node] = _impurity(rules.criterion, sums, TOTAL, m) / whole
    return m


@helper(nogil=True, error_model="numpy")
def _describe_numbers(start, end, reals, sums, floats, values, node):
    """Write weight, variance and mean of a node to its record; 1: it is pure."""
    w, s, q = 0.0, 0.0, 0.0
    least, most = inf, -inf
    for i in range(np.uint64(start), np.uint64(end)):
        y = reals[Y, i]
        share = reals[WEIGHT, i] * y
        reals[SHARE, i] = share
        w += reals[WEIGHT, i]
        s += share
        q += share * y
        least = min(least, y)
        most = max(most, y)
    sums[TOTAL, 0], sums[TOTAL, 1] = w, s
    floats[NODE_WEIGHT, node], values[node, 0] = w, s / w
    floats[IMPURITY, node] = max(q / w - (s / w) * (s / w), 0.0)
    if least == most:
        values[node, 0], floats[IMPURITY, node] = least, 0.0
        return 1
    return 2


@helper(nogil=True, error_model="numpy")
def _limit_of_few(start, end, reals, sums):
    """The largest fall of squared error that any parting of a few rows can bring.

    The best parting cuts the rows in the order of their targets, so a handful of rows
    is soon through; a feature that reaches the limit ends the node's search.
    """
    w_sorted, y_sorted = LEFT_SUM, RIGHT_SUM
    for i in range(end - start):
        y, j = reals[Y, start + i], i
        while j > 0 and sums[y_sorted, j - 1] > y:
            sums[y_sorted, j] = sums[y_sorted, j - 1]
            sums[w_sorted, j] = sums[w_sorted, j - 1]
            j -= 1
        sums[y_sorted, j], sums[w_sorted, j] = y, reals[WEIGHT, start + i]
    total_weight, total_share = sums[TOTAL, 0], sums[TOTAL, 1]
    best, w, s = 0.0, 0.0, 0.0
    for i in range(end - start - 1):
        w += sums[w_sorted, i]
        s += sums[w_sorted, i] * sums[y_sorted, i]
        d = s * total_weight - total_share * w
        best = max(best, d * d / (w * (total_weight - w)))
    return best / total_weight


@helper(nogil=True, error_model="numpy")
def _prepare_search(rules, m, start, end, impurity, reals, classes, class_of, sums):
    """Set the local classes of a node's rows; return the limit of any cut's score."""
    limit = inf
    if rules.criterion != SQUARED_ERROR:
        for i in range(np.uint64(start), np.uint64(end)):
            place = class_of[np.int64(reals[Y, i])]
            classes[i] = place
            reals[SHARE, i] = reals[WEIGHT, i] if place == 1 else 0.0
        if m == 2:
            limit = _impurity(rules.criterion, sums, TOTAL, m)
            if _is_separability(rules.criterion):
                limit = 2.0 * sums[TOTAL, 0] * sums[TOTAL, 1]
    elif end - start <= FEW:
        limit = _limit_of_few(start, end, reals, sums)
    else:
        limit = impurity * sums[TOTAL, 0]
    return limit


@helper(nogil=True, error_model="numpy")
def _search_feature(
    general, rules, feature, m, start, end, reads_rows, codes, columns, edges, rows,
    reals, classes, chains, heads, mask, hist, n_hist, order, sums, sets, state,
):  # fmt: skip
    """Find the best cut of one feature in one node.

    general  None: no column and no rule needs the general path, which is then left out
             when this is compiled; True: some do

    Returns (score, code below the cut, code above it, threshold, missing left). Code
    above the cut -1: the feature is constant in the node; -2: the threshold is the one
    returned; otherwise it lies between the two codes.
    """
    n_rows, n_codes = (
        end - start,
        columns[feature, N_BINS] + columns[feature, HAS_MISSING],
    )
    few, deep = n_rows < n_codes, n_codes > 512
    at, step = _locate(reads_rows, feature, rows.shape[1], len(columns))
    numeric = rules.criterion == SQUARED_ERROR
    plain = True
    if general is not None:
        plain = (
            (numeric or rules.criterion in (GINI, ENTROPY))
            and columns[feature, HAS_MISSING] + columns[feature, IS_CATEGORICAL] == 0
            and not (rules.random_cuts or rules.min_samples_leaf > 1)
            and rules.min_weight_leaf <= 0.0
        )
    by_entropy = rules.criterion == ENTROPY
    pair = numeric or (plain and m == 2 and not by_entropy)
    if few:
        _chain_rows(codes, at, step, start, end, deep, rows, chains, heads, mask)
        n_touched = _list_marked(n_codes, deep, mask, order)
    else:
        n_touched = n_codes
        if pair:
            _fill_pair(codes, at, step, start, end, rows, reals, hist)
        else:
            _fill_classes(codes, at, step, start, end, rows, reals, classes, m, hist)
    score, lower, upper, threshold, missing_left = -inf, -1, -1, inf, 0
    if not plain:
        if general is not None:
            if few:
                _fill_from_chains(
                    numeric, m, n_touched, order, chains, heads, reals, classes, hist
                )
            else:
                n_touched = _list_filled(n_codes, m, hist, order)
            if rules.min_samples_leaf > 1:
                for i in range(np.uint64(start), np.uint64(end)):
                    n_hist[codes[at + step * rows[ROW, i]]] += 1
            score, lower, upper, threshold, missing_left = _best_cut_in_general(
                rules, feature, m, n_rows, n_touched, columns, edges, hist, n_hist,
                order, sums, sets, state,
            )  # fmt: skip
    elif pair:
        total_share = sums[TOTAL, 1]
        total_weight = sums[TOTAL, 0] if numeric else sums[TOTAL, 0] + total_share
        score, lower, upper = _cut_pair(
            few, n_touched, total_weight, total_share, order, reals, chains, heads, hist
        )
        score *= 1.0 if numeric else 2.0
    elif by_entropy:
        score, lower, upper = _cut_by_entropy(
            few, n_touched, m, order, reals, classes, chains, heads, hist, sums
        )
    else:
        score, lower, upper = _cut_classes(
            few, n_touched, m, order, reals, classes, chains, heads, hist, sums
        )
    return score, lower, upper, threshold, missing_left


@helper(nogil=True, error_model="numpy")
def _search_node(
    general, rules, m, start, end, limit, codes, columns, edges, rows, reals, classes,
    chains, heads, mask, hist, n_hist, order, sums, sets, odds, which_odds, draws,
    state,
):  # fmt: skip
    """Find the best cut of a node over features drawn one after the other.

    limit  no cut has a higher score: a feature that reaches it ends the search

    Returns (score, feature, cut code, threshold, missing left); feature -1: none.
    For a categorical feature the best set tells what goes left.
    """
    n_features, weighted = len(columns), len(odds) > 0
    reads_rows = _reads_rows(
        codes, rows.shape[1], n_features, end - start, rules.max_features
    )
    n_to_draw, remaining = n_features, _NOTHING
    if weighted:
        n_to_draw = 0
        for j in range(n_features):
            n_to_draw += odds[which_odds, j] > 0
            remaining += odds[which_odds, j]
        _fenwick_fill(odds, which_odds, draws)
    best, best_feature, best_code, best_upper, best_threshold = -inf, -1, -1, -1, inf
    best_missing_left, varies, n_drawn = 0, False, 0
    n_wanted = min(rules.max_features, n_to_draw)
    while n_drawn < n_wanted:
        if weighted:
            feature = _fenwick_draw(state, odds, which_odds, remaining, draws)
            remaining -= odds[which_odds, feature]
        else:
            j = n_drawn + _draw_below(state, n_features - n_drawn)
            feature = draws[FEATURES, j]
            draws[FEATURES, j] = draws[FEATURES, n_drawn]
            draws[FEATURES, n_drawn] = feature
            draws[SWAPPED, n_drawn] = j
        n_drawn += 1
        score, lower, upper, threshold, missing_left = _search_feature(
            general, rules, feature, m, start, end, reads_rows, codes, columns, edges,
            rows, reals, classes, chains, heads, mask, hist, n_hist, order, sums, sets,
            state,
        )  # fmt: skip
        varies = varies or upper != -1
        clearly = best_feature < 0 or score > best + (CLEARLY - 1.0) * abs(best)
        if clearly and score > -inf:
            best, best_feature, best_code, best_upper = score, feature, lower, upper
            best_threshold, best_missing_left = threshold, missing_left
            if columns[feature, IS_CATEGORICAL] == 1:
                for w in range(sets.shape[1]):
                    sets[BEST_SET, w] = sets[TRIAL_SET, w]
            if best >= limit - (CLEARLY - 1.0) * abs(limit):
                n_wanted = 0
        if n_drawn == n_wanted and rules.redraw_constant and not varies:
            n_wanted = min(n_wanted + 1, n_to_draw)
    if not weighted:  # put the features back, lest one node's draws sway the next
        for i in range(n_drawn - 1, -1, -1):
            j, feature = draws[SWAPPED, i], draws[FEATURES, i]
            draws[FEATURES, i] = draws[FEATURES, j]
            draws[FEATURES, j] = feature
    if best_upper >= 0:
        first = columns[best_feature, FIRST_BIN]
        best_threshold = _threshold_between(edges, first, best_code, best_upper)
    return best, best_feature, best_code, best_threshold, best_missing_left


@helper(nogil=True, error_model="numpy")
def _is_chosen(chosen, number, code):
    """Whether a category belongs to one of the sets."""
    word = chosen[number, code // 64] >> (np.uint64(code) & _LOW_SIX)
    return (word & _ONE) == _ONE


@helper(nogil=True, error_model="numpy")
def _close_set(
    feature, start, end, n_bins, missing_left, codes, rows, sets, chosen, number
):
    """Write the categories that go left; those unseen here follow the larger side."""
    n_words, n_left = chosen.shape[1], 0
    for w in range(n_words):
        chosen[number, w] = sets[BEST_SET, w]
    for i in range(start, end):
        code = np.int64(codes[feature * rows.shape[1] + rows[ROW, i]])
        if code == n_bins:
            n_left += missing_left
        elif _is_chosen(chosen, number, code):
            n_left += 1
    if 2 * n_left > end - start:
        for w in range(n_words):
            chosen[number, w] |= ~sets[BEST_SET, n_words + w]


@helper(nogil=True, error_model="numpy")
def _part_rows(
    codes, columns, start, end, ints, node, chosen, rows, reals, max_features
):
    """Bring the rows that go left to the front of the node; return how many they are.

    Every row is written to both sides and one of the two is kept: no branch to guess.
    """
    n_features, n_samples = len(columns), rows.shape[1]
    feature, split_code = np.int64(ints[FEATURE, node]), ints[SPLIT_CODE, node]
    n_bins, missing_left = columns[feature, N_BINS], ints[MISSING_LEFT, node] == 1
    reads_rows = _reads_rows(codes, n_samples, n_features, end - start, max_features)
    at, step = _locate(reads_rows, feature, n_samples, n_features)
    left, right = np.uint64(start), _ZERO
    number = np.int64(ints[CATEGORY_SET, node])
    for i in range(np.uint64(start), np.uint64(end)):
        row, y, weight = rows[ROW, i], reals[Y, i], reals[WEIGHT, i]
        code = np.int64(codes[at + step * row])
        is_left = np.int64((code <= split_code) | ((code == n_bins) & missing_left))
        if number >= 0 and code != n_bins:
            is_left = np.int64(_is_chosen(chosen, number, code))
        rows[ROW, left], rows[SPARE_ROW, right] = row, row
        reals[Y, left], reals[SPARE_Y, right] = y, y
        reals[WEIGHT, left], reals[SPARE_WEIGHT, right] = weight, weight
        left += np.uint64(is_left)
        right += np.uint64(1 - is_left)
    for i in range(right):
        rows[ROW, left + i] = rows[SPARE_ROW, i]
        reals[Y, left + i] = reals[SPARE_Y, i]
        reals[WEIGHT, left + i] = reals[SPARE_WEIGHT, i]
    n_left = np.int64(left) - start
    if columns[feature, HAS_MISSING] == 0:  # what was never missing joins the many
        ints[MISSING_LEFT, node] = 2 * n_left > end - start
    return n_left


# ---------------------------------------------------------------- one tree


@helper(nogil=True, error_model="numpy")
def _push(open_nodes, urgencies, n_open, heap, urgency, node, start, end, depth, seed):
    """Put a node on the stack, or on the heap with the most urgent node on top."""
    at = n_open
    while heap and at > 0 and urgencies[(at - 1) // 2] < urgency:
        urgencies[at] = urgencies[(at - 1) // 2]
        for j in range(5):
            open_nodes[at, j] = open_nodes[(at - 1) // 2, j]
        at = (at - 1) // 2
    urgencies[at] = urgency
    open_nodes[at, 0], open_nodes[at, 1] = node, start
    open_nodes[at, 2], open_nodes[at, 3], open_nodes[at, 4] = end, depth, seed


@helper(nogil=True, error_model="numpy")
def _pop(open_nodes, urgencies, n_open, heap):
    """Move the next node, newest of a stack or most urgent of a heap, to the end."""
    last, at = n_open - 1, 0
    moved = urgencies[last]
    if heap:
        for j in range(5):
            open_nodes[last + 1, j] = open_nodes[last, j]
            open_nodes[last, j] = open_nodes[0, j]
    while heap and 2 * at + 1 < last:
        child = 2 * at + 1
        if child + 1 < last and urgencies[child + 1] > urgencies[child]:
            child += 1
        if urgencies[child] <= moved:
            break
        urgencies[at] = urgencies[child]
        for j in range(5):
            open_nodes[at, j] = open_nodes[child, j]
        at = child
    if heap and at < last:
        urgencies[at] = moved
        for j in range(5):
            open_nodes[at, j] = open_nodes[last + 1, j]


@helper(nogil=True, error_model="numpy")
def _choose_rows(
    rules, weights, which, n_draws, draw_bounds, y, rows, reals, sums, state
):
    """Lay out the rows of a tree with their weights; return how many they are."""
    n_samples = len(y)
    for i in range(n_samples):
        reals[WEIGHT, i] = 0.0 if n_draws > 0 else 1.0
    _draw_rows(state, n_draws, draw_bounds, reals, WEIGHT)
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
        w = reals[WEIGHT, i] * weights[which, i]
        if rules.balance_classes and w > 0.0:
            w *= n_drawn / (n_present * sums[KEY, np.int64(y[i])])
        if w > 0.0:
            rows[ROW, n_rows], reals[Y, n_rows], reals[WEIGHT, n_rows] = i, y[i], w
            n_rows += 1
    return n_rows


@helper(nogil=True, error_model="numpy")
def _weigh_root(rules, n_rows, reals, class_weight):
    """Sum the weights of a tree's rows; set those of its classes for balanced error."""
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
    is_squared = _is_separability(rules.criterion)
    return root_weight * root_weight if is_squared else root_weight


@helper(nogil=True, error_model="numpy")
def _open_node(
    general, rules, node, start, end, depth, whole, seed, codes, columns, edges, rows,
    reals, classes, class_of, class_weight, chains, heads, mask, hist, n_hist, order,
    sums, sets, odds, which_odds, draws, state, ints, floats, values, chosen, n_sets,
):  # fmt: skip
    """Describe a node in its record and choose its split; -inf: it is a leaf.

    Every node has a generator of its own, seeded by its parent's: what is drawn in one
    node, and when its search ends, changes nothing elsewhere in the tree.
    """
    if rules.criterion == SQUARED_ERROR:
        m = _describe_numbers(start, end, reals, sums, floats, values, node)
    else:
        m = _describe_classes(
            rules, start, end, class_weight, reals, class_of, sums, floats, values, node
        )
    n_rows, score = end - start, -inf
    ints[FEATURE, node], ints[LEFT, node], ints[N_SAMPLES, node] = -1, -1, n_rows
    ints[MISSING_LEFT, node], ints[SPLIT_CODE, node] = 0, -1
    ints[CATEGORY_SET, node], floats[THRESHOLD, node] = -1, np.nan
    if (
        m >= 2
        and depth < rules.max_depth
        and n_rows >= max(rules.min_samples_split, 2 * rules.min_samples_leaf)
        and floats[NODE_WEIGHT, node] >= 2.0 * rules.min_weight_leaf
    ):
        state[0] = seed
        _draw_seed(state)  # those of
        _draw_seed(state)  # its children
        limit = _prepare_search(
            rules, m, start, end, floats[IMPURITY, node], reals, classes, class_of, sums
        )
        score, feature, code, threshold, missing_left = _search_node(
            general, rules, m, start, end, limit, codes, columns, edges, rows, reals,
            classes, chains, heads, mask, hist, n_hist, order, sums, sets, odds,
            which_odds, draws, state,
        )  # fmt: skip
        if feature < 0 or score / whole + 2.3e-16 < rules.min_impurity_decrease:
            score = -inf
        else:
            ints[FEATURE, node], ints[SPLIT_CODE, node] = feature, code
            ints[MISSING_LEFT, node] = missing_left
            floats[THRESHOLD, node] = threshold
            if general is not None:
                if columns[feature, IS_CATEGORICAL] == 1:
                    ints[CATEGORY_SET, node], floats[THRESHOLD, node] = n_sets, np.nan
                    _close_set(
                        feature, start, end, columns[feature, N_BINS], missing_left,
                        codes, rows, sets, chosen, n_sets,
                    )  # fmt: skip
    return score


@kernel(allocates=False, nogil=True, error_model="numpy")
def grow_trees(general, table, rules, sampling, y, seeds, first_tree, work, record):
    """Grow a tree for each seed.

    general     None, or True if some column or rule is not plain: see _search_feature
    table       Table
    rules       Rules
    sampling    Sampling; tree t of this call uses its row ``first_tree + t``
    y           (n_samples,) float64, targets, or classes 0 ... n_classes - 1
    seeds       (n_trees,) int64, between 1 and 2**62
    work        Work
    record      Record, written
    """
    codes, columns, edges = table
    weights, n_draws, draw_bounds, odds = sampling
    rows, reals, classes, class_of, class_weight, chains, heads, mask = work[:8]
    hist, n_hist, order, sums, sets, draws, state, open_nodes, urgencies = work[8:]
    ints, floats, values, chosen, ends = record
    n_features = len(columns)
    n_nodes, n_sets, heap = _NOTHING, _NOTHING, rules.max_leaf_nodes > 0
    for j in range(n_features):
        draws[FEATURES, j] = j
    for t in range(len(seeds)):
        state[0] = seeds[t]
        which = first_tree + t if len(weights) > 1 else _NOTHING
        which_odds = first_tree + t if len(odds) > 1 else _NOTHING
        n_rows = _choose_rows(
            rules, weights, which, n_draws, draw_bounds, y, rows, reals, sums, state
        )
        whole = _weigh_root(rules, n_rows, reals, class_weight)
        first, n_leaves, n_new, n_open = n_nodes, 1, 1, _NOTHING
        start, middle, end, depth = _NOTHING, n_rows, n_rows, _NOTHING
        left_seed, right_seed = _draw_seed(state), _NOTHING
        while True:
            # Describe the new nodes, the root or both children, and choose their
            # splits.
            for j in range(n_new - 1, -1, -1):
                node, seed = n_nodes + j, left_seed if j == 0 else right_seed
                a, b = start if j == 0 else middle, middle if j == 0 else end
                urgency = _open_node(
                    general, rules, node, a, b, depth, whole, seed, codes, columns,
                    edges, rows, reals, classes, class_of, class_weight, chains, heads,
                    mask, hist, n_hist, order, sums, sets, odds, which_odds, draws,
                    state, ints, floats, values, chosen, n_sets,
                )  # fmt: skip
                if urgency > -inf:
                    n_sets += ints[CATEGORY_SET, node] >= 0
                    _push(
                        open_nodes, urgencies, n_open, heap, urgency, node, a, b, depth,
                        seed,
                    )  # fmt: skip
                    n_open += 1
            n_nodes += n_new
            # Part the next node, the newest or the most urgent, into two new ones.
            if n_open == 0 or (heap and n_leaves >= rules.max_leaf_nodes):
                break
            _pop(open_nodes, urgencies, n_open, heap)
            n_open -= 1
            node, start = open_nodes[n_open, 0], open_nodes[n_open, 1]
            end, depth = open_nodes[n_open, 2], open_nodes[n_open, 3] + 1
            state[0] = open_nodes[n_open, 4]
            left_seed, right_seed = _draw_seed(state), _draw_seed(state)
            n_left = _part_rows(
                codes, columns, start, end, ints, node, chosen, rows, reals,
                rules.max_features,
            )  # fmt: skip
            ints[LEFT, node] = n_nodes - first
            middle, n_new = start + n_left, 2
            n_leaves += 1
        for j in range(n_open):  # what the leaf budget left unparted are leaves
            ints[FEATURE, open_nodes[j, 0]] = -1
            ints[CATEGORY_SET, open_nodes[j, 0]] = -1
            floats[THRESHOLD, open_nodes[j, 0]] = np.nan
        ends[t, 0], ends[t, 1] = n_nodes, n_sets
