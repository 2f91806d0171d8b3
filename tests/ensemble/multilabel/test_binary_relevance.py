"""Binary relevance is one classifier for each label, and does not know the others."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import BinaryRelevanceClassifier, RandomForestClassifier


def test_it_is_one_classifier_for_each_label(labeled):
    X, Y = labeled
    model = BinaryRelevanceClassifier(LogisticRegression()).fit(X, Y)
    alone = [LogisticRegression().fit(X, y).predict_proba(X)[:, 1] for y in Y.T]
    assert_allclose(model.predict_proba(X), np.column_stack(alone))


def test_acceptance_4_permuted_labels_permute_predictions(labeled):
    X, Y = labeled
    order = [2, 0, 3, 1]
    model = BinaryRelevanceClassifier(LogisticRegression())
    expected = model.fit(X, Y).predict_proba(X)[:, order]
    assert_array_equal(model.fit(X, Y[:, order]).predict_proba(X), expected)


def test_forests_that_share_a_table_are_forests(labeled):
    # The seed of a member is drawn for it; a shared table does not change the forest.
    X, Y = labeled
    forest = RandomForestClassifier(10)
    model = BinaryRelevanceClassifier(forest, random_state=0).fit(X, Y)
    accuracy = (model.predict(X) == Y).mean()
    alone = np.mean([(forest.fit(X, y).predict(X) == y).mean() for y in Y.T])
    assert abs(accuracy - alone) < 0.1
