"""Fit local members: the weights that they get, and what cannot be fitted."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import minmax_scale

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


def weigh_naively(X, t, precision, power):
    """Weigh the rows around row t by the formula, one by one."""
    low, high = X.min(axis=0), X.max(axis=0)
    Z = (X - low) / (high - low)
    distances = [np.sqrt(sum((z - c) ** 2 for z, c in zip(row, Z[t]))) for row in Z]
    return np.array([np.exp(-0.5 * precision * d**power) for d in distances])


def test_naive_twin_with_other_members(seed):
    # Members see the scaled numbers; the target is that of their own rows.
    X, y = draw_table(seed)
    Z, labels = minmax_scale(X), np.array(["a", "b", "c"])
    forest = ForestOfLocalTreesClassifier(
        3, precision=2.0, centroid_picker=first_rows, estimator=GaussianNB()
    ).fit(X, labels[y])
    expected = [
        GaussianNB().fit(Z, y, weigh_naively(X, t, 2.0, 1.0)).predict_proba(Z)
        for t in range(3)
    ]
    assert_allclose(forest.predict_proba(X), np.mean(expected, axis=0))
    assert_array_equal(forest.predict_all(X), labels[np.argmax(expected, axis=2)])
    assert not hasattr(forest, "feature_importances_")
    assert not hasattr(forest, "trees_")
    forest.set_params(estimator=None).fit(X, y)
    assert isinstance(forest.estimators_[0].predict(X), np.ndarray)


@pytest.mark.parametrize("member", [LogisticRegression(), BernoulliNB(binarize=0.5)])
def test_local_members_of_other_kinds(member):
    X, y = load_iris(return_X_y=True)
    forest = ForestOfLocalTreesClassifier(5, estimator=member, random_state=0)
    dense = forest.fit(X, y).predict_proba(X)
    assert np.mean(dense.argmax(axis=1) == y) > 0.6
    sparse = forest.fit(csr_matrix(X), y).predict_proba(csr_matrix(X))
    assert_allclose(sparse.sum(axis=1), 1.0)


def test_local_lines_follow_a_curve(seed):
    # Lines that mind their neighborhood bend: one line through a parabola explains
    # nothing, the lines of the nearest of twenty centroids do.
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(400, 1))
    y = X[:, 0] ** 2
    forest = ForestOfLocalTreesRegressor(
        20, precision=20.0, estimator=LinearRegression(), n_active=1, random_state=0
    )
    assert forest.fit(X, y).score(X, y) > 0.7
    assert LinearRegression().fit(X, y).score(X, y) < 0.3


def test_metrics_that_take_no_sparse_table():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="metric='chebyshev' takes no sparse X"):
        ForestOfLocalTreesClassifier(metric="chebyshev").fit(csr_matrix(X), y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": KNeighborsClassifier()}, "must take sample_weight"),
        ({"scaling_matrix": np.eye(2), "metric": "cosine"}, "needs metric='euclidean'"),
        ({"n_active": 11}, "n_active=11 is more than there are"),
    ],
)
def test_errors_name_the_parameter(parameters, message):
    with pytest.raises(ValueError, match=message):
        ForestOfLocalTreesClassifier(10, **parameters).fit(np.eye(2), [0, 1])


def test_trees_have_weights_of_their_own():
    X, y = np.arange(10.0)[:, np.newaxis], np.arange(10.0)
    forest = ForestOfLocalTreesRegressor(2, centroid_picker=first_rows, precision=2.0)
    roots = forest.fit(X, y).trees_.starts[:-1]
    for t, root in enumerate(roots):
        mean = np.average(y, weights=weigh_naively(X, t, 2.0, 1.0))
        assert_allclose(forest.trees_.value[root], [mean])


def test_each_category_is_a_dimension():
    X = pd.DataFrame({"size": [0.0, 1.0, 2.0], "hue": pd.Categorical(["a", "b", "c"])})
    forest = ForestOfLocalTreesClassifier(1, centroid_picker=first_rows)
    assert forest.fit(X, [0, 1, 1]).centroids_.shape == (1, 4)
