"""Out-of-bag permutation importance, tree by tree."""

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import ONE
from manyminds.kernels.draws import draw_below
from manyminds.kernels.walking import goes_right

ROW, FIRST_NODE = range(2)  # rows of visits


@helper(nogil=True, error_model="numpy")
def _error(prediction, y, is_squared):
    """Return the error of one prediction: squared, or whether it is wrong."""
    return (prediction - y) ** 2 if is_squared else np.float64(prediction != y)


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
def _note_visits(
    splits, base, cells, n_features, out_rows, n_out, visited_by, ends, visits, writes,
    leaf_of,
):  # fmt: skip
    """Count, or record, which rows first reach a split on each feature at which node.

    Each feature's ``ends`` increases by one for each row that reaches such a split.
    """
    for k in range(np.uint64(n_out)):
        at = np.uint64(out_rows[k]) * np.uint64(n_features)
        node = np.uint64(base)
        while splits.left[node] >= 0:
            f = np.uint64(splits.feature[node])
            if visited_by[f] != k:
                visited_by[f] = k
                if writes:
                    visits[ROW, ends[f]] = k
                    visits[FIRST_NODE, ends[f]] = node - np.uint64(base)
                ends[f] += ONE
            right = goes_right(splits, node, cells[at + f])
            node = np.uint64(base) + np.uint64(splits.left[node]) + np.uint64(right)
        leaf_of[k] = node - np.uint64(base)


@helper(nogil=True, error_model="numpy")
def _leaf_after(splits, base, node, cells, at, changed, new_value):
    """Find the leaf of a row, from a node on, after one of its values has changed."""
    while splits.left[node] >= 0:
        f = np.uint64(splits.feature[node])
        x = new_value if f == changed else cells[at + f]
        right = goes_right(splits, node, x)
        node = base + np.uint64(splits.left[node]) + np.uint64(right)
    return node


@kernel(nogil=True, error_model="numpy")
def find_error_increases(
    splits, starts, prediction, X, y, sample_weight, in_bag, seeds, n_repeats,
    is_squared, increases,
):  # fmt: skip
    """Compute the increase of each tree's out-of-bag error as features are permuted.

    splits         Splits
    starts         (n_trees + 1,)  int64, first nodes of some of the trees; nodes of
                   other trees may come before and after
    prediction     (n_nodes,)  float64, what each node predicts as a leaf
    X              (n_rows, n_features)  float64, C order
    y              (n_rows,)   float64, targets or class numbers
    sample_weight  (n_rows,)   float64; rows of weight 0 are left out
    in_bag         (n_trees or 1, n_rows)  int32, how often a tree has drawn each row
    seeds          (n_trees,)  int64, between 1 and 2**62
    is_squared     bool: squared error; otherwise the share that is misclassified
    increases      (n_trees, n_features)  float64, written; NaN where a tree has drawn
                   all rows

    Only rows that reach a split on the feature are predicted again, from the first such
    split on. Their new values are the first of a permutation of all out-of-bag rows,
    which need not be drawn any further than that.
    """
    n_rows, n_features = X.shape
    cells, state = X.ravel(), np.empty(1, np.int64)
    out_rows, donors = np.empty(n_rows, np.uint32), np.empty(n_rows, np.uint32)
    leaf_of, old_error = np.empty(n_rows, np.uint32), np.empty(n_rows)
    visited_by = np.empty(n_features, np.uint64)
    ends = np.empty(n_features, np.uint64)
    visits = np.empty((2, 8 * n_rows), np.uint32)
    for tree in range(len(starts) - 1):
        which = tree if len(in_bag) > 1 else 0
        n_out, total = _choose_rows(in_bag, which, sample_weight, out_rows)
        base, state[0] = np.uint64(starts[tree]), seeds[tree]
        for f in range(n_features):
            increases[tree, f] = 0.0 if n_out > 0 else np.nan
            ends[f], visited_by[f] = 0, n_rows
        _note_visits(
            splits, base, cells, n_features, out_rows, n_out, visited_by, ends, visits,
            False, leaf_of,
        )  # fmt: skip
        n_visits = np.uint64(0)
        for f in range(n_features):
            n_here = ends[f]
            ends[f], visited_by[f] = n_visits, n_rows
            n_visits += n_here
        if n_visits > np.uint64(visits.shape[1]):
            visits = np.empty((2, n_visits), np.uint32)
        _note_visits(
            splits, base, cells, n_features, out_rows, n_out, visited_by, ends, visits,
            True, leaf_of,
        )  # fmt: skip
        for k in range(n_out):
            leaf = base + np.uint64(leaf_of[k])
            old_error[k] = _error(prediction[leaf], y[out_rows[k]], is_squared)
            donors[k] = k

        start = np.uint64(0)
        for f in range(np.uint64(n_features)):
            end, increase = ends[f], 0.0
            for _ in range(n_repeats if end > start else 0):
                for i in range(start, end):
                    j = i - start
                    other = j + np.uint64(draw_below(state, n_out - np.int64(j)))
                    donor = donors[other]
                    donors[other], donors[j] = donors[j], donor
                    k = visits[ROW, i]
                    row = np.uint64(out_rows[k])
                    leaf = _leaf_after(
                        splits, base, base + np.uint64(visits[FIRST_NODE, i]), cells,
                        row * np.uint64(n_features), f,
                        cells[np.uint64(out_rows[donor]) * np.uint64(n_features) + f],
                    )  # fmt: skip
                    error = _error(prediction[leaf], y[row], is_squared)
                    increase += sample_weight[row] * (error - old_error[k])
            if end > start:
                increases[tree, f] = increase / (n_repeats * total)
            start = end
