"""Out-of-bag permutation importance, tree by tree."""

import numpy as np

from manyminds.kernels._jit import helper, kernel

ROW, FIRST_NODE = range(2)  # rows of meetings
_ONE, _SIX, _LOW_SIX = np.uint64(1), np.uint64(6), np.uint64(63)


@helper(nogil=True, error_model="numpy")
def _draw_below(state, n):
    """Draw one of 0 ... n - 1: Marsaglia's multiply-with-carry, 32 bits at a time."""
    x = state[0]
    x = 1791398085 * (x & 0xFFFFFFFF) + (x >> 32)
    state[0] = x
    return np.uint64(((x & 0xFFFFFFFF) * n) >> 32)


@helper(nogil=True, error_model="numpy")
def _is_right(x, threshold, missing_left, category_set, category_sets):
    """Whether a value goes right. A set's threshold is NaN, so it compares as False."""
    right = x > threshold
    if not right and not x <= threshold:
        right = not missing_left
        if x >= 0.0 and x < 64.0 * category_sets.shape[1]:
            code = np.uint64(x)
            word = category_sets[category_set, code >> _SIX] >> (code & _LOW_SIX)
            right = (word & _ONE) != _ONE
    return right


@helper(nogil=True, error_model="numpy")
def _error(answer, y, is_squared):
    """Error of one answer: squared, or whether it is wrong."""
    return (answer - y) ** 2 if is_squared else np.float64(answer != y)


@helper(nogil=True, error_model="numpy")
def _choose_rows(in_bag, which, sample_weight, out_rows):
    """List the rows that a tree has not drawn; return how many, and their weight."""
    n_out, total = 0, 0.0
    for i in range(in_bag.shape[1]):
        if in_bag[which, i] == 0 and sample_weight[i] > 0.0:
            out_rows[n_out] = i
            n_out += 1
            total += sample_weight[i]
    return n_out, total


@helper(nogil=True, error_model="numpy")
def _note_meetings(
    feature, threshold, left, missing_left, category_set, category_sets,
    base, cells, n_features, out_rows, n_out, met_by, ends, meetings, writes, leaf_of,
):  # fmt: skip
    """Count, or write down, which rows first meet each feature at which node.

    Each feature's ``ends`` goes up by one for each row that meets it.
    """
    for k in range(np.uint64(n_out)):
        at = np.uint64(out_rows[k]) * np.uint64(n_features)
        node = np.uint64(base)
        while left[node] >= 0:
            f = np.uint64(feature[node])
            if met_by[f] != k:
                met_by[f] = k
                if writes:
                    meetings[ROW, ends[f]] = k
                    meetings[FIRST_NODE, ends[f]] = node - np.uint64(base)
                ends[f] += _ONE
            right = _is_right(
                cells[at + f],
                threshold[node],
                missing_left[node],
                category_set[node],
                category_sets,
            )
            node = np.uint64(base) + np.uint64(left[node]) + np.uint64(right)
        leaf_of[k] = node - np.uint64(base)


@helper(nogil=True, error_model="numpy")
def _leaf_after(
    feature, threshold, left, missing_left, category_set, category_sets,
    base, node, cells, at, changed, new_value,
):  # fmt: skip
    """Find the leaf of a row, from a node on, when one of its values is another one."""
    while left[node] >= 0:
        f = np.uint64(feature[node])
        x = new_value if f == changed else cells[at + f]
        right = _is_right(
            x,
            threshold[node],
            missing_left[node],
            category_set[node],
            category_sets,
        )
        node = base + np.uint64(left[node]) + np.uint64(right)
    return node


@kernel(nogil=True, error_model="numpy")
def find_error_rises(
    feature, threshold, left, missing_left, category_set, category_sets,
    starts, answer, X, y, sample_weight, in_bag, seeds, n_repeats, is_squared, rises,
):  # fmt: skip
    """Find how much the out-of-bag error of each tree rises as features are permuted.

    feature ... category_sets  as in ``manyminds.trees.structure.Trees``
    starts         (n_trees + 1,)  int64, where the nodes of the trees in question
                   begin; nodes of other trees may come before and after
    answer         (n_nodes,)  float64, what each node predicts as a leaf
    X              (n_rows, n_features)  float64, C order
    y              (n_rows,)   float64, targets or class numbers
    sample_weight  (n_rows,)   float64; rows of weight 0 are left out
    in_bag         (n_trees or 1, n_rows)  int32, how often a tree has drawn each row
    seeds          (n_trees,)  int64, between 1 and 2**62
    is_squared     bool: squared error; otherwise the share that is misclassified
    rises          (n_trees, n_features)  float64, to be filled; NaN where a tree has
                   drawn all the rows

    A tree is asked anew only about rows that meet the feature on their way, and from
    the node on at which they first do. Their new values are the first of a permutation
    of all out-of-bag rows, which need not be drawn any further than that.
    """
    n_rows, n_features = X.shape
    cells, state = X.ravel(), np.empty(1, np.int64)
    out_rows, donors = np.empty(n_rows, np.uint32), np.empty(n_rows, np.uint32)
    leaf_of, old_error = np.empty(n_rows, np.uint32), np.empty(n_rows)
    met_by = np.empty(n_features, np.uint64)
    ends = np.empty(n_features, np.uint64)
    meetings = np.empty((2, 8 * n_rows), np.uint32)
    for tree in range(len(starts) - 1):
        which = tree if len(in_bag) > 1 else 0
        n_out, total = _choose_rows(in_bag, which, sample_weight, out_rows)
        base, state[0] = np.uint64(starts[tree]), seeds[tree]
        for f in range(n_features):
            rises[tree, f] = 0.0 if n_out > 0 else np.nan
            ends[f], met_by[f] = 0, n_rows
        _note_meetings(
            feature, threshold, left, missing_left, category_set, category_sets,
            base, cells, n_features, out_rows, n_out, met_by, ends, meetings, False,
            leaf_of,
        )  # fmt: skip
        n_meetings = np.uint64(0)
        for f in range(n_features):
            n_here = ends[f]
            ends[f], met_by[f] = n_meetings, n_rows
            n_meetings += n_here
        if n_meetings > np.uint64(meetings.shape[1]):
            meetings = np.empty((2, n_meetings), np.uint32)
        _note_meetings(
            feature, threshold, left, missing_left, category_set, category_sets,
            base, cells, n_features, out_rows, n_out, met_by, ends, meetings, True,
            leaf_of,
        )  # fmt: skip
        for k in range(n_out):
            leaf = base + np.uint64(leaf_of[k])
            old_error[k] = _error(answer[leaf], y[out_rows[k]], is_squared)
            donors[k] = k

        start = np.uint64(0)
        for f in range(np.uint64(n_features)):
            end, rise = ends[f], 0.0
            for _ in range(n_repeats if end > start else 0):
                for i in range(start, end):
                    j = i - start
                    other = j + _draw_below(state, n_out - np.int64(j))
                    donor = donors[other]
                    donors[other], donors[j] = donors[j], donor
                    k = meetings[ROW, i]
                    row = np.uint64(out_rows[k])
                    leaf = _leaf_after(
                        feature, threshold, left, missing_left, category_set,
                        category_sets, base, base + np.uint64(meetings[FIRST_NODE, i]),
                        cells, row * np.uint64(n_features), f,
                        cells[np.uint64(out_rows[donor]) * np.uint64(n_features) + f],
                    )  # fmt: skip
                    error = _error(answer[leaf], y[row], is_squared)
                    rise += sample_weight[row] * (error - old_error[k])
            if end > start:
                rises[tree, f] = rise / (n_repeats * total)
            start = end
