"""Delegating: thresholds by hand, and a plain twin of the chain."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.datasets.generators import make_friedman_classes
from manyminds.ensemble.committees.delegating import (
    DelegatingClassifier,
    find_threshold,
)


@pytest.mark.parametrize("coverage", [0.1, 0.25, 0.3, 0.5, 0.75, 1.0])
def test_threshold_is_the_largest_that_covers_enough(seed, coverage):
    confidence = np.random.default_rng(seed).integers(0, 8, size=20) / 8
    threshold = find_threshold(confidence, coverage)
    assert np.sum(confidence >= threshold) >= coverage * 20
    higher = [c for c in np.unique(confidence) if c > threshold]
    assert all(np.sum(confidence >= c) < coverage * 20 - 1e-9 for c in higher)


def test_plain_twin(seed):
    # So noisy that no member is left with rows of one class.
    X, y = make_friedman_classes(600, noise=6.0, random_state=seed)
    chain = DelegatingClassifier(LogisticRegression(), 3, coverage=0.6)
    chain.fit(X[:300], y[:300])
    rows, p = np.arange(300), np.full((600, 2), np.nan)
    for t in range(3):
        model = LogisticRegression().fit(X[rows], y[rows])
        confidence = model.predict_proba(X[rows]).max(axis=1)
        falling = np.sort(confidence)[::-1]
        gamma = falling[int(np.ceil(0.6 * len(rows))) - 1] if t < 2 else 0.0
        says = model.predict_proba(X)
        sure = np.isnan(p[:, 0]) & (says.max(axis=1) >= gamma)
        p[sure] = says[sure]
        rows = rows[confidence < gamma]
    assert_array_equal(chain.n_fitted_, [300, 120, 48])
    assert_allclose(chain.predict_proba(X), p)


def test_each_member_sees_what_is_left():
    X, y = load_breast_cancer(return_X_y=True)
    base = make_pipeline(StandardScaler(), LogisticRegression())
    chain = DelegatingClassifier(base, 2, coverage=0.75).fit(X, y)
    assert_array_equal(chain.n_fitted_, [569, 142])  # ceil(0.75 * 569) = 427 are kept
    assert chain.thresholds_[-1] == 0.0


def test_a_sure_member_ends_the_chain():
    # A tree whose leaves are all equally sure covers everything.
    X = np.arange(40.0).reshape(-1, 1)
    chain = DelegatingClassifier(n_estimators=5).fit(X, X[:, 0] > 19)
    assert len(chain.estimators_) == 1


def test_confidence_by_folds(seed):
    X, y = load_breast_cancer(return_X_y=True)
    chain = DelegatingClassifier(cv=4, random_state=seed).fit(X, y)
    assert chain.score(X, y) > 0.85
