"""Gains along the paths of rows, on a tree worked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.relevance import add_gains

# Split by feature 2, then on the left by feature 0. Base-2 logarithms of the shares.
PARENT = np.array([-1, 0, 0, 1, 1], np.int32)
FEATURE = np.array([2, 0, -1, -1, -1], np.int32)
LOG_SHARE = np.log2([[0.5, 0.5], [0.25, 0.75], [1, 0.125], [0.5, 0.5], [0.125, 0.875]])


def add(leaf, label, *, in_bag=None, starts=(0,), begin=0, log_share=LOG_SHARE):
    leaf, n_rows = np.array(leaf, np.int64), len(leaf)
    total, n_seen = np.zeros((n_rows, 3)), np.zeros((n_rows, 3), np.int32)
    if in_bag is None:
        in_bag = np.ones(leaf.T.shape, np.int32)
    n_trees = len(starts)
    add_gains(
        np.tile(PARENT, n_trees),
        np.tile(FEATURE, n_trees),
        np.tile(log_share, (n_trees, 1)),
        np.array(starts, np.int64),
        leaf,
        np.array(in_bag, np.int32),
        np.array(label, np.int64),
        begin,
        n_rows,
        total,
        n_seen,
    )
    return total, n_seen


@pytest.mark.no_jit
def test_worked_example():
    # In leaf 3, the share of class 0 falls to 1/4 and rises to 1/2 again.
    total, n_seen = add([[3], [2]], [0, 0])
    assert_array_equal(total, [[1.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
    assert_array_equal(n_seen, [[1, 0, 1], [0, 0, 1]])


@pytest.mark.no_jit
def test_the_class_of_the_row_counts():
    total, _ = add([[2]], [1])
    assert_array_equal(total, [[0.0, 0.0, -2.0]])


@pytest.mark.no_jit
def test_rows_out_of_bag_and_leaves_without_the_class_add_nothing():
    total, n_seen = add([[3], [2]], [0, 0], in_bag=[[0, 3]])
    assert_array_equal(total, [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    none = LOG_SHARE.copy()
    none[3, 0] = -np.inf
    total, n_seen = add([[3]], [0], log_share=none)
    assert not total.any() and not n_seen.any()


@pytest.mark.no_jit
def test_trees_add_up_and_rows_before_the_first_are_left_alone():
    total, n_seen = add([[2, 2], [2, 3]], [0, 0], starts=(0, 5), begin=1)
    assert_array_equal(total, [[0, 0, 0], [1.0, 0.0, 0.0]])
    assert_array_equal(n_seen, [[0, 0, 0], [1, 0, 2]])


@pytest.mark.no_jit
def test_a_tree_without_splits_says_nothing():
    total, n_seen = add([[0]], [1])
    assert not total.any() and not n_seen.any()
