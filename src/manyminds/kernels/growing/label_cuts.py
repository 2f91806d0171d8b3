"""Trees with many targets: statistics of a node, and the best cut of a feature in it.

A score is the decrease of gini, or of squared error, averaged over the targets. With
left-hand sums L and totals T over the targets, sum L^2 / w_l + sum (T - L)^2 / w_r is
(W A + w_l (sum T^2 - 2 C)) / (w_l w_r), A = sum L^2, C = sum L T. A sample is moved
from right to left at the cost of the labels that it has, not of those that exist.
All helpers are inlined: bundles that are passed along take a third of the time.
"""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bins import ZERO, list_marked, mark_bin, sort_by_key
from manyminds.kernels.bundles import (
    HAS_MISSING,
    IMPURITY,
    IS_CATEGORICAL,
    KEY,
    LEFT_SUM,
    N_BINS,
    NODE_WEIGHT,
    ROW,
    SCALE,
    SCORE,
    SHARE,
    SPARE_Y,
    TOTAL,
    WEIGHT,
)
from manyminds.kernels.growing.cuts import CLEARLY
from manyminds.kernels.growing.general_cuts import store_set
from manyminds.kernels.growing.histograms import END_OF_CHAIN, chain_rows, locate

SQUARES, NODE = np.arange(2)  # sums[SCALE]: sum of T^2, weight of the node
SQUARE = SPARE_Y  # row of Samples.reals, between partitions
LEFT_WORDS = 2  # row of Bins.mask
LANES = np.uint64(0x0001000100010001)  # one in each of the four lanes of a word
_LANE_BITS, _HALF_BITS = np.uint64(16), np.uint64(32)
_EVEN_LANES, _LOW_HALF = np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFFFFFF)
_MAX_IN_LANE = 65_535.0
_NOTHING = np.int64(0)


# ---------------------------------------------------------------- a node


@helper(forceinline=True, nogil=True, error_model="numpy")
def _add_sets(node, labels, rows, reals, sums):
    """Sum the weights of each label to TOTAL and count its samples in KEY."""
    first, label, node_weight = labels.first, labels.label, 0.0
    for i in range(np.uint64(node.start), np.uint64(node.end)):
        row, weight = rows[ROW, i], reals[WEIGHT, i]
        node_weight += weight
        for at in range(np.uint64(first[row]), np.uint64(first[row + 1])):
            sums[TOTAL, label[at]] += weight
            sums[KEY, label[at]] += 1.0
    return node_weight


@helper(forceinline=True, nogil=True, error_model="numpy")
def _add_numbers(node, n_targets, numbers, rows, reals, sums):
    """Sum weighted targets to TOTAL and their squares to KEY."""
    node_weight = 0.0
    for i in range(np.uint64(node.start), np.uint64(node.end)):
        row, weight = rows[ROW, i], reals[WEIGHT, i]
        node_weight += weight
        for k in range(n_targets):
            share = weight * numbers[row, k]
            sums[TOTAL, k] += share
            sums[KEY, k] += share * numbers[row, k]
    return node_weight


@helper(forceinline=True, nogil=True, error_model="numpy")
def _all_equal(node, n_targets, numbers, rows):
    """Return whether all samples of a node have the same targets."""
    one = rows[ROW, node.start]
    for i in range(node.start + 1, node.end):
        for k in range(n_targets):
            if numbers[rows[ROW, i], k] != numbers[one, k]:
                return False
    return True


@helper(forceinline=True, nogil=True, error_model="numpy")
def describe_labels(rules, node, labels, rows, reals, sums, floats, values):
    """Write weight, impurity and means of a node to its record; 1: it is pure.

    The impurity is the mean over the targets, of gini or of the variance.
    """
    n_targets, at = rules.n_classes, node.number
    for k in range(n_targets):
        sums[TOTAL, k], sums[KEY, k] = 0.0, 0.0
    numeric = len(labels.numbers) > 0
    n_rows = np.float64(node.end - node.start)
    impurity, pure = 0.0, True
    if numeric:
        w = _add_numbers(node, n_targets, labels.numbers, rows, reals, sums)
        pure = _all_equal(node, n_targets, labels.numbers, rows)
        for k in range(n_targets):
            mean = sums[TOTAL, k] / w
            values[at, k] = labels.numbers[rows[ROW, node.start], k] if pure else mean
            impurity += 0.0 if pure else max(sums[KEY, k] / w - mean * mean, 0.0)
    else:
        w = _add_sets(node, labels, rows, reals, sums)
        for k in range(n_targets):
            share = 1.0 if sums[KEY, k] == n_rows else sums[TOTAL, k] / w
            values[at, k] = share
            if share > 0.0 and share < 1.0:
                pure = False
                impurity += 2.0 * share * (1.0 - share)
    floats[NODE_WEIGHT, at], floats[IMPURITY, at] = w, impurity / n_targets
    sums[SCALE, NODE] = w
    return 1 if pure else 2


