"""The best cut of a feature in general: any criterion, missing values, categories."""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bins import LOW_SIX, ONE, ZERO, sort_by_key, threshold_between
from manyminds.kernels.bundles import (
    FIRST_BIN,
    HIGH,
    IS_CATEGORICAL,
    KEY,
    LEFT_SUM,
    LOW,
    N_BINS,
    RIGHT_SUM,
    SCORE,
    TOTAL,
    TRIAL_SET,
)
from manyminds.kernels.criteria import (
    SQUARED_ERROR,
    impurity,
    is_separability,
    separability,
)
from manyminds.kernels.draws import draw, draw_below
from manyminds.kernels.growing.cuts import CLEARLY

_NOTHING = np.int64(0)


@helper(nogil=True, error_model="numpy")
def _middle(edges, first_bin, order, cut):
    """Return the threshold after the first ``cut`` bins of ``order``."""
    return threshold_between(
        edges, first_bin + np.int64(order[cut - 1]), first_bin + np.int64(order[cut])
    )


@helper(nogil=True, error_model="numpy")
def _break_ties(edges, first_bin, scattered, n_values, n_scores, order, sums, state):
    """Choose among the best-scored cuts as SSV does.

    Adjacent best cuts of a continuous feature: the one nearest to their average. Best
    cuts with worse ones between them, or of a categorical feature: a random one. Cuts
    that are not allowed have the score -inf.
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
        skip = draw_below(state, n_best)
        for j in range(first, last + 1):
            if sums[SCORE, j] >= floor:
                if skip == 0:
                    return j
                skip -= 1
    average = 0.0
    for j in range(first, last + 1):
        average += _middle(edges, first_bin, order, j) / n_best
    nearest, distance = first, inf
    for j in range(first, last + 1):
        away = abs(_middle(edges, first_bin, order, j) - average)
        if away < distance:
            nearest, distance = j, away
    return nearest


@helper(nogil=True, error_model="numpy")
def _move_bin(hist, n_hist, b, m, sums, n_left, counts):
    """Move one bin from the right to the left sums; return the samples on the left."""
    for k in range(m):
        sums[LEFT_SUM, k] += hist[b * m + k]
        sums[RIGHT_SUM, k] -= hist[b * m + k]
    return n_left + n_hist[b] if counts else n_left


@helper(nogil=True, error_model="numpy")
def _scan(rules, span, n_values, missing_bin, missing_left, only_cut, bins, sums):
    """Score the cuts "the first j bins of order go left"; return the best of them.

    missing_bin  code of the missing values, or -1 where the node has none
    only_cut     the one cut to score, or -1 for all
    """
    criterion, counts, n_left = rules.criterion, rules.min_samples_leaf > 1, _NOTHING
    hist, n_hist, order = bins.hist, bins.n_hist, bins.order
    m, n_rows = span.n_classes, span.end - span.start
    for k in range(m):
        sums[LEFT_SUM, k], sums[RIGHT_SUM, k] = 0.0, sums[TOTAL, k]
    if missing_left:
        n_left = _move_bin(hist, n_hist, missing_bin, m, sums, n_left, counts)
    parent = impurity(criterion, sums, TOTAL, m)
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
        if is_separability(criterion):
            score = separability(criterion, sums, m)
        else:
            score = parent - impurity(criterion, sums, LEFT_SUM, m)
            score -= impurity(criterion, sums, RIGHT_SUM, m)
        sums[SCORE, j] = score
        if cut == 0 or score > best + (CLEARLY - 1.0) * abs(best):
            best, cut = score, j
    return best, cut


@helper(nogil=True, error_model="numpy")
def _order_categories(criterion, m, n_values, k, hist, order, sums):
    """Order a node's categories by mean response, or by the share of class ``k``."""
    for j in range(n_values):
        b = order[j]
        weight = 0.0
        for c in range(1 if criterion == SQUARED_ERROR else m):
            weight += hist[b * m + c]
        sums[KEY, b] = hist[b * m + k] / weight
    sort_by_key(order, sums, KEY, n_values)


