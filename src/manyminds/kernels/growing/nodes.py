"""One node of a tree: its statistics, its split, the partition of its samples."""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bins import ZERO, has_category
from manyminds.kernels.bundles import (
    BEST_SET,
    CATEGORY_SET,
    FEATURE,
    HAS_MISSING,
    IMPURITY,
    IS_CATEGORICAL,
    LEFT,
    MISSING_LEFT,
    N_BINS,
    N_SAMPLES,
    NODE_WEIGHT,
    ROW,
    SCALE,
    SHARE,
    SPARE_ROW,
    SPARE_WEIGHT,
    SPARE_Y,
    SPLIT_CODE,
    THRESHOLD,
    TOTAL,
    WEIGHT,
    Span,
    Y,
)
from manyminds.kernels.criteria import BALANCED_ERROR, SQUARED_ERROR, impurity
from manyminds.kernels.draws import draw_seed
from manyminds.kernels.growing.histograms import locate, reads_by_row
from manyminds.kernels.growing.label_cuts import describe_labels, prepare_labels
from manyminds.kernels.growing.search import prepare_search, search_node

_NOTHING = np.int64(0)


# ---------------------------------------------------------------- statistics


@helper(nogil=True, error_model="numpy")
def describe_classes(rules, node, reals, classes, sums, floats, values):
    """Write weight, impurity and class proportions of a node to its record.

    Returns how many classes the node has; their weights are in the sums' TOTAL, and
    ``classes.index`` holds their indices there.
    """
    n_classes, node_weight, m = rules.n_classes, 0.0, _NOTHING
    at = node.number
    for c in range(n_classes):
        values[at, c] = 0.0
    for i in range(np.uint64(node.start), np.uint64(node.end)):
        values[at, np.int64(reals[Y, i])] += reals[WEIGHT, i]
    for c in range(n_classes):
        if values[at, c] > 0.0:
            node_weight += values[at, c]
            sums[TOTAL, m] = values[at, c]
            sums[SCALE, m] = 1.0 / classes.weight[c]
            classes.index[c] = m
            m += 1
    for c in range(n_classes):
        values[at, c] /= node_weight
    floats[NODE_WEIGHT, at] = node_weight
    whole = node_weight
    if rules.criterion == BALANCED_ERROR:
        # a share of the node's balanced weight: the worst node of two classes has 1/2
        whole = 0.0
        for k in range(m):
            whole += sums[SCALE, k] * sums[TOTAL, k]
    floats[IMPURITY, at] = impurity(rules.criterion, sums, TOTAL, m) / whole
    return m


@helper(nogil=True, error_model="numpy")
def describe_numbers(node, reals, sums, floats, values):
    """Write weight, variance and mean of a node to its record; 1: it is pure."""
    w, s, q = 0.0, 0.0, 0.0
    smallest, largest = inf, -inf
    for i in range(np.uint64(node.start), np.uint64(node.end)):
        y = reals[Y, i]
        share = reals[WEIGHT, i] * y
        reals[SHARE, i] = share
        w += reals[WEIGHT, i]
        s += share
        q += share * y
        smallest = min(smallest, y)
        largest = max(largest, y)
    at = node.number
    sums[TOTAL, 0], sums[TOTAL, 1] = w, s
    floats[NODE_WEIGHT, at], values[at, 0] = w, s / w
    floats[IMPURITY, at] = max(q / w - (s / w) * (s / w), 0.0)
    if smallest == largest:
        values[at, 0], floats[IMPURITY, at] = smallest, 0.0
        return 1
    return 2


# ---------------------------------------------------------------- choice of the split


