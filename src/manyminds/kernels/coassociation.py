"""How often clusterings put two rows together, and how much they tell of each other."""

import math

import numpy as np

from manyminds.kernels._jit import helper, kernel

_LOW = np.uint64(0x7F7F7F7F7F7F7F7F)
_BITS = np.uint64(0x0101010101010101)
_EVEN = np.uint64(0x00FF00FF00FF00FF)
_LANES = np.uint64(0x0000FFFF0000FFFF)
_LAST, _BYTE = np.uint64(0xFFFFFFFF), np.uint64(0xFF)
_FIVES = np.uint64(0x5555555555555555)
_THREES = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_1, _2, _4, _7, _8, _16, _32 = (np.uint64(n) for n in (1, 2, 4, 7, 8, 16, 32))
_NONE = np.uint64(0)


@helper(nogil=True, error_model="numpy")
def _count_equal(left, right, i, j):
    """Count the bytes that are equal in two rows, eight at a time."""
    counts = _NONE  # four lanes of 16 bits
    for w in range(left.shape[1]):
        differs = left[i, w] ^ right[j, w]
        equal = (~(((differs & _LOW) + _LOW) | differs) >> _7) & _BITS
        counts += (equal & _EVEN) + ((equal >> _8) & _EVEN)
    counts = (counts & _LANES) + ((counts >> _16) & _LANES)
    return np.float64((counts + (counts >> _32)) & _LAST)


@helper(nogil=True, error_model="numpy")
def _count_both(drawn, i, j):
    """Count the bits that are set in both rows."""
    total = _NONE
    for w in range(drawn.shape[1]):
        word = drawn[i, w] & drawn[j, w]
        word = word - ((word >> _1) & _FIVES)
        word = (word & _THREES) + ((word >> _2) & _THREES)
        word = (word + (word >> _4)) & _NIBBLES
        word = word + (word >> _8)
        word = word + (word >> _16)
        total += (word + (word >> _32)) & _BYTE
    return np.float64(total)


@kernel(nogil=True, error_model="numpy")
def fill_distances(left, right, drawn, first, last, n_members, distances):
    """Write one minus the share of clusterings that put two rows together.

    The first rows of the pairs are those from ``first`` to ``last``.

    left       (n_rows, n_words)  uint64: a byte for each clustering, the row's cluster
    right      (n_rows, n_words)  uint64: the same, another byte where not drawn
    drawn      (n_rows, n_bits)   uint64: a bit for each clustering that drew the row;
                                  no words: divide by n_members
    first, last  int              rows
    n_members  int                number of clusterings
    distances  (n_pairs,)         float64, condensed, out
    """
    n_rows = len(left)
    by_pair = drawn.shape[1] > 0
    for i in range(first, last):
        base = i * n_rows - (i * (i + 1)) // 2 - i - 1
        for j in range(i + 1, n_rows):
            count = _count_both(drawn, i, j) if by_pair else np.float64(n_members)
            share = _count_equal(left, right, i, j) / count if count > 0.0 else 0.0
            distances[base + j] = 1.0 - share


@kernel(nogil=True, error_model="numpy")
def average_nmi(partition, codes, n_clusters, missing):
    """Return the mean normalized mutual information of a partition with clusterings.

    partition   (n_rows,)            int32
    codes       (n_members, n_rows)  uint8, ``missing`` where a clustering has no label
    n_clusters  (n_members,)         int64
    missing     int
    """
    n_members, n_rows = codes.shape
    n_parts = 0
    for i in range(n_rows):
        n_parts = max(n_parts, partition[i] + 1)
    most = 0
    for q in range(n_members):
        most = max(most, n_clusters[q])
    counts = np.zeros((n_parts, most))
    parts, clusters = np.zeros(n_parts), np.zeros(most)
    mean = 0.0
    for q in range(n_members):
        for b in range(most):
            clusters[b] = 0.0
            for a in range(n_parts):
                counts[a, b] = parts[a] = 0.0
        for i in range(n_rows):
            if codes[q, i] != missing:
                counts[partition[i], codes[q, i]] += 1.0
        total = 0.0
        for a in range(n_parts):
            for b in range(n_clusters[q]):
                parts[a] += counts[a, b]
                clusters[b] += counts[a, b]
                total += counts[a, b]
        if total == 0.0:
            continue
        left, right, mutual = 0.0, 0.0, 0.0
        for a in range(n_parts):
            if parts[a] > 0.0:
                left -= parts[a] / total * math.log(parts[a] / total)
        for b in range(n_clusters[q]):
            if clusters[b] > 0.0:
                right -= clusters[b] / total * math.log(clusters[b] / total)
        for a in range(n_parts):
            for b in range(n_clusters[q]):
                if counts[a, b] > 0.0:
                    ratio = counts[a, b] * total / (parts[a] * clusters[b])
                    mutual += counts[a, b] / total * math.log(ratio)
        if left > 0.0 and right > 0.0:
            mean += mutual / math.sqrt(left * right) / n_members
    return mean
