"""PART: rules in order, each the largest leaf of a tree on what is left."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier as TheirTree

from manyminds.ensemble.rules.part import PARTClassifier
from manyminds.trees import DecisionTreeClassifier
from manyminds.trees.mdl_tree import MDLTreeClassifier


def test_worked_example():
    # Class 0 up to 29, class 1 up to 49, class 0 again up to 59: the largest leaf is
    # the first one, then the next, and what is left over is one class.
    X = np.arange(60.0).reshape(-1, 1)
    y = np.where((X[:, 0] >= 30) & (X[:, 0] < 50), "b", "a")
    rules = PARTClassifier().fit(pd.DataFrame(X, columns=["size"]), y)
    assert rules.describe().splitlines() == [
        "if size <= 29.5: a (30 rows, 0 wrong)",
        "if size <= 49.5: b (20 rows, 0 wrong)",
        "otherwise: a (10 rows, 0 wrong)",
    ]


def test_plain_twin(seed):
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    X, y = X[order], y[order]
    rules = PARTClassifier().fit(X[:300], y[:300])
    left, trees = np.arange(300), []
    while len(left):
        tree = MDLTreeClassifier().fit(X[left], y[left])
        leaves = tree.apply(X[left])
        biggest = np.bincount(leaves).argmax()
        trees.append((tree, biggest, np.bincount(y[left][leaves == biggest]).argmax()))
        left = left[leaves != biggest]
    expected = np.full(len(X), -1)
    for tree, leaf, answer in trees:
        fires = (tree.apply(X) == leaf) & (expected < 0)
        expected[fires] = answer
    assert_array_equal(rules.predict(X), expected)
    assert sum(rule.n_covered for rule in rules.rules_) == 300


def test_conditions_tell_what_is_covered(seed):
    X, y = load_iris(return_X_y=True)
    for tree in (None, DecisionTreeClassifier(max_depth=3), TheirTree(max_depth=3)):
        for rule in PARTClassifier(tree, random_state=seed).fit(X, y).rules_:
            holds = np.ones(len(X), dtype=bool)
            for f, side, threshold in rule.list_conditions():
                holds &= (X[:, f] <= threshold) == (side == "<=")
            assert_array_equal(holds, rule.covers(X))


def test_an_unpruned_tree_makes_more_rules():
    X, y = load_breast_cancer(return_X_y=True)
    few = PARTClassifier().fit(X, y)
    many = PARTClassifier(DecisionTreeClassifier(random_state=0)).fit(X, y)
    assert len(few.rules_) < len(many.rules_)
    assert many.score(X, y) == 1.0
