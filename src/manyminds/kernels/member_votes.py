"""Votes of members one after the other: prefixes, greedy orders, weighted sums."""

import numpy as np

from manyminds.kernels._jit import kernel


@kernel(nogil=True, error_model="numpy")
def rate_prefixes(labels, order, y, n_classes, n_right):
    """Count the rows that the vote of the first 1, 2, 3 ... members gets right.

    The winner is kept up to date vote by vote; of ties, the lowest class wins.

    labels     (n_members, n_rows)  int32, C order: class number by each member
    order      (n_ordered,)         int64, members, the first one first
    y          (n_rows,)            int32, true class numbers
    n_classes  int
    n_right    (n_ordered,)         int64, added to
    """
    n_rows = labels.shape[1]
    if n_classes == 2:  # without branches, many rows at once
        ones = np.zeros(n_rows, dtype=np.int32)
        for k in range(len(order)):
            row, total = labels[order[k]], np.int32(0)
            half = np.int32((k + 1) // 2)
            for i in range(n_rows):
                ones[i] += row[i]
                total += np.int32((ones[i] > half) == (y[i] == 1))
            n_right[k] += total
        return
    votes = np.zeros((n_rows, n_classes), dtype=np.int32)
    best = np.zeros(n_rows, dtype=np.int32)
    for k in range(len(order)):
        row, total = labels[order[k]], 0
        for i in range(n_rows):
            c, b = row[i], best[i]
            votes[i, c] += 1
            if votes[i, c] > votes[i, b] or (votes[i, c] == votes[i, b] and c < b):
                best[i] = c
            total += best[i] == y[i]
        n_right[k] += total


@kernel(nogil=True, error_model="numpy")
def add_greedily(
    labels, y, weight, is_usable, replace, only_wrong, votes, order, right
):
    """Order members greedily, each the best addition to the vote of those before.

    The first of members that are equally good is taken.

    labels      (n_rows, n_members)  int32, C order
    y           (n_rows,)            int32
    weight      (n_rows,)            float64
    is_usable   (n_members,)         bool, which may be taken; changed
    replace     bool                 whether a member may be taken again
    only_wrong  bool                 take the member that is right most often where the
                                     vote so far is wrong, instead of that with which
                                     the vote is right most often
    votes       (n_rows, n_classes)  int32, C order: votes at the start, added to
    order       (n_steps,)           int64, written
    right       (n_steps,)           float64, written: weight of the rows that the vote
                                     gets right
    """
    n_rows, n_members = labels.shape
    n_classes = votes.shape[1]
    best = np.full(n_rows, -1, dtype=np.int32)
    for i in range(n_rows):
        for c in range(n_classes):
            if votes[i, c] > 0 and (best[i] < 0 or votes[i, c] > votes[i, best[i]]):
                best[i] = c
    gain, score = np.empty(n_classes), np.empty(n_members)
    for step in range(len(order)):
        score[:] = 0.0
        for i in range(n_rows):
            row, b, truth = labels[i], best[i], y[i]
            top = votes[i, b] if b >= 0 else 0
            for c in range(n_classes):
                n = votes[i, c] + 1
                wins = c == b or n > top or (n == top and c < b)
                if only_wrong:
                    gain[c] = weight[i] * (b != truth and c == truth)
                else:
                    gain[c] = weight[i] * ((c if wins else b) == truth)
            for m in range(n_members):
                score[m] += gain[row[m]]
        chosen = -1
        for m in range(n_members):
            if is_usable[m] and (chosen < 0 or score[m] > score[chosen]):
                chosen = m
        order[step] = chosen
        is_usable[chosen] = replace
        right[step] = 0.0
        for i in range(n_rows):
            c, b = labels[i, chosen], best[i]
            votes[i, c] += 1
            n = votes[i, c]
            if b < 0 or n > votes[i, b] or (n == votes[i, b] and c < b):
                best[i] = c
            right[step] += weight[i] * (best[i] == y[i])


@kernel(nogil=True, error_model="numpy")
def remove_greedily(labels, y, weight, votes, order, right):
    """Order members by removing that one without which the vote is right most often.

    The last of members that are equally superfluous is removed.

    labels   (n_rows, n_members)  int32, C order
    y        (n_rows,)            int32
    weight   (n_rows,)            float64
    votes    (n_rows, n_classes)  int32, C order: votes of all members; changed
    order    (n_members,)         int64, written: the first one removed is the last
    right    (n_members,)         float64, written: weight of the rows that the vote of
                                  the first 1, 2, 3 ... members of the order gets right
    """
    n_rows, n_members = labels.shape
    n_classes = votes.shape[1]
    best = np.zeros(n_rows, dtype=np.int32)
    is_in = np.ones(n_members, dtype=np.bool_)
    score = np.empty(n_members)
    for size in range(n_members, 0, -1):
        score[:] = 0.0
        right[size - 1] = 0.0
        for i in range(n_rows):
            b = 0
            for c in range(1, n_classes):
                if votes[i, c] > votes[i, b]:
                    b = c
            best[i] = b
            is_right = weight[i] * (b == y[i])
            right[size - 1] += is_right
            second = -1  # winner if the first loses one vote
            for c in range(n_classes):
                n = votes[i, c] - (c == b)
                if second < 0 or n > votes[i, second] - (second == b):
                    second = c
            if_less = weight[i] * (second == y[i])
            row = labels[i]
            for m in range(n_members):
                score[m] += if_less if row[m] == b else is_right
        removed = -1
        for m in range(n_members):
            if is_in[m] and (removed < 0 or score[m] >= score[removed]):
                removed = m
        is_in[removed] = False
        order[size - 1] = removed
        for i in range(n_rows):
            votes[i, labels[i, removed]] -= 1


@kernel(nogil=True, error_model="numpy")
def count_votes(labels, n_votes):
    """Count the votes of all members for each class.

    labels   (n_rows, n_members)  int32, C order
    n_votes  (n_rows, n_classes)  int32, C order, added to
    """
    for i in range(len(labels)):
        row = labels[i]
        for m in range(len(row)):
            n_votes[i, row[m]] += 1


@kernel(nogil=True, error_model="numpy")
def sum_votes(labels, weights, total):
    """Sum the weights of the members that vote for each class.

    labels   (n_rows, n_members)  int32, C order
    weights  (n_rows, n_members)  float64, C order
    total    (n_rows, n_classes)  float64, C order, added to
    """
    for i in range(len(labels)):
        for m in range(labels.shape[1]):
            total[i, labels[i, m]] += weights[i, m]
