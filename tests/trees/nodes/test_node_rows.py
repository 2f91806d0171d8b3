"""Rows of nodes, gains of shuffled targets, gains of all features: naive twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix

from manyminds.feature_selection.embedded.random_split_forest import draw_bags
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling
from manyminds.trees.nodes.gain_statistics import list_node_gains
from manyminds.trees.nodes.node_rows import (
    list_all_gains,
    list_node_rows,
    shadow_gains,
)


def grow_some(X, y, seed, n_trees=4, n_classes=2, categorical=None, unique=True):
    """Grow blind trees; return them with table and weights."""
    rng = np.random.RandomState(seed % 2**32)
    table = bin_table(X, categorical)
    criterion = "entropy" if n_classes > 1 else "squared_error"
    rules = make_rules(
        *X.shape, n_classes, float(len(y)), criterion=criterion, max_features=1
    )
    weights = draw_bags(draw_seeds(rng, n_trees), len(y), unique=unique)
    sampling = make_sampling(*X.shape, weights)
    trees = grow(table, y, rules, sampling, draw_seeds(rng, n_trees))
    return trees, table, weights, draw_seeds(rng, n_trees)


def impurity(y, w, is_numeric):
    if is_numeric:
        return np.average(y**2, weights=w) - np.average(y, weights=w) ** 2
    shares = np.bincount(y.astype(int), weights=w) / w.sum()
    shares = shares[shares > 0]
    return -np.sum(shares * np.log2(shares))


def best_gain(x, y, w, is_numeric=False):
    """Largest fall of impurity over all cuts of x, missing values on either side."""
    best, gap = 0.0, np.isnan(x)
    cuts = np.unique(x[~gap])
    for gap_left in (False, True) if gap.any() else (False,):
        for cut in cuts:
            left = np.where(gap, gap_left, x <= cut)
            if left.any() and not left.all():
                after = sum(
                    w[s].sum() * impurity(y[s], w[s], is_numeric) for s in (left, ~left)
                )
                before = impurity(y, w, is_numeric)
                best = max(best, before - after / w.sum())
    return best


def make_data(seed, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 3))
    X[:, 1] = rng.integers(4, size=50)
    X[rng.uniform(size=50) < 0.2, 2] = np.nan
    y = rng.integers(n_classes, size=50) if n_classes > 1 else rng.normal(size=50)
    return X, y.astype(float)


def test_rows_of_nodes(seed):
    X, y = make_data(seed)
    trees, _, weights, _ = grow_some(X, y, seed)
    path = trees.decision_path(X).toarray().astype(bool)
    for t, part in enumerate(list_node_rows(trees, X, weights)):
        for node in range(trees.node_counts[t]):
            rows = part.rows[part.starts[node] : part.ends[node]]
            expected = path[:, trees.starts[t] + node] & (weights[t] > 0)
            assert_array_equal(np.sort(rows), np.flatnonzero(expected))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_gains_of_all_features(seed, n_classes):
    X, y = make_data(seed, n_classes)
    trees, table, weights, _ = grow_some(X, y, seed, 1, n_classes, unique=False)
    rows = list_node_rows(trees, X, weights)[0]
    weights, n_seen = weights[0], 0
    for node, gains, lefts in list_all_gains(trees, table, X, y, weights):
        mine = rows.rows[rows.starts[node] : rows.ends[node]]
        expected = [best_gain(x, y[mine], weights[mine]) for x in X[mine].T]
        assert_allclose(gains, expected, atol=1e-9)
        totals = weights[mine].sum() * trees.value[node]
        assert np.all((lefts <= totals + 1e-9)[gains > 0])
        n_seen += 1
    assert n_seen == np.sum(trees.impurity > 0)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_search_finds_what_the_grower_found(seed, n_classes):
    # The best cut of a node's own feature is the split that was made.
    X, y = make_data(seed, n_classes)
    trees, table, weights, _ = grow_some(X, y, seed, 1, n_classes)
    made = list_node_gains(trees)
    found = {
        node: gains for node, gains, _ in list_all_gains(trees, table, X, y, weights[0])
    }
    again = [found[node][f] for node, f in zip(made.nodes, made.feature)]
    assert_allclose(again, made.gain, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("is_numeric", [False, True])
def test_shadows_are_gains_of_shuffled_targets(seed, is_numeric):
    # The mean over many shuffles in the kernel against as many shuffles here.
    X, y = make_data(seed, 1 if is_numeric else 2)
    if is_numeric:
        y = (y - y.mean()) / y.std()
    trees, table, weights, _ = grow_some(X, y, seed, 1, 1 if is_numeric else 2)
    rng = np.random.default_rng(seed)
    draws = [
        shadow_gains(trees, table, X, y, weights, np.array([s]))
        for s in rng.integers(1, 2**62, size=400)
    ]
    gains = list_node_gains(trees)
    rows = list_node_rows(trees, X, weights)[0]
    for k in range(min(3, len(gains.nodes))):
        node = gains.nodes[k]
        mine = rows.rows[rows.starts[node] : rows.ends[node]]
        x = X[mine, gains.feature[k]]
        twins = [
            best_gain(x, rng.permutation(y[mine]), np.ones(len(mine)), is_numeric)
            for _ in range(100)
        ]
        found = np.array(draws)[:, k]
        error = np.sqrt(found.var() / 400 + np.var(twins) / 100)
        assert abs(found.mean() - np.mean(twins)) < 5 * error + 1e-9


def test_categories_can_be_told_apart_in_any_order():
    # Categories 0 and 2 are of class 1, 1 and 3 of class 0: one split parts them.
    X = np.tile([0.0, 1.0, 2.0, 3.0], 5)[:, np.newaxis]
    y = np.isin(X[:, 0], [0, 2]).astype(float)
    categorical = np.array([True])
    table, weights = bin_table(X, categorical), np.ones(20)
    rules = make_rules(20, 1, 2, 20.0, criterion="entropy")
    tree = grow(table, y, rules, make_sampling(20, 1), np.array([1]))
    (_, gains, lefts), *_ = list_all_gains(tree, table, X, y, weights)
    assert_allclose(gains, [1.0])
    assert sorted(lefts[0]) == [0.0, 10.0]


def test_threads_and_sparse_tables_change_nothing(seed):
    X, y = make_data(seed)
    X = np.nan_to_num(X)
    trees, table, weights, seeds = grow_some(X, y, seed)
    one = shadow_gains(trees, table, X, y, weights, seeds)
    two = shadow_gains(trees, table, csc_matrix(X), y, weights, seeds, n_jobs=2)
    assert_array_equal(one, two)


def test_bags_count_rows_once(seed):
    seeds = draw_seeds(np.random.RandomState(seed % 2**32), 50)
    unique, counted = draw_bags(seeds, 200), draw_bags(seeds, 200, unique=False)
    assert_array_equal(unique, counted > 0)
    assert_array_equal(counted.sum(axis=1), 200)
    assert abs(unique.mean() - (1 - np.exp(-1))) < 0.02
    odds = np.zeros(200)
    odds[:3] = 1.0
    assert not draw_bags(seeds, 200, odds)[:, 3:].any()
