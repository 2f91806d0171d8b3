"""Walking rows down grown trees, many rows side by side.

A row that walks alone waits at every node: for memory, and for a branch that cannot be
guessed. Here a batch of rows goes down one tree together, two levels at a time and
without branches; rows that have arrived drop out of the batch.
"""

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import LOW_SIX, ONE, SIX, TWO, ZERO

# A packed node is two words: its feature (upper half) and its left child (lower half),
# then the bits of its threshold. A leaf is its own left child, and its threshold is a
# NaN, which no value exceeds: a row that walks on from a leaf stays there. The lower
# half of the NaN's bits holds the leaf's row in the table of leaf values.
_NAN = np.uint64(0x7FF8000000000000)
_LOWER_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)

BATCH = 128  # rows that walk together: their values fit the first-level cache


@helper(nogil=True, error_model="numpy")
def goes_right(splits, node, x):
    """Return whether a value goes right at a node.

    The threshold of a categorical split is NaN, with which every comparison is False.
    """
    threshold = splits.threshold[node]
    right = x > threshold
    if not right and not x <= threshold:
        right = not splits.missing_left[node]
        sets = splits.category_sets
        if x >= 0.0 and x < 64.0 * sets.shape[1]:
            code = np.uint64(x)
            word = sets[splits.category_set[node], code >> SIX] >> (code & LOW_SIX)
            right = (word & ONE) != ONE
    return right


@kernel(nogil=True, error_model="numpy")
def pack_nodes(feature, threshold, left, starts, value, nodes, table_nodes):
    """Pack nodes for walking; return the number of rows of the table of leaf values.

    Leaves of one class only, which are most leaves of a deep forest, share one row per
    class, so that the table stays small.

    feature      (n_nodes,)           int32
    threshold    (n_nodes,)           float64
    left         (n_nodes,)           int32, within the tree; -1 in a leaf
    starts       (n_trees + 1,)       int64
    value        (n_nodes, n_values)  float64
    nodes        (2 * n_nodes,)       uint64, written
    table_nodes  (n_leaves,)          int64, written: node whose values are row i
    """
    n_values = value.shape[1]
    class_row = np.empty(n_values, dtype=np.int64)
    for v in range(n_values):
        class_row[v] = -1
    thresholds = nodes.view(np.float64)
    n_rows = 0
    for t in range(len(starts) - 1):
        for i in range(starts[t], starts[t + 1]):
            if left[i] >= 0:
                nodes[2 * i] = (np.uint64(feature[i]) << _HALF) | np.uint64(left[i])
                thresholds[2 * i + 1] = threshold[i]
            else:
                label = _only_class(value, i)
                row = n_rows
                if label >= 0 and class_row[label] >= 0:
                    row = class_row[label]
                else:
                    table_nodes[n_rows] = i
                    n_rows += 1
                    if label >= 0:
                        class_row[label] = row
                nodes[2 * i] = np.uint64(i - starts[t])
                nodes[2 * i + 1] = _NAN | np.uint64(row)
    return n_rows


@helper(nogil=True, error_model="numpy")
def _only_class(value, i):
    """Return the only class of node i, -1 if it has several."""
    label, n_shares = -1, 0
    for v in range(value.shape[1]):
        if value[i, v] != 0.0:
            n_shares += 1
            label = v if value[i, v] == 1.0 else -1
    return label if n_shares == 1 else -1


@kernel(nogil=True, error_model="numpy")
def walk(nodes, starts, X, want_rows, out):
    """Find the leaf of each row of X in each tree; no NaN in X, no categories.

    nodes      (2 * n_nodes,)       uint64, packed
    starts     (n_trees + 1,)       int64, may be some of all starts
    X          (n_rows, n_features) float64, C order
    want_rows  bool                 write rows of the table of leaf values; otherwise
                                    the number of the leaf within its tree
    out        (n_trees, n_rows)    uint32, written
    """
    n_rows, n_features = np.uint64(X.shape[0]), np.uint64(X.shape[1])
    thresholds = nodes.view(np.float64)
    x = X.reshape(-1)
    at = np.empty(BATCH, dtype=np.uint32)
    walking = np.empty(BATCH, dtype=np.uint32)
    for t in range(len(starts) - 1):
        root = TWO * np.uint64(starts[t])
        first = ZERO
        while first < n_rows:
            n_batch = min(np.uint64(BATCH), n_rows - first)
            for j in range(n_batch):
                at[j] = 0
                walking[j] = j
            n_walking = n_batch
            while n_walking > ZERO:
                n_left = ZERO
                for w in range(n_walking):
                    j = np.uint64(walking[w])
                    start = (first + j) * n_features
                    k = np.uint64(at[j])
                    here = root + k + k
                    node = nodes[here]
                    above = x[start + (node >> _HALF)] > thresholds[here + ONE]
                    k = (node & _LOWER_HALF) + np.uint64(above)
                    here = root + k + k
                    node = nodes[here]
                    above = x[start + (node >> _HALF)] > thresholds[here + ONE]
                    at[j] = (node & _LOWER_HALF) + np.uint64(above)
                    walking[n_left] = j
                    n_left += np.uint64((node & _LOWER_HALF) != k)
                n_walking = n_left
            _note(nodes, root, at, n_batch, want_rows, out, t, first)
            first += n_batch


