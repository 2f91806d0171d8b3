"""Learners of columns: rows they see, outputs, folds, seeds."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from manyminds.ensemble import minimal_code
from manyminds.ensemble.codes.columns import (
    draw_column_seeds,
    fit_column,
    predict_left_out,
    read_output,
)


def rows(seed, n_samples=60, n_classes=3):
    rng = np.random.default_rng(seed)
    label = np.arange(n_samples) % n_classes
    return rng.normal(size=(n_samples, 2)) + label[:, None], label


def test_a_column_leaves_out_its_zeros(seed):
    X, label = rows(seed)
    member = fit_column(LogisticRegression(), X, label, np.array([-1, 0, 1]), 0)
    kept = label != 1
    expected = LogisticRegression().fit(X[kept], label[kept] == 2)
    assert_allclose(member.coef_, expected.coef_)


def test_rows_of_one_side_or_none_are_fitted_by_a_constant(seed):
    X, label = rows(seed)
    member = fit_column(LogisticRegression(), X, label % 1, np.array([1, -1]), 0)
    assert_array_equal(read_output(member, X), np.ones(60))
    assert fit_column(LogisticRegression(), X, label % 1, np.array([0, 1]), 0) is None
    assert_array_equal(read_output(None, X), np.zeros(60))


def test_outputs_are_signed(seed):
    X, label = rows(seed, n_classes=2)
    svm = Perceptron().fit(X, label)
    assert_array_equal(read_output(svm, X), svm.decision_function(X))
    bayes = GaussianNB().fit(X, label)
    assert_allclose(read_output(bayes, X), 2 * bayes.predict_proba(X)[:, 1] - 1)

    class Predicts:
        classes_ = np.array([0, 1])

        def predict(self, X):
            return (X[:, 0] > 0).astype(int)

    assert_array_equal(read_output(Predicts(), X), np.where(X[:, 0] > 0, 1, -1))


def test_left_out_rows_are_predicted_by_the_others(seed):
    X, label = rows(seed)
    fold, column = np.arange(60) // 20, np.array([-1, 1, 1])
    found = predict_left_out(KNeighborsClassifier(), X, label, column, 0, fold)
    for f in range(3):
        member = KNeighborsClassifier().fit(X[fold != f], label[fold != f] > 0)
        p = member.predict_proba(X[fold == f])[:, 1]
        assert_allclose(found[fold == f], 2 * p - 1)


def test_seeds_follow_columns_and_repeats_differ():
    code = minimal_code(8)
    seeds = draw_column_seeds(code, 0)
    assert_array_equal(draw_column_seeds(code[:, ::-1], 0), seeds[::-1])
    twice = draw_column_seeds(np.concatenate([code, code], axis=1), 0)
    assert twice[:3] == seeds and len(set(twice)) == 6
    assert seeds != draw_column_seeds(code, 1)
