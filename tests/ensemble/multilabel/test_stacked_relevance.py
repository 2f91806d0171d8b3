"""Stacked binary relevance against the two levels written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import matthews_corrcoef
from sklearn.naive_bayes import GaussianNB

from manyminds.ensemble import BinaryRelevanceClassifier, StackedRelevanceClassifier
from manyminds.ensemble.multilabel.stacked_relevance import phi_correlations


def test_the_papers_two_levels_are_binary_relevance_twice(labeled):
    X, Y = labeled
    model = StackedRelevanceClassifier(LogisticRegression(), cv=None).fit(X, Y)
    first = BinaryRelevanceClassifier(LogisticRegression()).fit(X, Y).predict_proba(X)
    again = BinaryRelevanceClassifier(LogisticRegression()).fit(first, Y)
    assert_allclose(model.predict_proba(X), again.predict_proba(first))


def test_second_classifiers_are_trained_on_scores_of_rows_outside(labeled):
    # A first classifier that remembers its rows: inside it is always right, so that a
    # second one that trusts its scores repeats its guesses outside.
    X, Y = labeled
    X, noise = np.random.default_rng(0).normal(size=X.shape), Y
    inside, outside = (
        StackedRelevanceClassifier(random_state=0, cv=cv).fit(X, noise)
        for cv in (None, 5)
    )
    truth = noise.mean(axis=0)
    new = np.random.default_rng(1).normal(size=(500, X.shape[1]))
    spread = [model.predict_proba(new) - truth for model in (inside, outside)]
    assert np.abs(spread[0]).mean() > np.abs(spread[1]).mean()


def test_phi_is_the_correlation_of_matthews(labeled):
    Y = labeled[1]
    found = phi_correlations(Y)
    for i, a in enumerate(Y.T):
        for j, b in enumerate(Y.T):
            assert_allclose(found[i, j], matthews_corrcoef(a, b), atol=1e-12)


def test_labels_of_low_correlation_are_left_out(labeled):
    X, Y = labeled
    limit = np.sort(np.abs(phi_correlations(Y)[np.triu_indices(4, 1)]))[3]
    model = StackedRelevanceClassifier(GaussianNB(), min_correlation=limit).fit(X, Y)
    expected = np.abs(phi_correlations(Y)) >= limit
    assert_array_equal(model.inputs_, expected | np.eye(4, dtype=bool))
    assert not model.inputs_.all()
    alone = StackedRelevanceClassifier(GaussianNB(), min_correlation=1.0).fit(X, Y)
    assert_array_equal(alone.inputs_, np.eye(4, dtype=bool))


@pytest.mark.parametrize("constant", [0, 1])
def test_a_constant_label_stays_as_it_is(labeled, constant):
    X, Y = labeled
    Y = np.column_stack([Y, np.full(len(Y), constant)])
    model = StackedRelevanceClassifier(LogisticRegression()).fit(X, Y)
    assert (model.predict(X)[:, -1] == constant).all()
