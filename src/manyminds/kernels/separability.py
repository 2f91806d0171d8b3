"""The best cut of each of many columns over all rows: the score of its stump."""

import numpy as np

from manyminds.kernels._jit import helper, kernel

SSV, LEXICOGRAPHIC, BALANCED = range(3)
LEFT, MISSING, TOTAL, SCALE = range(4)  # rows of the sums


@helper(nogil=True, error_model="numpy")
def _score_cut(criterion, sums, missing_left):
    """Score "all that is in LEFT goes left", with the missing values or without them.

    Returns what to maximize and, to break ties, what to minimize: for SSV twice the
    separated pairs of different classes minus the divided samples of each class; for
    the lexicographic criterion the two apart; for balanced error the balanced accuracy
    of predicting the largest class of each side.
    """
    n_left, n_right, alike, divided = 0.0, 0.0, 0.0, 0.0
    if criterion == BALANCED:
        for c in range(sums.shape[1]):
            left = sums[LEFT, c] + (sums[MISSING, c] if missing_left else 0.0)
            n_left = max(n_left, sums[SCALE, c] * left)
            n_right = max(n_right, sums[SCALE, c] * (sums[TOTAL, c] - left))
        return n_left + n_right, 0.0
    for c in range(sums.shape[1]):
        left = sums[LEFT, c] + (sums[MISSING, c] if missing_left else 0.0)
        right = sums[TOTAL, c] - left
        n_left += left
        n_right += right
        alike += left * right
        divided += min(left, right)
    pairs = n_left * n_right - alike
    if criterion == LEXICOGRAPHIC:
        return 2.0 * pairs, divided
    return 2.0 * pairs - divided, 0.0


@helper(nogil=True, error_model="numpy")
def _store_better(criterion, sums, has_missing, column, best):
    """Score a cut with missing values on either side; store it if it is the best."""
    for missing_left in range(2 if has_missing else 1):
        gain, loss = _score_cut(criterion, sums, missing_left == 1)
        if gain > best[column, 0] or (
            gain == best[column, 0] and loss < best[column, 1]
        ):
            best[column, 0], best[column, 1] = gain, loss


@helper(nogil=True, error_model="numpy")
def _sum_missing(values, rows, start, end, label, weight, sums):
    """Sum the classes of the missing values, which come last; return their start."""
    for c in range(sums.shape[1]):
        sums[LEFT, c], sums[MISSING, c] = 0.0, 0.0
    while end > start and np.isnan(values[end - 1]):
        end -= 1
        sums[MISSING, label[rows[end]]] += weight[rows[end]]
    return end


@helper(nogil=True, error_model="numpy")
def _add_absent(rows, start, end, label, weight, sums):
    """Move the rows that are not stored, which are zero, to the left."""
    for c in range(sums.shape[1]):
        sums[LEFT, c] += sums[TOTAL, c]
    for i in range(start, end):
        sums[LEFT, label[rows[i]]] -= weight[rows[i]]


@kernel(nogil=True, error_model="numpy")
def score_columns(values, rows, starts, label, weight, scale, criterion, best):
    """Compute the best score of any cut between two values of each column.

    values     (n_stored,)      float64, column after column, sorted; NaN comes last
    rows       (n_stored,)      int64, rows of the values
    starts     (n_columns + 1,) int64; column j is ``starts[j]:starts[j + 1]``, and rows
                                that it leaves out are 0
    label      (n_samples,)     int64, classes from 0
    weight     (n_samples,)     float64
    scale      (n_classes,)     float64, weight of a class in the balanced error
    criterion  int              SSV, LEXICOGRAPHIC or BALANCED
    best       (n_columns, 2)   float64, written: the score, and what breaks ties
    """
    sums = np.zeros((4, len(scale)))
    for c in range(len(scale)):
        sums[SCALE, c] = scale[c]
    for i in range(len(label)):
        sums[TOTAL, label[i]] += weight[i]
    for j in range(len(starts) - 1):
        start, stop = starts[j], starts[j + 1]
        end = _sum_missing(values, rows, start, stop, label, weight, sums)
        has_missing, has_absent = end < stop, stop - start < len(label)
        best[j, 0], best[j, 1] = _score_cut(criterion, sums, False)  # no cut at all
        for i in range(start, end):
            value = values[i]
            if has_absent and value >= 0.0:
                if i > start:
                    _store_better(criterion, sums, has_missing, j, best)
                _add_absent(rows, start, stop, label, weight, sums)
                has_absent = False
                if value > 0.0:
                    _store_better(criterion, sums, has_missing, j, best)
            elif i > start and value > values[i - 1]:
                _store_better(criterion, sums, has_missing, j, best)
            sums[LEFT, label[rows[i]]] += weight[rows[i]]
        _store_better(criterion, sums, has_missing, j, best)
        if has_absent:  # all stored values are negative or missing
            _add_absent(rows, start, stop, label, weight, sums)
            _store_better(criterion, sums, has_missing, j, best)
