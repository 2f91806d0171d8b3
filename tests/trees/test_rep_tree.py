"""REP trees: rows held out, the rule of variance, pruning, backfitting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.rep_tree import REPTreeClassifier, REPTreeRegressor, hold_out


def make_numbers(rng, n_rows=200):
    X = rng.integers(0, 40, size=(n_rows, 4)).astype(float)
    return X, X[:, 0] + 10.0 * (X[:, 1] > 20) + rng.normal(scale=4.0, size=n_rows)


def held_rows(model, y):
    """Find the rows that a model held out, by drawing again what it drew."""
    state = np.random.RandomState(model.random_state)
    by_class = isinstance(model, REPTreeClassifier)
    return hold_out(np.ones((1, len(y))), state, model.n_folds, y, by_class)[0]


def test_worked_example():
    # Rows 0, 1 | 2, 3 have the means 0 and 8. Nothing is held out: min_samples_leaf=2
    # allows the middle cut only.
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 7.0, 9.0]
    tree = REPTreeRegressor(prune=False).fit(X, y)
    assert tree.get_n_leaves() == 2 and tree.get_depth() == 1
    assert_allclose(tree.predict([[0.4], [2.9]]), [0.0, 8.0])
    assert_array_equal(tree.apply([[0.4], [2.9]]), [1, 2])
    assert_allclose(tree.feature_importances_, [1.0])


def test_a_node_of_little_variance_is_a_leaf():
    # The right half has variance 0.25; the root's is about 25.
    X = np.arange(8.0)[:, None]
    y = np.array([0.0, 0, 0, 0, 10.0, 10, 11, 11])
    shares = {0.0: 3, 0.001: 3, 0.05: 2, 2.0: 1}
    for share, n_leaves in shares.items():
        tree = REPTreeRegressor(prune=False, min_variance_share=share).fit(X, y)
        assert tree.get_n_leaves() == n_leaves


def test_a_third_is_held_out_by_class(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0.0, 1.0, 2.0], [9, 30, 60]))
    held = hold_out(np.ones((5, 99)), np.random.RandomState(seed), 3, y, True)
    for one in held:
        assert_array_equal(np.bincount(y[one].astype(int)), [3, 10, 20])
    weights = np.ones((2, 99))
    weights[0, :50] = 0.0
    weights[1, 1:] = 0.0
    held = hold_out(weights, np.random.RandomState(seed), 3, y, False)
    assert_array_equal(held.sum(axis=1), [-(-49 // 3), 0])  # one row is not held out
    assert not held[0, :50].any()


def test_equals_growing_pruning_and_backfitting_by_hand(seed):
    rng = np.random.default_rng(seed)
    X, y = make_numbers(rng)
    model = REPTreeRegressor(random_state=seed % 1000, min_variance_share=0.0)
    held = held_rows(model, y)
    twin = DecisionTreeRegressor(min_samples_leaf=2, random_state=0)
    n_full = twin.fit(X[~held], y[~held]).get_n_leaves()
    twin.prune_reduced_error(X[held], y[held])
    model.fit(X, y)
    # Which of equally good splits is taken differs, and few splits are equally good.
    assert abs(model.get_n_leaves() - twin.get_n_leaves()) <= 0.2 * n_full
    # After backfitting, a leaf says the mean of all its rows.
    leaves = model.apply(X)
    for leaf in np.unique(leaves):
        assert_allclose(model.predict(X[leaves == leaf])[0], y[leaves == leaf].mean())


def test_each_branch_that_is_left_pays_on_the_rows_held_out(seed):
    rng = np.random.default_rng(seed)
    X, y = make_numbers(rng)
    model = REPTreeRegressor(random_state=seed % 1000, backfit=False).fit(X, y)
    held, tree = held_rows(model, y), model.tree_
    path = tree.decision_path(X[held]).toarray() == 1
    truth = y[held]

    def branch_error(node):
        if tree.left[node] < 0:
            rows = path[:, node]
            return ((truth[rows] - tree.value[node, 0]) ** 2).sum()
        return branch_error(tree.left[node]) + branch_error(tree.left[node] + 1)

    for node in np.flatnonzero(tree.left >= 0):
        rows = path[:, node]
        as_leaf = ((truth[rows] - tree.value[node, 0]) ** 2).sum()
        assert branch_error(node) < as_leaf


def test_without_pruning_nothing_is_random(seed):
    rng = np.random.default_rng(seed)
    X, y = make_numbers(rng)
    first = REPTreeRegressor(prune=False, random_state=1).fit(X, y).predict(X)
    second = REPTreeRegressor(prune=False, random_state=2).fit(X, y).predict(X)
    assert_array_equal(first, second)
    pruned = [REPTreeRegressor(random_state=i).fit(X, y).predict(X) for i in (1, 2)]
    assert np.any(pruned[0] != pruned[1])


def test_pruning_helps_on_noise(seed):
    # Measured over 500 draws: fewer leaves in all of them.
    rng = np.random.default_rng(seed)
    X, y = make_numbers(rng)
    label = (y > np.median(y)).astype(int)
    for kind, target in ((REPTreeRegressor, y), (REPTreeClassifier, label)):
        full = kind(prune=False).fit(X, target).get_n_leaves()
        assert kind(random_state=seed % 1000).fit(X, target).get_n_leaves() < full


def test_unpruned_classifier_agrees_with_the_plain_tree(seed):
    # Training rows end in leaves of the same error whichever equal split was taken.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 3))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=150) > 0, "yes", "no")
    rep = REPTreeClassifier(prune=False, min_samples_leaf=1).fit(X, y)
    plain = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y)
    assert rep.score(X, y) == plain.score(X, y) == 1.0


@pytest.mark.parametrize("n_rows", [1, 2, 3, 6])
def test_few_rows_are_enough(n_rows):
    X, y = np.arange(float(n_rows))[:, None], np.arange(float(n_rows))
    for prune in (True, False):
        model = REPTreeRegressor(prune=prune, random_state=0).fit(X, y)
        assert y.min() <= model.predict(X).min() <= model.predict(X).max() <= y.max()


def test_categories_and_gaps(seed):
    import pandas as pd

    rng = np.random.default_rng(seed)
    hue = rng.integers(0, 3, size=120)
    size = np.where(rng.random(120) < 0.2, np.nan, rng.normal(size=120))
    X = pd.DataFrame({"hue": pd.Categorical(np.array(list("rgb"))[hue]), "size": size})
    y = np.array([0.0, 5.0, 0.0])[hue]
    model = REPTreeRegressor(random_state=seed % 1000).fit(X, y)
    assert_allclose(model.predict(X), y)
