"""Classify by averaged n-dependence estimators and by trees of dependence.

A super-parent is a set of features on which, with the class, all others depend. With
sets of one feature these are the averaged one-dependence estimators (AODE); with the
empty set it is naive Bayes.
"""

import math
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel


class SuperParents(NamedTuple):
    """Sets of features, and where their counts are.

    members     (n_sets, n)  int64, features of each set
    first       (n_sets + 1,)  int64, number of the first cell of each set
    n_states    (n_features,)  int64
    first_state (n_features + 1,)  int64, number of the first state of each feature
    """

    members: np.ndarray
    first: np.ndarray
    n_states: np.ndarray
    first_state: np.ndarray


@kernel(nogil=True, error_model="numpy")
def count_states(codes, y, weight, sets, s, cell, alone, joint):
    """Count the rows of each class and cell of a set, and the states of all features.

    codes  (n_features, n_samples)  int32, C order; -1: missing
    y      (n_samples,)  int64
    weight (n_samples,)  float64
    sets   SuperParents
    s      int, the set
    cell   (n_samples,)  int64, scratch
    alone  (n_cells, n_classes)  float64, added to
    joint  (n_cells, n_states, n_classes)  float64, added to; n_cells and n_states count
           those of all sets and all features
    """
    n_features, n_samples = codes.shape
    for i in range(n_samples):
        cell[i] = 0
    for m in range(sets.members.shape[1]):
        f = sets.members[s, m]
        for i in range(n_samples):
            at = cell[i] * sets.n_states[f] + codes[f, i]
            cell[i] = at if codes[f, i] >= 0 and cell[i] >= 0 else -1
    first = sets.first[s]
    for i in range(n_samples):
        if cell[i] >= 0:
            alone[first + cell[i], y[i]] += weight[i]
    for f in range(n_features):
        at = sets.first_state[f]
        for i in range(n_samples):
            if cell[i] >= 0 and codes[f, i] >= 0:
                joint[first + cell[i], at + codes[f, i], y[i]] += weight[i]


@kernel(nogil=True, error_model="numpy")
def take_logs(alone, joint, sets, totals, smoothing):
    """Turn counts into log probabilities, in place.

    alone      (n_cells, n_classes)  float64: rows; then log P(class, cell)
    joint      (n_cells, n_states, n_classes)  float64: rows; then log P(state | class,
               cell)
    sets       SuperParents
    totals     (n_sets,)  float64, written: rows whose set has no missing value
    smoothing  float, rows that are added, spread evenly over the cells
    """
    n_classes = alone.shape[1]
    for s in range(len(totals)):
        first, last = sets.first[s], sets.first[s + 1]
        total = 0.0
        for c in range(first, last):
            for k in range(n_classes):
                total += alone[c, k]
        totals[s] = total
        even = smoothing / ((last - first) * n_classes)
        for c in range(first, last):
            for k in range(n_classes):
                share = (alone[c, k] + even) / (total + smoothing)
                alone[c, k] = math.log(share) if share > 0.0 else -np.inf
    for c in range(len(joint)):
        for f in range(len(sets.n_states)):
            first, last = sets.first_state[f], sets.first_state[f + 1]
            for k in range(n_classes):
                total = 0.0
                for a in range(first, last):
                    total += joint[c, a, k]
                even = smoothing / (last - first)
                for a in range(first, last):
                    share = (joint[c, a, k] + even) / (total + smoothing)
                    joint[c, a, k] = math.log(share) if share > 0.0 else -np.inf


@kernel(nogil=True, error_model="numpy")
def average_sets(codes, sets, n_rows, min_rows, alone, joint, out):
    """Average the joint probability of class and row over the super-parents.

    codes     (n_samples, n_features)  int32, C order; -1: missing
    sets      SuperParents
    n_rows    (n_cells,)  float64, training rows in each cell
    min_rows  float, a set takes part if its cell has as many
    alone, joint  as ``take_logs`` leaves them
    out       (n_samples, n_classes)  float64, written: log of the sum over sets; NaN in
              a row in which no set takes part
    """
    n_samples, n_features = codes.shape
    n_sets, n_members = sets.members.shape
    n_classes = alone.shape[1]
    known, states = np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    terms = np.empty((n_sets, n_classes))
    for i in range(n_samples):
        n_known = 0
        for f in range(n_features):
            if codes[i, f] >= 0:
                known[n_known] = f
                states[n_known] = sets.first_state[f] + codes[i, f]
                n_known += 1
        n_used = 0
        for s in range(n_sets):
            cell = 0
            for m in range(n_members):
                f = sets.members[s, m]
                at = cell * sets.n_states[f] + codes[i, f]
                cell = at if codes[i, f] >= 0 and cell >= 0 else -1
            if cell < 0 or n_rows[sets.first[s] + cell] < min_rows:
                continue
            cell += sets.first[s]
            for k in range(n_classes):
                terms[n_used, k] = alone[cell, k]
            # A member of the set is certain given the set: its count is its cell's.
            for j in range(n_known):
                if not _is_member(sets, s, known[j]):
                    for k in range(n_classes):
                        terms[n_used, k] += joint[cell, states[j], k]
            n_used += 1
        _add_logs(terms, n_used, out, i)


@helper(nogil=True, error_model="numpy")
def _is_member(sets, s, f):
    """Return whether a feature is in a set."""
    for m in range(sets.members.shape[1]):
        if sets.members[s, m] == f:
            return True
    return False


