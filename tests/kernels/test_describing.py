"""Trees grown as long as splits pay, in bits counted by hand."""

from math import log2

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import (
    FEATURE,
    IMPURITY,
    LEFT,
    MISSING_LEFT,
    N_SAMPLES,
    NODE_WEIGHT,
    THRESHOLD,
)
from manyminds.kernels.describing import (
    FULL_COST,
    INDEX_COST,
    NO_COST,
    grow_described_tree,
)
from manyminds.trees.binning import bin_table


def grow(
    X, y, weights=None, *, cost=NO_COST, by_saving=False, max_depth=99, table=None
):
    X, y = np.array(X, np.float64), np.array(y, np.int64)
    weights = np.ones(len(y)) if weights is None else np.array(weights)
    n_nodes, n_classes = 2 * len(y) + 1, y.max() + 1
    ints, floats = np.empty((7, n_nodes), np.int64), np.empty((3, n_nodes))
    values, leaves = np.empty((n_nodes, n_classes)), np.empty(len(y), np.int64)
    whole = np.arange(weights.sum() + 1.0)
    n_nodes = grow_described_tree(
        *(bin_table(X) if table is None else table),
        y,
        weights,
        whole * np.log2(np.maximum(whole, 1.0)),
        np.array([cost, by_saving, max_depth]),
        ints,
        floats,
        values,
        leaves,
    )
    return ints[:, :n_nodes], floats[:, :n_nodes], values[:n_nodes], leaves


@pytest.mark.no_jit
def test_worked_example():
    # The split saves 8 bits and costs log2(7) + log2(3^2 - 2) - 2 * 1 = 3.6 bits.
    X, y = np.arange(8.0)[:, np.newaxis], [0] * 4 + [1] * 4
    ints, floats, values, leaves = grow(X, y)
    assert_array_equal(ints[FEATURE], [0, -1, -1])
    assert_array_equal(ints[LEFT], [1, -1, -1])
    assert_array_equal(ints[N_SAMPLES], [8, 4, 4])
    assert_array_equal(floats[THRESHOLD], [3.5, np.nan, np.nan])
    assert_allclose(floats[IMPURITY], [1.0, 0.0, 0.0])
    assert_array_equal(floats[NODE_WEIGHT], [8.0, 4.0, 4.0])
    assert_array_equal(values, [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    assert_array_equal(leaves, [1] * 4 + [2] * 4)


@pytest.mark.no_jit
def test_a_split_that_does_not_pay_is_not_made():
    # Of 0, 1, 0, 1 the best cut saves 4 - 3 * 0.918 bits = 1.2, and costs 4.2.
    ints, *_ = grow([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    assert_array_equal(ints[FEATURE], [-1])
    # One of eight: 4.3 bits are saved, and log2(7) + log2(7) - 2 * 0.54 = 4.5 cost.
    X = np.arange(8.0)[:, np.newaxis]
    assert grow(X, [0] * 7 + [1])[0].shape[1] == 1
    assert grow(X, [0] * 6 + [1] * 2)[0].shape[1] == 3


@pytest.mark.no_jit
@pytest.mark.parametrize("cost", [NO_COST, INDEX_COST, FULL_COST])
def test_many_features_cost_bits_to_name(cost):
    # Two rows: a split saves 2 bits and costs log2(7) - 2 = 0.81. One of 1024 features
    # costs 10 bits more; that it is a new one, of none used before, nothing.
    X = np.zeros((2, 1024))
    X[1, 5] = 1.0
    ints, *_ = grow(X, [0, 1], cost=cost)
    assert 2.0 > log2(7) - 2.0
    assert ints[FEATURE].tolist() == ([-1] if cost == FULL_COST else [5, -1, -1])


@pytest.mark.no_jit
def test_rows_without_weight_get_their_leaf_and_count_nothing():
    X, y = [[0.0], [1.0], [2.0], [3.0], [2.5]], [0, 0, 1, 1, 0]
    ints, floats, _, leaves = grow(X, y, [2.0, 2.0, 2.0, 2.0, 0.0])
    assert_array_equal(ints[N_SAMPLES], [4, 2, 2])
    assert_array_equal(floats[NODE_WEIGHT], [8.0, 4.0, 4.0])
    assert_array_equal(leaves, [1, 1, 2, 2, 2])
    # The cut is not inside the gap's empty bin, nor below it.
    assert floats[THRESHOLD, 0] == 1.5


@pytest.mark.no_jit
def test_missing_values_take_the_side_that_saves_more():
    X = [[0.0], [0.0], [np.nan], [np.nan], [5.0], [5.0], [5.0], [5.0]]
    ints, floats, _, leaves = grow(X, [0, 0, 0, 0, 1, 1, 1, 1])
    assert ints[MISSING_LEFT, 0] == 1 and floats[THRESHOLD, 0] == 2.5
    ints, floats, _, leaves = grow(X, [0, 0, 1, 1, 1, 1, 1, 1])
    assert ints[MISSING_LEFT, 0] == 0 and floats[THRESHOLD, 0] == 2.5
    # Or a side of their own.
    ints, floats, _, leaves = grow(X, [0, 0, 1, 1, 0, 0, 0, 0])
    assert ints[MISSING_LEFT, 0] == 0 and floats[THRESHOLD, 0] == np.inf
    assert_array_equal(leaves, [1, 1, 2, 2, 1, 1, 1, 1])


@pytest.mark.no_jit
def test_depth_is_limited():
    X, y = np.arange(24.0)[:, np.newaxis], np.repeat([0, 1, 2], 8)
    assert grow(X, y)[0].shape[1] == 5
    assert grow(X, y, max_depth=1)[0].shape[1] == 3
    assert grow(X, y, max_depth=0)[0].shape[1] == 1


@pytest.mark.no_jit
def test_a_cut_is_never_inside_a_bin_without_weight():
    # The middle between 0 and 4 lies in the bin of the values 1 to 3.
    columns, edges = (
        np.array([[3, 0, 0, 0]]),
        np.array([[0.0, 1.0, 4.0], [0.0, 3.0, 4.0]]),
    )
    table = np.array([0, 1, 2], np.uint8), columns, edges
    _, floats, _, leaves = grow(np.empty((3, 1)), [0, 1, 1], [4.0, 0, 4.0], table=table)
    assert floats[THRESHOLD, 0] == 3.0
    assert_array_equal(leaves, [1, 1, 2])
