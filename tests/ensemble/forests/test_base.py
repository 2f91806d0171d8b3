"""What is true of all forests: means over trees, parameters, progress."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import (
    load_diabetes,
    load_iris,
)

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.trees import export_rules

CLASSIFIERS = [RandomForestClassifier, ExtraTreesClassifier]
REGRESSORS = [RandomForestRegressor, ExtraTreesRegressor]


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


# ---------------------------------------------------------------- trees together


@pytest.mark.parametrize("Forest", CLASSIFIERS)
def test_probabilities_are_the_mean_of_the_trees(iris, Forest, seed):
    X, y = iris
    forest = Forest(n_estimators=7, max_depth=3, random_state=seed % 1000).fit(X, y)
    members = forest.estimators_
    expected = np.mean([tree.predict_proba(X) for tree in members], axis=0)
    assert_allclose(forest.predict_proba(X), expected)
    assert_array_equal(forest.predict_all(X), [tree.predict(X) for tree in members])
    leaves = np.column_stack([tree.apply(X) for tree in members])
    assert_array_equal(forest.apply(X), leaves)
    shares = np.mean([tree.feature_importances_ for tree in members], axis=0)
    assert_allclose(forest.feature_importances_, shares / shares.sum())


@pytest.mark.parametrize("Forest", REGRESSORS)
def test_predictions_are_the_mean_of_the_trees(diabetes, Forest, seed):
    X, y = diabetes
    forest = Forest(n_estimators=7, max_depth=4, random_state=seed % 1000).fit(X, y)
    each = [tree.predict(X) for tree in forest.estimators_]
    assert_allclose(forest.predict_all(X), each)
    assert_allclose(forest.predict(X), np.mean(each, axis=0))


def test_decision_path_names_the_nodes_of_each_tree(iris):
    X, y = iris
    forest = RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)
    indicator, starts = forest.decision_path(X)
    assert indicator.shape == (150, starts[-1])
    leaves = forest.apply(X)
    for t in range(3):
        part = indicator[:, starts[t] : starts[t + 1]].toarray()
        assert (part[:, 0] == 1).all()
        assert (part[np.arange(150), leaves[:, t]] == 1).all()


def test_nothing_matters_where_all_columns_are_constant():
    forest = RandomForestClassifier(3).fit(np.ones((6, 2)), [0, 1] * 3)
    assert forest.feature_importances_.tolist() == [0.0, 0.0]


# ---------------------------------------------------------------- parameters


def test_warm_start_grows_the_same_forest(iris):
    X, y = iris
    cold = RandomForestClassifier(n_estimators=12, random_state=3).fit(X, y)
    warm = RandomForestClassifier(n_estimators=5, warm_start=True, random_state=3)
    warm.fit(X, y).set_params(n_estimators=12).fit(X, y)
    assert_array_equal(warm.predict_proba(X), cold.predict_proba(X))
    with pytest.warns(UserWarning, match="grows no new trees"):
        warm.fit(X, y)
    with pytest.raises(ValueError, match="n_estimators=4 is less than the 12 trees"):
        warm.set_params(n_estimators=4).fit(X, y)


def test_parameters_that_contradict_each_other(iris):
    X, y = iris
    with pytest.raises(ValueError, match=r"max_samples=0\.5 needs bootstrap=True"):
        ExtraTreesClassifier(max_samples=0.5).fit(X, y)
    with pytest.raises(ValueError, match="oob_score=True needs bootstrap=True"):
        ExtraTreesClassifier(oob_score=True).fit(X, y)
    with pytest.raises(ValueError, match="feature_weights has 2 rows"):
        RandomForestClassifier(3, feature_weights=np.ones((2, 4))).fit(X, y)


def test_feature_weights_choose_the_features(iris):
    X, y = iris
    forest = RandomForestClassifier(10, feature_weights=[0, 1, 0, 1], random_state=0)
    assert set(forest.fit(X, y).trees_.feature) == {-1, 1, 3}
    by_tree = np.eye(4)[np.arange(8) % 4]
    forest = RandomForestClassifier(8, feature_weights=by_tree, random_state=0).fit(
        X, y
    )
    for t, tree in enumerate(forest.estimators_):
        assert set(tree.tree_.feature) == {-1, t % 4}


@pytest.mark.slow
def test_pruned_forests_are_smaller(iris):
    X, y = iris
    full, pruned = (
        RandomForestClassifier(10, ccp_alpha=a, random_state=0).fit(X, y).trees_
        for a in (0.0, 0.02)
    )
    assert pruned.starts[-1] < full.starts[-1]


# ---------------------------------------------------------------- progress


def test_verbose_tells_how_far_it_is(diabetes, capsys):
    X, y = diabetes
    RandomForestRegressor(n_estimators=60, verbose=1, random_state=0).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert re.fullmatch(
        r"RandomForestRegressor: 100% of the trees grown, .* s spent, 0.0 s left",
        lines[-1],
    )


def test_callbacks_hear_of_every_batch(diabetes):
    callback = pytest.importorskip(
        "sklearn.callback", reason="scikit-learn 1.9 or newer"
    )
    X, y = diabetes
    heard = []

    class Listener:
        def setup(self, estimator, context):
            heard.append("setup")

        def on_fit_task_begin(self, estimator, context):
            heard.append(context.task_name)

        def on_fit_task_end(self, estimator, context):
            return False

        def teardown(self, estimator, context):
            heard.append("teardown")

    assert isinstance(Listener(), callback.FitCallback)
    forest = RandomForestRegressor(n_estimators=40, random_state=0)
    forest.set_callbacks(Listener()).fit(X, y)
    assert (heard[0], heard[1], heard[-1]) == ("setup", "fit", "teardown")
    assert heard.count("grow trees") >= 1


def test_rare_levels_share_a_code_beyond_max_bins():
    # Level k of 300 has k + 1 rows: with 100 bins, the levels from 201 on stay apart.
    level = np.repeat(np.arange(300), np.arange(300) + 1)
    X = pd.DataFrame({"level": pd.Categorical([f"{one:03}" for one in level])})
    y = np.where(level > 200, level, -1.0)
    forest = RandomForestRegressor(
        5, max_bins=100, bootstrap=False, max_features=None, random_state=0
    ).fit(X, y)
    assert_allclose(forest.predict(X), y)
    for tree in forest.estimators_:
        assert_allclose(tree.predict(X), y)
    rules = export_rules(forest.estimators_[0])
    assert "rare levels" in rules and "299" in rules and "'200'" not in rules
