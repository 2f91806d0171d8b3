"""Rows held out, and members that predict alone."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from manyminds.ensemble import (
    PrunedClassifier,
    PrunedRegressor,
    RandomForestClassifier,
)
from manyminds.ensemble.pruning.base import hold_out


def test_rows_are_held_out_by_class(seed):
    rng = np.random.RandomState(seed)
    y = rng.permutation(np.repeat([0, 1, 2], [60, 30, 10]))
    held_out = hold_out(y, 0.3, True, rng)
    assert_array_equal(np.bincount(y[held_out]), [18, 9, 3])
    assert hold_out(y, None, True, rng).sum() == 0
    assert hold_out(y[:2], 0.01, True, rng).sum() == 1
    assert hold_out(y[:2], 0.99, True, rng).sum() == 1


def test_a_pruned_forest_is_its_trees(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 4))
    y = X[:, 0] + rng.normal(size=200) > 0.0
    forest = RandomForestClassifier(20, random_state=seed).fit(X[:100], y[:100])
    pruned = PrunedClassifier(forest, size=5, voting="soft", prefit=True)
    pruned.fit(X[100:], y[100:])
    kept = [forest.estimators_[t] for t in pruned.selected_members_]
    mean = np.mean([tree.predict_proba(X) for tree in kept], axis=0)
    assert_allclose(pruned.predict_proba(X), mean)
    assert_array_equal(pruned.predict_all(X), [tree.predict(X) for tree in kept])


def test_dataframes_with_categories_and_missing_values():
    frame = pd.DataFrame({"hue": pd.Categorical(list("abc") * 30)})
    frame["size"] = np.where(np.arange(90) % 7 == 0, np.nan, np.arange(90.0))
    y = (frame["hue"] == "a").astype(int)
    model = PrunedClassifier(random_state=0, size=10).fit(frame, y)
    assert model.score(frame, y) > 0.9
    assert list(model.feature_names_in_) == ["hue", "size"]
    forest = RandomForestClassifier(random_state=0).fit(frame, y)
    fitted = PrunedClassifier(forest, prefit=True, size=10).fit(frame, y)
    assert fitted.score(frame, y) > 0.9 and fitted.n_features_in_ == 2


def test_bad_estimators_and_targets_are_refused():
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2
    with pytest.raises(ValueError, match="must be a classifier or a list"):
        PrunedClassifier(Ridge()).fit(X, y)
    with pytest.raises(ValueError, match="must be a regressor or a list"):
        PrunedRegressor([GaussianNB()]).fit(X, y)
    forest = RandomForestClassifier(2).fit(X, y)
    with pytest.raises(ValueError, match=r"the classes \[5\], which the members do"):
        PrunedClassifier(forest, prefit=True).fit(X, y + 5 * y - y)
    with pytest.raises(TypeError, match="must be an ensemble with estimators_"):
        PrunedClassifier(GaussianNB()).fit(X, y)
