"""The search of one node: features drawn one after the other, the best cut of each."""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bins import list_marked, threshold_between
from manyminds.kernels.bundles import (
    BEST_SET,
    FEATURES,
    FIRST_BIN,
    HAS_MISSING,
    IS_CATEGORICAL,
    LEFT_SUM,
    N_BINS,
    RIGHT_SUM,
    ROW,
    SHARE,
    SWAPPED,
    TOTAL,
    TRIAL_SET,
    WEIGHT,
    Y,
)
from manyminds.kernels.criteria import (
    ENTROPY,
    GINI,
    SQUARED_ERROR,
    impurity,
    is_separability,
)
from manyminds.kernels.draws import draw_below, draw_from_fenwick, fill_fenwick
from manyminds.kernels.growing.cuts import (
    CLEARLY,
    cut_by_entropy,
    cut_classes,
    cut_pair,
)
from manyminds.kernels.growing.general_cuts import cut_in_general
from manyminds.kernels.growing.histograms import (
    chain_rows,
    fill_classes,
    fill_from_chains,
    fill_pair,
    list_filled,
    locate,
    reads_by_row,
)
from manyminds.kernels.growing.label_cuts import search_labels
from manyminds.kernels.growing.rare_codes import add_rare_codes, cut_by_rare

FEW = 6  # samples for which the best of all partitions is found beforehand
_NOTHING = np.int64(0)


# ---------------------------------------------------------------- before the search


