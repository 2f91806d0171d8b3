"""Probabilities as if all classes were equally frequent."""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from manyminds.search import PriorCorrectedClassifier


def test_probabilities_are_divided_by_the_shares_of_the_classes(seed):
    X, y = make_classification(
        300, n_classes=3, n_informative=4, weights=[0.7, 0.2], random_state=seed
    )
    plain = LogisticRegression().fit(X, y)
    even = PriorCorrectedClassifier(LogisticRegression()).fit(X, y)
    shares = np.bincount(y) / len(y)
    expected = plain.predict_proba(X) / shares
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(even.predict_proba(X), expected)
    np.testing.assert_array_equal(even.predict(X), expected.argmax(axis=1))


def test_naive_bayes_gets_the_priors_it_could_have_been_given(seed):
    X, y = make_classification(300, weights=[0.9], random_state=seed)
    even = PriorCorrectedClassifier(GaussianNB()).fit(X, y)
    given = GaussianNB(priors=[0.5, 0.5]).fit(X, y)
    np.testing.assert_allclose(even.predict_proba(X), given.predict_proba(X))


def test_weights_count_as_rows(seed):
    X, y = make_classification(100, weights=[0.8], random_state=seed)
    weight = np.where(y == 1, 3.0, 1.0)
    even = PriorCorrectedClassifier(GaussianNB()).fit(X, y, sample_weight=weight)
    counts = np.bincount(y, weight)
    np.testing.assert_allclose(even.priors_, counts / counts.sum())