@helper(forceinline=True, nogil=True, error_model="numpy")
def prepare_labels(span, rules, labels, rows, reals, sums):
    """Set each sample's share in C, its squared length, and the sum of T^2.

    The totals and the weight of the node are set.
    """
    first, label, numbers = labels.first, labels.label, labels.numbers
    squares, n_targets = 0.0, rules.n_classes
    for k in range(n_targets):
        squares += sums[TOTAL, k] * sums[TOTAL, k]
    sums[SCALE, SQUARES] = squares
    for i in range(np.uint64(span.start), np.uint64(span.end)):
        row, share = rows[ROW, i], 0.0
        if len(numbers) > 0:
            for k in range(n_targets):
                share += numbers[row, k] * sums[TOTAL, k]
        else:
            for at in range(np.uint64(first[row]), np.uint64(first[row + 1])):
                share += sums[TOTAL, label[at]]
        reals[SHARE, i] = reals[WEIGHT, i] * share
        reals[SQUARE, i] = reals[WEIGHT, i] * reals[WEIGHT, i]
        if len(numbers) == 0:
            reals[SQUARE, i] *= np.float64(first[row + 1]) - np.float64(first[row])


# ---------------------------------------------------------------- one sample


@helper(forceinline=True, nogil=True, error_model="numpy")
def _move_numbers(numbers, row, weight, n_targets, sums):
    """Move a sample's targets to the left; return by how much A grows."""
    growth = 0.0
    for k in range(np.uint64(n_targets)):
        share, left = weight * numbers[row, k], sums[LEFT_SUM, k]
        growth += share * (2.0 * left + share)
        sums[LEFT_SUM, k] = left + share
    return growth


@helper(forceinline=True, nogil=True, error_model="numpy")
def _move_set(first, label, row, weight, sums):
    """Move a sample's labels to the left; return by how much A grows."""
    growth = 0.0
    for at in range(np.uint64(first[row]), np.uint64(first[row + 1])):
        left = sums[LEFT_SUM, label[at]]
        growth += 2.0 * left + weight
        sums[LEFT_SUM, label[at]] = left + weight
    return weight * growth


@helper(forceinline=True, nogil=True, error_model="numpy")
def _move_words(words, row, weight, mask):
    """Move a sample's labels to the left; return the sum of their left-hand sums."""
    together, times = ZERO, np.uint64(weight)
    for j in range(np.uint64(words.shape[1])):
        has, left = words[row, j], mask[LEFT_WORDS, j]
        together += left & has
        mask[LEFT_WORDS, j] = left + (has & LANES) * times
    pairs = (together & _EVEN_LANES) + ((together >> _LANE_BITS) & _EVEN_LANES)
    return np.float64(np.int64((pairs & _LOW_HALF) + (pairs >> _HALF_BITS)))


# ---------------------------------------------------------------- one feature


@helper(forceinline=True, nogil=True, error_model="numpy")
def _chain_others(codes, at, step, start, end, deep, main_bin, rows, chains, heads,
                  mask):  # fmt: skip
    """Chain the samples outside the main bin as ``chain_rows`` does; mark all bins."""
    main_code, n_main = np.uint64(main_bin), _NOTHING
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + step * rows[ROW, i]])
        if code == main_code:
            n_main += 1
        else:
            chains[i] = heads[code]
            heads[code] = i
            mark_bin(code, deep, mask)
    if n_main > 0:
        mark_bin(main_code, deep, mask)


@helper(forceinline=True, nogil=True, error_model="numpy")
def _fits_words(labels, sums):
    """Return whether no sum over the words of a node can exceed a lane."""
    n_words = labels.words.shape[1]
    return n_words > 0 and n_words * sums[SCALE, NODE] <= _MAX_IN_LANE