@helper(nogil=True, error_model="numpy")
def open_node(
    general, rules, table, odds, which_odds, node, root_weight, n_sets, labels, rare,
    work, record,
):  # fmt: skip
    """Write a node's statistics to its record and choose its split.

    Every node has a generator of its own, seeded by its parent's: the draws in one node
    do not change the rest of the tree.

    node    OpenNode
    n_sets  int, number of category sets in the record so far
    labels  Labels of trees with many targets, otherwise None
    rare    RareCodes, or None

    Returns the score of the split; -inf: the node is a leaf.
    """
    ints, floats, at = record.ints, record.floats, node.number
    reals, sums, state = work.samples.reals, work.scratch.sums, work.scratch.state
    if labels is not None:
        m = describe_labels(
            rules, node, labels, work.samples.rows, reals, sums, floats, record.values
        )
    elif rules.criterion == SQUARED_ERROR:
        m = describe_numbers(node, reals, sums, floats, record.values)
    else:
        m = describe_classes(
            rules, node, reals, work.classes, sums, floats, record.values
        )
    n_rows, score = node.end - node.start, -inf
    ints[FEATURE, at], ints[LEFT, at], ints[N_SAMPLES, at] = -1, -1, n_rows
    ints[MISSING_LEFT, at], ints[SPLIT_CODE, at] = 0, -1
    ints[CATEGORY_SET, at], floats[THRESHOLD, at] = -1, np.nan
    if (
        m >= 2
        and node.depth < rules.max_depth
        and n_rows >= max(rules.min_samples_split, 2 * rules.min_samples_leaf)
        and floats[NODE_WEIGHT, at] >= 2.0 * rules.min_weight_leaf
    ):
        state[0] = node.seed
        draw_seed(state)  # the seeds of
        draw_seed(state)  # its children
        span = Span(node.start, node.end, m)
        if labels is None:
            limit = prepare_search(
                rules, span, floats[IMPURITY, at], work.samples, work.classes.index,
                sums,
            )  # fmt: skip
        else:
            prepare_labels(span, rules, labels, work.samples.rows, reals, sums)
            limit = floats[IMPURITY, at] * floats[NODE_WEIGHT, at]
        score, feature, code, threshold, missing_left = search_node(
            general, rules, table, span, limit, odds, which_odds, labels, rare,
            work.samples, work.bins, work.scratch,
        )  # fmt: skip
        if feature < 0 or score / root_weight + 2.3e-16 < rules.min_impurity_decrease:
            score = -inf
        else:
            ints[FEATURE, at], ints[SPLIT_CODE, at] = feature, code
            ints[MISSING_LEFT, at] = missing_left
            floats[THRESHOLD, at] = threshold
            if general is not None:
                if table.columns[feature, IS_CATEGORICAL] == 1:
                    ints[CATEGORY_SET, at], floats[THRESHOLD, at] = n_sets, np.nan
                    complete_set(
                        table, node, feature, missing_left, work.samples.rows,
                        work.scratch.sets, record.category_sets, n_sets,
                    )  # fmt: skip
    return score


@helper(nogil=True, error_model="numpy")
def complete_set(table, node, feature, missing_left, rows, sets, category_sets, number):
    """Write the categories that go left; unseen categories follow the majority."""
    n_bins, n_words, n_left = table.columns[feature, N_BINS], category_sets.shape[1], 0
    for w in range(n_words):
        category_sets[number, w] = sets[BEST_SET, w]
    for i in range(node.start, node.end):
        code = np.int64(table.codes[feature * rows.shape[1] + rows[ROW, i]])
        if code == n_bins:
            n_left += missing_left
        elif has_category(category_sets, number, code):
            n_left += 1
    if 2 * n_left > node.end - node.start:
        for w in range(n_words):
            category_sets[number, w] |= ~sets[BEST_SET, n_words + w]


# ---------------------------------------------------------------- partition


@helper(nogil=True, error_model="numpy")
def partition_samples(table, max_features, node, samples, ints, category_sets):
    """Move the samples that go left to the front of the node; return their number.

    Every sample is written to both sides and one of the two is overwritten: there is no
    branch to predict.
    """
    codes, columns = table.codes, table.columns
    rows, reals = samples.rows, samples.reals
    start, end, at_node = node.start, node.end, node.number
    n_features, n_samples = len(columns), rows.shape[1]
    feature, split_code = np.int64(ints[FEATURE, at_node]), ints[SPLIT_CODE, at_node]
    n_bins, missing_left = columns[feature, N_BINS], ints[MISSING_LEFT, at_node] == 1
    by_row = reads_by_row(codes, n_samples, n_features, end - start, max_features)
    at, step = locate(by_row, feature, n_samples, n_features)
    left, right = np.uint64(start), ZERO
    number = np.int64(ints[CATEGORY_SET, at_node])
    for i in range(np.uint64(start), np.uint64(end)):
        row, y, weight = rows[ROW, i], reals[Y, i], reals[WEIGHT, i]
        code = np.int64(codes[at + step * row])
        is_left = np.int64((code <= split_code) | ((code == n_bins) & missing_left))
        if number >= 0 and code != n_bins:
            is_left = np.int64(has_category(category_sets, number, code))
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
    if columns[feature, HAS_MISSING] == 0:  # missing values follow the majority
        ints[MISSING_LEFT, at_node] = 2 * n_left > end - start
    return n_left
