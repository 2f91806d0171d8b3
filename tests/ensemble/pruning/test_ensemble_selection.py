"""Greedy selection with replacement, from subsets of the library."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

from manyminds.ensemble import (
    EnsembleSelectionClassifier,
    EnsembleSelectionRegressor,
    RandomForestClassifier,
)


def make_pool(seed, n_classes=3):
    X, y = make_classification(
        200, 6, n_informative=4, n_classes=n_classes, flip_y=0.2, random_state=seed
    )
    forest = RandomForestClassifier(8, random_state=seed).fit(X[:100], y[:100])
    return forest, X[100:], y[100:]


def test_one_selection_of_votes_naively(seed):
    forest, X, y = make_pool(seed)
    labels = forest.predict_all(X)

    def score(bag):
        votes = [np.sum(labels[bag] == c, axis=0) for c in range(3)]
        return np.sum(np.argmax(votes, axis=0) == y)

    accuracy = np.mean(labels == y, axis=1)
    bag = np.argsort(-accuracy, kind="stable")[:2].tolist()
    best, kept = -1, None
    for _ in range(12):
        bag.append(int(np.argmax([score([*bag, m]) for m in range(8)])))
        if score(bag) > best:
            best, kept = score(bag), list(bag)
    model = EnsembleSelectionClassifier(
        forest, n_iterations=12, n_initial=2, n_bags=1, prefit=True
    ).fit(X, y)
    weights = np.bincount(kept, minlength=8) / len(kept)
    assert_allclose(model.weights_, weights[weights > 0])
    assert model.selected_members_.tolist() == np.flatnonzero(weights).tolist()
    shares = [np.sum((labels == c) * weights[:, np.newaxis], axis=0) for c in range(3)]
    assert_allclose(model.predict_proba(X), np.stack(shares, axis=1), atol=1e-12)


def test_without_replacement_no_member_counts_twice(seed):
    forest, X, y = make_pool(seed)
    model = EnsembleSelectionClassifier(
        forest, n_iterations=50, n_initial=1, n_bags=1, replacement=False, prefit=True
    ).fit(X, y)
    assert_allclose(model.weights_, 1.0 / len(model.weights_))


def test_brier_is_that_of_mean_probabilities(seed):
    forest, X, y = make_pool(seed)
    model = EnsembleSelectionClassifier(
        forest, metric="brier", prefit=True, random_state=0
    ).fit(X, y)
    truth = np.eye(3)[y]

    def brier(p):
        return np.mean((p - truth) ** 2)

    assert brier(model.predict_proba(X)) <= brier(forest.predict_proba(X))


def test_weights_of_bags_are_averaged():
    forest, X, y = make_pool(3)
    model = EnsembleSelectionClassifier(forest, prefit=True, random_state=0).fit(X, y)
    assert_allclose(model.weights_.sum(), 1.0)
    assert (model.weights_ > 0).all()


def test_regression_prefers_what_fits():
    X, y = make_regression(120, 4, noise=1.0, random_state=0)
    library = [KNeighborsRegressor(3), Ridge(0.01)]
    model = EnsembleSelectionRegressor(library, n_initial=1, random_state=0)
    weights = np.zeros(2)
    model.fit(X, y)
    weights[model.selected_members_] = model.weights_
    assert weights[1] > weights[0]


def test_weights_are_copies_for_fitted_members(seed):
    forest, X, y = make_pool(seed)
    weight = np.random.default_rng(seed).integers(4, size=len(y))
    for metric in ("accuracy", "brier"):
        model = EnsembleSelectionClassifier(
            forest, metric=metric, n_bags=2, prefit=True, random_state=0
        )
        p = model.fit(X, y, sample_weight=weight).predict_proba(X)
        model.fit(X.repeat(weight, axis=0), y.repeat(weight))
        assert_allclose(model.predict_proba(X), p)
