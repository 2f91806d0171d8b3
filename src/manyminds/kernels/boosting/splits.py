"""The best split of a leaf: scanning the histogram of one column after the other.

Gains are computed in units of the packed words: with gradient unit u and hessian unit
v, the sum of G^2 / (H + l2) over the two sides is u^2 / v times that of whole numbers.
"""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper

_NOTHING = np.int64(0)
_NONE = np.int64(-1)
_MIXING = 0x5851F42D4C957F2D
_LOW_62 = 0x3FFFFFFFFFFFFFFF
_SIX, _LOW_SIX, _ONE = np.uint64(6), np.uint64(63), np.uint64(1)


@helper(nogil=True, error_model="numpy")
def decode(packing, word):
    """Return gradient, hessian and count of a packed sum, in whole units."""
    return (
        word >> packing.gradient_shift,
        (word >> packing.hessian_shift) & packing.hessian_mask,
        word & packing.count_mask,
    )


@helper(nogil=True, error_model="numpy")
def clip_value(gradient, hessian, lower, upper):
    """Return the best value of a leaf within bounds; ``hessian`` includes l2."""
    return min(max(-gradient / hessian, lower), upper)


@helper(nogil=True, error_model="numpy")
def score_value(gradient, hessian, value):
    """Return twice what a leaf gains by its value."""
    return -(2.0 * gradient + hessian * value) * value


@helper(nogil=True, error_model="numpy")
def _score(gl, hl, gr, hr, sign, lower, upper, bounded):
    """Return twice the gain of two leaves; minus infinity if they break a constraint.

    ``hl`` and ``hr`` include l2.
    """
    if not bounded:
        return (gl * gl * hr + gr * gr * hl) / (hl * hr)
    left = clip_value(gl, hl, lower, upper)
    right = clip_value(gr, hr, lower, upper)
    if sign * (right - left) < 0.0:
        return -inf
    return score_value(gl, hl, left) + score_value(gr, hr, right)


@helper(nogil=True, error_model="numpy")
def scan_ordered(
    histograms, team, first, n_bins, begin, total, packing, limits, sign, only
):
    """Find the best cut of a column whose bins are in order.

    begin   packed sum of the missing values if they go left, else 0
    limits  (min_count, min_hessian, l2, lower, upper, bounded) in packed units
    sign    of a monotonic constraint
    only    the one bin after which to cut; -1: any

    Returns (twice the gain, last bin of the left side, packed sum of the left side).
    """
    min_count, min_hessian, l2, lower, upper, bounded = limits
    g, h, count = decode(packing, total)
    all_g, all_h = np.float64(g), np.float64(h)
    best, best_bin, best_left, left = -inf, _NONE, _NOTHING, begin
    for b in range(np.uint64(first), np.uint64(first + n_bins)):
        word = histograms[team, b]
        if word == 0 and only < 0:
            continue
        left += word
        if only >= 0 and np.int64(b) - first != only:
            continue
        g, h, n = decode(packing, left)
        if n < min_count:
            continue
        if count - n < min_count:
            break
        gl, hl = np.float64(g), np.float64(h)
        gr, hr = all_g - gl, all_h - hl
        if hl < min_hessian or hr < min_hessian:
            continue
        gain = _score(gl, hl + l2, gr, hr + l2, sign, lower, upper, bounded)
        if gain > best:
            best, best_bin, best_left = gain, np.int64(b) - first, left
    return best, best_bin, best_left


@helper(nogil=True, error_model="numpy")
def scan_plain(
    histograms, team, first, n_bins, begin, total, packing, limits, sums, gains, thread
):
    """Find the best cut of a column as ``scan_ordered`` does, without constraints.

    The loops have no branches: the compiler makes vector instructions of them.
    """
    min_count, min_hessian, l2, _lower, _upper, _bounded = limits
    g, h, count = decode(packing, total)
    all_g, all_h = np.float64(g), np.float64(h)
    g_shift, h_shift = packing.gradient_shift, packing.hessian_shift
    h_mask, n_mask = packing.hessian_mask, packing.count_mask
    max_hessian, left = all_h - min_hessian, begin
    at, n_bins = np.uint64(first), max(n_bins, 0)  # -1: all values are missing
    for b in range(np.uint64(n_bins)):
        left += histograms[team, at + b]
        sums[thread, b] = left
    low = _first_above(sums, thread, n_bins, n_mask, min_count - 1)
    high = _first_above(sums, thread, n_bins, n_mask, count - min_count)
    high = max(low, high)  # min_count may be more than half of what there is
    for b in range(low, high):
        word = sums[thread, b]
        gl = np.float64(word >> g_shift)
        hl = np.float64((word >> h_shift) & h_mask)
        gr, hr = all_g - gl, all_h - hl
        is_valid = (hl >= min_hessian) & (hl <= max_hessian)
        hl, hr = hl + l2, hr + l2
        # Both are 0.5 or more in a valid cut; others must not divide by 0.
        gain = (gl * gl * hr + gr * gr * hl) / max(hl * hr, 0.25)
        gains[thread, b] = gain if is_valid else -inf
    best = _greatest(gains, thread, low, high)
    cut = low
    while cut < high and gains[thread, cut] < best:
        cut += _ONE
    if best == -inf:
        return best, _NONE, begin
    return best, np.int64(cut), sums[thread, cut]


@helper(nogil=True, error_model="numpy")
def _first_above(sums, thread, n_bins, mask, count):
    """Return the first bin up to which there are more than ``count`` rows."""
    low, high = np.uint64(0), np.uint64(n_bins)
    while low < high:
        middle = (low + high) >> _ONE
        if (sums[thread, middle] & mask) > count:
            high = middle
        else:
            low = middle + _ONE
    return low


