"""Kernels of node gains on tiny data, compiled and as plain Python."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.node_gains import (
    TreeSamples,
    find_all_gains,
    find_shadow_gains,
    find_shares_below,
    list_cut_gains,
)

# Two columns of six rows: one separates the classes, one has missing values (code 2).
CODES = np.array([0, 0, 1, 1, 2, 2, 0, 1, 2, 0, 1, 2], dtype=np.uint8)
COLUMNS = np.array([[3, 0, 0, 0], [2, 3, 1, 0]])
Y = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0])


@pytest.mark.no_jit
def test_gains_of_all_features_of_one_node():
    gains, lefts = np.empty(2), np.empty((2, 2))
    rows, weights = np.arange(6), np.ones(6)
    samples = TreeSamples(False, CODES, COLUMNS, 6, rows, Y, weights)
    find_all_gains(samples, 0, 6, 2, gains, lefts)
    whole = -(1 / 3 * np.log2(1 / 3) + 2 / 3 * np.log2(2 / 3))
    assert_allclose(gains[0], whole)
    assert_array_equal(lefts[0], [4, 0])
    # Code 0: two of class 0; code 1 and missing values: one of each.
    assert_allclose(gains[1], whole - 4 / 6)
    assert_array_equal(lefts[1], [2, 0])


@pytest.mark.no_jit
def test_few_rows_among_many_bins():
    # Three rows of a column with 200 bins: the bins are sorted, not looked through.
    codes, columns = np.array([150, 3, 77], np.uint8), np.array([[200, 0, 0, 0]])
    gains, lefts = np.empty(1), np.empty((1, 2))
    y = np.array([1.0, 0.0, 0.0])
    samples = TreeSamples(False, codes, columns, 3, np.arange(3), y, np.ones(3))
    find_all_gains(samples, 0, 3, 2, gains, lefts)
    assert_allclose(gains, np.log2(3) - 2 / 3)
    assert_array_equal(lefts, [[2, 0]])


@pytest.mark.no_jit
def test_categories_by_the_share_of_each_class():
    # Three classes, four categories: 0 and 3 hold class 2, which separates them.
    codes, columns = np.arange(4, dtype=np.uint8), np.array([[4, 0, 0, 1]])
    gains, lefts = np.empty(1), np.empty((1, 3))
    y = np.array([2.0, 0.0, 1.0, 2.0])
    samples = TreeSamples(False, codes, columns, 4, np.arange(4), y, np.ones(4))
    find_all_gains(samples, 0, 4, 3, gains, lefts)
    assert_allclose(gains, 1.0)


@pytest.mark.no_jit
@pytest.mark.parametrize("numeric", [False, True])
def test_shuffling_keeps_the_targets_of_a_node(numeric):
    # Rows 0 to 2 and 3 to 5 are two nodes, all six their parent: children first.
    y, weights = Y.copy(), np.arange(1.0, 7.0)
    gains, rows = np.full(3, np.nan), np.arange(6)
    starts, ends = np.array([3, 0, 0]), np.array([6, 3, 6])
    features = np.array([0, 0, 1])
    samples = TreeSamples(numeric, CODES, COLUMNS, 6, rows, y, weights)
    find_shadow_gains(samples, starts, ends, features, 12345, 2, gains)
    assert_array_equal(np.sort(y), np.sort(Y))
    assert_array_equal(np.sort(weights), np.arange(1.0, 7.0))
    assert_array_equal(y[np.argsort(weights)], Y)  # weights went with their targets
    assert gains[1] == 0.0  # all of one class, however shuffled
    assert np.all((gains >= 0.0) & (gains <= 1.0))


@pytest.mark.no_jit
def test_shares_of_three_labels():
    # One positive of three: at an end (two of three) the best cut gains all, 0.918;
    # in the middle it gains 0.2516.
    gains = np.empty(6)
    list_cut_gains(3, 1, gains)
    assert_allclose(np.unique(gains.round(4)), [0.0, 0.2516, 0.9183])
    shares = np.empty(3)
    find_shares_below(3, 1, np.array([0.1, 0.5, 0.95]), shares)
    assert_allclose(shares, [0.0, 1 / 3, 1.0])
