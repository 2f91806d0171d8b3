"""The best cut of a feature on the plain path, by gini, entropy or squared error.

The plain path has no missing values, categories, random cuts or minimal leaf sizes.
The helpers take single arrays, not bundles: they are called for each feature of each
node, and every array that is passed along takes time.
"""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bundles import KEY, LEFT_SUM, SHARE, TOTAL, WEIGHT
from manyminds.kernels.criteria import x_log_x
from manyminds.kernels.growing.histograms import END_OF_CHAIN

CLEARLY = 1.0 + 1e-10  # factor by which a cut must be better: rounding breaks no ties


@helper(nogil=True, error_model="numpy")
def cut_pair(
    chained, n_bins, total_weight, total_share, order, reals, chains, heads, hist
):
    """Find the cut with the largest decrease of squared error, or of gini / 2.

    With two classes, the share is the weight of the second one, and the decrease is
    half of that of gini. It is d^2 / (W w_l w_r), d = s_l W - S w_l: no cancellation.
    Returns it with the bins below and above the cut, -1 if there is no cut. Clears the
    histogram, or the heads of the chains.

    n_bins  bins listed in ``order`` if samples are chained, otherwise all bins of hist
    """
    best, bar, lower, upper, last = -inf, -inf, -1, -1, -1
    w, s = 0.0, 0.0
    for j in range(n_bins):
        b, more_w, more_s = j, 0.0, 0.0
        if chained:
            b = np.int64(order[j])
            i = heads[b]
            heads[b] = END_OF_CHAIN
            while i != END_OF_CHAIN:
                more_w += reals[WEIGHT, i]
                more_s += reals[SHARE, i]
                i = chains[i]
        else:
            more_w, more_s = hist[2 * j], hist[2 * j + 1]
            hist[2 * j], hist[2 * j + 1] = 0.0, 0.0
        if more_w > 0.0:
            if last >= 0:
                d = s * total_weight - total_share * w
                score = d * d / (w * (total_weight - w))
                if score > bar:
                    best, bar, lower, upper = score, score * CLEARLY, last, b
            last = b
            w += more_w
            s += more_s
    return best / total_weight, lower, upper


@helper(nogil=True, error_model="numpy")
def cut_classes(chained, n_bins, m, order, reals, classes, chains, heads, hist, sums):
    """Find the cut with the largest decrease of gini for three classes or more.

    With left-hand sums L and totals T: sum L^2 / w_l + sum (T - L)^2 / w_r, that is
    (W A + w_l (sum T^2 - 2 C)) / (w_l w_r) with A = sum L^2 and C = sum L T.
    Returns and takes what ``cut_pair`` does.
    """
    total_weight, squares = 0.0, 0.0
    for k in range(np.uint64(m)):
        sums[LEFT_SUM, k] = 0.0
        total_weight += sums[TOTAL, k]
        squares += sums[TOTAL, k] * sums[TOTAL, k]
    best, bar, lower, upper, last = -inf, -inf, -1, -1, -1
    w, on_left, cross = 0.0, 0.0, 0.0
    for j in range(n_bins):
        b, more_w, more_left, more_cross = j, 0.0, 0.0, 0.0
        if chained:
            b = np.int64(order[j])
            i = heads[b]
            heads[b] = END_OF_CHAIN
            while i != END_OF_CHAIN:
                k, h = classes[i], reals[WEIGHT, i]
                left = sums[LEFT_SUM, k]
                sums[LEFT_SUM, k] = left + h
                more_w += h
                more_left += h * (2.0 * left + h)
                more_cross += h * sums[TOTAL, k]
                i = chains[i]
        else:
            at = np.uint64(j) * np.uint64(m)
            for k in range(np.uint64(m)):
                h, left = hist[at + k], sums[LEFT_SUM, k]
                hist[at + k] = 0.0
                sums[LEFT_SUM, k] = left + h
                more_w += h
                more_left += h * (2.0 * left + h)
                more_cross += h * sums[TOTAL, k]
        if more_w > 0.0:
            if last >= 0:
                score = total_weight * on_left + w * (squares - 2.0 * cross)
                score /= w * (total_weight - w)
                if score > bar:
                    best, bar, lower, upper = score, score * CLEARLY, last, b
            last = b
            w += more_w
            on_left += more_left
            cross += more_cross
    return best - squares / total_weight, lower, upper


@helper(nogil=True, error_model="numpy")
def _move_class(k, h, sums):
    """Move weight of a class to the left; return how its sum of x log x changes."""
    left = sums[LEFT_SUM, k] + h
    sums[LEFT_SUM, k] = left
    after = x_log_x(left) + x_log_x(sums[TOTAL, k] - left)
    change = after - sums[KEY, k]
    sums[KEY, k] = after
    return change


@helper(nogil=True, error_model="numpy")
def cut_by_entropy(
    chained, n_bins, m, order, reals, classes, chains, heads, hist, sums
):
    """Find the cut with the largest decrease of entropy.

    With f(x) = x log x, weight times entropy of a side is f(its weight) less the sum of
    f over its classes, which a sample changes in one class only. Returns and takes
    what ``cut_pair`` does.
    """
    total_weight, both_sides = 0.0, 0.0
    for k in range(np.uint64(m)):
        sums[LEFT_SUM, k], sums[KEY, k] = 0.0, x_log_x(sums[TOTAL, k])
        total_weight += sums[TOTAL, k]
        both_sides += sums[KEY, k]
    before = x_log_x(total_weight) - both_sides
    best, lower, upper, last, w = -inf, -1, -1, -1, 0.0
    for j in range(n_bins):
        b, more_w, change = j, 0.0, 0.0
        if chained:
            b = np.int64(order[j])
            i = heads[b]
            heads[b] = END_OF_CHAIN
            while i != END_OF_CHAIN:
                more_w += reals[WEIGHT, i]
                change += _move_class(classes[i], reals[WEIGHT, i], sums)
                i = chains[i]
        else:
            at = np.uint64(j) * np.uint64(m)
            for k in range(np.uint64(m)):
                h = hist[at + k]
                if h != 0.0:
                    hist[at + k] = 0.0
                    more_w += h
                    change += _move_class(k, h, sums)
        if more_w > 0.0:
            if last >= 0:
                after = x_log_x(w) + x_log_x(total_weight - w) - both_sides
                score = before - after
                if lower < 0 or score > best + (CLEARLY - 1.0) * abs(best):
                    best, lower, upper = score, last, b
            last = b
            w += more_w
            both_sides += change
    return best, lower, upper
