"""TRISKEL: biased pairs answer where they agree."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer

from manyminds.datasets.generators import make_friedman_classes
from manyminds.ensemble.committees.triskel import TriskelClassifier
from manyminds.trees.mdl_tree import MDLTreeClassifier


def test_plain_twin(seed):
    X, y = make_friedman_classes(300, random_state=seed)
    X_new, _ = make_friedman_classes(200, random_state=seed + 1)
    model = TriskelClassifier(bias=4.0).fit(X, y)
    sure_of_1 = MDLTreeClassifier().fit(X, y, np.where(y == 0, 4.0, 1.0))
    sure_of_0 = MDLTreeClassifier().fit(X, y, np.where(y == 1, 4.0, 1.0))
    a, b = sure_of_1.predict(X), sure_of_0.predict(X)
    rest = a != b
    assert model.n_covered_ == [np.sum(a == b)]
    assert_allclose(
        model.precisions_, [[np.mean(y[a == 1] == 1), np.mean(y[b == 0] == 0)]]
    )
    expected = sure_of_1.predict(X_new)
    open_rows = expected != sure_of_0.predict(X_new)
    third = MDLTreeClassifier().fit(X[rest], y[rest]) if rest.any() else sure_of_1
    if open_rows.any():
        expected[open_rows] = third.predict(X_new[open_rows])
    assert_array_equal(model.predict(X_new), expected)


def test_precision_is_bounded_when_answers_are_nested():
    # Class 0 up to 39, class 1 from 60 on, both by turns between: one biased learner
    # cuts at either end of the mixed part, so their answers are nested.
    X, number = np.arange(100.0).reshape(-1, 1), np.arange(100)
    y = np.where((number >= 40) & (number < 60), number % 2, number >= 60)
    model = TriskelClassifier(bias=5.0).fit(X, y)
    assert model.is_nested_.tolist() == [True]
    pair = [np.asarray(m.predict(X)) for m in model.estimators_[:2]]
    covered = pair[0] == pair[1]
    assert 0 < covered.sum() < 100
    precision = np.mean(pair[0][covered] == y[covered])
    assert precision >= model.precisions_.min()
    assert_allclose(model.precisions_, 1.0)


def test_bias_makes_members_surer():
    X, y = load_breast_cancer(return_X_y=True)
    shares = [
        np.mean(TriskelClassifier(bias=bias).fit(X, y).estimators_[0].predict(X))
        for bias in (1.0, 20.0)
    ]
    assert shares[1] <= shares[0]


def test_more_pairs_and_lighter_rows(seed):
    X, y = make_friedman_classes(300, random_state=seed)
    model = TriskelClassifier(n_pairs=3, random_state=0).fit(X, y)
    assert len(model.estimators_) == 2 * len(model.n_covered_) + 1
    assert model.n_covered_.sum() <= 300
    lighter = TriskelClassifier(n_pairs=3, covered_weight=0.2).fit(X, y)
    assert lighter.score(X, y) > 0.7


def test_two_classes_only():
    with pytest.raises(ValueError, match="Only binary classification"):
        TriskelClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
