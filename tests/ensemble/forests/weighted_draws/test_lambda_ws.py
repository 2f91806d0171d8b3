"""Parallel update: gains so far decide how features are drawn, at a pace."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets.generators import make_simple
from manyminds.ensemble.forests.weighted_draws.lambda_ws import (
    LambdaWSForestClassifier,
)
from manyminds.trees.nodes.gain_statistics import (
    list_node_gains,
)


def test_weights_at_a_pace_naively(seed):
    # One batch: the equal start, and the mean gains of each tree added up.
    X, y = make_simple(120, random_state=seed)
    model = LambdaWSForestClassifier(6, pace=2.0, update_every=6, random_state=4)
    trees = model.fit(X, y).trees_
    share = y.mean()
    entropy = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    expected = np.full(9, 2.0 * entropy)
    for t in range(6):
        gains = list_node_gains(trees.tree(t))
        for f in np.unique(gains.feature):
            expected[f] += gains.gain[gains.feature == f].mean()
    assert_allclose(model.feature_weights_, expected / expected.sum())


def test_a_slow_pace_changes_little(seed):
    X, y = make_simple(120, random_state=seed)
    fast = LambdaWSForestClassifier(30, pace=0.0, random_state=4).fit(X, y)
    slow = LambdaWSForestClassifier(30, pace=1e6, random_state=4).fit(X, y)
    assert_allclose(slow.feature_weights_, 1 / 9, rtol=1e-3)
    assert fast.feature_weights_.max() > 1.5 / 9


def test_features_without_gain_keep_their_start():
    # Column 1 is constant. With pace 3 it has three times the entropy of the classes,
    # 1 bit. Column 0 gains 1 bit, too, in each of four trees that has both classes.
    X, y = np.c_[[0.0, 0.0, 1.0, 1.0], np.zeros(4)], [0, 0, 1, 1]
    forest = LambdaWSForestClassifier(4, pace=3.0, random_state=0).fit(X, y)
    gained = sum(tree.impurity[0] for tree in map(forest.trees_.tree, range(4)))
    expected = np.array([3.0 + gained, 3.0])
    assert_allclose(forest.feature_weights_, expected / expected.sum())


def test_errors_name_the_parameter():
    with pytest.raises(ValueError, match="The 'pace' parameter"):
        LambdaWSForestClassifier(2, pace=-1.0).fit([[0.0], [1.0]], [0, 1])
