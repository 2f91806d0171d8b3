"""Arrays of the grower: room for the largest trees, clean where it must be."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.growing.histograms import END_OF_CHAIN
from manyminds.kernels.growing.search import FEW
from manyminds.trees.arrays import make_record, make_work
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling


def allocate(X, n_classes, *, categorical=None, n_trees=2, n_words=1, **options):
    table = bin_table(X, categorical)
    rules = make_rules(*X.shape, n_classes, len(X), criterion="gini", **options)
    work = make_work(table, rules, len(X), n_words)
    return work, make_record(table, rules, len(X), n_words, n_trees)


def test_room_for_nodes_is_that_of_full_trees():
    # 8 rows make at most 8 leaves and 7 splits; one node is spare.
    _, record = allocate(np.arange(8.0)[:, np.newaxis], 2)
    assert record.values.shape == (2 * 17, 2)
    assert record.ints.shape == (6, 34) and record.floats.shape == (3, 34)
    assert record.ends.shape == (2, 2)


def test_few_leaves_need_less_room():
    _, record = allocate(np.arange(8.0)[:, np.newaxis], 2, max_leaf_nodes=3)
    assert len(record.values) == 2 * 7
    _, record = allocate(np.arange(8.0)[:, np.newaxis], 2, max_leaf_nodes=30)
    assert len(record.values) == 2 * 17


def test_sets_are_for_categories_only():
    X = np.arange(8.0)[:, np.newaxis]
    _, record = allocate(X, 2)
    assert record.category_sets.shape == (1, 1)
    _, record = allocate(X, 2, categorical=np.array([True]), n_words=3)
    assert record.category_sets.shape == (34, 3)


@pytest.mark.parametrize("n_classes", [1, 2, 5])
def test_bins_are_clean_and_have_room_for_missing_values(n_classes):
    X = np.array([[0.0], [1.0], [2.0], [np.nan]])  # three bins, and one for missing
    bins = allocate(X, n_classes)[0].bins
    assert_array_equal(bins.heads, np.full(4, END_OF_CHAIN))
    assert not bins.hist.any() and not bins.n_hist.any() and not bins.mask.any()
    assert len(bins.hist) == 4 * max(n_classes, 2) and len(bins.order) == 5


@pytest.mark.parametrize("n_rows, n_classes", [(2, 2), (40, 2), (2, 20)])
def test_sums_have_room_for_bins_classes_and_few_samples(n_rows, n_classes):
    work, _ = allocate(np.arange(float(n_rows))[:, np.newaxis], n_classes)
    assert work.scratch.sums.shape[1] >= max(n_rows, n_classes, FEW)


def test_every_row_may_be_a_leaf():
    # The largest tree that there can be, and the most open nodes.
    X = np.arange(7.0)[:, np.newaxis]
    rules = make_rules(7, 1, 2, 7.0, criterion="gini")
    y = np.arange(7.0) % 2
    seeds = draw_seeds(np.random.RandomState(0), 3)
    trees = grow(bin_table(X), y, rules, make_sampling(7, 1), seeds)
    assert_array_equal(trees.n_leaves, 7)
