"""AdaBoost.MH against a twin of the formulas, and the bound of its loss."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble import AdaBoostMHClassifier


def boost_naively(X, Y, n_rounds):
    """Return margins of the training rows and the bound, by the paper's formulas."""
    truth = 2.0 * Y - 1.0
    D = np.full(Y.shape, 1.0 / Y.size)
    margins, bound = np.zeros(Y.shape), 1.0
    for _ in range(n_rounds):
        best = (np.abs((D * truth).sum(axis=0)).sum(), np.ones(len(X), bool))
        for x in X.T:
            for cut in np.unique(x)[:-1]:
                left = x <= cut
                r = sum(
                    np.abs((D * truth)[side].sum(axis=0)).sum()
                    for side in (left, ~left)
                )
                if r > best[0] * (1 + 1e-10):
                    best = (r, left)
        r, left = best
        h = np.empty(Y.shape)
        for side in (left, ~left):
            h[side] = np.where((D * truth)[side].sum(axis=0) > 0, 1.0, -1.0)
        alpha = 0.5 * np.log((1 + r) / (1 - r))
        D = D * np.exp(-alpha * truth * h)
        bound *= D.sum()
        D /= D.sum()
        margins += alpha * h
    return margins, bound


def test_naive_twin(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    Y = (X[:, :2] + 0.7 * rng.normal(size=(40, 2)) > 0).astype(int)
    model = AdaBoostMHClassifier(n_estimators=6).fit(X, Y)
    margins, bound = boost_naively(X, Y, 6)
    assert_allclose(model.predict_proba(X), 1 / (1 + np.exp(-2 * margins)))
    assert_allclose(model.bounds_[-1], bound)


def test_the_bound_holds_and_falls(labeled):
    X, Y = labeled
    model = AdaBoostMHClassifier(n_estimators=30).fit(X, Y)
    assert (np.diff(model.bounds_) < 0).all()
    assert (model.predict(X) != Y).mean() <= model.bounds_[-1]


@pytest.mark.parametrize("weights", [np.arange(90) % 3, np.full(90, 2)])
def test_weights_are_repeated_rows(labeled, weights):
    X, Y = labeled
    weighted = AdaBoostMHClassifier(9).fit(X, Y, sample_weight=weights)
    repeated = AdaBoostMHClassifier(9).fit(
        np.repeat(X, weights, axis=0), np.repeat(Y, weights, axis=0)
    )
    assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))


def test_a_table_without_information_predicts_the_majority():
    X, Y = np.zeros((9, 2)), np.tile([1, 0], (9, 1))
    assert_array_equal(AdaBoostMHClassifier().fit(X, Y).predict(X), Y)
