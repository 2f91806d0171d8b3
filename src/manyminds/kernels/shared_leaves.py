"""In how many trees rows share a leaf: the others that share most with each row."""

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import ONE, ZERO


@kernel(nogil=True, error_model="numpy")
def list_members(leaves, starts, members):
    """List the rows in each leaf, in their order.

    leaves   (n_rows, n_trees)    int64, C order, counted over all trees
    starts   (n_leaves + 1,)      int64: where the rows of a leaf begin in ``members``
    members  (n_rows * n_trees,)  uint32, written
    """
    filled = starts.copy()
    for i in range(leaves.shape[0]):
        for t in range(leaves.shape[1]):
            leaf = leaves[i, t]
            members[filled[leaf]] = i
            filled[leaf] += 1


@helper(nogil=True, error_model="numpy")
def _count_shared(row, starts, members, counts, touched):
    """Count in how many trees others share the leaf of a row; return how many do.

    ``touched`` receives the others with a count.
    """
    n_touched = ZERO
    for t in range(len(row)):
        first, end = np.uint64(starts[row[t]]), np.uint64(starts[row[t] + 1])
        for k in range(first, end):
            other = np.uint64(members[k])
            count = counts[other]
            touched[n_touched] = other
            n_touched += ONE if count == 0 else ZERO
            counts[other] = count + 1
    return n_touched


@helper(nogil=True, error_model="numpy")
def _find_least(counts, touched, n_touched, n_kept, frequency):
    """Return the least count among the highest, and for how many of it there is room.

    ``frequency`` is of zeros before and after, with a place for each count.
    """
    for u in range(n_touched):
        frequency[np.uint64(counts[touched[u]])] += 1
    least, room = len(frequency) - 1, n_kept
    while least > 1 and frequency[least] < room:
        room -= frequency[least]
        least -= 1
    for c in range(len(frequency)):
        frequency[c] = 0
    return least, room


@kernel(nogil=True, error_model="numpy")
def find_most_shared(leaves, own, starts, members, n_others, near, shared):
    """Find the others that share the leaves of most trees with each row.

    Of those that share equally many, the first ones are kept.

    leaves    (n_rows, n_trees)  int64, C order, counted over all trees
    own       (n_rows,)          int64: another that does not count, or -1
    starts    (n_leaves + 1,)    int64: where the others in a leaf begin in ``members``
    members   (n_others * n_trees,)  uint32, leaf after leaf
    n_others  int
    near      (n_rows, n_kept)   int64, C order, at first n_others; written: the others,
                                 in no order
    shared    (n_rows, n_kept)   int32, C order, at first 0; written: their counts
    """
    n_rows, n_kept = near.shape
    counts, touched = np.zeros(n_others, np.int32), np.empty(n_others + 1, np.uint32)
    ties = np.empty(n_others, np.uint32)
    frequency = np.zeros(leaves.shape[1] + 1, np.int64)
    for i in range(n_rows):
        n_touched = _count_shared(leaves[i], starts, members, counts, touched)
        if own[i] >= 0:
            counts[own[i]] = 0
        least, room = _find_least(counts, touched, n_touched, n_kept, frequency)
        n_found, n_ties = 0, 0
        for u in range(n_touched):
            other = touched[u]
            count = counts[other]
            counts[other] = 0
            if count > least:
                near[i, n_found], shared[i, n_found] = other, count
                n_found += 1
            elif count == least:
                ties[n_ties] = other
                n_ties += 1
        if n_ties > room:
            ties[:n_ties].sort()
            n_ties = room
        for u in range(n_ties):
            near[i, n_found + u], shared[i, n_found + u] = ties[u], least
