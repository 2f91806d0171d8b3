"""Histograms are sums over rows; a child's is its parent's less its sibling's."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.boosting.bundles import BoostTable
from manyminds.kernels.boosting.histograms import (
    fill_block,
    make_blocks,
    subtract_block,
)


def make_table(rng, n_rows, n_bins, block_starts):
    n_features = len(n_bins)
    codes = np.array([rng.integers(0, b + 1, size=n_rows) for b in n_bins], np.uint8)
    block_starts = np.array(block_starts, np.uint64)
    blocks = np.empty(codes.size, np.uint8)
    make_blocks(codes.reshape(-1), n_rows, block_starts, blocks)
    offsets = np.concatenate([[0], np.cumsum(np.array(n_bins) + 1)]).astype(np.uint64)
    return codes, BoostTable(
        codes.reshape(-1),
        np.column_stack([np.arange(n_features) * n_rows, np.ones(n_features)]).astype(
            np.uint64
        ),
        blocks,
        block_starts,
        offsets,
        np.zeros(n_features, bool),
        np.zeros(n_features, np.int8),
        np.zeros((n_features, 0), np.uint64),
    )


def naive_histogram(codes, n_bins, packed, rows):
    parts = [
        np.bincount(column[rows], minlength=b + 1) * 0
        for column, b in zip(codes, n_bins)
    ]
    for part, column in zip(parts, codes):
        np.add.at(part, column[rows], packed[rows])
    return np.concatenate(parts)


def test_blocks_hold_the_codes_of_some_columns_row_after_row(seed):
    codes, table = make_table(np.random.default_rng(seed), 11, [3, 4, 5], [0, 2, 3])
    assert_array_equal(table.blocks[:22].reshape(11, 2), codes[:2].T)
    assert_array_equal(table.blocks[22:], codes[2])


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="would only repeat test_rounds")
def test_histograms_of_both_children_equal_sums_over_their_rows(compiled, seed):
    rng = np.random.default_rng(seed)
    n_rows, n_bins = 300, [1, 9, 255, 30, 2]
    codes, table = make_table(rng, n_rows, n_bins, [0, 2, 5])
    size = int(table.offsets[-1])
    packed = rng.integers(-(2**50), 2**50, size=(2, n_rows))
    rows = np.zeros((2, 3, n_rows), np.uint32)
    rows[1, 0] = rng.permutation(n_rows)
    histograms = np.full((2, 2 * size), 99)
    fill, subtract = compiled(fill_block), compiled(subtract_block)
    for block in range(2):
        fill(table, block, rows, 1, 0, n_rows, packed, histograms, 0)
        fill(table, block, rows, 1, 20, 150, packed, histograms, size)
        assert (histograms[0] == 99).all()  # another team's
    everything, some = rows[1, 0], rows[1, 0, 20:150]
    assert_array_equal(
        histograms[1, :size], naive_histogram(codes, n_bins, packed[1], everything)
    )
    expected = naive_histogram(codes, n_bins, packed[1], some)
    assert_array_equal(histograms[1, size:], expected)
    for block in range(2):
        subtract(table, block, histograms, 1, 0, size)
    others = np.setdiff1d(everything, some)
    assert_array_equal(
        histograms[1, :size], naive_histogram(codes, n_bins, packed[1], others)
    )
