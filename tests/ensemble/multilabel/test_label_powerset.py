"""Label powerset: classes are sets of labels."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import LabelPowersetClassifier
from manyminds.ensemble.multilabel.label_powerset import Powerset, find_sets


def test_it_is_a_classifier_of_label_sets(labeled):
    X, Y = labeled
    names = np.array(["".join(map(str, row)) for row in Y])
    model = LabelPowersetClassifier(LogisticRegression(max_iter=500)).fit(X, Y)
    twin = LogisticRegression(max_iter=500).fit(X, names)
    chosen = np.array([[int(c) for c in name] for name in twin.predict(X)])
    assert_array_equal(model.predict(X), chosen)
    sets = np.array([[int(c) for c in name] for name in twin.classes_])
    assert_allclose(model.predict_proba(X), twin.predict_proba(X) @ sets, atol=1e-6)


def test_sums_of_probabilities_are_rounded():
    class Member:
        classes_, n_features_in_ = np.arange(3), 1

        def predict_proba(self, X):
            return np.array([[0.1, 0.2, 0.7]])

    scores = Powerset(Member(), np.array([[1, 1], [1, 0], [0, 1]])).score(np.eye(1))
    assert_array_equal(scores, [[0.3, 0.8]])  # 0.1 + 0.2 > 0.3 and 0.1 + 0.7 < 0.8


def test_sets_that_do_not_occur_are_never_predicted(labeled):
    X, Y = labeled
    model = LabelPowersetClassifier(random_state=0).fit(X[:40], Y[:40])
    known = {tuple(row) for row in Y[:40]}
    assert {tuple(row) for row in model.predict(X[40:])} <= known


def test_sets_of_more_than_eight_labels_are_told_apart(seed):
    Y = np.random.default_rng(seed).integers(0, 2, size=(300, 9), dtype=np.uint8)
    sets, found = find_sets(Y)
    assert_array_equal(sets[found], Y)
    assert len(sets) == len(np.unique(Y, axis=0))
