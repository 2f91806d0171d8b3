"""Targets of any two values, shapes of predictions, errors of bad input."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from manyminds.ensemble import BinaryRelevanceClassifier, MultiLabelForestClassifier


def fit(X, y, **options):
    return MultiLabelForestClassifier(5, random_state=0, **options).fit(X, y)


def test_any_two_values_of_a_label_come_back(labeled):
    X, Y = labeled
    words = np.where(Y == 1, "yes", "no")
    words[:, 1] = np.where(Y[:, 1] == 1, "b", "a")
    expected, found = fit(X, Y).predict(X), fit(X, words).predict(X)
    assert_array_equal(found[:, 0] == "yes", expected[:, 0] == 1)
    assert_array_equal(found[:, 1] == "b", expected[:, 1] == 1)


def test_sparse_and_boolean_targets_are_the_same(labeled):
    X, Y = labeled
    expected = fit(X, Y).predict_proba(X)
    for other in (csr_matrix(Y), Y.astype(bool), Y.tolist()):
        assert_array_equal(fit(X, other).predict_proba(X), expected)


def test_a_label_that_all_rows_have_is_predicted(labeled):
    X, Y = labeled
    Y = np.column_stack([Y, np.ones(len(Y), int), np.zeros(len(Y), int)])
    for model in (BinaryRelevanceClassifier(LogisticRegression()), None):
        model = fit(X, Y) if model is None else model.fit(X, Y)
        assert_array_equal(model.predict(X)[:, -2:], Y[:, -2:])


def test_one_dimension_is_a_classifier_of_two_classes(labeled):
    X, Y = labeled
    model = fit(X, np.where(Y[:, 0] == 1, "b", "a"))
    assert_array_equal(model.classes_, ["a", "b"])
    assert model.predict_proba(X).shape == (len(X), 2)
    assert set(model.predict(X)) <= {"a", "b"}


def test_scores_can_be_cross_validated(labeled):
    X, Y = labeled
    model = MultiLabelForestClassifier(5, random_state=0)
    scores = cross_val_predict(model, X, Y, cv=3, method="predict_proba")
    assert scores.shape == Y.shape


def test_bad_targets_raise_clear_errors(labeled):
    X, Y = labeled
    with pytest.raises(ValueError, match="Column 0 of y has 3 values"):
        fit(X, np.column_stack([np.arange(len(Y)) % 3, Y]))
    with pytest.raises(ValueError, match="Only binary classification"):
        fit(X, np.arange(len(Y)) % 3)
    with pytest.raises(ValueError, match="y is None"):
        fit(X, None)
    grown = fit(X, Y, warm_start=True).set_params(n_estimators=6)
    with pytest.raises(ValueError, match="has the values"):
        grown.fit(X, 2 * Y)
