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


def test_gains_of_all_features_in_one_tree_naively(seed):
    # In each node of a tree that looks at everything, grow stumps on single features.
    X, y = make_simple(60, n_irrelevant=2, random_state=seed)
    model = TreeWSForestClassifier(5, random_state=seed).fit(X, y)
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y)
    path = tree.tree_.decision_path(X).toarray().astype(bool)
    total, weight = np.zeros(4), 0.0
    for node in np.flatnonzero(tree.tree_.impurity > 0):
        rows = path[:, node]
        phi = node_complexity(np.bincount(y[rows], minlength=2))
        weight += phi
        for f in range(4):
            stump = DecisionTreeClassifier(criterion="entropy", max_depth=1)
            stump.fit(X[rows][:, [f]], y[rows])
            total[f] += phi * list_node_gains(stump.tree_).gain[0]
    # Ties may part the two trees deep down, where nodes are small.
    assert_allclose(model.gain_means_, total / weight, rtol=0.15)


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
