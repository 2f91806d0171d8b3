"""TREE WS: gains in a single tree decide how features are drawn."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.datasets.generators import make_simple
from manyminds.ensemble.forests.weighted_draws.tree_ws import TreeWSForestClassifier
from manyminds.trees import DecisionTreeClassifier
from manyminds.trees.nodes.gain_statistics import (
    list_node_gains,
)
from manyminds.trees.nodes.node_complexity import node_complexity


def gain_naively(X, y):
    """Grow stumps on single features in each node of a tree that looks at all."""
    tree = DecisionTreeClassifier(criterion="entropy", max_depth=2).fit(X, y)
    path = tree.tree_.decision_path(X).toarray().astype(bool)
    total, weight = np.zeros(X.shape[1]), 0.0
    for node in np.flatnonzero(tree.tree_.impurity > 0):
        rows = path[:, node]
        phi = node_complexity(np.bincount(y[rows], minlength=2))
        weight += phi
        for f in range(X.shape[1]):
            stump = DecisionTreeClassifier(criterion="entropy", max_depth=1)
            stump.fit(X[rows][:, [f]], y[rows])
            total[f] += phi * list_node_gains(stump.tree_).gain[0]
    return total / weight


def test_gains_of_all_features_in_one_tree_naively(seed):
    # Features of equal gain part the two trees in one table of 60 (measured). Four of
    # seven do so less than once in 100,000 runs.
    ratios = []
    for i in range(7):
        X, y = make_simple(60, n_irrelevant=2, random_state=seed + i)
        model = TreeWSForestClassifier(1, max_depth=2, random_state=seed).fit(X, y)
        ratios.append(model.gain_means_ / gain_naively(X, y))
    assert_allclose(np.median(ratios, axis=0), 1.0)


def test_worked_example():
    # One column tells the classes, a gain of 1 bit; the other tells nothing.
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [0, 0, 1, 1]
    model = TreeWSForestClassifier(3, random_state=0).fit(X, y)
    assert_allclose(model.gain_means_, [1.0, 0.0], atol=1e-12)
    assert_allclose(model.feature_weights_, [1.0, 0.0], atol=1e-12)
    assert set(model.trees_.feature) <= {-1, 0}


def test_weights_are_numbers_of_rows(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 1)), rng.integers(0, 2, size=30)
    counts = rng.integers(1, 4, size=30)
    weighted = TreeWSForestClassifier(1, random_state=0).fit(X, y, counts)
    repeated = TreeWSForestClassifier(1, random_state=0)
    repeated.fit(X.repeat(counts, axis=0), y.repeat(counts))
    assert_allclose(weighted.gain_means_, repeated.gain_means_)