@helper(nogil=True, error_model="numpy")
def _draw_threshold(edges, first, n_values, order, state):
    """Draw a threshold between a node's smallest and largest value, as extra-trees do.

    A threshold inside a bin moves to the middle between the bin and the one below: all
    samples of a bin go to the same side.
    """
    low = edges[HIGH, first + order[0]]
    high = edges[HIGH, first + order[n_values - 1]]
    threshold = low + (high - low) * (draw(state) / 4294967296.0)
    cut = 1
    while cut < n_values - 1 and edges[HIGH, first + order[cut]] <= threshold:
        cut += 1
    if threshold >= edges[LOW, first + order[cut]]:
        threshold = _middle(edges, first, order, cut)
    return cut, threshold


@helper(nogil=True, error_model="numpy")
def _draw_categories(n_values, order, state):
    """Shuffle a node's categories and draw how many of them go left."""
    for j in range(n_values - 1, 0, -1):
        other = draw_below(state, j + 1)
        order[j], order[other] = order[other], order[j]
    return 1 + draw_below(state, max(n_values - 1, 1))


@helper(nogil=True, error_model="numpy")
def store_set(order, cut, n_values, sets):
    """Store which categories go left (half of a set) and which occur (other half)."""
    n_words = sets.shape[1] // 2
    for w in range(2 * n_words):
        sets[TRIAL_SET, w] = ZERO
    for j in range(n_values):
        word, bit = order[j] // 64, ONE << (np.uint64(order[j]) & LOW_SIX)
        if j < cut:
            sets[TRIAL_SET, word] |= bit
        sets[TRIAL_SET, n_words + word] |= bit


@helper(nogil=True, error_model="numpy")
def cut_in_general(rules, table, feature, span, n_touched, bins, scratch):
    """Find a feature's best cut: any criterion, missing values, categories.

    Returns what ``search.search_feature`` does; for a categorical feature the trial set
    holds the categories that go left. Clears hist and n_hist.
    """
    edges, order, m = table.edges, bins.order, span.n_classes
    sums, sets, state = scratch.sums, scratch.sets, scratch.state
    categorical = table.columns[feature, IS_CATEGORICAL] == 1
    first = table.columns[feature, FIRST_BIN]
    n_values, missing_bin = n_touched, -1
    if order[n_touched - 1] == table.columns[feature, N_BINS]:
        n_values, missing_bin = n_touched - 1, table.columns[feature, N_BINS]
    n_turns = m if categorical and m > 2 and not rules.random_cuts else 1
    n_turns = n_turns if n_touched >= 2 else 0
    best, best_code, best_threshold, best_missing_left = -inf, -1, inf, 0
    for turn in range(n_turns):
        only_cut, threshold = -1, inf
        if categorical and rules.random_cuts:
            only_cut = _draw_categories(n_values, order, state)
        elif categorical:
            k = turn if m > 2 else 1
            _order_categories(rules.criterion, m, n_values, k, bins.hist, order, sums)
        elif rules.random_cuts and n_values >= 2:
            only_cut, threshold = _draw_threshold(edges, first, n_values, order, state)
        for missing_left in range(2 if missing_bin >= 0 else 1):
            score, cut = _scan(
                rules, span, n_values, missing_bin, missing_left == 1, only_cut, bins,
                sums,
            )  # fmt: skip
            clearly = best_code < 0 or score > best + (CLEARLY - 1.0) * abs(best)
            if cut == 0 or not clearly:
                continue
            if is_separability(rules.criterion) and only_cut < 0:
                n_scores = n_values + (missing_bin >= 0 and missing_left == 0)
                cut = _break_ties(
                    edges, first, categorical, n_values, n_scores, order, sums, state
                )
            best, best_code, best_missing_left = score, order[cut - 1], missing_left
            best_threshold = threshold
            if categorical:
                store_set(order, cut, n_values, sets)
            elif cut < n_values and only_cut < 0:
                best_threshold = _middle(edges, first, order, cut)
    for j in range(n_touched):
        for k in range(m):
            bins.hist[order[j] * m + k] = 0.0
        bins.n_hist[order[j]] = 0
    upper = -2 if n_touched >= 2 else -1
    return best, best_code, upper, best_threshold, best_missing_left