@helper(forceinline=True, nogil=True, error_model="numpy")
def _clear_left(packed, labels, n_targets, sums, mask):
    """Empty the left side."""
    if packed:
        for j in range(np.uint64(labels.words.shape[1])):
            mask[LEFT_WORDS, j] = ZERO
    else:
        for k in range(np.uint64(n_targets)):
            sums[LEFT_SUM, k] = 0.0


@helper(forceinline=True, nogil=True, error_model="numpy")
def _scan_labels(rules, span, places, from_right, with_missing, labels, samples, bins,
                 sums):  # fmt: skip
    """Move bins from one end of the order, and score the cut after each of them.

    places        (number of bins with values, place in the order of the bin to stop at,
                  bin of the missing values or -1 where the node has none)
    from_right    bool: bins are moved to the right side, which is "left" in the sums
    with_missing  bool, whether the missing values are moved before all others

    Returns the sum of squares of the best cut, divided by weights, and how many bins
    are below it; 0: no cut is allowed.
    """
    rows, reals, chains, heads = samples.rows, samples.reals, bins.chains, bins.heads
    n_targets, n_rows = rules.n_classes, span.end - span.start
    total_weight, squares = sums[SCALE, NODE], sums[SCALE, SQUARES]
    n_values, stop, missing_bin = places
    packed, numeric = _fits_words(labels, sums), len(labels.numbers) > 0
    _clear_left(packed, labels, n_targets, sums, bins.mask)
    n_moves = n_values - 1 - stop if from_right else stop
    best, bar, best_cut = -inf, -inf, _NOTHING
    w, on_left, cross, n_left = 0.0, 0.0, 0.0, _NOTHING
    for j in range(0 if with_missing else 1, n_moves + 1):
        cut = n_values - j if from_right else j
        i = heads[missing_bin if j == 0 else bins.order[cut if from_right else cut - 1]]
        while i != END_OF_CHAIN:
            row, weight = rows[ROW, i], reals[WEIGHT, i]
            if packed:
                together = _move_words(labels.words, row, weight, bins.mask)
                on_left += 2.0 * weight * together + reals[SQUARE, i]
            elif numeric:
                on_left += _move_numbers(labels.numbers, row, weight, n_targets, sums)
            else:
                on_left += _move_set(labels.first, labels.label, row, weight, sums)
            cross += reals[SHARE, i]
            w += weight
            n_left += 1
            i = chains[i]
        if (
            cut > 0
            and min(n_left, n_rows - n_left) >= rules.min_samples_leaf
            and min(w, total_weight - w) >= rules.min_weight_leaf
        ):
            score = total_weight * on_left + w * (squares - 2.0 * cross)
            score /= w * (total_weight - w)
            if score > bar:
                best, bar, best_cut = score, score * CLEARLY, cut
    return best, best_cut


@helper(forceinline=True, nogil=True, error_model="numpy")
def _add_bin(rules, b, labels, samples, bins, sums):
    """Add the targets of a bin's samples to the left sums; return their weight."""
    rows, reals, i, w = samples.rows, samples.reals, bins.heads[b], 0.0
    while i != END_OF_CHAIN:
        row, weight = rows[ROW, i], reals[WEIGHT, i]
        if len(labels.numbers) > 0:
            _move_numbers(labels.numbers, row, weight, rules.n_classes, sums)
        else:
            _move_set(labels.first, labels.label, row, weight, sums)
        w += weight
        i = bins.chains[i]
    return w


@helper(forceinline=True, nogil=True, error_model="numpy")
def _order_categories(rules, n_values, labels, samples, bins, sums):
    """Order a node's categories by the target whose means differ most among them."""
    n_targets, leading = rules.n_classes, _NOTHING
    for k in range(n_targets):
        sums[LEFT_SUM, k] = 0.0
        sums[SCORE, k] = -sums[TOTAL, k] * sums[TOTAL, k] / sums[SCALE, NODE]
    for j in range(n_values):
        w = _add_bin(rules, bins.order[j], labels, samples, bins, sums)
        for k in range(n_targets):
            sums[SCORE, k] += sums[LEFT_SUM, k] * sums[LEFT_SUM, k] / w
            sums[LEFT_SUM, k] = 0.0
    for k in range(n_targets):
        if sums[SCORE, k] > sums[SCORE, leading]:
            leading = k
    for j in range(n_values):
        w = _add_bin(rules, bins.order[j], labels, samples, bins, sums)
        sums[KEY, bins.order[j]] = sums[LEFT_SUM, leading] / w
        for k in range(n_targets):
            sums[LEFT_SUM, k] = 0.0
    sort_by_key(bins.order, sums, KEY, n_values)


