"""Nearest neighbors: metrics by hand, and the choice of their number."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

from manyminds.learners.kneighbors_cv import (
    KNeighborsClassifierCV,
    KNeighborsRegressorCV,
)

METRICS = ["euclidean", "manhattan", "minkowski", "canberra", "chebyshev"]


def table(seed, n_samples=80):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 3))
    y = X[:, 0] + 0.5 * rng.normal(size=n_samples)
    X[:4], y[:4] = X[4:8], y[4:8]  # some rows are there twice
    return X, y


def distance(x, z, metric, p):
    gap = np.abs(x - z)
    if metric == "canberra":
        size = np.abs(x) + np.abs(z)
        return np.divide(gap, size, out=np.zeros_like(gap), where=size > 0).sum()
    if metric == "chebyshev":
        return gap.max()
    p = {"euclidean": 2.0, "manhattan": 1.0}.get(metric, p)
    return (gap**p).sum() ** (1.0 / p)


def test_worked_example():
    X, y = [[0.0], [1.0], [3.0], [10.0]], ["a", "b", "b", "a"]
    assert_array_equal(
        KNeighborsClassifierCV(1).fit(X, y).predict([[0.2], [4.0]]), ["a", "b"]
    )
    model = KNeighborsClassifierCV(3).fit(X, y)
    assert_allclose(model.predict_proba([[0.2]]), [[1 / 3, 2 / 3]])
    number = KNeighborsRegressorCV(2, weights="distance").fit(X, [0.0, 4.0, 8.0, 0.0])
    assert_allclose(number.predict([[0.25]]), [(4.0 * 0.75**-1) / (4.0 + 0.75**-1)])


def naive_mean(x, X, y, k, metric, weights):
    """Return the mean target of k neighbors, of which the last may be shared."""
    away = np.array([distance(x, z, metric, 1.5) for z in X])
    last = np.sort(away)[k - 1]
    is_tied = np.isclose(away, last, rtol=1e-9, atol=1e-12)
    is_nearer = (away < last) & ~is_tied
    weight = is_nearer + is_tied * (k - is_nearer.sum()) / is_tied.sum()
    if weights == "distance":
        is_same = away <= 1e-12
        weight *= is_same if is_same.any() else 1.0 / np.maximum(away, 1e-12)
    return np.average(y, weights=weight)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", METRICS)
def test_naive_twin(seed, metric, weights):
    X, y = table(seed)
    whole = np.round(X)  # with many ties
    new = np.random.default_rng(seed + 1).normal(size=(10, 3))
    for known, k in ((X, 9), (whole, 9), (whole, 40), (whole, 80)):
        model = KNeighborsRegressorCV(k, metric=metric, p=1.5, weights=weights)
        unseen = np.round(new) if known is whole else np.vstack([new, X[:2]])
        expected = [naive_mean(x, known, y, k, metric, weights) for x in unseen]
        assert_allclose(model.fit(known, y).predict(unseen), expected, rtol=1e-9)


@pytest.mark.parametrize("n_features", [3, 20])
@pytest.mark.parametrize("metric", METRICS)
def test_the_order_of_rows_does_not_matter(seed, metric, n_features):
    # Scaling rounds, so that equal distances are equal only nearly.
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(400, n_features)) * 0.1 + 1000.0
    y = (X[:, :2].sum(axis=1) + 0.2 * rng.normal(size=400) > 2000.2).astype(int)
    order, model = rng.permutation(300), KNeighborsClassifierCV("cv", metric=metric)
    scale = StandardScaler().fit(X)
    known, new = scale.transform(X[:300]), scale.transform(X[300:])
    first = model.set_params(cv=KFold(2)).fit(known, y[:300])
    made, n_neighbors = first.predict_proba(new), first.n_neighbors_
    folds = [np.argsort(order)[part] for part in np.array_split(np.arange(300), 2)]
    model.set_params(cv=[(folds[1], folds[0]), (folds[0], folds[1])])
    again = model.fit(known[order], y[:300][order])
    assert again.n_neighbors_ == n_neighbors
    assert_allclose(again.predict_proba(new), made, atol=1e-12)


def test_ties_share_the_last_place():
    X, y = [[0.0], [1.0], [-1.0], [1.0], [5.0]], [9.0, 1.0, 2.0, 6.0, 70.0]
    for k, expected in ((1, 9.0), (2, (9.0 + 3.0) / 2), (3, (9.0 + 6.0) / 3)):
        assert_allclose(KNeighborsRegressorCV(k).fit(X, y).predict([[0.0]]), [expected])


def test_rounding_errors_are_zero_to_canberra():
    X, y = [[1e-17, 1.0], [-3e-17, 1.1], [0.0, 3.0]], [1.0, 2.0, 3.0]
    model = KNeighborsRegressorCV(1, metric="canberra").fit(X, y)
    assert_allclose(model.predict([[2e-17, 2.9]]), [3.0])


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_scores_are_those_of_cross_validation(seed, weights, metric):
    X, y = table(seed)
    X[:4] += 1.0  # scikit-learn orders rows at the same distance somehow
    label = np.digitize(y, [-0.5, 0.5])
    options = {"weights": weights, "metric": metric}
    model = KNeighborsClassifierCV("cv", cv=5, max_neighbors=12, **options).fit(
        X, label
    )
    expected = [
        cross_val_score(KNeighborsClassifier(k, **options), X, label, cv=5).mean()
        for k in range(1, 13)
    ]
    assert_allclose(model.cv_scores_, expected)
    best = np.flatnonzero(np.array(expected) >= max(expected) - 1e-12)
    assert model.n_neighbors_ == best[0] + 1
    number = KNeighborsRegressorCV("cv", cv=5, max_neighbors=12, **options).fit(X, y)
    expected = [
        cross_val_score(
            KNeighborsRegressor(k, **options),
            X,
            y,
            cv=5,
            scoring="neg_mean_squared_error",
        ).mean()
        for k in range(1, 13)
    ]
    assert_allclose(number.cv_scores_, expected)
    assert number.n_neighbors_ == np.argmax(expected) + 1


def test_noise_wants_more_neighbors_than_a_clear_border(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, size=(300, 1))
    clear = KNeighborsClassifierCV("cv").fit(X, np.floor(8 * X[:, 0]) % 2)
    noisy = KNeighborsClassifierCV("cv").fit(X, X[:, 0] + rng.normal(size=300) > 0)
    assert clear.n_neighbors_ < noisy.n_neighbors_


def test_no_more_neighbors_than_rows():
    X, y = [[0.0], [1.0], [2.0]], [0.0, 3.0, 6.0]
    assert_allclose(KNeighborsRegressorCV(50).fit(X, y).predict([[0.0]]), [3.0])
    model = KNeighborsRegressorCV("cv", cv=KFold(3)).fit(X, y)
    assert len(model.cv_scores_) == 2


def test_a_given_number_is_taken(seed):
    X, y = load_iris(return_X_y=True)
    X += 1e-3 * np.random.default_rng(seed + 1).normal(size=X.shape)  # no ties
    model = KNeighborsClassifierCV(7, metric="chebyshev").fit(X, y)
    theirs = KNeighborsClassifier(7, metric="chebyshev").fit(X, y)
    new = X + 0.3 * np.random.default_rng(seed).normal(size=X.shape)
    assert_allclose(model.predict_proba(new), theirs.predict_proba(new))
    assert_array_equal(model.predict(new), theirs.predict(new))
    assert not hasattr(model, "cv_scores_")


def test_one_row_of_each_class():
    model = KNeighborsClassifierCV("cv").fit([[0.0], [1.0]], ["a", "b"])
    assert model.n_neighbors_ == 1


def test_says_what_is_wrong():
    with pytest.raises(
        ValueError, match="'n_neighbors' parameter of KNeighborsClassifierCV"
    ):
        KNeighborsClassifierCV(0).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("kind", [KNeighborsClassifierCV, KNeighborsRegressorCV])
def test_neighbors_of_the_same_group_do_not_count(kind, seed):
    # The nearest rows are of the same group, whose target says nothing about others.
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat(np.arange(40), 8))
    X = rng.normal(size=(40, 2))[groups] + 0.001 * rng.normal(size=(320, 2))
    y = rng.integers(2, size=40)[groups]
    plain = kind("cv").fit(X, y).cv_scores_[0]
    for cv in (5, GroupKFold(5)):
        grouped = kind("cv", cv=cv).fit(X, y, groups=groups).cv_scores_[0]
        assert grouped < plain - 0.2
