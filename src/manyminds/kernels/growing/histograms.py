"""Histograms of one feature in one node, or chains of the samples of each bin.

A node with many samples fills a histogram. A node with fewer samples than bins chains
the samples of each bin together and marks the bins, so that empty bins cost nothing.
Indices are unsigned in these loops, since Numba spends instructions on negative ones.
"""

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bins import ONE, TWO, mark_bin
from manyminds.kernels.bundles import ROW, SHARE, WEIGHT

END_OF_CHAIN = np.uint32(0xFFFFFFFF)


@helper(nogil=True, error_model="numpy")
def reads_by_row(codes, n_samples, n_features, n_rows, max_features):
    """Return whether a node's codes take fewer cache lines in rows than in columns."""
    lines_of_row = min(max_features, codes.itemsize * n_features / 64 + 0.6)
    lines_of_column = min(n_rows, codes.itemsize * n_samples / 64 + 1.0)
    has_rows = len(codes) >= 2 * n_samples * n_features
    return has_rows and lines_of_row * n_rows < lines_of_column * max_features


@helper(nogil=True, error_model="numpy")
def locate(by_row, feature, n_samples, n_features):
    """Return the index of a feature's first code, and the step from row to row."""
    at, step = np.uint64(feature * n_samples), ONE
    if by_row:
        at, step = np.uint64(n_samples * n_features + feature), np.uint64(n_features)
    return at, step


@helper(nogil=True, error_model="numpy")
def fill_pair(codes, at, step, start, end, rows, reals, hist):
    """Add weight and share of each sample to the two places of its bin."""
    for i in range(np.uint64(start), np.uint64(end)):
        b = np.uint64(codes[at + step * rows[ROW, i]]) * TWO
        hist[b] += reals[WEIGHT, i]
        hist[b + ONE] += reals[SHARE, i]


@helper(nogil=True, error_model="numpy")
def fill_classes(codes, at, step, start, end, rows, reals, classes, m, hist):
    """Add the weight of each sample to the place of its class in its bin."""
    width = np.uint64(m)
    for i in range(np.uint64(start), np.uint64(end)):
        b = np.uint64(codes[at + step * rows[ROW, i]]) * width
        hist[b + classes[i]] += reals[WEIGHT, i]


@helper(nogil=True, error_model="numpy")
def list_filled(n_codes, m, hist, order):
    """Write the bins that are not empty to ``order``, in increasing order."""
    n_touched = 0
    for b in range(n_codes):
        for k in range(m):
            if hist[b * m + k] != 0.0:
                order[n_touched] = b
                n_touched += 1
                break
    return n_touched


@helper(nogil=True, error_model="numpy")
def chain_rows(codes, at, step, start, end, deep, rows, chains, heads, mask):
    """Chain the samples of each bin: ``heads[bin]`` is one, ``chains[i]`` the next.

    Marks the bins in ``mask``, see ``manyminds.kernels.bins.list_marked``.
    """
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + step * rows[ROW, i]])
        chains[i] = heads[code]
        heads[code] = i
        mark_bin(code, deep, mask)


@helper(nogil=True, error_model="numpy")
def fill_from_chains(numeric, m, n_touched, samples, bins):
    """Add chained samples to the histogram; clear the heads of the chains."""
    for j in range(n_touched):
        b = np.int64(bins.order[j])
        i = bins.heads[b]
        bins.heads[b] = END_OF_CHAIN
        while i != END_OF_CHAIN:
            if numeric:
                bins.hist[2 * b] += samples.reals[WEIGHT, i]
                bins.hist[2 * b + 1] += samples.reals[SHARE, i]
            else:
                bins.hist[b * m + samples.classes[i]] += samples.reals[WEIGHT, i]
            i = bins.chains[i]
