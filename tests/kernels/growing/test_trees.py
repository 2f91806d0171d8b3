"""Whole trees: order of the nodes, samples and weights of each tree, limits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import FEATURE, LEFT, N_SAMPLES, NODE_WEIGHT, THRESHOLD
from manyminds.kernels.draws import count_draws
from manyminds.kernels.growing.trees import grow_trees
from manyminds.trees.arrays import make_record, make_work
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import make_rules, make_sampling

X = np.arange(30.0)
# A single cut at 3.5, then one at 5.5 in the larger half of the remaining impurity.
Y = np.array([0.0, 0.0, 0.0, 1.0, 10.0, 10.0, 14.0, 14.0])


def grow(y=Y, seeds=(5,), *, criterion="squared_error", sampling=None, first=0,
         balance=False, **options):  # fmt: skip
    """Call the kernel; return the record, and the first and last node of each tree."""
    n_classes = 1 if criterion == "squared_error" else int(y.max()) + 1
    table = bin_table(X[: len(y), np.newaxis])
    rules = make_rules(
        len(y), 1, n_classes, float(len(y)), criterion=criterion,
        balance_classes=balance, **options,
    )  # fmt: skip
    if sampling is None:
        sampling = make_sampling(len(y), 1)
    work = make_work(table, rules, len(y), 1)
    record = make_record(table, rules, len(y), 1, len(seeds))
    seeds = np.array(seeds, np.int64)
    grow_trees(None, table, rules, sampling, y, seeds, first, work, record)
    return record, np.append(0, record.ends[:, 0])


@pytest.mark.no_jit
def test_children_are_adjacent_and_come_after_their_parent():
    record, (start, end) = grow()
    feature, left = record.ints[FEATURE, start:end], record.ints[LEFT, start:end]
    assert end == 7  # four distinct targets: four leaves
    assert_array_equal(feature >= 0, left >= 0)
    assert (left[left >= 0] > np.flatnonzero(left >= 0)).all()
    assert_array_equal(
        np.sort(np.r_[left[left >= 0], left[left >= 0] + 1]), range(1, 7)
    )
    for node in np.flatnonzero(left >= 0):
        children = record.ints[N_SAMPLES, [left[node], left[node] + 1]]
        assert children.sum() == record.ints[N_SAMPLES, node]


@pytest.mark.no_jit
@pytest.mark.parametrize(
    "max_leaf_nodes, thresholds", [(2, {3.5}), (3, {3.5, 5.5}), (4, {2.5, 3.5, 5.5})]
)
def test_leaves_are_split_best_first(max_leaf_nodes, thresholds):
    record, (start, end) = grow(max_leaf_nodes=max_leaf_nodes)
    assert end == 2 * max_leaf_nodes - 1
    is_split = record.ints[LEFT, start:end] >= 0
    assert set(record.floats[THRESHOLD, start:end][is_split]) == thresholds
    # Nodes that were searched but not split are leaves like others.
    assert_array_equal(record.ints[FEATURE, start:end] >= 0, is_split)
    assert np.isnan(record.floats[THRESHOLD, start:end][~is_split]).all()


def split_greedily(y, n_leaves):
    """Split the leaf with the largest decrease of squares; return all cuts."""

    def squares(a, b):
        return np.var(y[a:b]) * (b - a)

    leaves, cut_at = [(0, len(y))], set()
    while len(leaves) < n_leaves:
        _, a, c, b = max(
            (squares(a, b) - squares(a, c) - squares(c, b), a, c, b)
            for a, b in leaves
            for c in range(a + 1, b)
        )
        leaves.remove((a, b))
        leaves += [(a, c), (c, b)]
        cut_at.add(c - 0.5)
    return cut_at


def test_best_first_is_greedy(seed):
    y = np.random.default_rng(seed).normal(size=30)
    for n_leaves in (5, 9, 14):
        record, (start, end) = grow(y, max_leaf_nodes=n_leaves)
        is_split = record.ints[LEFT, start:end] >= 0
        found = set(record.floats[THRESHOLD, start:end][is_split])
        assert found == split_greedily(y, n_leaves)


@pytest.mark.no_jit
def test_trees_are_numbered_within_themselves():
    record, (_, middle, end) = grow(seeds=(5, 6))
    for array in (record.ints, record.floats):
        one, two = array[:, :middle], array[:, middle:end]
        assert_array_equal(one[: len(one) - 1], two[: len(two) - 1])


@pytest.mark.no_jit
def test_each_tree_has_its_weights():
    weights = np.array([np.ones(8), np.ones(8), (X[:8] < 4.0) * 2.0])
    record, starts = grow(seeds=(5, 6), sampling=make_sampling(8, 1, weights), first=1)
    roots = starts[:-1]
    assert_array_equal(record.floats[NODE_WEIGHT, roots], [8.0, 8.0])
    assert_array_equal(record.ints[N_SAMPLES, roots], [8, 4])
    assert_allclose(record.values[roots, 0], [Y.mean(), 0.25])


@pytest.mark.no_jit
def test_draws_of_rows_follow_from_the_seed():
    seeds = np.array([5, 991, 123457])
    record, starts = grow(seeds=seeds, sampling=make_sampling(8, 1, bootstrap=12))
    counts = np.zeros((3, 8), np.int32)
    count_draws(seeds, 12, np.empty(0), counts)
    roots = starts[:-1]
    assert_array_equal(record.floats[NODE_WEIGHT, roots], 12.0)
    assert_array_equal(record.ints[N_SAMPLES, roots], (counts > 0).sum(axis=1))
    assert_allclose(record.values[roots, 0], counts @ Y / 12)


@pytest.mark.no_jit
def test_classes_are_balanced_in_each_tree():
    y = (X[:8] > 5.5).astype(float)  # six rows against two
    record, _ = grow(y, criterion="gini", balance=True)
    assert_allclose(record.values[0], [0.5, 0.5])
    assert record.floats[NODE_WEIGHT, 0] == pytest.approx(8.0)
    record, _ = grow(y, criterion="gini")
    assert_allclose(record.values[0], [0.75, 0.25])


@pytest.mark.no_jit
def test_a_single_row_is_a_leaf():
    record, starts = grow(np.array([3.0]))
    assert starts.tolist() == [0, 1]
    assert record.values[0, 0] == 3.0 and record.ints[LEFT, 0] == -1
