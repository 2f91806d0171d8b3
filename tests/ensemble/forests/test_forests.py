"""What is true of forests: votes, bootstrap, out-of-bag answers, progress."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import ensemble as theirs
from sklearn.base import clone, is_classifier
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    make_friedman1,
)
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import cross_val_score

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

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


@pytest.mark.parametrize(
    ("ours", "their"),
    [(RandomForestClassifier, theirs.RandomForestClassifier),
     (ExtraTreesClassifier, theirs.ExtraTreesClassifier)],
)  # fmt: skip
def test_as_accurate_as_scikit_learn_s_classifier(ours, their, seed):
    # 10-fold accuracies on 569 rows: one seed's noise is about half a point.
    X, y = load_breast_cancer(return_X_y=True)
    accuracies = [
        cross_val_score(Forest(n_estimators=50, random_state=seed % 1000), X, y, cv=10)
        for Forest in (ours, their)
    ]
    assert abs(np.mean(accuracies[0]) - np.mean(accuracies[1])) < 0.02


@pytest.mark.parametrize(
    ("ours", "their"),
    [(RandomForestRegressor, theirs.RandomForestRegressor),
     (ExtraTreesRegressor, theirs.ExtraTreesRegressor)],
)  # fmt: skip
def test_as_accurate_as_scikit_learn_s_regressor(ours, their, seed):
    X, y = make_friedman1(1200, noise=1.0, random_state=seed % 1000)
    errors = []
    for Forest in (ours, their):
        model = Forest(n_estimators=60, random_state=0).fit(X[:400], y[:400])
        errors.append(np.sqrt(np.mean((model.predict(X[400:]) - y[400:]) ** 2)))
    assert abs(errors[0] / errors[1] - 1) < 0.06


# ---------------------------------------------------------------- bootstrap


def test_bags_hold_as_many_rows_as_there_are(iris):
    X, y = iris
    forest = RandomForestClassifier(n_estimators=30, random_state=0).fit(X, y)
    bags = forest.estimators_samples_
    assert all(len(bag) == 150 for bag in bags)
    # A bag has 1 - 1/e of the rows: 94.8 +- 0.55 in the mean of 30.
    assert 91 < np.mean([len(np.unique(bag)) for bag in bags]) < 99
    roots = forest.trees_.starts[:-1]
    assert_allclose(forest.trees_.weight[roots], 150)
    assert_array_equal(
        forest.trees_.n_samples[roots], [len(np.unique(b)) for b in bags]
    )
    few = RandomForestClassifier(n_estimators=3, max_samples=0.2, random_state=0)
    assert all(len(bag) == 30 for bag in few.fit(X, y).estimators_samples_)


def test_weights_are_the_odds_of_the_draw(iris):
    # Rows 0 ... 49 get 9 of 10 draws: 20 trees of 150 draws give 2700 +- 16.4 of 3000.
    X, y = iris
    weights = np.where(np.arange(150) < 50, 18.0, 1.0)
    forest = RandomForestClassifier(n_estimators=20, random_state=0)
    bags = np.concatenate(forest.fit(X, y, weights).estimators_samples_)
    assert 2600 < np.sum(bags < 50) < 2800
    weights[:50] = 0.0
    bags = np.concatenate(forest.fit(X, y, weights).estimators_samples_)
    assert bags.min() == 50
    assert_array_equal(forest.predict(X[:50]) == 0, np.zeros(50, bool))


def test_out_of_bag_probabilities_leave_out_the_drawn(iris):
    X, y = iris
    forest = RandomForestClassifier(n_estimators=40, oob_score=True, random_state=1)
    forest.fit(X, y)
    by_tree = [tree.predict_proba(X) for tree in forest.estimators_]
    expected = np.zeros((150, 3))
    for i in range(150):
        outside = [
            p[i] for p, bag in zip(by_tree, forest.estimators_samples_) if i not in bag
        ]
        expected[i] = np.mean(outside, axis=0)
    assert_allclose(forest.oob_decision_function_, expected)
    assert forest.oob_score_ == np.mean(expected.argmax(axis=1) == y)


def test_out_of_bag_score_may_be_any_function(iris, diabetes):
    X, y = iris
    forest = RandomForestClassifier(
        n_estimators=40, oob_score=balanced_accuracy_score, random_state=1
    ).fit(X, y)
    guess = forest.oob_decision_function_.argmax(axis=1)
    assert forest.oob_score_ == balanced_accuracy_score(y, guess)
    X, y = diabetes
    forest = RandomForestRegressor(n_estimators=60, oob_score=True, random_state=1)
    assert 0.3 < forest.fit(X, y).oob_score_ < 0.55
    assert forest.oob_prediction_.shape == y.shape


def test_rows_in_every_bag_have_no_out_of_bag_answer(iris):
    X, y = iris
    forest = RandomForestClassifier(n_estimators=1, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="drawn by every member"):
        forest.fit(X, y)
    drawn = np.isin(np.arange(150), forest.estimators_samples_[0])
    assert_array_equal(np.isnan(forest.oob_decision_function_).any(axis=1), drawn)


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


@pytest.mark.parametrize("make", [RandomForestClassifier, RandomForestRegressor])
def test_out_of_bag_answers_keep_the_rows_of_weight_zero(make, seed):
    # They are asked about like all rows that no tree drew, and judge nothing.
    rng = np.random.default_rng(seed)
    X, weight = rng.normal(size=(80, 3)), rng.uniform(0.5, 2.0, size=80)
    weight[::4] = 0.0
    kept, y = weight > 0.0, (X[:, 0] > 0.0).astype(int)
    forest = make(30, max_bins=8, oob_score=True, random_state=0)
    without = clone(forest).fit(X[kept], y[kept], weight[kept])
    forest.fit(X, y, weight)
    name, ask = "oob_prediction_", "predict"
    if is_classifier(forest):
        name, ask = "oob_decision_function_", "predict_proba"
    answer = getattr(forest, name)
    assert len(answer) == 80
    assert_allclose(answer[~kept], getattr(forest, ask)(X[~kept]))
    assert_array_equal(answer[kept], getattr(without, name))
    assert forest.oob_score_ == without.oob_score_
    for rows, expected in zip(forest.estimators_samples_, without.estimators_samples_):
        assert_array_equal(rows, np.flatnonzero(kept)[expected])
    found = forest.oob_permutation_importance(X, y, random_state=0)
    alone = without.oob_permutation_importance(X[kept], y[kept], random_state=0)
    assert_array_equal(found.importances, alone.importances)


def test_a_category_of_rows_without_weight_is_unknown(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.choice([1, 3, 7], 60), rng.normal(size=60)])
    y, weight = X[:, 0] == 7, np.where(X[:, 0] == 3, 0.0, 1.0)
    tree = ExtraTreesClassifier(
        5, categorical_features=[0], bootstrap=False, random_state=0
    )
    without = clone(tree).fit(X[weight > 0], y[weight > 0], weight[weight > 0])
    tree.fit(X, y, weight)
    assert tree._encoder.categories == {0: [1.0, 7.0]}
    assert_array_equal(tree.predict_proba(X), without.predict_proba(X))
    assert_array_equal(tree.estimators_samples_[0], np.flatnonzero(weight))


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


def test_pruned_forests_are_smaller(iris):
    X, y = iris
    full, pruned = (
        RandomForestClassifier(10, ccp_alpha=a, random_state=0).fit(X, y).trees_
        for a in (0.0, 0.02)
    )
    assert pruned.starts[-1] < full.starts[-1]


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


# ---------------------------------------------------------------- importance


def test_permutation_importance_finds_what_matters(seed):
    X, y = make_friedman1(400, n_features=10, random_state=seed % 1000)
    forest = RandomForestRegressor(n_estimators=60, random_state=0).fit(X, y)
    result = forest.oob_permutation_importance(X, y, random_state=0)
    assert result.importances.shape == (60, 10)
    assert_allclose(result.importances_mean, result.importances.mean(axis=0))
    spread = result.importances.std(axis=0, ddof=1) / np.sqrt(60)
    assert_allclose(result.importances_se, spread)
    assert result.importances_mean[:5].min() > result.importances_mean[5:].max()
    with pytest.raises(ValueError, match="the 400 rows that the forest was fitted on"):
        forest.oob_permutation_importance(X[:10], y[:10])
    with pytest.raises(ValueError, match="needs bootstrap=True"):
        ExtraTreesRegressor(3).fit(X, y).oob_permutation_importance(X, y)


def test_nothing_matters_where_all_columns_are_constant():
    forest = RandomForestClassifier(3).fit(np.ones((6, 2)), [0, 1] * 3)
    assert forest.feature_importances_.tolist() == [0.0, 0.0]
