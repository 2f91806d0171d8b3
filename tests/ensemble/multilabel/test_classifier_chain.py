"""Chains of classifiers, against those of scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain as TheirChain

from manyminds.ensemble import BinaryRelevanceClassifier, ClassifierChain


@pytest.mark.parametrize("order", [None, [2, 0, 3, 1]])
def test_it_predicts_what_the_chain_of_scikit_learn_does(labeled, order):
    X, Y = labeled
    ours = ClassifierChain(LogisticRegression(), order=order).fit(X, Y)
    theirs = TheirChain(LogisticRegression(), order=order).fit(X, Y)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


def test_the_first_label_is_predicted_without_the_others(labeled):
    X, Y = labeled
    chain = ClassifierChain(LogisticRegression(), order=[1, 0, 2, 3]).fit(X, Y)
    alone = BinaryRelevanceClassifier(LogisticRegression()).fit(X, Y)
    assert_allclose(chain.predict_proba(X)[:, 1], alone.predict_proba(X)[:, 1])


def test_orders(labeled):
    X, Y = labeled
    drawn = {
        tuple(ClassifierChain(order="random", random_state=s).fit(X, Y).order_)
        for s in range(4)
    }
    assert len(drawn) > 1
    assert all(sorted(order) == [0, 1, 2, 3] for order in drawn)
    for order in ([0, 1, 2], [0, 0, 1, 2], np.eye(4)):
        with pytest.raises(ValueError, match="order must name each of the 4 labels"):
            ClassifierChain(order=order).fit(X, Y)
