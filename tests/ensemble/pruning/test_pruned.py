"""Pruned ensembles: sizes, methods, and what predicts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification, make_regression
from sklearn.neighbors import KNeighborsClassifier

from manyminds.ensemble import (
    PrunedClassifier,
    PrunedRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.ensemble.pruning.pruned import MEAN_ORDERS, UNWEIGHTED, VOTE_ORDERS

SEARCHES = ("clustering", "genetic", "quadratic")


@pytest.fixture(scope="module")
def classes():
    X, y = make_classification(
        300, 6, n_informative=4, n_classes=3, flip_y=0.1, random_state=0
    )
    forest = RandomForestClassifier(25, random_state=0).fit(X[:100], y[:100])
    return forest, X[100:200], y[100:200], X[200:], y[200:]


@pytest.fixture(scope="module")
def targets():
    X, y = make_regression(300, 5, noise=20.0, random_state=0)
    forest = RandomForestRegressor(25, random_state=0).fit(X[:100], y[:100])
    return forest, X[100:200], y[100:200], X[200:], y[200:]


@pytest.mark.parametrize("method", [*VOTE_ORDERS, "fitness", *SEARCHES])
def test_methods_of_classifiers(classes, method):
    forest, X, y, X_new, y_new = classes
    pruned = PrunedClassifier(forest, method, prefit=True, random_state=0).fit(X, y)
    labels = forest.predict_all(X)
    assert pruned.n_members_ == 25 and 1 <= len(pruned.selected_members_) <= 25
    assert len(set(pruned.selected_members_)) == len(pruned.selected_members_)
    votes = np.stack([(labels == c).sum(axis=0) for c in range(3)])
    if method not in ("kappa", "genetic", "clustering"):
        # The size was chosen by these rows, the whole ensemble among the candidates.
        assert pruned.score(X, y) >= np.mean(votes.argmax(axis=0) == y)
    five = PrunedClassifier(forest, method, size=5, prefit=True, random_state=0)
    five.fit(X, y)
    assert len(five.selected_members_) == (
        5 if method != "clustering" else len(five.selected_members_)
    )
    assert five.score(X_new, y_new) > 0.5
    if method in VOTE_ORDERS:
        kept = labels[five.selected_members_]
        votes = np.stack([(kept == c).sum(axis=0) for c in range(3)])
        assert_allclose(five.scores_by_size_[4], np.mean(votes.argmax(axis=0) == y))


def test_hull_has_a_size_of_its_own(classes):
    forest, X, y, *_ = classes
    hull = PrunedClassifier(forest, "kappa-hull", prefit=True).fit(X, y)
    assert 2 <= len(hull.selected_members_) < 25
    with pytest.raises(ValueError, match="takes size='best' only; got size=3"):
        PrunedClassifier(forest, "kappa-hull", size=3, prefit=True).fit(X, y)


@pytest.mark.parametrize("method", [*MEAN_ORDERS, *SEARCHES])
def test_methods_of_regressors(targets, method):
    forest, X, y, X_new, _ = targets
    pruned = PrunedRegressor(forest, method, prefit=True, random_state=0).fit(X, y)
    values = forest.predict_all(X_new)
    mean = values[pruned.selected_members_].mean(axis=0)
    assert_allclose(pruned.predict(X_new), mean)
    if method in ("reduced-error", "backward", "quadratic"):
        assert pruned.score(X, y) >= forest.score(X, y) - 1e-9
    share = PrunedRegressor(forest, method, size=0.2, prefit=True, random_state=0)
    assert len(share.fit(X, y).selected_members_) <= 5


def test_fixed_sizes_and_steps(classes):
    forest, X, y, *_ = classes
    share = PrunedClassifier(forest, size=0.4, prefit=True).fit(X, y)
    assert len(share.selected_members_) == 10
    steps = PrunedClassifier(forest, step=10, prefit=True).fit(X, y)
    assert len(steps.selected_members_) in (10, 20)
    whole = PrunedClassifier(forest, size=99, voting="soft", prefit=True).fit(X, y)
    assert_allclose(whole.predict_proba(X), forest.predict_proba(X))


def test_only_kept_trees_are_stored(classes):
    forest, X, y, *_ = classes
    few = PrunedClassifier(forest, size=2, prefit=True).fit(X, y)
    assert few._committees[0].pool.members.trees.n_trees == 2


def test_fractions_of_rows(classes):
    _, X, y, X_new, y_new = classes
    for fraction in (0.5, None):
        model = PrunedClassifier(validation_fraction=fraction, random_state=0)
        assert model.fit(X, y).score(X_new, y_new) > 0.5
        again = PrunedClassifier(validation_fraction=fraction, random_state=0)
        assert_array_equal(again.fit(X, y).predict(X_new), model.predict(X_new))


@pytest.mark.parametrize("method", [*VOTE_ORDERS, "fitness", *SEARCHES, "kappa-hull"])
def test_weights_are_copies_for_classifiers_or_refused(classes, method):
    # Fitted members and few rows, so that an order without weights differs.
    forest, X, y, _, _ = classes
    X, y = X[:40], y[:40]
    weight = np.random.default_rng(0).integers(4, size=40)
    model = PrunedClassifier(forest, method, prefit=True, random_state=0)
    if method in UNWEIGHTED:
        with pytest.raises(ValueError, match="sample_weight must be None for the meth"):
            model.fit(X, y, sample_weight=weight)
        return
    kept = model.fit(X, y, sample_weight=weight).selected_members_
    again = model.fit(X.repeat(weight, axis=0), y.repeat(weight)).selected_members_
    assert_array_equal(kept, again)


@pytest.mark.parametrize("method", [*MEAN_ORDERS, *SEARCHES])
def test_weights_are_copies_for_regressors(targets, method):
    forest, X, y, _, _ = targets
    X, y = X[:40], y[:40]
    weight = np.random.default_rng(0).integers(4, size=40)
    model = PrunedRegressor(forest, method, size=6, prefit=True, random_state=0)
    kept = model.fit(X, y, sample_weight=weight).selected_members_
    again = model.fit(X.repeat(weight, axis=0), y.repeat(weight)).selected_members_
    assert_array_equal(kept, again)


def test_weights_that_members_do_not_take_are_refused(classes):
    X, y = classes[1:3]
    library = [KNeighborsClassifier(k) for k in (1, 5)]
    with pytest.raises(ValueError, match="the fit of estimator=KNeighborsClassifier"):
        PrunedClassifier(library).fit(X, y, sample_weight=np.ones(len(y)))
