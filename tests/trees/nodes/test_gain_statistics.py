"""Gains of nodes and their sums: a worked tree, naive sums, effective sizes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor
from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.nodes.gain_statistics import (
    GainStatistics,
    collect_gains,
    list_node_gains,
)
from manyminds.trees.nodes.node_complexity import node_complexity


def entropy(counts):
    shares = np.asarray(counts)[np.asarray(counts) > 0] / np.sum(counts)
    return -np.sum(shares * np.log2(shares))


@pytest.fixture
def forest(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 4)), rng.integers(3, size=60)
    return RandomForestClassifier(
        7, criterion="entropy", max_features=1, random_state=seed
    ).fit(X, y)


def naive_gains(trees):
    """Walk all trees node by node: (feature, gain, complexity) of each split."""
    found = []
    for t in range(trees.n_trees):
        tree = trees.tree(t)
        counts = np.rint(tree.value * tree.weight[:, np.newaxis])
        for node in range(len(tree.left)):
            left = tree.left[node]
            if left < 0:
                continue
            after = sum(
                counts[side].sum() * entropy(counts[side]) for side in (left, left + 1)
            )
            gain = entropy(counts[node]) - after / counts[node].sum()
            found.append((tree.feature[node], gain, node_complexity(counts[node])))
    return np.array(found)


def test_worked_example():
    # The root (2 and 2) is cut into pure halves; nothing is left to split.
    X, y = [[0], [1], [2], [3]], list("aabb")
    tree = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    gains = list_node_gains(tree.tree_)
    assert_array_equal(gains.nodes, [0])
    assert_allclose(gains.gain, [1.0])
    assert_allclose(gains.complexity, [np.log2(6) - 2 / 3])
    assert_allclose(gains.counts, [[2, 2]])


def test_naive_twin(forest):
    trees = forest.trees_
    feature, gain, weight = naive_gains(trees).T
    gains = list_node_gains(trees)
    assert_array_equal(gains.feature, feature)
    assert_allclose(gains.gain, gain, atol=1e-12)
    assert_allclose(gains.complexity, weight, atol=1e-9)
    statistics = collect_gains(trees)
    for f in range(4):
        mine = feature == f
        w, g = weight[mine], gain[mine]
        assert_allclose(statistics.mean[f], np.average(g, weights=w))
        size = w.sum() ** 2 / (w**2).sum()
        assert_allclose(statistics.count("kish")[f], size)
        assert_allclose(statistics.count("unit", 30.0)[f], w.sum() / 30.0)
        assert statistics.count("count")[f] == np.sum(w > 0)
        variance = np.average((g - statistics.mean[f]) ** 2, weights=w)
        expected = variance * size / (size - 1)
        assert_allclose(statistics.variance(statistics.count())[f], expected)


def test_uniform_weights_are_the_plain_mean_and_variance(forest):
    feature, gain, _ = naive_gains(forest.trees_).T
    statistics = collect_gains(forest.trees_, weighting="uniform")
    size = statistics.count("kish")
    assert_array_equal(size, statistics.count("count"))
    for f in range(4):
        assert_allclose(statistics.mean[f], gain[feature == f].mean())
        assert_allclose(statistics.variance(size)[f], gain[feature == f].var(ddof=1))


def test_statistics_of_parts_add_up(forest):
    trees = forest.trees_
    parts = [collect_gains(trees.tree(t)) for t in range(trees.n_trees)]
    total = sum(parts, GainStatistics.empty(4))
    whole = collect_gains(trees)
    for name in ("weight", "gain", "square", "squared_weight", "n_nodes"):
        assert_allclose(getattr(total, name), getattr(whole, name))


def test_expected_gains_are_subtracted(forest):
    n_splits = len(list_node_gains(forest.trees_).gain)
    plain = collect_gains(forest.trees_).mean
    less = collect_gains(forest.trees_, expected=np.full(n_splits, 0.25)).mean
    assert_allclose(less, plain - 0.25)
    same = collect_gains(forest.trees_, expected=lambda gains: gains.gain).mean
    assert_allclose(same, 0.0, atol=1e-15)


def test_features_without_nodes():
    X, y = np.c_[np.arange(8.0), np.zeros(8)], np.repeat([0, 1], 4)
    tree = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    statistics = collect_gains(tree.tree_)
    assert statistics.mean[1] == statistics.count()[1] == 0.0
    assert np.isnan(statistics.variance(statistics.count())).all()
    stump = collect_gains(DecisionTreeClassifier().fit(X[:4], y[:4]).tree_)
    assert stump.weight.dtype == np.float64 and not stump.weight.any()


def test_numbers_gain_variance(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    tree = DecisionTreeRegressor(max_depth=1).fit(X, y)
    gains = list_node_gains(tree.tree_)
    left = X[:, tree.tree_.feature[0]] <= tree.tree_.threshold[0]
    after = left.mean() * y[left].var() + (1 - left.mean()) * y[~left].var()
    assert_allclose(gains.gain, [y.var() - after])
    assert_allclose(gains.complexity, np.log2(np.arange(1, 51)).sum() - 1)
    forest = RandomForestRegressor(5, random_state=seed).fit(X, y)
    assert np.all(collect_gains(forest.trees_).mean > 0)