@helper(nogil=True, error_model="numpy")
def _add_logs(terms, n_used, out, i):
    """Write the logarithm of the sum of exponentials over the first rows of terms."""
    for k in range(terms.shape[1]):
        if n_used == 0:
            out[i, k] = np.nan
            continue
        high = -np.inf
        for s in range(n_used):
            high = max(high, terms[s, k])
        total = 0.0
        if high > -np.inf:
            for s in range(n_used):
                total += math.exp(terms[s, k] - high)
        out[i, k] = high + math.log(total) if total > 0.0 else -np.inf


# ---------------------------------------------------------------- trees of dependence


@kernel(nogil=True, error_model="numpy")
def sum_conditional_information(codes, n_states, y, weight, n_classes, out):
    """Compute the mutual information of each two features given the class, in nats.

    codes     (n_features, n_samples)  int32, C order; -1: missing, left out of a pair
    n_states  (n_features,)  int64
    y         (n_samples,)  int64
    weight    (n_samples,)  float64
    n_classes int
    out       (n_features, n_features)  float64, written
    """
    n_features, n_samples = codes.shape
    most = n_states.max()
    cells = np.empty((most, most, n_classes))
    left, right = np.empty((most, n_classes)), np.empty((most, n_classes))
    of_class = np.empty(n_classes)
    for f in range(n_features):
        out[f, f] = 0.0
        for g in range(f):
            n_f, n_g = n_states[f], n_states[g]
            cells[:n_f, :n_g] = 0.0
            for i in range(n_samples):
                if codes[f, i] >= 0 and codes[g, i] >= 0:
                    cells[codes[f, i], codes[g, i], y[i]] += weight[i]
            left[:n_f], right[:n_g], of_class[:] = 0.0, 0.0, 0.0
            for a in range(n_f):
                for b in range(n_g):
                    for k in range(n_classes):
                        left[a, k] += cells[a, b, k]
                        right[b, k] += cells[a, b, k]
                        of_class[k] += cells[a, b, k]
            total, information = of_class.sum(), 0.0
            for a in range(n_f):
                for b in range(n_g):
                    for k in range(n_classes):
                        count = cells[a, b, k]
                        if count > 0.0:
                            ratio = count * of_class[k] / (left[a, k] * right[b, k])
                            information += count * math.log(ratio)
            out[f, g] = out[g, f] = information / total if total > 0.0 else 0.0


@kernel(nogil=True, error_model="numpy")
def count_pairs(codes, parent, n_states, y, weight, first, cells):
    """Count the states of each feature by class and state of its parent.

    codes     (n_features, n_samples)  int32, C order; -1: missing, left out
    parent    (n_features,)  int64; -1: only the class
    n_states  (n_features,)  int64
    y, weight as above
    first     (n_features,)  int64, where the counts of a feature begin
    cells     (n_cells,)  float64, added to: class by state of the parent by state
    """
    n_features, n_samples = codes.shape
    for f in range(n_features):
        p = parent[f]
        n_rows = n_states[p] if p >= 0 else 1
        for i in range(n_samples):
            row = codes[p, i] if p >= 0 else 0
            if codes[f, i] >= 0 and row >= 0:
                at = (y[i] * n_rows + row) * n_states[f] + codes[f, i]
                cells[first[f] + at] += weight[i]


@kernel(nogil=True, error_model="numpy")
def sum_tree(codes, parent, order, n_states, first, tables, log_prior, out):
    """Compute the log of the joint probability of class and observed features.

    Features that are missing are summed over, by messages from the leaves to the root.

    codes      (n_samples, n_features)  int32, C order; -1: missing
    parent     (n_features,)  int64; -1: a root
    order      (n_features,)  int64, each feature after its parent
    n_states   (n_features,)  int64
    first      (n_features,)  int64, where the table of a feature begins
    tables     (n_cells,)  float64: P(state | class, state of the parent)
    log_prior  (n_classes,)  float64
    out        (n_samples, n_classes)  float64, written
    """
    n_samples, n_features = codes.shape
    belief = np.empty((n_features, n_states.max()))
    logs = np.log(tables)
    for i in range(n_samples):
        is_complete = True
        for f in range(n_features):
            is_complete &= codes[i, f] >= 0
        for k in range(len(log_prior)):
            total = log_prior[k]
            if is_complete:
                for f in range(n_features):
                    p = parent[f]
                    row = k * n_states[p] + codes[i, p] if p >= 0 else k
                    total += logs[first[f] + row * n_states[f] + codes[i, f]]
            else:
                total += _pass_messages(
                    codes, i, k, parent, order, n_states, first, tables, belief
                )
            out[i, k] = total


@helper(nogil=True, error_model="numpy")
def _pass_messages(codes, i, k, parent, order, n_states, first, tables, belief):
    """Return the log probability of the observed features of a row given a class."""
    total, n_features = 0.0, len(parent)
    for f in range(n_features):
        for a in range(n_states[f]):
            belief[f, a] = 1.0 if codes[i, f] < 0 or codes[i, f] == a else 0.0
    for t in range(n_features - 1, -1, -1):
        f = order[t]
        p = parent[f]
        n_rows = n_states[p] if p >= 0 else 1
        high = 0.0
        for row in range(n_rows):
            if p >= 0 and belief[p, row] == 0.0:
                continue
            message, at = 0.0, first[f] + (k * n_rows + row) * n_states[f]
            for a in range(n_states[f]):
                message += tables[at + a] * belief[f, a]
            if p >= 0:
                belief[p, row] *= message
                high = max(high, belief[p, row])
            else:
                high = message
        if high <= 0.0:
            return -np.inf
        total += math.log(high)
        if p >= 0:
            for row in range(n_rows):
                belief[p, row] /= high
    return total
