"""Trees with many targets: one target is the plain tree, and labels may be flipped."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling
from manyminds.trees.label_growing import grow_on_labels, grow_on_targets


def make_forest(X, Y, *, numeric=False, n_trees=3, single=False, weights=None):
    """Grow trees on bootstrap samples, by the grower for many targets or for one."""
    criterion = "squared_error" if numeric else "gini"
    n_values = Y.shape[1] if not single else 1 if numeric else 2
    rules = make_rules(
        *X.shape, n_values, float(len(X)), criterion=criterion, max_features="sqrt"
    )
    n_draws = len(X) if weights is None else 0
    sampling = make_sampling(*X.shape, weights, bootstrap=n_draws)
    seeds = draw_seeds(np.random.RandomState(0), n_trees)
    if single:
        return grow(bin_table(X), Y[:, 0].astype(float), rules, sampling, seeds)
    grow_many = grow_on_targets if numeric else grow_on_labels
    return grow_many(bin_table(X), Y, rules, sampling, seeds)


def make_labels(seed, n_rows=300, n_labels=7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 9))
    scores = X @ rng.normal(size=(9, n_labels)) + rng.normal(size=n_labels)
    return X, (scores > 0).astype(int)


@pytest.mark.parametrize("numeric", [False, True])
def test_one_target_grows_the_tree_of_the_plain_grower(numeric, seed):
    X, Y = make_labels(seed)
    Y = X[:, :1] + X[:, 1:2] ** 2 if numeric else Y[:, :1]
    many = make_forest(X, Y, numeric=numeric)
    one = make_forest(X, Y, numeric=numeric, single=True)
    assert_array_equal(many.feature, one.feature)
    assert_array_equal(many.threshold, one.threshold)
    assert_allclose(many.value[:, 0], one.value[:, -1], atol=1e-12)
    assert_allclose(many.impurity, one.impurity, atol=1e-9)


def test_a_label_and_its_complement_grow_the_same_trees(seed):
    X, Y = make_labels(seed)
    trees, flipped = make_forest(X, Y), make_forest(X, 1 - Y)
    assert_array_equal(trees.threshold, flipped.threshold)
    assert_allclose(trees.value, 1.0 - flipped.value, atol=1e-12)


def test_packed_labels_and_lists_of_labels_grow_the_same_trees(seed):
    # Weights of a third are no whole numbers: labels are moved one by one.
    X, Y = make_labels(seed)
    packed = make_forest(X, Y, weights=np.full(len(X), 3.0))
    listed = make_forest(X, Y, weights=np.full(len(X), 1.0 / 3.0))
    assert_array_equal(packed.feature, listed.feature)
    assert_array_equal(packed.threshold, listed.threshold)


def test_leaves_of_unlimited_trees_are_pure(seed):
    X, Y = make_labels(seed)
    trees = make_forest(X, Y)
    assert set(np.unique(trees.value[trees.is_leaf])) == {0.0, 1.0}
    assert_array_equal(trees.impurity[trees.is_leaf], 0.0)


def test_many_labels_are_listed_and_duplicates_change_nothing(seed):
    # Beyond 64 labels none is packed. Copies of the labels keep the mean impurity.
    X, Y = make_labels(seed)
    few, many = make_forest(X, Y), make_forest(X, np.tile(Y, 10))
    assert_array_equal(few.threshold, many.threshold)
    assert_allclose(many.value[:, :7], few.value)


def test_batches_do_not_change_the_trees(seed):
    X, Y = make_labels(seed, n_rows=2000)
    alone = make_forest(X, Y, n_trees=40)
    assert alone.n_trees == 40
    assert_array_equal(alone.tree(1).threshold, make_forest(X, Y).tree(1).threshold)
