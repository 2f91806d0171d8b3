"""Coupled probabilities: of members, calibrated or not."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from manyminds.ensemble import PairwiseCouplingClassifier
from manyminds.ensemble.graphs import pairwise_coupling
from manyminds.ensemble.graphs.coupling import (
    couple_by_divergence,
    couple_by_least_squares,
)


def table(seed, n_samples=200):
    rng = np.random.default_rng(seed)
    y = np.digitize(np.arange(n_samples) % 10, [5, 8, 9])
    return rng.normal(size=(4, 3))[y] + rng.normal(size=(n_samples, 3)), y


@pytest.mark.parametrize("coupling", ["least_squares", "divergence"])
def test_probabilities_are_coupled_pairs(seed, coupling, monkeypatch):
    X, y = table(seed)
    model = PairwiseCouplingClassifier(GaussianNB(), coupling=coupling).fit(X, y)
    pairs = np.zeros((len(X), 4, 4))
    for (i, j), member in zip(model.pairs_, model.estimators_):
        pairs[:, i, j], pairs[:, j, i] = member.predict_proba(X).T
    counts = np.bincount(y)
    size = np.array([[a + b for a in counts] for b in counts])
    if coupling == "least_squares":
        expected = couple_by_least_squares(pairs)
    else:
        expected = couple_by_divergence(pairs, size)
    assert_allclose(model.predict_proba(X), expected, atol=1e-12)
    assert_array_equal(model.predict(X), expected.argmax(axis=1))
    monkeypatch.setattr(pairwise_coupling, "_BLOCK_CELLS", 100)
    assert_allclose(model.predict_proba(X), expected, atol=1e-12)


def test_members_without_probabilities_are_calibrated(seed):
    X, y = table(seed)
    model = PairwiseCouplingClassifier(LinearSVC()).fit(X[:100], y[:100])
    p = model.predict_proba(X[100:])
    assert_allclose(p.sum(axis=1), 1.0)
    # Better than the shares of the classes. Over 200 seeds: 0.71 against 1.17.
    shares = np.tile(np.bincount(y[:100]) / 100, (100, 1))
    assert log_loss(y[100:], p) < log_loss(y[100:], shares)


def test_as_good_as_one_model_of_all_classes(seed):
    X, y = table(seed, 2000)
    pairwise = PairwiseCouplingClassifier(LogisticRegression()).fit(X[:1000], y[:1000])
    whole = LogisticRegression().fit(X[:1000], y[:1000])
    losses = [log_loss(y[1000:], m.predict_proba(X[1000:])) for m in (pairwise, whole)]
    assert abs(losses[0] - losses[1]) < 0.02


def test_calibration_needs_two_samples_of_a_class(seed):
    X, y = table(seed)
    y[0] = 9
    with pytest.raises(ValueError, match="two samples or more of each class; class 9"):
        PairwiseCouplingClassifier(LinearSVC()).fit(X, y)
    y[1] = 9
    assert 9 in PairwiseCouplingClassifier(LinearSVC()).fit(X, y).classes_


def test_one_class():
    model = PairwiseCouplingClassifier(GaussianNB()).fit([[0.0], [1.0]], ["a", "a"])
    assert model.predict_proba([[3.0]]).tolist() == [[1.0]]