@helper(forceinline=True, nogil=True, error_model="numpy")
def _find_stop(main_bin, n_values, order):
    """Return the place of the main bin in the order; otherwise the last one."""
    if main_bin >= 0:
        for j in range(n_values):
            if np.int64(order[j]) == main_bin:
                return j
    return n_values - 1


@helper(forceinline=True, nogil=True, error_model="numpy")
def _cut_labels(general, rules, table, feature, span, n_touched, labels, samples, bins,
                scratch):  # fmt: skip
    """Find the best cut over the bins that hold samples; see ``search_labels``.

    The samples of the main bin are neither chained nor moved: cuts below it are reached
    from the left, and cuts above it from the right.
    """
    sums, order, n_bins = scratch.sums, bins.order, table.columns[feature, N_BINS]
    n_values, missing_bin, categorical = n_touched, np.int64(-1), False
    stop = _find_stop(labels.main_bin[feature], n_values, order)
    if general is not None:
        if np.int64(order[n_touched - 1]) == n_bins:
            n_values, missing_bin = n_touched - 1, n_bins
            stop = _find_stop(labels.main_bin[feature], n_values, order)
        categorical = table.columns[feature, IS_CATEGORICAL] == 1
        if categorical:
            _order_categories(rules, n_values, labels, samples, bins, sums)
    places = n_values, stop, missing_bin
    best, cut, missing_left = -inf, _NOTHING, 0
    for turn in range(4 if missing_bin >= 0 else 2):
        from_right, left = turn % 2 == 1, turn // 2
        with_missing = missing_bin >= 0 and from_right == (left == 0)
        if from_right and stop == n_values - 1 and not with_missing:
            continue
        score, its_cut = _scan_labels(
            rules, span, places, from_right, with_missing, labels, samples, bins, sums
        )
        if its_cut > 0 and (cut == 0 or score > best * CLEARLY):
            best, cut, missing_left = score, its_cut, left
    lower, upper = np.int64(-1), np.int64(-2)
    if cut > 0:
        lower = np.int64(order[cut - 1])
        if categorical:
            store_set(order, cut, n_values, scratch.sets)
        elif cut < n_values:
            upper = np.int64(order[cut])
    return best, lower, upper, missing_left


@helper(forceinline=True, nogil=True, error_model="numpy")
def search_labels(general, rules, table, feature, span, by_row, labels, samples, bins,
                  scratch):  # fmt: skip
    """Find the best cut of one feature in one node of a tree with many targets.

    Samples are chained by bin. Takes and returns what ``search.search_feature`` does,
    and the Labels.
    """
    columns, sums = table.columns, scratch.sums
    rows, _, _ = samples
    chains, heads, mask, _, _, order = bins
    n_codes = columns[feature, N_BINS] + columns[feature, HAS_MISSING]
    deep = n_codes > 512
    at, step = locate(by_row, feature, rows.shape[1], len(columns))
    main_bin = labels.main_bin[feature]
    if main_bin < 0:
        chain_rows(
            table.codes, at, step, span.start, span.end, deep, rows, chains, heads, mask
        )
    else:
        _chain_others(
            table.codes, at, step, span.start, span.end, deep, main_bin, rows, chains,
            heads, mask,
        )  # fmt: skip
    n_touched = list_marked(n_codes, deep, mask, order)
    score, lower, upper, missing_left = -inf, np.int64(-1), np.int64(-1), 0
    if n_touched > 1:
        score, lower, upper, missing_left = _cut_labels(
            general, rules, table, feature, span, n_touched, labels, samples, bins,
            scratch,
        )  # fmt: skip
        score -= sums[SCALE, SQUARES] / sums[SCALE, NODE]
        score *= (1.0 if len(labels.numbers) > 0 else 2.0) / rules.n_classes
    for j in range(n_touched):
        heads[order[j]] = END_OF_CHAIN
    return score, lower, upper, inf, missing_left
