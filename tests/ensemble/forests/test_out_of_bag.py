"""The rows that trees drew, out-of-bag predictions and importances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone, is_classifier
from sklearn.datasets import (
    load_diabetes,
    load_iris,
    make_friedman1,
)
from sklearn.metrics import balanced_accuracy_score

from manyminds.ensemble import (
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


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
