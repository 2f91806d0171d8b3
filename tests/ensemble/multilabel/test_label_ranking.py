"""Calibrated label ranking against a twin with explicit pairs and a virtual label."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import CalibratedLabelRankingClassifier


def rank_naively(X, Y):
    """Return votes of all labels, and of the virtual one, by scikit-learn."""
    n_labels = Y.shape[1]
    votes = np.zeros((len(X), n_labels + 1))
    for a in range(n_labels):
        for b in range(a + 1, n_labels + 1):
            other = 1 - Y[:, a] if b == n_labels else Y[:, b]
            rows = Y[:, a] != other
            model = LogisticRegression().fit(X[rows], Y[rows, a])
            first = model.predict(X)
            votes[:, a] += first
            votes[:, b] += 1 - first
    return votes


def test_naive_twin(labeled):
    X, Y = labeled
    votes = rank_naively(X, Y)
    model = CalibratedLabelRankingClassifier(LogisticRegression()).fit(X, Y)
    assert_array_equal(model.predict(X) == 1, votes[:, :-1] > votes[:, -1:])
    expected = 0.5 + (votes[:, :-1] - votes[:, -1:]) / 8.0
    assert_allclose(model.predict_proba(X), expected)


def test_labels_that_no_row_tells_apart_share_their_vote(labeled):
    X, Y = labeled
    twice = Y[:, [0, 0, 1]]
    model = CalibratedLabelRankingClassifier(LogisticRegression()).fit(X, twice)
    scores = model.predict_proba(X)
    assert_allclose(scores[:, 0], scores[:, 1])


def test_soft_votes_are_probabilities(labeled):
    X, Y = labeled
    model = CalibratedLabelRankingClassifier(LogisticRegression(), voting="soft")
    scores = model.fit(X, Y).predict_proba(X)
    assert len(np.unique(scores)) > len(X)
    assert scores.min() >= 0.0 and scores.max() <= 1.0