@helper(nogil=True, error_model="numpy")
def _limit_of_few(start, end, reals, sums):
    """Return the largest decrease of squared error by any partition of a few samples.

    The best partition cuts the samples in the order of their targets, which is quick
    for a few; a feature that reaches the limit ends the node's search.
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
def prepare_search(rules, span, node_impurity, samples, class_index, sums):
    """Set the classes of a node's samples; return an upper limit of any cut's score."""
    start, end, reals, limit = span.start, span.end, samples.reals, inf
    if rules.criterion != SQUARED_ERROR:
        for i in range(np.uint64(start), np.uint64(end)):
            index = class_index[np.int64(reals[Y, i])]
            samples.classes[i] = index
            reals[SHARE, i] = reals[WEIGHT, i] if index == 1 else 0.0
        if span.n_classes == 2:
            limit = impurity(rules.criterion, sums, TOTAL, span.n_classes)
            if is_separability(rules.criterion):
                limit = 2.0 * sums[TOTAL, 0] * sums[TOTAL, 1]
    elif end - start <= FEW:
        limit = _limit_of_few(start, end, reals, sums)
    else:
        limit = node_impurity * sums[TOTAL, 0]
    return limit


# ---------------------------------------------------------------- one feature


# Inlined, since passing its arrays takes longer than the search of a small node.
@helper(nogil=True, error_model="numpy", forceinline=True)
def search_feature(
    general, rules, table, feature, span, by_row, samples, bins, scratch
):
    """Find the best cut of one feature in one node.

    general  None: no column and no rule needs the general path, which is then left out
             when this is compiled; True: some do
    by_row   bool, whether to read the copy of the codes that is stored row by row

    Returns (score, code below the cut, code above it, threshold, missing left). Code
    above the cut -1: the feature is constant in the node; -2: the threshold is the one
    returned; otherwise it lies between the two codes.
    """
    codes, columns, sums = table.codes, table.columns, scratch.sums
    rows, reals, classes = samples
    chains, heads, mask, hist, n_hist, order = bins
    start, end, m = span
    n_codes = columns[feature, N_BINS] + columns[feature, HAS_MISSING]
    few, deep = end - start < n_codes, n_codes > 512
    at, step = locate(by_row, feature, rows.shape[1], len(columns))
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
        chain_rows(codes, at, step, start, end, deep, rows, chains, heads, mask)
        n_touched = list_marked(n_codes, deep, mask, order)
    else:
        n_touched = n_codes
        if pair:
            fill_pair(codes, at, step, start, end, rows, reals, hist)
        else:
            fill_classes(codes, at, step, start, end, rows, reals, classes, m, hist)
    score, lower, upper, threshold, missing_left = -inf, -1, -1, inf, 0
    if not plain:
        if general is not None:
            if few:
                fill_from_chains(numeric, m, n_touched, samples, bins)
            else:
                n_touched = list_filled(n_codes, m, hist, order)
            if rules.min_samples_leaf > 1:
                for i in range(np.uint64(start), np.uint64(end)):
                    n_hist[codes[at + step * rows[ROW, i]]] += 1
            score, lower, upper, threshold, missing_left = cut_in_general(
                rules, table, feature, span, n_touched, bins, scratch
            )
    elif pair:
        total_share = sums[TOTAL, 1]
        total_weight = sums[TOTAL, 0] if numeric else sums[TOTAL, 0] + total_share
        score, lower, upper = cut_pair(
            few, n_touched, total_weight, total_share, order, reals, chains, heads, hist
        )
        score *= 1.0 if numeric else 2.0
    elif by_entropy:
        score, lower, upper = cut_by_entropy(
            few, n_touched, m, order, reals, classes, chains, heads, hist, sums
        )
    else:
        score, lower, upper = cut_classes(
            few, n_touched, m, order, reals, classes, chains, heads, hist, sums
        )
    return score, lower, upper, threshold, missing_left


# ---------------------------------------------------------------- all features drawn


@helper(nogil=True, error_model="numpy")
def draw_feature(state, n_drawn, n_features, draws):
    """Draw a feature without replacement; note the swap, to be undone."""
    j = n_drawn + draw_below(state, n_features - n_drawn)
    feature = draws[FEATURES, j]
    draws[FEATURES, j] = draws[FEATURES, n_drawn]
    draws[FEATURES, n_drawn] = feature
    draws[SWAPPED, n_drawn] = j
    return feature


@helper(nogil=True, error_model="numpy")
def put_back(n_drawn, draws):
    """Undo the swaps of the features drawn: the next node must not depend on them."""
    for i in range(n_drawn - 1, -1, -1):
        j, feature = draws[SWAPPED, i], draws[FEATURES, i]
        draws[FEATURES, i] = draws[FEATURES, j]
        draws[FEATURES, j] = feature


@helper(nogil=True, error_model="numpy")
def search_node(
    general, rules, table, span, limit, odds, which_odds, labels, rare, samples, bins,
    scratch,
):  # fmt: skip
    """Find the best cut of a node over features drawn one after the other.

    limit       no cut has a higher score: a feature that reaches it ends the search
    odds        Sampling.feature_odds
    which_odds  int, its row for this tree
    labels      Labels of trees with many targets, otherwise None
    rare        RareCodes, if all features are searched by gini; otherwise None

    Returns (score, feature, cut code, threshold, missing left); feature -1: none.
    For a categorical feature the best set holds the categories that go left.
    """
    columns, sets, draws, state = (
        table.columns,
        scratch.sets,
        scratch.draws,
        scratch.state,
    )
    n_features, weighted = len(columns), len(odds) > 0
    by_row = reads_by_row(
        table.codes,
        samples.rows.shape[1],
        n_features,
        span.end - span.start,
        rules.max_features,
    )
    if rare is not None:
        add_rare_codes(rare, n_features, span, samples, scratch.rare)
    n_to_draw, remaining = n_features, _NOTHING
    if weighted:
        n_to_draw = 0
        for j in range(n_features):
            n_to_draw += odds[which_odds, j] > 0
            remaining += odds[which_odds, j]
        fill_fenwick(odds, which_odds, draws)
    best, best_feature, best_code, best_upper, best_threshold = -inf, -1, -1, -1, inf
    best_missing_left, varies, n_drawn = 0, False, 0
    n_wanted = min(rules.max_features, n_to_draw)
    while n_drawn < n_wanted:
        if weighted:
            feature = draw_from_fenwick(state, odds, which_odds, remaining, draws)
            remaining -= odds[which_odds, feature]
        else:
            feature = draw_feature(state, n_drawn, n_features, draws)
        n_drawn += 1
        rare_code = -1
        if rare is not None:
            rare_code = np.int64(rare.code[feature])
            if rare_code >= 0:
                threshold, missing_left = inf, 0
                score, lower, upper = cut_by_rare(
                    rare_code, feature, span.n_classes, scratch.rare, scratch.sums
                )
        if rare_code >= 0:
            pass
        elif labels is None:
            score, lower, upper, threshold, missing_left = search_feature(
                general, rules, table, feature, span, by_row, samples, bins, scratch
            )
        else:
            score, lower, upper, threshold, missing_left = search_labels(
                general, rules, table, feature, span, by_row, labels, samples, bins,
                scratch,
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
    if not weighted:
        put_back(n_drawn, draws)
    if best_upper >= 0:
        first = columns[best_feature, FIRST_BIN]
        best_threshold = threshold_between(
            table.edges, first + best_code, first + best_upper
        )
    return best, best_feature, best_code, best_threshold, best_missing_left
