"""Competence of members near a row: how they do on its neighbors."""

import numpy as np

from manyminds.kernels._jit import kernel


@kernel(nogil=True, error_model="numpy")
def count_right(right, near, out):
    """Count the neighbors that each member gets right.

    right  (n_known, n_members)  uint8, C order: 1 where a member is right
    near   (n_rows, n_near)      int64, C order: known rows, the nearest first
    out    (n_rows, n_members)   float64, C order, written
    """
    count = np.empty(right.shape[1], dtype=np.int32)
    for i in range(len(near)):
        count[:] = 0
        for k in range(near.shape[1]):
            one = right[near[i, k]]
            for m in range(len(count)):
                count[m] += one[m]
        for m in range(len(count)):
            out[i, m] = count[m]


@kernel(nogil=True, error_model="numpy")
def count_right_in_turn(right, near, out):
    """Count the neighbors that each member gets right before its first error.

    right  (n_known, n_members)  uint8, C order
    near   (n_rows, n_near)      int64, C order: the nearest first
    out    (n_rows, n_members)   float64, C order, written
    """
    n_members = right.shape[1]
    count = np.empty(n_members, dtype=np.int32)
    alive = np.empty(n_members, dtype=np.uint8)
    for i in range(len(near)):
        count[:], alive[:] = 0, 1
        for k in range(near.shape[1]):
            one = right[near[i, k]]
            for m in range(n_members):
                alive[m] &= one[m]
                count[m] += alive[m]
        for m in range(n_members):
            out[i, m] = count[m]


@kernel(nogil=True, error_model="numpy")
def rate_same_class(right, known_labels, near, labels, out):
    """Rate members by the neighbors that they assign to the class of the row.

    It is the share of right ones among them. The class is that to which the member
    assigns the row itself; 0 if it assigns no neighbor to it.

    right         (n_known, n_members)  uint8, C order
    known_labels  (n_known, n_members)  int32, C order: class by each member
    near          (n_rows, n_near)      int64, C order
    labels        (n_rows, n_members)   int32, C order
    out           (n_rows, n_members)   float64, C order, written
    """
    n_members = right.shape[1]
    n_same = np.empty(n_members, dtype=np.int32)
    n_right = np.empty(n_members, dtype=np.int32)
    for i in range(len(near)):
        n_same[:], n_right[:] = 0, 0
        row = labels[i]
        for k in range(near.shape[1]):
            one, theirs = right[near[i, k]], known_labels[near[i, k]]
            for m in range(n_members):
                is_same = theirs[m] == row[m]
                n_same[m] += is_same
                n_right[m] += is_same & (one[m] == 1)
        for m in range(n_members):
            out[i, m] = n_right[m] / max(n_same[m], 1)


@kernel(nogil=True, error_model="numpy")
def rate_similar(right, known_labels, near, labels, min_similarity, out):
    """Compute the share of right ones among the neighbors that members see alike.

    Two rows are as similar as the share of members that assign both to one class. If
    no neighbor is more similar than ``min_similarity``, all count.

    right, known_labels, near, labels, out: see ``rate_same_class``
    min_similarity  float
    """
    n_members = right.shape[1]
    count = np.empty(n_members, dtype=np.int32)
    is_similar = np.empty(near.shape[1], dtype=np.bool_)
    for i in range(len(near)):
        n_similar = 0
        for k in range(near.shape[1]):
            theirs, n_same = known_labels[near[i, k]], 0
            for m in range(n_members):
                n_same += theirs[m] == labels[i, m]
            is_similar[k] = n_same > min_similarity * n_members
            n_similar += is_similar[k]
        if n_similar == 0:
            is_similar[:], n_similar = True, near.shape[1]
        count[:] = 0
        for k in range(near.shape[1]):
            if is_similar[k]:
                one = right[near[i, k]]
                for m in range(n_members):
                    count[m] += one[m]
        for m in range(n_members):
            out[i, m] = count[m] / n_similar


@kernel(nogil=True, error_model="numpy")
def choose_accurate_and_diverse(right, near, n_accurate, n_diverse, out):
    """Choose the members most accurate near a row, and of these the most diverse.

    A member is diverse if few of the others are wrong where it is (double fault). Of
    equals, the more accurate is taken, then the first.

    right       (n_known, n_members)  uint8, C order
    near        (n_rows, n_near)      int64, C order
    n_accurate  int                   members taken for their accuracy
    n_diverse   int                   members of these taken for their diversity
    out         (n_rows, n_members)   float64, C order, written: 1 for the chosen
    """
    n_members, n_near = right.shape[1], near.shape[1]
    count = np.empty(n_members, dtype=np.int32)
    chosen = np.empty(n_accurate, dtype=np.int64)
    fault = np.empty(n_accurate, dtype=np.int64)
    place = np.empty(n_near + 1, dtype=np.int64)
    n_with = np.empty(n_near * n_accurate + 1, dtype=np.int64)
    for i in range(len(near)):
        count[:] = 0
        for k in range(n_near):
            one = right[near[i, k]]
            for m in range(n_members):
                count[m] += one[m]
        # Counting sort: the members with the most right neighbors come first.
        place[:] = 0
        for m in range(n_members):
            place[n_near - count[m]] += 1
        before = 0
        for level in range(n_near + 1):
            place[level], before = before, before + place[level]
        for m in range(n_members):
            at = place[n_near - count[m]]
            place[n_near - count[m]] += 1
            if at < n_accurate:
                chosen[at] = m
        fault[:] = 0
        for k in range(n_near):
            one, n_wrong = right[near[i, k]], 0
            for j in range(n_accurate):
                n_wrong += one[chosen[j]] == 0
            for j in range(n_accurate):
                fault[j] += (n_wrong - 1) * (one[chosen[j]] == 0)
        n_with[:] = 0
        for j in range(n_accurate):
            n_with[fault[j]] += 1
        limit, n_below = 0, 0  # the greatest fault that is still taken
        while n_below + n_with[limit] < n_diverse:
            n_below += n_with[limit]
            limit += 1
        n_at_limit = n_diverse - n_below
        out[i] = 0.0
        for j in range(n_accurate):
            if fault[j] < limit or (fault[j] == limit and n_at_limit > 0):
                n_at_limit -= fault[j] == limit
                out[i, chosen[j]] = 1.0
