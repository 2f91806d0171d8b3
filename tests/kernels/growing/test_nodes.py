"""One node: statistics, whether and how it is split, the partition of its samples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import (
    CATEGORY_SET,
    FEATURE,
    IMPURITY,
    MISSING_LEFT,
    N_SAMPLES,
    NODE_WEIGHT,
    ROW,
    SPLIT_CODE,
    THRESHOLD,
    WEIGHT,
    OpenNode,
    Y,
)
from manyminds.kernels.growing import nodes
from manyminds.trees.arrays import make_record
from manyminds.trees.growing import make_odds


def open_root(plain, lay_out, X, y, *, general=None, depth=0, **options):
    """Open a node of all rows; return its score, work and record."""
    rules, table, _, work = lay_out(X, y, **options)
    record = make_record(table, rules, len(y), 1, 1)
    node = OpenNode(0, 0, len(y), depth, 77)
    root_weight = work.samples.reals[WEIGHT].sum()
    odds = make_odds(None, len(table.columns))
    score = plain(nodes.open_node)(
        general, rules, table, odds, 0, node, root_weight, 0, None, None, work, record
    )
    return score, (rules, table, node, work, record)


def partition(plain, opened):
    rules, table, node, work, record = opened
    n_left = plain(nodes.partition_samples)(
        table, rules.max_features, node, work.samples, record.ints, record.category_sets
    )
    return n_left, work.samples.rows[ROW].tolist()


def test_statistics_of_classes(plain, lay_out):
    weights = [1.0, 2.0, 1.0]
    score, (*_, record) = open_root(
        plain, lay_out, [0, 1, 2], [0, 2, 2], weights=weights
    )
    assert_allclose(record.values[0], [0.25, 0.0, 0.75])
    assert_allclose(record.floats[[IMPURITY, NODE_WEIGHT], 0], [0.375, 4.0])
    assert record.ints[N_SAMPLES, 0] == 3
    assert record.ints[[FEATURE, SPLIT_CODE], 0].tolist() == [0, 0]
    assert record.floats[THRESHOLD, 0] == 0.5
    assert score == pytest.approx(4 * 0.375)


def test_statistics_of_numbers(plain, lay_out):
    y = [1.0, 1.0, 7.0]
    _, (*_, record) = open_root(plain, lay_out, [0, 1, 2], y, criterion="squared_error")
    assert_allclose(record.values[0], [3.0])
    assert_allclose(record.floats[IMPURITY, 0], np.var(y))
    assert record.floats[THRESHOLD, 0] == 1.5
    # Equal targets have no variance, not even by rounding.
    score, (*_, record) = open_root(
        plain, lay_out, [0, 1, 2], [0.1] * 3, criterion="squared_error"
    )
    assert score == -np.inf
    assert record.values[0, 0] == 0.1 and record.floats[IMPURITY, 0] == 0.0


def test_impurity_of_balanced_error_is_a_share(plain, lay_out):
    # Each class weighs the same in the root: one half is misclassified.
    options = {"criterion": "balanced_error", "general": True}
    _, (*_, record) = open_root(plain, lay_out, [0, 1, 2, 3], [0, 0, 0, 1], **options)
    assert_allclose(record.floats[IMPURITY, 0], 0.5)


@pytest.mark.parametrize(
    "y, options",
    [
        ([1, 1, 1, 1], {}),
        ([0, 0, 1, 1], {"max_depth": 3, "depth": 3}),
        ([0, 0, 1, 1], {"min_samples_split": 5}),
        ([0, 0, 1, 1], {"min_samples_leaf": 3, "general": True}),
        ([0, 0, 1, 1], {"min_weight_fraction_leaf": 0.5, "weights": [1, 1, 1, 2.0],
                        "general": True}),
        ([0, 0, 1, 1], {"min_impurity_decrease": 0.6}),
    ],
)  # fmt: skip
def test_nodes_that_are_leaves(plain, lay_out, y, options):
    score, (*_, record) = open_root(plain, lay_out, [0, 1, 2, 3], y, **options)
    assert score == -np.inf
    assert record.ints[[FEATURE, SPLIT_CODE, CATEGORY_SET], 0].tolist() == [-1, -1, -1]
    assert np.isnan(record.floats[THRESHOLD, 0])


def test_a_decrease_that_is_just_enough(plain, lay_out):
    score, _ = open_root(
        plain, lay_out, [0, 1, 2, 3], [0, 0, 1, 1], min_impurity_decrease=0.5
    )
    assert score == pytest.approx(2.0)


def test_samples_that_go_left_come_first_and_keep_their_order(plain, lay_out):
    X, y = [5, 0, 6, 1, 7], [1, 0, 1, 0, 1]
    _, opened = open_root(plain, lay_out, X, y, weights=[1.0, 2.0, 3.0, 4.0, 5.0])
    assert partition(plain, opened) == (2, [1, 3, 0, 2, 4])
    *_, work, record = opened
    assert_array_equal(work.samples.reals[Y], [0, 0, 1, 1, 1])
    assert_array_equal(work.samples.reals[WEIGHT], [2, 4, 1, 3, 5])
    assert record.ints[MISSING_LEFT, 0] == 0  # unseen missing values: the majority


def test_missing_values_are_moved_to_their_side(plain, lay_out):
    X, y = [np.nan, 0.0, 5.0, np.nan, 5.0], [0, 0, 1, 0, 1]
    _, opened = open_root(plain, lay_out, X, y, general=True)
    assert partition(plain, opened) == (3, [0, 1, 3, 2, 4])
    assert opened[-1].ints[MISSING_LEFT, 0] == 1


def test_unseen_categories_follow_the_majority(plain, lay_out):
    # Categories 0 and 3 go left: in the first node three of five samples, or two.
    X, y = [0, 3, 1, 2, 0], [0, 0, 1, 1, 0]
    _, opened = open_root(plain, lay_out, X, y, categorical=[0], general=True)
    record = opened[-1]
    assert record.ints[CATEGORY_SET, 0] == 0 and np.isnan(record.floats[THRESHOLD, 0])
    words = int(record.category_sets[0, 0])
    assert words & 0b1111 == 0b1001 and words >> 4 == 2**60 - 1
    assert partition(plain, opened) == (3, [0, 1, 4, 2, 3])
    _, opened = open_root(
        plain, lay_out, X, [1, 0, 1, 1, 1], categorical=[0], general=True
    )
    assert int(opened[-1].category_sets[0, 0]) == 0b1000