@kernel(nogil=True, error_model="numpy")
def walk_with_missing(
    nodes, starts, missing_right, category_set, category_sets, X, want_rows, out
):
    """Find the leaf of each row of X in each tree, with missing values and categories.

    missing_right  (n_nodes,)         bool, where missing values go; False in a leaf
    category_set   (n_nodes,)         int32
    category_sets  (n_sets, n_words)  uint64

    The other arguments are those of ``walk``.
    """
    n_rows, n_features = np.uint64(X.shape[0]), np.uint64(X.shape[1])
    n_words = np.uint64(category_sets.shape[1])
    n_codes = 64.0 * category_sets.shape[1]
    thresholds = nodes.view(np.float64)
    x = X.reshape(-1)
    words = category_sets.reshape(-1)
    at = np.empty(BATCH, dtype=np.uint32)
    walking = np.empty(BATCH, dtype=np.uint32)
    for t in range(len(starts) - 1):
        root = TWO * np.uint64(starts[t])
        first = ZERO
        while first < n_rows:
            n_batch = min(np.uint64(BATCH), n_rows - first)
            for j in range(n_batch):
                at[j] = 0
                walking[j] = j
            n_walking = n_batch
            while n_walking > ZERO:
                n_left = ZERO
                for w in range(n_walking):
                    j = np.uint64(walking[w])
                    k = np.uint64(at[j])
                    here = root + k + k
                    node = nodes[here]
                    a = x[(first + j) * n_features + (node >> _HALF)]
                    here >>= ONE
                    right = a > thresholds[here + here + ONE]
                    known = a == a
                    if category_set[here] >= 0:
                        known = a >= 0.0 and a < n_codes
                        if known:
                            code = np.uint64(a)
                            row = np.uint64(category_set[here])
                            word = words[row * n_words + (code >> SIX)]
                            right = (word >> (code & LOW_SIX)) & ONE == ZERO
                    if not known:
                        right = missing_right[here]
                    at[j] = (node & _LOWER_HALF) + np.uint64(right)
                    walking[n_left] = j
                    n_left += np.uint64((node & _LOWER_HALF) != k)
                n_walking = n_left
            _note(nodes, root, at, n_batch, want_rows, out, t, first)
            first += n_batch


@helper(nogil=True, error_model="numpy")
def _note(nodes, root, at, n_batch, want_rows, out, t, first):
    """Write ``out[t, first:first + n_batch]`` for a batch that is in its leaves."""
    for j in range(n_batch):
        k = np.uint64(at[j])
        if want_rows:
            k = nodes[root + k + k + ONE] & _LOWER_HALF
        out[t, first + j] = k


@kernel(nogil=True, error_model="numpy")
def add_leaf_values(table, leaf_row, total):
    """Add to each row's total the values of its leaves, tree after tree.

    table     (n_leaf_rows, n_values)  float64
    leaf_row  (n_trees, n_rows)        uint32, rows of the table
    total     (n_rows, n_values)       float64, added to in place
    """
    n_values = np.uint64(table.shape[1])
    values, totals = table.reshape(-1), total.reshape(-1)
    for t in range(leaf_row.shape[0]):
        for i in range(np.uint64(leaf_row.shape[1])):
            source = np.uint64(leaf_row[t, i]) * n_values
            for v in range(n_values):
                totals[i * n_values + v] += values[source + v]


@kernel(nogil=True, error_model="numpy")
def add_output_values(table, leaf_row, first_output, total):
    """Add to each row's totals the values of its leaves; trees belong to outputs.

    table         (n_leaf_rows, 1)       float64
    leaf_row      (n_trees, n_rows)      uint32, rows of the table
    first_output  int, of the first tree; that of the next tree is the next one
    total         (n_rows, n_outputs)    float64, added to in place
    """
    n_outputs = np.uint64(total.shape[1])
    values, totals = table.reshape(-1), total.reshape(-1)
    output = np.uint64(first_output)
    for t in range(leaf_row.shape[0]):
        for i in range(np.uint64(leaf_row.shape[1])):
            totals[i * n_outputs + output] += values[np.uint64(leaf_row[t, i])]
        output = output + ONE if output + ONE < n_outputs else ZERO


@kernel(nogil=True, error_model="numpy")
def add_left_out_values(table, leaf_row, left_out, total, n_left_out):
    """Add values as ``add_leaf_values`` does, of trees for which a row is out of bag.

    left_out    (n_trees, n_rows)  bool
    n_left_out  (n_rows,)          int64, number of such trees: added to in place
    """
    for t in range(leaf_row.shape[0]):
        for i in range(leaf_row.shape[1]):
            if left_out[t, i]:
                n_left_out[i] += 1
                for v in range(table.shape[1]):
                    total[i, v] += table[leaf_row[t, i], v]


@kernel(nogil=True, error_model="numpy")
def find_parents(left, starts, parent, depth):
    """Find each node's parent and depth; children come after their parents.

    left    (n_nodes,)      int32
    starts  (n_trees + 1,)  int64
    parent  (n_nodes,)      int32, written: within the tree, -1 for a root
    depth   (n_nodes,)      int32, written: 0 for a root
    """
    for t in range(len(starts) - 1):
        root = starts[t]
        parent[root] = -1
        depth[root] = 0
        for i in range(root, starts[t + 1]):
            if left[i] >= 0:
                for child in range(root + left[i], root + left[i] + 2):
                    parent[child] = i - root
                    depth[child] = depth[i] + 1


@kernel(nogil=True, error_model="numpy")
def fill_paths(parent, depth, starts, leaf, first, nodes):
    """Write the nodes on each row's paths to its leaves, root first, tree after tree.

    leaf   (n_rows, n_trees)  int64, within the tree
    first  (n_rows,)          int64, index of a row's first node
    nodes  (n_path_nodes,)    int64, written: numbers among the nodes of all trees
    """
    for i in range(leaf.shape[0]):
        place = first[i]
        for t in range(leaf.shape[1]):
            k = leaf[i, t]
            place += depth[starts[t] + k] + 1
            back = place
            while k >= 0:
                back -= 1
                nodes[back] = starts[t] + k
                k = np.int64(parent[starts[t] + k])
