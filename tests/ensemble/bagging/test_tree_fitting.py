"""Fit trees in batches, with random oracles or without."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.ensemble.bagging.tree_fitting import TreeFitter, can_grow_together
from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.columns import ColumnEncoder
from manyminds.trees.rep_tree import REPTreeRegressor


def make_fitter(rng, **options):
    X = rng.integers(0, 30, size=(100, 4)).astype(float)
    y = X[:, 0] + 5.0 * (X[:, 1] > 15) + rng.normal(size=100)
    return (
        TreeFitter(REPTreeRegressor(prune=False), X, ColumnEncoder(), **options),
        X,
        y,
    )


def test_chunks_do_not_change_trees_without_chance(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    fitter, X, y = make_fitter(rng)
    weights = rng.integers(0, 3, size=(7, 100)).astype(float)
    whole = fitter.fit(y, weights, 7, np.random.RandomState(0)).values(X)
    monkeypatch.setattr("manyminds.ensemble.bagging.tree_fitting._MAX_CELLS", 400)
    chunked = fitter.fit(y, weights, 7, np.random.RandomState(0)).values(X)
    assert_allclose(chunked, whole)


def test_which_trees_grow_together():
    assert can_grow_together(DecisionTreeRegressor())
    assert can_grow_together(REPTreeRegressor(min_samples_leaf=5))
    for other in (
        REPTreeRegressor(min_samples_leaf=0.1),
        DecisionTreeRegressor(min_samples_split=0.1),
        DecisionTreeRegressor(min_weight_fraction_leaf=0.1),
        DecisionTreeRegressor(feature_weights=[1.0, 2.0]),
        DecisionTreeRegressor(categorical_features=[0]),
        DecisionTreeClassifier(class_weight="balanced"),
    ):
        assert not can_grow_together(other)
