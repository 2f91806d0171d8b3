"""Helpers over the bins of a column: marked bins, sets of categories, thresholds."""

import numpy as np

from manyminds.kernels._intrinsics import count_trailing_zeros
from manyminds.kernels._jit import helper
from manyminds.kernels.bundles import HIGH, LOW

ZERO, ONE, TWO, SIX = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(6)
LOW_SIX = np.uint64(63)

_NOTHING = np.int64(0)


# ---------------------------------------------------------------- marked bins


@helper(nogil=True, error_model="numpy")
def mark_bin(code, deep, mask):
    """Set the bit of a bin in the mask, see ``list_marked``; the code is a uint64."""
    word = code >> SIX
    mask[0, word] |= ONE << (code & LOW_SIX)
    if deep:
        mask[1, word >> SIX] |= ONE << (word & LOW_SIX)


@helper(nogil=True, error_model="numpy")
def _list_word(word, first, order, n_listed):
    """Append the bins of one word of the mask to ``order``."""
    while word != ZERO:
        order[n_listed] = first + np.int64(count_trailing_zeros(word))
        n_listed += 1
        word &= word - ONE
    return n_listed


@helper(nogil=True, error_model="numpy")
def list_marked(n_codes, deep, mask, order):
    """Write the marked bins to ``order``, in increasing order; clear the mask.

    mask  (2, n_words)  uint64: a bit for each bin, and if ``deep`` a bit for each word
          of such bits, so that empty words cost nothing

    Returns the number of marked bins.
    """
    n_listed = _NOTHING
    if deep:
        for j in range(n_codes // 4096 + 1):
            index = mask[1, j]
            mask[1, j] = ZERO
            while index != ZERO:
                w = 64 * j + np.int64(count_trailing_zeros(index))
                n_listed = _list_word(mask[0, w], 64 * w, order, n_listed)
                mask[0, w] = ZERO
                index &= index - ONE
    else:
        for w in range((n_codes + 63) // 64):
            n_listed = _list_word(mask[0, w], 64 * w, order, n_listed)
            mask[0, w] = ZERO
    return n_listed


# ---------------------------------------------------------------- categories


@helper(nogil=True, error_model="numpy")
def has_category(sets, number, code):
    """Return whether a category belongs to one of the sets."""
    word = sets[number, code // 64] >> (np.uint64(code) & LOW_SIX)
    return (word & ONE) == ONE


@helper(nogil=True, error_model="numpy")
def sort_by_key(order, keys, row, n):
    """Sort ``order[:n]`` by ``keys[row]`` of each bin: a heap sort, no allocation."""
    for size in range(n // 2 - 1 + n, -1, -1):
        if size >= n:
            root, end = size - n, n  # first build the heap ...
        else:
            root, end = 0, size  # ... then move its largest to the end, repeatedly
            order[0], order[end] = order[end], order[0]
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if (
                child + 1 < end
                and keys[row, order[child]] < keys[row, order[child + 1]]
            ):
                child += 1
            if keys[row, order[root]] >= keys[row, order[child]]:
                break
            order[root], order[child] = order[child], order[root]
            root = child


# ---------------------------------------------------------------- thresholds


@helper(nogil=True, error_model="numpy")
def threshold_between(edges, lower_bin, upper_bin):
    """Return the middle between two bins, never rounded into the upper one."""
    a, b = edges[HIGH, lower_bin], edges[LOW, upper_bin]
    middle = a + (b - a) / 2.0
    return middle if middle < b else a
