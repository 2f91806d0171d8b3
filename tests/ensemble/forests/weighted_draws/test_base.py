"""Forests with weighted draws: what they share with random forests, how they weigh."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import make_simple
from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.forests.weighted_draws.base import cut_batches
from manyminds.ensemble.forests.weighted_draws.ci_ws import CIWSForestClassifier
from manyminds.ensemble.forests.weighted_draws.lambda_ws import (
    LambdaWSForestClassifier,
)
from manyminds.ensemble.forests.weighted_draws.tree_ws import TreeWSForestClassifier
from manyminds.ensemble.forests.weighted_draws.two_stage_ws import (
    TwoStageWSForestClassifier,
)

FORESTS = (
    CIWSForestClassifier,
    LambdaWSForestClassifier,
    TreeWSForestClassifier,
    TwoStageWSForestClassifier,
)


def plain_forest(n_trees, seed):
    return RandomForestClassifier(
        n_trees, criterion="entropy", max_features=1, random_state=seed
    )


@pytest.mark.parametrize("forest", FORESTS[:2])
def test_first_tree_is_that_of_a_random_forest(seed, forest):
    # Acceptance item 3.
    X, y = make_simple(150, random_state=seed)
    mine = forest(5, random_state=1).fit(X, y).trees_.tree(0)
    theirs = plain_forest(5, 1).fit(X, y).trees_.tree(0)
    assert_array_equal(mine.feature, theirs.feature)
    assert_array_equal(mine.threshold, theirs.threshold)


@pytest.mark.parametrize("forest", FORESTS)
def test_what_matters_is_drawn_more_often(seed, forest):
    X, y = make_simple(200, random_state=seed)
    model = forest(100, random_state=0).fit(X, y)
    assert_allclose(model.feature_weights_.sum(), 1.0)
    assert model.feature_weights_[1] > 1.5 * model.feature_weights_[2:].mean()
    drawn = np.bincount(model.trees_.feature[~model.trees_.is_leaf], minlength=9)
    blind = plain_forest(100, 0).fit(X, y).trees_
    before = np.bincount(blind.feature[~blind.is_leaf], minlength=9)
    assert drawn[1] / drawn.sum() > before[1] / before.sum()


def test_constant_features_make_leaves(seed):
    X = np.c_[np.arange(40.0), np.zeros(40)]
    y = (X[:, 0] > 19).astype(int)
    leaf = CIWSForestClassifier(50, on_constant="leaf", ess="unit", unit=1e6)
    redraw = CIWSForestClassifier(50, on_constant="redraw", ess="unit", unit=1e6)
    leaf = leaf.set_params(random_state=seed).fit(X, y)
    assert 10 < np.sum(leaf.trees_.node_counts == 1) < 40
    assert np.all(redraw.set_params(random_state=seed).fit(X, y).trees_.node_counts > 1)


@pytest.mark.parametrize("forest", FORESTS)
def test_out_of_bag_rows_are_those_not_drawn(seed, forest):
    X, y = make_simple(80, random_state=seed)
    model = forest(40, oob_score=True, random_state=0).fit(X, y)
    votes, count = np.zeros((80, 2)), np.zeros(80)
    for tree, drawn in zip(model.estimators_, model.estimators_samples_):
        out = np.setdiff1d(np.arange(80), drawn)
        votes[out] += tree.predict_proba(X[out])
        count[out] += 1
    assert_allclose(model.oob_decision_function_, votes / count[:, np.newaxis])
    assert model.oob_score_ > 0.6


@pytest.mark.parametrize("n_seeds, sizes", [(7, [3, 3, 1]), (6, [3, 3]), (2, [2])])
def test_batches_hold_all_seeds_in_order(n_seeds, sizes):
    batches = cut_batches(np.arange(n_seeds), 3)
    assert [len(batch) for batch in batches] == sizes
    assert_array_equal(np.concatenate(batches), np.arange(n_seeds))
