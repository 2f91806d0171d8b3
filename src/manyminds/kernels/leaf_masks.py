"""Sums over trees of few leaves, without walking: every node is asked by many rows.

Each leaf of a tree is a bit of a word. A row that goes right at a node rules out the
leaves of its left subtree; the lowest bit that no node rules out is the row's leaf,
whichever the order of the nodes (QuickScorer: Lucchese et al., 2015). Asking all nodes
is more work than walking past a few of them, but the same for all rows: a vector
instruction asks for eight rows at once, and nothing waits for memory or a branch.
"""

from typing import NamedTuple

import numpy as np

from manyminds.kernels._intrinsics import count_trailing_zeros
from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import LOW_SIX, ONE, SIX

MAX_LEAVES = 64
BATCH = 64  # rows asked together
_ALL = ~np.uint64(0)

# Kinds of nodes: where missing values go; or a split by a set of categories
MISSING_LEFT, MISSING_RIGHT, CATEGORIES = range(3)
N_KINDS = 3


class LeafMasks(NamedTuple):
    """Trees as masks of leaves; the inner nodes of all trees one after the other.

    place          (n_inner,)  uint32, of the node's feature among those used
    threshold      (n_inner,)  float64
    remaining      (n_inner,)  uint64, leaves that are left to a row that goes right
    category_set   (n_inner,)  int32, row of ``category_sets``
    category_sets  (n_sets, n_words + 1)  uint64: which codes go left; the last word is
                   for missing values and all other codes
    starts         (N_KINDS * n_trees + 1,)  int64, where the nodes of one kind begin in
                   each tree
    leaf_starts    (n_trees + 1,)  int64, first leaf of each tree
    values         (n_leaves,)  float64, from the leftmost leaf to the rightmost
    used           (n_used,)  int64, features
    categorical    (n_used,)  bool
    """

    place: np.ndarray
    threshold: np.ndarray
    remaining: np.ndarray
    category_set: np.ndarray
    category_sets: np.ndarray
    starts: np.ndarray
    leaf_starts: np.ndarray
    values: np.ndarray
    used: np.ndarray
    categorical: np.ndarray


@kernel(nogil=True, error_model="numpy")
def make_masks(left, starts, value, n_leaves, remaining, values):
    """Number the leaves of each tree from left to right; make the masks of its nodes.

    left       (n_nodes,)           int32, within the tree; -1 in a leaf
    starts     (n_trees + 1,)       int64
    value      (n_nodes, 1)         float64
    n_leaves   (n_nodes,)           int64, scratch: leaves below each node
    remaining  (n_nodes,)           uint64, written for inner nodes
    values     (n_leaves in all,)   float64, written

    A tree has at most ``MAX_LEAVES`` leaves; children come after their parents.
    """
    first = np.empty(2 * MAX_LEAVES, dtype=np.int64)
    before = 0
    for t in range(len(starts) - 1):
        root = starts[t]
        for i in range(starts[t + 1] - 1, root - 1, -1):
            n_leaves[i] = 1
            if left[i] >= 0:
                n_leaves[i] = n_leaves[root + left[i]] + n_leaves[root + left[i] + 1]
        first[0] = 0
        for i in range(root, starts[t + 1]):
            place = first[i - root]
            if left[i] < 0:
                values[before + place] = value[i, 0]
                continue
            n_left = n_leaves[root + left[i]]
            first[left[i]], first[left[i] + 1] = place, place + n_left
            lost = ((ONE << np.uint64(n_left)) - ONE) << np.uint64(place)
            remaining[i] = ~lost
        before += n_leaves[root]


@kernel(nogil=True, error_model="numpy")
def sum_leaf_values(masks, X, total):
    """Add to each row's totals the values of its leaves, tree after tree.

    masks  LeafMasks
    X      (n_rows, n_features)  float64, C order
    total  (n_rows, n_outputs)   float64, added to in place; tree t belongs to output
           t % n_outputs
    """
    n_rows, n_outputs = X.shape[0], total.shape[1]
    n_codes = 64.0 * (masks.category_sets.shape[1] - 1)
    x = np.zeros(max(1, len(masks.used)) * BATCH)
    codes = x.view(np.uint64)
    sums = np.zeros(n_outputs * BATCH)
    alive = np.empty(BATCH, dtype=np.uint64)
    kept = np.empty(BATCH, dtype=np.uint64)
    for first in range(0, n_rows, BATCH):
        n_batch = min(BATCH, n_rows - first)
        for j in range(n_batch):
            for u in range(len(masks.used)):
                value = X[first + j, masks.used[u]]
                if masks.categorical[u]:
                    is_known = value >= 0.0 and value < n_codes
                    codes[u * BATCH + j] = np.uint64(value if is_known else n_codes)
                else:
                    x[u * BATCH + j] = value
            for k in range(n_outputs):
                sums[k * BATCH + j] = total[first + j, k]
        at, last = np.uint64(0), np.uint64((n_outputs - 1) * BATCH)
        for t in range(len(masks.leaf_starts) - 1):
            for j in range(BATCH):
                alive[j] = _ALL
            _ask_numbers(masks, t, x, alive)
            _ask_categories(masks, t, codes, kept, alive)
            leaves = np.uint64(masks.leaf_starts[t])
            for j in range(np.uint64(BATCH)):
                sums[at + j] += masks.values[leaves + count_trailing_zeros(alive[j])]
            at = at + np.uint64(BATCH) if at < last else np.uint64(0)
        for j in range(n_batch):
            for k in range(n_outputs):
                total[first + j, k] = sums[k * BATCH + j]


@helper(nogil=True, error_model="numpy")
def _ask_numbers(masks, t, x, alive):
    """Rule out the leaves of tree ``t`` that rows of a batch cannot reach.

    A loop for each kind of node: no branch depends on the node.
    """
    starts, kind = masks.starts, N_KINDS * t
    for i in range(starts[kind], starts[kind + 1]):
        at = np.uint64(masks.place[i]) * np.uint64(BATCH)
        threshold, remaining = masks.threshold[i], masks.remaining[i]
        for j in range(np.uint64(BATCH)):
            alive[j] &= remaining if x[at + j] > threshold else _ALL
    for i in range(starts[kind + 1], starts[kind + 2]):
        at = np.uint64(masks.place[i]) * np.uint64(BATCH)
        threshold, remaining = masks.threshold[i], masks.remaining[i]
        for j in range(np.uint64(BATCH)):
            alive[j] &= _ALL if x[at + j] <= threshold else remaining


@helper(nogil=True, error_model="numpy")
def _ask_categories(masks, t, codes, kept, alive):
    """Do the same at splits by categories: word after word of a set, most are empty."""
    first = N_KINDS * t + CATEGORIES
    for i in range(masks.starts[first], masks.starts[first + 1]):
        at = np.uint64(masks.place[i]) * np.uint64(BATCH)
        row, remaining = masks.category_set[i], masks.remaining[i]
        for j in range(np.uint64(BATCH)):
            kept[j] = remaining
        for w in range(np.uint64(masks.category_sets.shape[1])):
            word = masks.category_sets[row, w]
            if word == np.uint64(0):
                continue
            for j in range(np.uint64(BATCH)):
                code = codes[at + j]
                bit = (word >> (code & LOW_SIX)) & ONE
                is_left = ((code >> SIX) == w) & (bit == ONE)
                kept[j] |= _ALL if is_left else np.uint64(0)
        for j in range(np.uint64(BATCH)):
            alive[j] &= kept[j]
