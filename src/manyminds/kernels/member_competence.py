"""Weights of members by what they get right near a row: rules of dynamic selection.

All kernels take the same bundle of arrays and write weights of shape (n_rows,
n_members), float64, C order: 0 for members that are not selected.

known   (n_known, n_members)  int32, C order: class by each member of rows whose class
                              is known
truth   (n_known,)            int32: that class
near    (n_rows, n_near)      int64, C order: known rows near each row, the nearest
                              first
labels  (n_rows, n_members)   int32, C order: class by each member
"""

import numpy as np

from manyminds.kernels._jit import helper, kernel


@helper(nogil=True, error_model="numpy")
def _count_right(known, truth, near, i, count):
    """Count the neighbors of row i that each member gets right."""
    count[:] = 0
    for k in range(near.shape[1]):
        j = np.uint64(near[i, k])
        c = truth[j]
        for m in range(len(count)):
            count[m] += np.int32(known[j, m] == c)


@helper(nogil=True, error_model="numpy")
def _mark_from(count, least, weights, i):
    """Write 1 for the members of row i with at least this count, 0 for others."""
    for m in range(len(count)):
        weights[i, m] = np.float64(count[m] >= least)


@kernel(nogil=True, error_model="numpy")
def weigh_by_right(known, truth, near, labels, only_best, weights):
    """Weigh members by the number of neighbors that they get right.

    only_best  bool  whether those with the greatest number have 1, and others 0
    """
    count = np.empty(known.shape[1], dtype=np.int32)
    for i in range(len(near)):
        _count_right(known, truth, near, i, count)
        if only_best:
            _mark_from(count, count.max(), weights, i)
        else:
            for m in range(len(count)):
                weights[i, m] = count[m]


@kernel(nogil=True, error_model="numpy")
def choose_longest_run(known, truth, near, labels, weights):
    """Choose the members that get the most neighbors right before their first error."""
    n_members = known.shape[1]
    run = np.empty(n_members, dtype=np.int32)
    for i in range(len(near)):
        run[:], longest = 0, np.int32(0)
        for k in range(near.shape[1]):
            j = np.uint64(near[i, k])
            c, n_alive = truth[j], np.int32(0)
            for m in range(n_members):
                is_alive = np.int32(run[m] == longest) & np.int32(known[j, m] == c)
                run[m] += is_alive
                n_alive += is_alive
            if n_alive == 0:  # no run is longer
                break
            longest += np.int32(1)
        _mark_from(run, longest, weights, i)


@kernel(nogil=True, error_model="numpy")
def choose_by_class(known, truth, near, labels, weights):
    """Choose the members with the greatest share of right ones in the row's class.

    It is the share among the neighbors that a member assigns to the class to which it
    assigns the row; 0 if there is none.
    """
    n_members = known.shape[1]
    n_same = np.empty(n_members, dtype=np.int32)
    n_right = np.empty(n_members, dtype=np.int32)
    share = np.empty(n_members)
    for i in range(len(near)):
        n_same[:], n_right[:] = 0, 0
        for k in range(near.shape[1]):
            j = np.uint64(near[i, k])
            c = truth[j]
            for m in range(n_members):
                is_same = np.int32(known[j, m] == labels[i, m])
                n_same[m] += is_same
                n_right[m] += is_same & np.int32(labels[i, m] == c)
        for m in range(n_members):
            share[m] = np.float64(n_right[m]) / np.float64(max(n_same[m], 1))
        least = share.max() - 1e-12
        for m in range(n_members):
            weights[i, m] = np.float64(share[m] >= least)


@kernel(nogil=True, error_model="numpy")
def choose_by_similar(known, truth, near, labels, limits, weights):
    """Choose the members nearly best on the neighbors that all members see alike.

    Two rows are as similar as the share of members that assign both to one class. If no
    neighbor is more similar than ``limits[0]``, all count. Members are chosen whose
    share of right ones is less than ``limits[1]`` below the greatest.

    limits  (2,)  float64
    """
    n_members, n_near = known.shape[1], near.shape[1]
    count = np.empty(n_members, dtype=np.int32)
    similar = np.empty((1, n_near), dtype=np.int64)
    for i in range(len(near)):
        n_similar = 0
        for k in range(n_near):
            j, n_same = np.uint64(near[i, k]), np.int32(0)
            for m in range(n_members):
                n_same += np.int32(known[j, m] == labels[i, m])
            if n_same > limits[0] * n_members:
                similar[0, n_similar] = near[i, k]
                n_similar += 1
        if n_similar == 0:
            similar[0], n_similar = near[i], n_near
        _count_right(known, truth, similar[:, :n_similar], 0, count)
        # Whole numbers: greater than a real number is at least the next one.
        lead = count.max() - (limits[1] - 1e-9) * n_similar
        _mark_from(count, np.int32(np.floor(lead)) + 1, weights, i)


