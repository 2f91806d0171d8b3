"""AdaBoost with resampling: its weights by hand, and what happens to weak members."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_classification

from manyminds.datasets.generators import make_friedman_classes
from manyminds.ensemble.boosting.resampled_adaboost import ResampledAdaBoostClassifier
from manyminds.trees import DecisionTreeClassifier


class SignOfColumn(ClassifierMixin, BaseEstimator):
    """Predict class 1 where a column is positive, independent of the training rows."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return (X[:, self.column] > 0).astype(int)


# Eight rows, ten times over: a bag of one class is as good as impossible.
X_HAND = np.tile([[1.0], [1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0], [-1.0]], (10, 1))
Y_HAND = np.tile([1, 1, 1, 0, 0, 0, 0, 0], 10)


def test_one_step_by_hand():
    # One row of eight is missed: error 1/8, and they get one half of the weight.
    boost = ResampledAdaBoostClassifier(SignOfColumn(), 1, random_state=0)
    boost.fit(X_HAND, Y_HAND)
    assert_allclose(boost.estimator_weights_, 0.5 * np.log(7))
    expected = np.where(np.arange(80) % 8 == 3, 0.05, 0.05 / 7)
    assert_allclose(boost.sample_weights_, expected)


def test_weights_follow_the_recursion(seed):
    X, y = make_friedman_classes(150, random_state=seed)
    boost = ResampledAdaBoostClassifier(None, 15, random_state=seed).fit(X, y)
    weights = np.full(len(y), 1 / len(y))
    for alpha, says in zip(boost.estimator_weights_, boost.predict_all(X)):
        error = weights[says != y].sum()
        if error >= 0.5 - 1e-9:
            assert alpha == 0.0
            weights = np.full(len(y), 1 / len(y))
            continue
        assert_allclose(alpha, 0.5 * np.log((1 - error) / error))
        weights = weights * np.exp(-alpha * np.where(says == y, 1, -1))
        weights /= 2 * np.sqrt(error * (1 - error))
    assert_allclose(boost.sample_weights_, weights, rtol=1e-6)
    score = boost.estimator_weights_ @ (2 * boost.predict_all(X) - 1)
    assert_array_equal(boost.predict(X), score > 0)


def test_training_error_is_bounded(seed):
    # The product of the normalizers bounds it, as long as no member was weak.
    X, y = make_classification(200, random_state=seed % 2**31)
    boost = ResampledAdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), 10, random_state=0
    ).fit(X, y)
    alphas = boost.estimator_weights_
    error = 1 / (1 + np.exp(2 * alphas))
    if (alphas > 0).all():
        bound = np.prod(2 * np.sqrt(error * (1 - error)))
        assert np.mean(boost.predict(X) != y) <= bound + 1e-9


def test_weak_members_are_reset_or_turned_round():
    wrong = 1 - Y_HAND  # the sign is wrong in seven of eight rows
    reset = ResampledAdaBoostClassifier(SignOfColumn(), 2, random_state=0)
    reset.fit(X_HAND, wrong)
    assert_array_equal(reset.estimator_weights_, 0.0)
    assert_allclose(reset.sample_weights_, 1 / 80)
    assert_array_equal(reset.predict(X_HAND), (X_HAND[:, 0] > 0).astype(int))
    negated = ResampledAdaBoostClassifier(
        SignOfColumn(), 1, on_weak="negate", random_state=0
    ).fit(X_HAND, wrong)
    assert_allclose(negated.estimator_weights_, -0.5 * np.log(7))
    assert_array_equal(negated.predict(X_HAND), (X_HAND[:, 0] <= 0).astype(int))


def test_perfect_members_leave_the_weights_alone():
    perfect = (X_HAND[:, 0] > 0).astype(int)
    boost = ResampledAdaBoostClassifier(SignOfColumn(), 3, random_state=0)
    weights = boost.fit(X_HAND, perfect).sample_weights_
    assert_allclose(weights, 1 / 80)


def test_class_free_weights_ignore_who_is_right():
    # All rows have the same margin after one vote, the missed one too.
    boost = ResampledAdaBoostClassifier(
        SignOfColumn(), 1, class_free=True, random_state=0
    )
    assert_allclose(boost.fit(X_HAND, Y_HAND).sample_weights_, 1 / 80)


def test_three_classes(seed):
    X, y = load_iris(return_X_y=True)
    stump = DecisionTreeClassifier(max_depth=1)  # better than a guess, not than 1/2
    boost = ResampledAdaBoostClassifier(stump, 40, random_state=seed).fit(X, y)
    assert boost.score(X, y) > 0.85
    assert_allclose(boost.predict_proba(X).sum(axis=1), 1.0)


def test_errors_name_the_parameter():
    with pytest.raises(ValueError, match="'on_weak' parameter"):
        ResampledAdaBoostClassifier(on_weak="stop").fit(X_HAND, Y_HAND)
