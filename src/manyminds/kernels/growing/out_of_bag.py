"""Trees whose features are chosen on out-of-bag samples.

The cut of each candidate feature is found on the samples that a tree has drawn, as in
``search.py``. Which feature splits the node is decided on the others: by how much the
cut, which is fixed by then, decreases their impurity.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import has_category, threshold_between
from manyminds.kernels.bundles import (
    BEST_SET,
    CATEGORY_SET,
    FEATURE,
    FEATURES,
    FIRST_BIN,
    HIGH,
    IMPURITY,
    IS_CATEGORICAL,
    LEFT,
    MISSING_LEFT,
    N_BINS,
    N_SAMPLES,
    ROW,
    SPLIT_CODE,
    THRESHOLD,
    TRIAL_SET,
    WEIGHT,
    OpenNode,
    Samples,
    Span,
    Y,
)
from manyminds.kernels.criteria import SQUARED_ERROR
from manyminds.kernels.draws import draw_rows, draw_seed
from manyminds.kernels.growing.cuts import CLEARLY
from manyminds.kernels.growing.histograms import locate
from manyminds.kernels.growing.nodes import (
    complete_set,
    describe_classes,
    describe_numbers,
    partition_samples,
)
from manyminds.kernels.growing.search import (
    draw_feature,
    prepare_search,
    put_back,
    search_feature,
)

LEFT_PART, WHOLE = range(2)  # rows of OutOfBag.sums
SUM_OF_WEIGHTS, SUM_OF_SQUARES, SUM_OF_Y_SQUARES, FIRST_SUM = range(4)  # its columns

_NOTHING = np.int64(0)


class Judgment(NamedTuple):
    """How out-of-bag samples judge a cut.

    min_samples  int, with fewer in a node, the feature is chosen by the drawn samples
    unbiased     bool, whether to subtract what an irrelevant cut is expected to gain
    """

    min_samples: int
    unbiased: bool


class OutOfBag(NamedTuple):
    """The out-of-bag samples of a tree, and what is recorded of them.

    samples   Samples, those that the tree has not drawn
    weights   (n_samples,)  float64, weight of a sample when it is out of bag
    sums      (2, 3 + n_values)  float64: weights, their squares, weighted squares of
              targets, and weighted targets or weights of classes; on the left, and of
              the whole node
    stack     (n_samples + 4, 7)  int64, open nodes
    decrease  (n_nodes,)  float64, written: decrease of the impurity of the out-of-bag
              samples by each split, as a share of the root's weight; 0 in a leaf, and
              where too few samples are out of bag
    leaf      (n_trees or 0, n_samples)  int32, written if it has rows: number, within
              its tree, of the leaf of each sample, drawn or not
    """

    samples: Samples
    weights: np.ndarray
    sums: np.ndarray
    stack: np.ndarray
    decrease: np.ndarray
    leaf: np.ndarray


# ---------------------------------------------------------------- one cut


@helper(nogil=True, error_model="numpy")
def _add_sample(numeric, reals, i, sums, at):
    """Add an out-of-bag sample to one row of the sums."""
    w, y = reals[WEIGHT, i], reals[Y, i]
    sums[at, SUM_OF_WEIGHTS] += w
    sums[at, SUM_OF_SQUARES] += w * w
    if numeric:
        sums[at, SUM_OF_Y_SQUARES] += w * y * y
        sums[at, FIRST_SUM] += w * y
    else:
        sums[at, FIRST_SUM + np.int64(y)] += w


@helper(nogil=True, error_model="numpy")
def _sum_node(numeric, start, end, reals, sums):
    """Sum all out-of-bag samples of a node."""
    for k in range(sums.shape[1]):
        sums[WHOLE, k] = 0.0
    for i in range(start, end):
        _add_sample(numeric, reals, i, sums, WHOLE)


@helper(nogil=True, error_model="numpy")
def _favors_left(codes, at, n_bins, missing_left, span, rows, sets):
    """Return whether most drawn samples go left by the trial set."""
    n_left = _NOTHING
    for i in range(span.start, span.end):
        code = np.int64(codes[at + rows[ROW, i]])
        if code == n_bins:
            n_left += missing_left
        elif has_category(sets, TRIAL_SET, code):
            n_left += 1
    return 2 * n_left > span.end - span.start


@helper(nogil=True, error_model="numpy")
def _sum_left(table, feature, lower, missing_left, span, drawn, start, end, out):
    """Sum the out-of-bag samples of a node that a cut sends left.

    Categories that the drawn samples of the node do not have follow their majority, as
    in the grown tree.
    """
    numeric = out.sums.shape[1] == FIRST_SUM + 1
    codes, sums = table.codes, out.sums
    rows, reals = out.samples.rows, out.samples.reals
    n_samples, n_bins = rows.shape[1], table.columns[feature, N_BINS]
    at, _ = locate(False, feature, n_samples, len(table.columns))
    for k in range(sums.shape[1]):
        sums[LEFT_PART, k] = 0.0
    if table.columns[feature, IS_CATEGORICAL] == 0:
        for i in range(start, end):
            code = np.int64(codes[at + rows[ROW, i]])
            if (code <= lower) | ((code == n_bins) & (missing_left == 1)):
                _add_sample(numeric, reals, i, sums, LEFT_PART)
        return
    sets, n_words = drawn.sets, drawn.sets.shape[1] // 2
    unseen_left = _favors_left(codes, at, n_bins, missing_left, span, drawn.rows, sets)
    for i in range(start, end):
        code = np.int64(codes[at + rows[ROW, i]])
        is_left = missing_left == 1
        if code != n_bins:
            is_left = has_category(sets, TRIAL_SET, code)
            if not has_category(sets, TRIAL_SET, code + 64 * n_words):
                is_left = unseen_left
        if is_left:
            _add_sample(numeric, reals, i, sums, LEFT_PART)


class Drawn(NamedTuple):
    """What the side of an unseen category depends on: drawn rows, sets of a trial."""

    rows: np.ndarray
    sets: np.ndarray


@helper(nogil=True, error_model="numpy")
def decrease_out_of_bag(unbiased, sums):
    """Return weight times decrease of the impurity of the out-of-bag samples.

    With W and q, the sums of weights and of squared weights, and the impurities of both
    sides taken about their own means, an irrelevant cut gains

        within * (q_l / W_l + q_r / W_r - q / W) / (W - q_l / W_l - q_r / W_r)

    in expectation, ``within`` being weight times impurity that is left. Without
    weights, this is the mean square within the sides, as in an analysis of variance.
    It is subtracted if ``unbiased``. 0 if a side is empty, or if nothing is left to
    estimate the impurity within.
    """
    whole, left = sums[WHOLE, SUM_OF_WEIGHTS], sums[LEFT_PART, SUM_OF_WEIGHTS]
    squares, left_squares = sums[WHOLE, SUM_OF_SQUARES], sums[LEFT_PART, SUM_OF_SQUARES]
    right = whole - left
    if left <= 1e-12 * whole or right <= 1e-12 * whole:
        return 0.0
    numeric = sums.shape[1] == FIRST_SUM + 1
    total = sums[WHOLE, SUM_OF_Y_SQUARES] if numeric else whole
    between = 0.0
    for k in range(FIRST_SUM, sums.shape[1]):
        d = sums[LEFT_PART, k] * whole - sums[WHOLE, k] * left
        between += d * d
        total -= sums[WHOLE, k] * sums[WHOLE, k] / whole
    between /= whole * left * right
    if not unbiased:
        return between
    spent = left_squares / left + (squares - left_squares) / right
    if whole - spent <= 1e-12 * whole:
        return 0.0
    return between - (total - between) * (spent - squares / whole) / (whole - spent)


# ---------------------------------------------------------------- one node


@helper(nogil=True, error_model="numpy")
def _last_left(table, feature, lower, threshold):
    """Return the code of the last bin below a threshold.

    No drawn sample lies between the bin below the cut and the next one, but samples out
    of bag may: they go where the threshold sends them.
    """
    first, n_bins = table.columns[feature, FIRST_BIN], table.columns[feature, N_BINS]
    while lower + 1 < n_bins and table.edges[HIGH, first + lower + 1] <= threshold:
        lower += 1
    return lower


@helper(nogil=True, error_model="numpy")
def _search(general, rules, table, span, judgment, start, end, work, out):
    """Choose the split of a node among features drawn one after the other.

    start, end  the out-of-bag samples of the node

    Returns (feature, cut code, threshold, missing left, out-of-bag decrease); feature
    -1: there is no cut.
    """
    columns, sets, draws = table.columns, work.scratch.sets, work.scratch.draws
    numeric, n_features = rules.criterion == SQUARED_ERROR, len(columns)
    drawn = Drawn(work.samples.rows, sets)
    _sum_node(numeric, start, end, out.samples.reals, out.sums)
    by_drawn = end - start < judgment.min_samples
    best, best_feature, best_code, best_threshold = -inf, -1, -1, inf
    best_missing_left, best_decrease, varies, n_drawn = 0, 0.0, False, 0
    n_wanted = rules.max_features
    while n_drawn < n_wanted:
        feature = draw_feature(work.scratch.state, n_drawn, n_features, draws)
        n_drawn += 1
        score, lower, upper, threshold, missing_left = search_feature(
            general, rules, table, feature, span, False, work.samples, work.bins,
            work.scratch,
        )  # fmt: skip
        varies = varies or upper != -1
        if score > -inf:
            if columns[feature, IS_CATEGORICAL] == 0:
                first = columns[feature, FIRST_BIN]
                if upper >= 0:
                    threshold = threshold_between(
                        table.edges, first + lower, first + upper
                    )
                lower = _last_left(table, feature, lower, threshold)
            _sum_left(table, feature, lower, missing_left, span, drawn, start, end, out)
            decrease = decrease_out_of_bag(judgment.unbiased, out.sums)
            score = score if by_drawn else decrease
            if best_feature < 0 or score > best + (CLEARLY - 1.0) * abs(best):
                best, best_feature, best_code = score, feature, lower
                best_threshold, best_missing_left = threshold, missing_left
                best_decrease = decrease
                if columns[feature, IS_CATEGORICAL] == 1:
                    for w in range(sets.shape[1]):
                        sets[BEST_SET, w] = sets[TRIAL_SET, w]
        if n_drawn == n_wanted and rules.redraw_constant and not varies:
            n_wanted = min(n_wanted + 1, n_features)
    put_back(n_drawn, draws)
    return best_feature, best_code, best_threshold, best_missing_left, best_decrease


@helper(nogil=True, error_model="numpy")
def _note_leaf(number, tree, start, end, rows, leaf):
    """Note the leaf of some samples."""
    for i in range(start, end):
        leaf[tree, rows[ROW, i]] = number


@helper(nogil=True, error_model="numpy")
def _divide_samples(n_draws, draw_bounds, y, work, out):
    """Draw the samples of a tree; return how many are drawn, and how many not."""
    rows, reals = work.samples.rows, work.samples.reals
    other_rows, others = out.samples.rows, out.samples.reals
    n_samples, n_drawn, n_left_out = len(y), _NOTHING, _NOTHING
    for i in range(n_samples):
        reals[WEIGHT, i] = 0.0
    draw_rows(work.scratch.state, n_draws, draw_bounds, reals, WEIGHT)
    for i in range(n_samples):
        w = reals[WEIGHT, i]
        if w > 0.0:
            rows[ROW, n_drawn], reals[Y, n_drawn], reals[WEIGHT, n_drawn] = i, y[i], w
            n_drawn += 1
        else:
            other_rows[ROW, n_left_out], others[Y, n_left_out] = i, y[i]
            others[WEIGHT, n_left_out] = out.weights[i]
            n_left_out += 1
    return n_drawn, n_left_out


# ---------------------------------------------------------------- all trees


@helper(nogil=True, error_model="numpy")
def _push(stack, at, number, start, end, out_start, out_end, depth, seed):
    """Put a node on the stack."""
    stack[at, 0], stack[at, 1], stack[at, 2] = number, start, end
    stack[at, 3], stack[at, 4], stack[at, 5] = out_start, out_end, depth
    stack[at, 6] = seed


@kernel(allocates=False, nogil=True, error_model="numpy")
def grow_out_of_bag(
    general, table, rules, judgment, n_draws, draw_bounds, y, seeds, work, record, out
):
    """Grow a tree for each seed, its features chosen on out-of-bag samples.

    general      None, or True if some column or rule is not plain: see search_feature
    table        Table, whose codes are stored column by column only
    rules        Rules, by gini or squared error; all trees grow depth first
    judgment     Judgment
    n_draws      int, samples that a tree draws, with replacement
    draw_bounds  (n_samples,) or (0,)  float64, cumulative odds of a sample's draw
    y            (n_samples,) float64, targets, or classes 0 ... n_classes - 1
    seeds        (n_trees,) int64, between 1 and 2**62
    work         Work
    record       Record, written
    out          OutOfBag, written
    """
    ints, floats, state = record.ints, record.floats, work.scratch.state
    stack, decrease, leaf = out.stack, out.decrease, out.leaf
    numeric = rules.criterion == SQUARED_ERROR
    n_nodes, n_sets = _NOTHING, _NOTHING
    for j in range(len(table.columns)):
        work.scratch.draws[FEATURES, j] = j
    for tree in range(len(seeds)):
        state[0] = seeds[tree]
        n_drawn, n_left_out = _divide_samples(n_draws, draw_bounds, y, work, out)
        _sum_node(numeric, _NOTHING, n_left_out, out.samples.reals, out.sums)
        root_weight, first, n_open = out.sums[WHOLE, SUM_OF_WEIGHTS], n_nodes, 1
        _push(stack, 0, n_nodes, 0, n_drawn, 0, n_left_out, 0, draw_seed(state))
        n_nodes += 1
        while n_open > 0:
            n_open -= 1
            at, start, end = stack[n_open, 0], stack[n_open, 1], stack[n_open, 2]
            out_start, out_end = stack[n_open, 3], stack[n_open, 4]
            depth, state[0] = stack[n_open, 5], stack[n_open, 6]
            left_seed, right_seed = draw_seed(state), draw_seed(state)
            node = OpenNode(at, start, end, depth, left_seed)
            if numeric:
                m = describe_numbers(
                    node, work.samples.reals, work.scratch.sums, floats, record.values
                )
            else:
                m = describe_classes(
                    rules, node, work.samples.reals, work.classes, work.scratch.sums,
                    floats, record.values,
                )  # fmt: skip
            n_rows, feature = end - start, -1
            ints[FEATURE, at], ints[LEFT, at], ints[N_SAMPLES, at] = -1, -1, n_rows
            ints[MISSING_LEFT, at], ints[SPLIT_CODE, at] = 0, -1
            ints[CATEGORY_SET, at], floats[THRESHOLD, at] = -1, np.nan
            decrease[at] = 0.0
            if (
                m >= 2
                and depth < rules.max_depth
                and n_rows >= max(rules.min_samples_split, 2 * rules.min_samples_leaf)
            ):
                span = Span(start, end, m)
                prepare_search(
                    rules, span, floats[IMPURITY, at], work.samples, work.classes.index,
                    work.scratch.sums,
                )  # fmt: skip
                feature, code, threshold, missing_left, gain = _search(
                    general, rules, table, span, judgment, out_start, out_end, work, out
                )
            if feature < 0:
                if len(leaf) > 0:
                    number = at - first
                    _note_leaf(number, tree, start, end, work.samples.rows, leaf)
                    _note_leaf(number, tree, out_start, out_end, out.samples.rows, leaf)
                continue
            ints[FEATURE, at], ints[SPLIT_CODE, at] = feature, code
            ints[MISSING_LEFT, at], floats[THRESHOLD, at] = missing_left, threshold
            if root_weight > 0.0:
                decrease[at] = gain / root_weight
            if general is not None:
                if table.columns[feature, IS_CATEGORICAL] == 1:
                    ints[CATEGORY_SET, at], floats[THRESHOLD, at] = n_sets, np.nan
                    complete_set(
                        table, node, feature, missing_left, work.samples.rows,
                        work.scratch.sets, record.category_sets, n_sets,
                    )  # fmt: skip
                    n_sets += 1
            # The drawn samples last: missing values follow the majority of these.
            others = OpenNode(at, out_start, out_end, depth, left_seed)
            out_middle = out_start + partition_samples(
                table, rules.max_features, others, out.samples, ints,
                record.category_sets,
            )  # fmt: skip
            ints[MISSING_LEFT, at] = missing_left
            middle = start + partition_samples(
                table, rules.max_features, node, work.samples, ints,
                record.category_sets,
            )  # fmt: skip
            ints[LEFT, at] = n_nodes - first
            _push(
                stack, n_open, n_nodes + 1, middle, end, out_middle, out_end, depth + 1,
                right_seed,
            )  # fmt: skip
            _push(
                stack, n_open + 1, n_nodes, start, middle, out_start, out_middle,
                depth + 1, left_seed,
            )  # fmt: skip
            n_nodes, n_open = n_nodes + 2, n_open + 2
        record.ends[tree, 0], record.ends[tree, 1] = n_nodes, n_sets