@helper(nogil=True, error_model="numpy")
def _greatest(gains, thread, low, high):
    """Return the greatest of some gains, by four searches that do not wait in line."""
    a = b = c = d = -inf
    k = low
    while k + np.uint64(4) <= high:
        a = max(a, gains[thread, k])
        b = max(b, gains[thread, k + _ONE])
        c = max(c, gains[thread, k + np.uint64(2)])
        d = max(d, gains[thread, k + np.uint64(3)])
        k += np.uint64(4)
    while k < high:
        a = max(a, gains[thread, k])
        k += _ONE
    return max(max(a, b), max(c, d))


@helper(nogil=True, error_model="numpy")
def center_cut(histograms, team, first, n_bins, cut):
    """Move a cut to the middle of the empty bins that follow it."""
    end = cut + 1
    while end < n_bins and histograms[team, first + end] == 0:
        end += 1
    return cut if end == n_bins else (cut + end - 1) // 2


@helper(nogil=True, error_model="numpy")
def mix(seed, number):
    """Return random bits, below 2**62, that follow from a seed and a number.

    Uncompiled, Python's integers do not overflow; their low bits are the same.
    """
    x = (int(seed) ^ (int(number) + 1) * _MIXING) & _LOW_62
    x = ((x ^ (x >> 29)) * _MIXING) & _LOW_62
    x = ((x ^ (x >> 32)) * _MIXING) & _LOW_62
    return x ^ (x >> 29)


@helper(nogil=True, error_model="numpy")
def draw_number(seed, number, n):
    """Return one of 0 ... n - 1 that follows from a seed and a number."""
    return ((mix(seed, number) >> 30) * n) >> 32


@helper(nogil=True, error_model="numpy")
def draw_cut(seed, column, histograms, team, first, n_bins):
    """Draw a bin between the first and the last that is not empty; -1 if there is none.

    The last one is not drawn: nothing would be right of it. Numbers below 0 are its
    own: the features of the node are drawn by the same seed.
    """
    low, high = _NOTHING, n_bins - 1
    while low < n_bins and histograms[team, first + low] == 0:
        low += 1
    while high > low and histograms[team, first + high] == 0:
        high -= 1
    if low >= high:
        return _NONE
    return low + draw_number(seed, -2 - column, high - low)


@helper(nogil=True, error_model="numpy")
def scan_categories(
    histograms, team, first, n_codes, total, packing, limits, smoothing, memory, draw
):
    """Find the best split of a column of categories, ordered by their mean gradient.

    A category's mean is shrunk: gradient / (hessian + smoothing). Missing values are
    one more category. With squared error, one cut of this order is the best of all
    2^(n - 1) splits.

    memory  (keys, order, thread): scratch
    draw    (whether one cut of the order is drawn, seed, column)

    Returns (twice the gain, number of categories on the left, packed sum of them).
    """
    min_count, min_hessian, l2, lower, upper, bounded = limits
    keys, order, thread = memory
    n_seen = _NOTHING
    for c in range(n_codes):
        word = histograms[team, first + c]
        if word != 0:
            g, h, n = decode(packing, word)
            keys[thread, c] = g / (h + smoothing)
            order[thread, n_seen] = c
            n_seen += 1
    sort_categories(order, keys, thread, n_seen)
    is_drawn, seed, column = draw
    only = draw_number(seed, -2 - column, n_seen - 1) if is_drawn else _NONE
    g, h, count = decode(packing, total)
    all_g, all_h = np.float64(g), np.float64(h)
    best, best_n, best_left, left = -inf, _NOTHING, _NOTHING, _NOTHING
    for k in range(n_seen - 1):
        left += histograms[team, first + order[thread, k]]
        if only >= 0 and k != only:
            continue
        g, h, n = decode(packing, left)
        if n < min_count:
            continue
        if count - n < min_count:
            break
        gl, hl = np.float64(g), np.float64(h)
        gr, hr = all_g - gl, all_h - hl
        if hl < min_hessian or hr < min_hessian:
            continue
        gain = _score(gl, hl + l2, gr, hr + l2, 0, lower, upper, bounded)
        if gain > best:
            best, best_n, best_left = gain, k + 1, left
    return best, best_n, best_left


@helper(nogil=True, error_model="numpy")
def sort_categories(order, keys, thread, n):
    """Sort ``order[thread, :n]`` by key: insertion, for there are few as a rule."""
    for i in range(1, n):
        c = order[thread, i]
        key = keys[thread, c]
        j = i
        while j > 0 and keys[thread, order[thread, j - 1]] > key:
            order[thread, j] = order[thread, j - 1]
            j -= 1
        order[thread, j] = c


@helper(nogil=True, error_model="numpy")
def write_set(histograms, team, first, n_codes, most_left, n, memory, sets, place):
    """Write the first ``n`` categories of an order as a set of bits.

    Categories without rows in the leaf join the side that has most of them.
    """
    _keys, order, thread = memory
    for w in range(4):
        sets[thread, place, w] = np.uint64(0)
    for k in range(n):
        c = np.uint64(order[thread, k])
        sets[thread, place, c >> _SIX] |= _ONE << (c & _LOW_SIX)
    if most_left:
        for c in range(np.uint64(n_codes)):
            if histograms[team, first + np.int64(c)] == 0:
                sets[thread, place, c >> _SIX] |= _ONE << (c & _LOW_SIX)