@kernel(nogil=True, error_model="numpy")
def share_votes(labels, weights, shares):
    """Compute the shares of the weighted votes; if no member has a weight, all vote.

    labels   (n_rows, n_members)  int32, C order
    weights  (n_rows, n_members)  float64, C order
    shares   (n_rows, n_classes)  float64, C order, written
    """
    for i in range(len(labels)):
        shares[i] = 0.0
        for m in range(labels.shape[1]):
            shares[i, np.uint64(labels[i, m])] += weights[i, m]
        total = shares[i].sum()
        if total == 0.0:
            for m in range(labels.shape[1]):
                shares[i, np.uint64(labels[i, m])] += 1.0
            total = np.float64(labels.shape[1])
        for c in range(shares.shape[1]):
            shares[i, c] /= total


@helper(nogil=True, error_model="numpy")
def _find_limit(n_with, wanted):
    """Return the first value with which enough are taken, and how many to take of it.

    n_with  (n_values,)  int32: numbers of members by their values
    wanted  int          number of members to take
    """
    value, left = 0, wanted
    while n_with[value] < left:
        left -= n_with[value]
        value += 1
    return value, left


@helper(nogil=True, error_model="numpy")
def _mark_below(values, limit, n_at_limit, marks):
    """Write 1 for values below a limit, and for the first ones at it; else 0."""
    n_left = np.int32(n_at_limit)
    for m in range(len(values)):
        is_at = np.int32(values[m] == limit) & np.int32(n_left > 0)
        marks[m] = np.int32(values[m] < limit) | is_at
        n_left -= is_at


@kernel(nogil=True, error_model="numpy")
def choose_accurate_and_diverse(known, truth, near, labels, n_taken, weights):
    """Choose the members most accurate near a row, and of these the most diverse.

    A member is diverse if few of the others are wrong where it is (double fault). Of
    equals, the more accurate is taken, then the first.

    n_taken  (2,)  int64: members taken for their accuracy, and of these for diversity
    """
    n_members, n_near = known.shape[1], near.shape[1]
    n_wrong = np.empty(n_members, dtype=np.int32)
    taken = np.empty(n_members, dtype=np.int32)
    fault = np.empty(n_members, dtype=np.int32)
    # The last cells count the members that do not matter: there are no branches.
    n_faults, n_errors = n_near * n_members + 1, n_near + 1
    n_with = np.empty(n_faults + 1, dtype=np.int32)
    by_error = np.empty(n_errors + 1, dtype=np.int32)
    for i in range(len(near)):
        _count_right(known, truth, near, i, n_wrong)
        by_error[:] = 0
        for m in range(n_members):
            n_wrong[m] = n_near - n_wrong[m]
            by_error[np.uint64(n_wrong[m])] += np.int32(1)
        limit, n_left = _find_limit(by_error, n_taken[0])
        _mark_below(n_wrong, limit, n_left, taken)
        fault[:], most = 0, 0
        for k in range(n_near):
            j = np.uint64(near[i, k])
            c, n_both = truth[j], np.int32(0)
            for m in range(n_members):
                n_both += taken[m] & np.int32(known[j, m] != c)
            for m in range(n_members):
                fault[m] += (n_both - np.int32(1)) * np.int32(known[j, m] != c)
            most += max(n_both - 1, 0)
        n_with[: most + 1], by_error[:] = 0, 0
        for m in range(n_members):
            at = fault[m] if taken[m] == 1 else n_faults
            n_with[np.uint64(at)] += np.int32(1)
        limit, n_left = _find_limit(n_with, n_taken[1])
        for m in range(n_members):
            is_tie = taken[m] & np.int32(fault[m] == limit)
            at = n_wrong[m] if is_tie == 1 else n_errors
            by_error[np.uint64(at)] += np.int32(1)
        last, n_left = _find_limit(by_error, n_left)
        # One number to compare: fault first, then errors.
        for m in range(n_members):
            key = np.int32(fault[m] > limit) * np.int32(2) + np.int32(fault[m] == limit)
            fault[m] = key * np.int32(n_errors) + n_wrong[m] * np.int32(key == 1)
            fault[m] += (np.int32(1) - taken[m]) * np.int32(3 * n_errors)
        _mark_below(fault, n_errors + last, n_left, taken)
        for m in range(n_members):
            weights[i, m] = taken[m]
