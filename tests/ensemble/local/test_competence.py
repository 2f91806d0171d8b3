"""Predictions of local members: all of them, or the most competent for a row."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.utils import get_tags

from manyminds.ensemble.local.local_trees import (
    ForestOfLocalTreesClassifier,
    ForestOfLocalTreesRegressor,
)


def first_rows(points, n_centroids, rng):
    """Pick the first rows, so that a test knows the centroids."""
    return points[:n_centroids]


def draw_table(seed, n_samples=120, n_features=3):
    """Draw numbers on scales of their own, and three classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features)) * [1.0, 20.0, 0.1][:n_features]
    score = X[:, 0] + X[:, 1] / 20 + 0.5 * rng.normal(size=n_samples)
    return X, np.digitize(score, [-0.7, 0.7])


@pytest.mark.parametrize("weighted", [False, True])
def test_naive_twin_of_the_most_competent(weighted, seed):
    # Acceptance 7: an answer for every k.
    X, y = draw_table(seed)
    forest = ForestOfLocalTreesClassifier(
        6, precision=4.0, competence_weighted=weighted, random_state=seed % 1000
    ).fit(X[:90], y[:90])
    low, high = X[:90].min(axis=0), X[:90].max(axis=0)
    answers = [tree.predict_proba(X[90:]) for tree in forest.estimators_]
    path = forest.predict_proba_path(X[90:])
    for i, row in enumerate((X[90:] - low) / (high - low)):
        distance = [np.linalg.norm(row - m) for m in forest.sample_centroids_]
        competence = np.exp(-0.5 * 4.0 * np.array(distance))
        best = sorted(range(6), key=lambda t, d=distance: d[t])
        for k in range(1, 7):
            active = best[:k]
            shares = competence[active] if weighted else np.ones(k)
            expected = np.average([answers[t][i] for t in active], 0, shares)
            assert_allclose(path[k - 1, i], expected)
    accuracy = [np.mean(p.argmax(axis=1) == y[90:]) for p in path]
    assert_allclose(forest.score_path(X[90:], y[90:]), accuracy)
    forest.set_params(n_active=2)
    assert_allclose(forest.predict_proba(X[90:]), path[1])


def test_asking_all_trees_is_the_whole_forest(seed):
    # Acceptance 7.
    X, y = draw_table(seed)
    forest = ForestOfLocalTreesClassifier(7, random_state=seed % 1000).fit(X, y)
    new = draw_table(seed + 1)[0]
    p = forest.predict_proba(new)
    assert_allclose(p.sum(axis=1), 1.0)
    assert_allclose(forest.predict_proba_path(new)[-1], p)
    assert_allclose(forest.predict_proba_path(new).sum(axis=2), 1.0)
    assert_array_equal(forest.set_params(n_active=7).predict_proba(new), p)


def test_hard_and_soft_votes_agree_for_full_grown_trees(seed):
    # Acceptance 7: with distinct rows, the leaves have one class each.
    X, y = draw_table(seed)
    forest = ForestOfLocalTreesClassifier(7, random_state=seed % 1000).fit(X, y)
    new = draw_table(seed + 1)[0]
    soft = forest.predict_proba(new)
    hard = forest.set_params(voting="hard").predict_proba(new)
    assert_allclose(soft, hard, atol=1e-12)


def test_predictions_do_not_depend_on_blocks(monkeypatch, seed):
    X, y = draw_table(seed)
    forest = ForestOfLocalTreesClassifier(4, n_active=2, random_state=0).fit(X, y)
    whole = forest.predict_proba(X), forest.predict_all(X)
    monkeypatch.setattr("manyminds.ensemble.local.competence._BLOCK_VALUES", 100)
    assert_allclose(forest.predict_proba(X), whole[0])
    assert_array_equal(forest.predict_all(X), whole[1])


def test_regressor_follows_the_most_competent(seed):
    X, y = load_diabetes(return_X_y=True)
    forest = ForestOfLocalTreesRegressor(6, precision=3.0, random_state=seed % 1000)
    path = forest.fit(X[:300], y[:300]).predict_path(X[300:])
    for k in (1, 4, 6):
        forest.set_params(n_active=k)
        assert_allclose(forest.predict(X[300:]), path[k - 1])
        score = forest.score(X[300:], y[300:])
        assert_allclose(forest.score_path(X[300:], y[300:])[k - 1], score)


def test_worked_example():
    # Two lines: through the rows near 0, where y is 0, and near 1, where y is x.
    X = np.array([[0.0], [0.1], [0.9], [1.0]])
    forest = ForestOfLocalTreesRegressor(
        2,
        precision=1e3,
        centroid_picker=lambda points, n, rng: points[[0, 3]],
        estimator=LinearRegression(),
        scale=None,
        n_active=1,
    ).fit(X, [0.0, 0.0, 0.9, 1.0])
    assert_allclose(forest.predict_all([[0.2], [0.8]]), [[0, 0], [0.2, 0.8]], atol=1e-6)
    # The member whose rows are nearer decides alone.
    assert_allclose(forest.predict([[0.2], [0.8]]), [0.0, 0.8], atol=1e-6)
    forest.set_params(n_active=None)
    assert_allclose(forest.predict([[0.2], [0.8]]), [0.1, 0.4], atol=1e-6)


def test_more_active_members_than_there_are():
    X, y = np.arange(6.0)[:, np.newaxis], [0, 1] * 3
    forest = ForestOfLocalTreesClassifier(2, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"n_active=3 .* at most n_estimators=2"):
        forest.set_params(n_active=3).predict(X)


def test_importances_are_those_of_trees_alone():
    X = np.c_[np.arange(6.0), np.zeros(6)]
    forest = ForestOfLocalTreesRegressor(2, random_state=0).fit(X, X[:, 0])
    assert_allclose(forest.feature_importances_, [1.0, 0.0])
    forest.set_params(estimator=LinearRegression()).fit(X, X[:, 0])
    with pytest.raises(AttributeError, match="it needs estimator=None"):
        forest.feature_importances_  # noqa: B018


def test_sparse_tables_need_a_metric_and_members_that_take_them():
    takes = [
        get_tags(ForestOfLocalTreesClassifier(**options)).input_tags.sparse
        for options in ({}, {"metric": "canberra"}, {"estimator": LinearRegression()})
    ]
    assert takes == [True, False, True]
