"""Pruning kernels on a tree of five nodes, worked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import Splits
from manyminds.kernels.pruning import (
    add_rows_to_values,
    cut_weakest_links,
    list_kept_nodes,
    mark_by_reduced_error,
)

# x0 at 0, then its left half by x1 at 0. Leaves 2, 3 and 4 predict 5, 1 and 3.
LEFT = np.array([1, 3, -1, -1, -1], np.int32)
IMPURITY, WEIGHT = np.array([3.0, 1.0, 0.0, 0.0, 0.0]), np.array([4.0, 2, 2, 1, 1])
PREDICTION = np.array([3.5, 2.0, 5.0, 1.0, 3.0])
X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, 0.0]])


def make_splits(n_trees=1):
    return Splits(
        feature=np.tile(np.array([0, 1, -1, -1, -1], np.int32), n_trees),
        threshold=np.tile([0.0, 0.0, np.nan, np.nan, np.nan], n_trees),
        left=np.tile(LEFT, n_trees),
        missing_left=np.zeros(5 * n_trees, bool),
        category_set=np.full(5 * n_trees, -1, np.int32),
        category_sets=np.zeros((0, 1), np.uint64),
    )


def mark(y, weights=((1.0, 1.0, 1.0),), n_trees=1, is_squared=True):
    becomes_leaf = np.zeros(5 * n_trees, bool)
    mark_by_reduced_error(
        make_splits(n_trees),
        5 * np.arange(n_trees + 1),
        np.tile(PREDICTION, n_trees),
        X,
        np.array(y, np.float64),
        np.array(weights),
        is_squared,
        becomes_leaf,
    )
    return becomes_leaf


@pytest.mark.no_jit
def test_kept_nodes_are_numbered_anew_in_each_tree():
    left, becomes_leaf = np.tile(LEFT, 3), np.zeros(15, bool)
    becomes_leaf[[1, 10]] = True  # the inner node of tree 0, the root of tree 2
    kept, new_left, starts = list_kept_nodes(
        left, np.array([0, 5, 10, 15]), becomes_leaf
    )
    assert_array_equal(kept, [0, 1, 2, 5, 6, 7, 8, 9, 10])
    assert_array_equal(new_left, [1, -1, -1, 1, 3, -1, -1, -1, -1])
    assert_array_equal(starts, [0, 3, 8, 9])
    assert new_left.dtype == np.int32


@pytest.mark.no_jit
@pytest.mark.parametrize(
    "ccp_alpha, leaves", [(0.4, []), (0.5, [1]), (2.4, [1]), (2.5, [1, 0])]
)
def test_weakest_links_worked_by_hand(ccp_alpha, leaves):
    # As a leaf, node 1 costs 2/4 of 1, its branch nothing: strength 1/2. Then the root
    # costs 3 against 1/2: strength 5/2.
    becomes_leaf, path = np.zeros(5, bool), np.empty((6, 2))
    n_cuts = cut_weakest_links(
        LEFT, IMPURITY, WEIGHT, np.array([0, 5]), ccp_alpha, becomes_leaf, path
    )
    assert n_cuts == len(leaves)
    assert_array_equal(np.flatnonzero(becomes_leaf), sorted(leaves))
    expected = [[0.0, 0.0], [0.5, 0.5], [2.5, 3.0]]
    assert_allclose(path[: n_cuts + 1], expected[: n_cuts + 1])


@pytest.mark.no_jit
def test_a_root_that_is_weaker_than_its_branches_is_cut_at_once():
    # Node 1 saves 1/2 per leaf less; the root 2 / 2, or only 0.9 / 2.
    for root, expected in ((2.0, [1, 0]), (0.9, [0])):
        becomes_leaf, path = np.zeros(5, bool), np.empty((6, 2))
        impurity = np.array([root, 1.0, 0.0, 0.0, 0.0])
        cut_weakest_links(
            LEFT, impurity, WEIGHT, np.array([0, 5]), np.inf, becomes_leaf, path
        )
        assert_array_equal(np.flatnonzero(becomes_leaf), sorted(expected))


@pytest.mark.no_jit
@pytest.mark.parametrize(
    "y, leaves",
    [
        ([1.0, 3.0, 5.0], []),  # all leaves are right
        ([3.0, 1.0, 5.0], [1]),  # node 1 errs by 2, its leaves by 8
        ([1.5, 2.5, 5.0], [1]),  # node 1 errs as much as its leaves
        ([3.0, 1.0, 4.5], [1]),  # the root errs by 7.5, its children by 2 and 0.25
        ([3.5, 3.5, 3.5], [0, 1]),  # node 1: 4.5 against 6.5; the root is right
    ],
)
def test_reduced_error_worked_by_hand(y, leaves):
    assert_array_equal(np.flatnonzero(mark(y)), leaves)


@pytest.mark.no_jit
def test_rows_without_weight_and_errors_of_classes():
    # Only row 2 counts: node 1, which it does not reach, is no worse as a leaf.
    assert_array_equal(np.flatnonzero(mark([1.0, 3.0, 5.0], [[0, 0, 1.0]])), [1])
    # As class numbers, 3.5 is never right: the root stays, and so does node 1.
    assert not mark([1.0, 3.0, 5.0], is_squared=False).any()
    assert_array_equal(np.flatnonzero(mark([2.0, 2.0, 5.0], is_squared=False)), [1])


@pytest.mark.no_jit
def test_each_tree_has_its_weights():
    weights = [[1.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    becomes_leaf = mark([1.0, 3.0, 5.0], weights, n_trees=2)
    assert_array_equal(np.flatnonzero(becomes_leaf), [6])


@pytest.mark.no_jit
def test_rows_are_added_to_the_means_of_their_nodes():
    # Row 0 has weight 2: the root's mean is (4 * 3.5 + 2 * 8) / 6.
    value = PREDICTION[:, np.newaxis].copy()
    weights, y = np.array([[2.0, 0.0, 0.0]]), np.array([8.0, 0.0, 0.0])
    add_rows_to_values(
        make_splits(), np.array([0, 5]), WEIGHT, X, y, weights, True, value
    )
    expected = [(14 + 16) / 6, (4 + 16) / 4, 5.0, (1 + 16) / 3, 3.0]
    assert_allclose(value[:, 0], expected)


@pytest.mark.no_jit
def test_rows_are_added_to_the_proportions_of_their_nodes():
    value = np.tile([0.5, 0.5], (5, 1))
    weights, y = np.array([[1.0, 1.0, 1.0]]), np.array([0.0, 0.0, 1.0])
    add_rows_to_values(
        make_splits(), np.array([0, 5]), WEIGHT, X, y, weights, False, value
    )
    expected = [4 / 7, 3 / 4, 1 / 3, 3 / 4, 3 / 4]
    assert_allclose(value[:, 0], expected)
    assert_allclose(value.sum(axis=1), 1.0)
