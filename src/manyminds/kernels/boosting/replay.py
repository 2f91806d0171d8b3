"""Replaying boosted trees over other rows: the same splits, new values of leaves."""

import numpy as np

from manyminds.kernels._jit import kernel
from manyminds.kernels.boosting.bundles import (
    NODE_LEFT,
    NODE_N,
    NODE_VALUE,
    SOFTMAX,
)
from manyminds.kernels.boosting.losses import (
    fill_gradients,
    fill_probabilities,
    find_leaf_value,
)
from manyminds.kernels.boosting.rounds import find_delta, walk_codes


@kernel(nogil=True, error_model="numpy")
def replay(table, target, memory, nodes, state, growth, rate, leaf_of, place):
    """Compute the values of all leaves anew, round after round.

    The bundles are those of ``manyminds.kernels.boosting.bundles``; ``target.rows`` are
    the rows to learn from, and ``state.raw`` begins with the baseline.

    rate     float, learning rate
    leaf_of  (n_train,)  int32, scratch
    place    (n_nodes + 1,)  int64, scratch
    """
    rows, n_train = target.rows, len(target.rows)
    n_outputs = state.raw.shape[0]
    for number in range(nodes.ints.shape[0] // n_outputs):
        if target.loss == SOFTMAX:
            fill_probabilities(state.raw, state.probabilities, rows, 0, n_train)
        delta = find_delta(target, memory, state)
        for output in range(n_outputs):
            tree = number * n_outputs + output
            fill_gradients(
                target, state, output, delta, 0, memory.gradients, 0, n_train
            )
            n_nodes = nodes.counts[tree, 0]
            for node in range(n_nodes + 1):
                place[node] = 0
            for i in range(n_train):
                leaf = walk_codes(table, nodes, tree, np.uint64(rows[i]))
                leaf_of[i] = leaf
                place[leaf + 1] += 1
            for node in range(n_nodes):
                place[node + 1] += place[node]
            for i in range(n_train):
                memory.rows[0, 0, place[leaf_of[i]]] = rows[i]
                place[leaf_of[i]] += 1
            start = np.int64(0)
            for node in range(n_nodes):
                end = place[node]
                if nodes.ints[tree, node, NODE_LEFT] < 0 and end > start:
                    value = rate * find_leaf_value(
                        target, state, memory, 0, start, end, growth.l2, delta
                    )
                    nodes.reals[tree, node, NODE_VALUE] = value
                    nodes.ints[tree, node, NODE_N] = end - start
                    for i in range(start, end):
                        state.raw[output, memory.rows[0, 0, i]] += value
                start = end
            for node in range(n_nodes - 1, -1, -1):
                left = nodes.ints[tree, node, NODE_LEFT]
                if left >= 0:
                    nodes.ints[tree, node, NODE_N] = (
                        nodes.ints[tree, left, NODE_N]
                        + nodes.ints[tree, left + 1, NODE_N]
                    )
