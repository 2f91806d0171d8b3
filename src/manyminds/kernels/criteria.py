"""Impurities of class weights, and the separability of a split."""

from math import log2

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bundles import LEFT_SUM, RIGHT_SUM, SCALE, TOTAL

GINI, ENTROPY, SSV, BALANCED_ERROR, SQUARED_ERROR, SSV_LEXICOGRAPHIC = range(6)

# x log2 x of small whole numbers: without weights, entropies need few others.
_N_LOGS = 2048
_X_LOG_X = np.arange(_N_LOGS) * np.log2(np.maximum(np.arange(_N_LOGS), 1))


@helper(nogil=True, error_model="numpy")
def x_log_x(x):
    """Return x log2 x, and 0 for a negative rounding error."""
    if x < _N_LOGS:
        whole = np.int64(x)
        if whole == x:
            return _X_LOG_X[whole]
    return x * log2(x) if x > 0.0 else 0.0


@helper(nogil=True, error_model="numpy")
def impurity(criterion, sums, side, m):
    """Return weight times impurity of one side's class weights.

    For squared error the two sums are weight and weighted target, and the sum of
    squares, which no split changes, is left out.
    """
    total, result, largest = 0.0, 0.0, 0.0
    for k in range(m):
        total += sums[side, k]
    if criterion == SQUARED_ERROR:
        result = -sums[side, 1] * sums[side, 1] / max(sums[side, 0], 1e-300)
    elif criterion == BALANCED_ERROR:
        for k in range(m):
            result += sums[SCALE, k] * sums[side, k]
            largest = max(largest, sums[SCALE, k] * sums[side, k])
        result -= largest
    elif criterion == ENTROPY:
        for k in range(m):
            if sums[side, k] > 0.0:
                result -= sums[side, k] * log2(sums[side, k] / total)
    else:
        for k in range(m):
            result -= sums[side, k] * sums[side, k]
        result = total + result / max(total, 1e-300)
    return result


@helper(nogil=True, error_model="numpy")
def separability(criterion, sums, m):
    """Return the SSV of a split: twice the separated pairs minus the divided samples.

    The divided samples of a class are those on its smaller side. With the lexicographic
    criterion they count less than one pair in total, so that they only break ties.
    """
    n_right, n_both, pairs, divided = 0.0, 1.0, 0.0, 0.0
    for k in range(m):
        n_right += sums[RIGHT_SUM, k]
        n_both += sums[TOTAL, k]
    for k in range(m):
        pairs += sums[LEFT_SUM, k] * (n_right - sums[RIGHT_SUM, k])
        divided += min(sums[LEFT_SUM, k], sums[RIGHT_SUM, k])
    if criterion == SSV_LEXICOGRAPHIC:
        divided /= n_both
    return 2.0 * pairs - divided


@helper(nogil=True, error_model="numpy")
def is_separability(criterion):
    """Return whether a criterion is SSV, plain or lexicographic."""
    return criterion == SSV or criterion == SSV_LEXICOGRAPHIC
