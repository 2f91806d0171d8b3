"""Random forests: as accurate as others, feature by feature drawn."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn import ensemble as theirs
from sklearn.datasets import (
    load_breast_cancer,
    make_friedman1,
)
from sklearn.model_selection import cross_val_score

from manyminds.ensemble import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.trees import DecisionTreeRegressor


@pytest.mark.slow
def test_as_accurate_as_scikit_learn_s_classifier(seed):
    # 10-fold accuracies on 569 rows: one seed's noise is about half a point.
    X, y = load_breast_cancer(return_X_y=True)
    accuracies = [
        cross_val_score(Forest(n_estimators=50, random_state=seed % 1000), X, y, cv=10)
        for Forest in (RandomForestClassifier, theirs.RandomForestClassifier)
    ]
    assert abs(np.mean(accuracies[0]) - np.mean(accuracies[1])) < 0.02


@pytest.mark.slow
def test_as_accurate_as_scikit_learn_s_regressor(seed):
    X, y = make_friedman1(1200, noise=1.0, random_state=seed % 1000)
    errors = []
    for Forest in (RandomForestRegressor, theirs.RandomForestRegressor):
        model = Forest(n_estimators=60, random_state=0).fit(X[:400], y[:400])
        errors.append(np.sqrt(np.mean((model.predict(X[400:]) - y[400:]) ** 2)))
    assert abs(errors[0] / errors[1] - 1) < 0.06


def test_class_weights_move_the_border(seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(1500) < 0.08).astype(int)
    X = rng.normal(size=(1500, 3)) + y[:, None]
    plain, *weighted = (
        RandomForestClassifier(
            n_estimators=30, max_depth=4, class_weight=w, random_state=0
        ).fit(X, y).predict(X).mean()
        for w in (None, "balanced", "balanced_subsample", {0: 1, 1: 12})
    )  # fmt: skip
    assert all(share > 2 * plain for share in weighted)


def test_categories_and_missing_values_are_taken_as_they_are(seed):
    rng = np.random.default_rng(seed)
    color = rng.choice(["red", "green", "blue", "black"], 400)
    size = rng.normal(size=400)
    y = np.where(np.isin(color, ["red", "black"]), "yes", "no")
    X = pd.DataFrame({"size": size, "color": pd.Categorical(color)})
    X.loc[rng.random(400) < 0.1, "size"] = np.nan
    forest = RandomForestClassifier(20, max_features=None, random_state=0).fit(X, y)
    assert forest.score(X, y) == 1.0
    assert forest.feature_names_in_.tolist() == ["size", "color"]
    new = X.iloc[:3].assign(color=pd.Categorical(["pink", None, "red"]))
    assert forest.predict(new)[2] == "yes"


def test_one_tree_without_draws_is_a_decision_tree(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    forest = RandomForestRegressor(1, bootstrap=False, max_depth=2).fit(X, y)
    tree = DecisionTreeRegressor(max_depth=2).fit(X, y)
    assert_allclose(forest.predict(X), tree.predict(X))


def test_default_number_of_features_is_the_square_root_of_all(seed):
    # One of three columns is drawn for each root: each tree has one to split by.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3))
    y = X[:, 0] > 0.0
    forest = RandomForestClassifier(50, max_depth=1, random_state=seed % 1000)
    roots = forest.fit(X, y).trees_.feature[forest.trees_.starts[:-1]]
    assert len(np.unique(roots)) == 3  # otherwise once in 200 million runs
    forest.set_params(max_features=None).fit(X, y)
    assert set(forest.trees_.feature[forest.trees_.starts[:-1]]) == {0}
