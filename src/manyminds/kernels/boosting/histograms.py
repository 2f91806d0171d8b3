"""Histograms of packed gradients over the bins of all columns of a block."""

import numpy as np

from manyminds.kernels._intrinsics import prefetch
from manyminds.kernels._jit import helper, kernel

_AHEAD = np.uint64(24)  # rows whose codes are fetched in advance


@helper(nogil=True, error_model="numpy")
def fill_block(table, block, rows, team, start, end, packed, histograms, base):
    """Make the histograms of a block's columns over ``rows[team, 0, start:end]``.

    ``base`` is where the histogram of the leaf begins.
    """
    first, last = table.block_starts[block], table.block_starts[block + 1]
    width = last - first
    n_rows = np.uint64(packed.shape[1])
    at, base = n_rows * first, np.uint64(base)
    last_row = np.uint64(end - 1)
    for k in range(base + table.offsets[first], base + table.offsets[last]):
        histograms[team, k] = 0
    for i in range(np.uint64(start), np.uint64(end)):
        row = np.uint64(rows[team, 0, i])
        soon = np.uint64(rows[team, 0, min(i + _AHEAD, last_row)])
        prefetch(table.blocks, at + soon * width)
        value = packed[team, row]
        here = at + row * width
        for j in range(width):
            k = base + table.offsets[first + j] + np.uint64(table.blocks[here + j])
            histograms[team, k] += value


@helper(nogil=True, error_model="numpy")
def subtract_block(table, block, histograms, team, parent, child):
    """Turn a parent's histogram into that of its other child."""
    first, last = table.block_starts[block], table.block_starts[block + 1]
    parent, child = np.uint64(parent), np.uint64(child)
    for k in range(table.offsets[first], table.offsets[last]):
        histograms[team, parent + k] -= histograms[team, child + k]


@kernel(nogil=True, error_model="numpy")
def make_blocks(codes, n_rows, block_starts, blocks):
    """Copy codes from columns into blocks of columns, row after row in each block.

    codes         (n_features * n_rows or more,)  uint8
    n_rows        int
    block_starts  (n_blocks + 1,)  uint64
    blocks        (n_features * n_rows,)  uint8, written
    """
    n = np.uint64(n_rows)
    for b in range(len(block_starts) - 1):
        first, width = block_starts[b], block_starts[b + 1] - block_starts[b]
        to = n * first
        for i in range(n):
            for j in range(width):
                blocks[to + i * width + j] = codes[(first + j) * n + i]
