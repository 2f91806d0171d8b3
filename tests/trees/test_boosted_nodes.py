"""Boosted trees as flat arrays: thresholds between bins, gains summed upwards."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.boosting.bundles import Nodes
from manyminds.trees.binned import make_binned_table
from manyminds.trees.boosted_nodes import collect_trees


def make_nodes():
    """Return three trees by hand: two levels, a leaf alone, and one to leave out.

    The places of a node are feature, code, left child, missing left, set, rows.
    """
    ints = np.full((3, 7, 6), 99, np.int32)  # what is not used is not read
    reals = np.full((3, 7, 3), np.nan)
    ints[0, :5] = [
        [1, 4, 1, 1, -1, 30],  # a cut of column 1
        [0, 0, 3, 0, 0, 20],  # a set of column 0
        [7, 7, -1, 1, -1, 10],  # leaves, with traces of an earlier use
        [7, 7, -1, 1, -1, 12],
        [7, 7, -1, 1, -1, 8],
    ]
    reals[0, :5, 0] = [5.0, 5.0, 0.1, 0.2, 0.3]  # values count in leaves only
    reals[0, :5, 1] = [6.0, 4.0, 77.0, 77.0, 77.0]  # gains in inner nodes only
    ints[1, :1] = [[7, 7, -1, 1, -1, 30]]
    reals[1, :1, :2] = [[-0.5, 77.0]]
    ints[2, :3] = [[0, 0, 1, 1, 0, 30], [0, 0, -1, 0, -1, 29], [0, 0, -1, 0, -1, 1]]
    reals[2, :3, :2] = 1.0
    sets = np.zeros((3, 3, 4), np.uint64)
    sets[0, 0, 0], sets[2, 0, 0] = 5, 2
    counts = np.array([[5, 1], [1, 0], [3, 1]], np.int32)
    return Nodes(ints, reals, sets, counts)


def make_table():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(30) % 3, rng.permutation(30) // 2]).astype(float)
    return X, make_binned_table(X, np.array([True, False]))


def test_nodes_become_thresholds_and_values():
    _, table = make_table()
    trees = collect_trees(make_nodes(), 2, table)
    assert trees.n_trees == 2
    assert_array_equal(trees.starts, [0, 5, 6])
    assert_array_equal(trees.feature, [1, 0, -1, -1, -1, -1])
    assert_array_equal(trees.left, [1, 3, -1, -1, -1, -1])
    assert_allclose(trees.threshold, [4.5, *[np.nan] * 5])  # between values 4 and 5
    assert_array_equal(trees.missing_left, [True, False, False, False, False, False])
    assert_array_equal(trees.category_set, [-1, 0, -1, -1, -1, -1])
    assert_array_equal(trees.value[:, 0], [0.0, 0.0, 0.1, 0.2, 0.3, -0.5])
    assert_array_equal(trees.n_samples, [30, 20, 10, 12, 8, 30])


def test_gains_are_those_at_and_below_a_node_for_each_row():
    _, table = make_table()
    trees = collect_trees(make_nodes(), 2, table)
    assert_allclose(trees.impurity * trees.weight, [10.0, 4.0, 0.0, 0.0, 0.0, 0.0])
    assert_array_equal(trees.weight, trees.n_samples)


def test_trees_predict_by_cut_and_set():
    X, table = make_table()
    trees = collect_trees(make_nodes(), 2, table)
    expected = np.where(X[:, 1] > 4.5, 0.1, np.where(X[:, 0] == 1, 0.3, 0.2)) - 0.5
    assert_allclose(trees.sum_values(X, [0.0])[:, 0], expected)
    new = np.array([[np.nan, np.nan], [2.0, np.nan]])  # left, then right or by the set
    assert_allclose(trees.sum_values(new, [0.0])[:, 0], [-0.2, -0.3])


def test_sets_are_numbered_over_all_trees():
    _, table = make_table()
    trees = collect_trees(make_nodes(), 3, table)
    assert_array_equal(trees.category_set[trees.category_set >= 0], [0, 1])
    assert_array_equal(trees.category_sets[:, 0], [5, 2])
    assert_allclose(trees.impurity[6:] * trees.weight[6:], [1.0, 0.0, 0.0])


def test_trees_without_sets_take_no_room_for_them():
    _, table = make_table()
    nodes = make_nodes()
    trees = collect_trees(Nodes(*(part[1:2] for part in nodes)), 1, table)
    assert trees.max_categories == 0 and len(trees.category_sets) == 0
    assert_array_equal(trees.value, [[-0.5]])


def test_cuts_after_the_last_bin_part_missing_values_from_the_others():
    _, table = make_table()
    nodes = make_nodes()
    nodes.ints[0, 0, 1] = table.columns[1, 0] - 1
    trees = collect_trees(nodes, 1, table)
    assert trees.threshold[0] == np.inf
