"""Extremely randomized trees: random thresholds, no bootstrap unless wanted."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import ensemble as theirs
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    make_friedman1,
)
from sklearn.model_selection import cross_val_score

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
)


@pytest.mark.slow
def test_as_accurate_as_scikit_learn_s_classifier(seed):
    # 10-fold accuracies on 569 rows: one seed's noise is about half a point.
    X, y = load_breast_cancer(return_X_y=True)
    accuracies = [
        cross_val_score(Forest(n_estimators=50, random_state=seed % 1000), X, y, cv=10)
        for Forest in (ExtraTreesClassifier, theirs.ExtraTreesClassifier)
    ]
    assert abs(np.mean(accuracies[0]) - np.mean(accuracies[1])) < 0.02


@pytest.mark.slow
def test_as_accurate_as_scikit_learn_s_regressor(seed):
    X, y = make_friedman1(1200, noise=1.0, random_state=seed % 1000)
    errors = []
    for Forest in (ExtraTreesRegressor, theirs.ExtraTreesRegressor):
        model = Forest(n_estimators=60, random_state=0).fit(X[:400], y[:400])
        errors.append(np.sqrt(np.mean((model.predict(X[400:]) - y[400:]) ** 2)))
    assert abs(errors[0] / errors[1] - 1) < 0.06


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


@pytest.mark.parametrize("Forest", [ExtraTreesClassifier, ExtraTreesRegressor])
def test_thresholds_differ_where_those_of_best_splits_are_equal(Forest):
    # A single column and all rows in each tree: the best cut is always that at 9.5.
    X = np.arange(20.0)[:, np.newaxis]
    y = (X[:, 0] > 9.5).astype(int)
    trees = Forest(20, max_depth=1, random_state=0).fit(X, y).trees_
    thresholds = trees.threshold[trees.starts[:-1]]
    assert len(np.unique(thresholds)) > 10
    assert (thresholds > 0.0).all() and (thresholds < 19.0).all()


def test_all_rows_are_seen_without_a_bootstrap():
    X, y = np.arange(8.0)[:, np.newaxis], [0, 1] * 4
    forest = ExtraTreesClassifier(3, random_state=0).fit(X, y)
    assert_array_equal(forest.estimators_samples_, np.tile(np.arange(8), (3, 1)))
    assert_array_equal(forest.predict(X), y)


def test_two_distinct_values_are_always_separated():
    # Whatever threshold is drawn between them.
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), [0, 0, 1, 1]
    forest = ExtraTreesClassifier(5, random_state=0).fit(X, y)
    assert_allclose(forest.predict_proba(X)[:, 1], y)
