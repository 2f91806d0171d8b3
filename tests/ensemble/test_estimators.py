"""Estimators made of members: votes, means, draws of rows, out-of-bag scores."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from manyminds.ensemble.estimators import (
    BootstrapEnsemble,
    EnsembleClassifier,
    EnsembleRegressor,
)


class Constant(BaseEstimator):
    """Predicts the same probabilities for each row."""

    def __init__(self, probabilities):
        self.probabilities = probabilities
        self.classes_ = np.arange(len(probabilities))

    def predict_proba(self, X):
        return np.tile(self.probabilities, (len(X), 1))

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


class Votes(EnsembleClassifier):
    def __init__(self, voting="soft"):
        self.voting = voting

    def fit(self, X, y):
        X, y = validate_data(self, X, y)
        self.label_ = self._read_classes(y)
        shares = ([0.6, 0.4, 0.0], [0.6, 0.4, 0.0], [0.0, 0.1, 0.9])
        self.estimators_ = [Constant(each) for each in shares]
        return self


class Means(EnsembleRegressor):
    def fit(self, X, y):
        validate_data(self, X, y)
        self.estimators_ = [
            DummyRegressor(strategy="constant", constant=c).fit(X, y) for c in (1, 2, 6)
        ]
        return self


X, LABELS = np.zeros((3, 2)), np.array(["c", "a", "b"])


def test_soft_and_hard_votes_worked_by_hand():
    # Means are 0.4, 0.3 and 0.3; of the votes, two are for "a" and one is for "c".
    soft, hard = Votes().fit(X, LABELS), Votes("hard").fit(X, LABELS)
    assert_allclose(soft.predict_proba(X), np.tile([0.4, 0.3, 0.3], (3, 1)))
    assert_allclose(hard.predict_proba(X), np.tile([2 / 3, 0.0, 1 / 3], (3, 1)))
    assert_array_equal(soft.predict(X), ["a"] * 3)
    expected = np.repeat([["a"], ["a"], ["c"]], 3, axis=1)
    assert_array_equal(soft.predict_all(X), expected)


def test_classes_are_numbered_in_order():
    model = Votes().fit(X, LABELS)
    assert_array_equal(model.label_, [2, 0, 1])
    assert_array_equal(model.classes_, ["a", "b", "c"])
    with pytest.raises(ValueError, match="Unknown label type"):
        Votes().fit(X, [0.1, 0.2, 0.3])


def test_numbers_are_averaged():
    model = Means().fit(X, [0.0, 0.0, 1.0])
    assert_allclose(model.predict(X), 3.0)
    assert_allclose(model.predict_all(X), np.repeat([[1.0], [2.0], [6.0]], 3, axis=1))


def test_samples_to_predict_are_checked():
    with pytest.raises(NotFittedError):
        Votes().predict(X)
    with pytest.raises(ValueError, match="expecting 2 features"):
        Votes().fit(X, LABELS).predict(np.zeros((1, 3)))


class Bags(BootstrapEnsemble):
    """Parameters of a bootstrap, and members whose out-of-bag mean is known."""

    def __init__(self, max_samples=None, bootstrap=True, oob_score=False, mean=None):
        self.max_samples, self.bootstrap = max_samples, bootstrap
        self.oob_score, self.mean = oob_score, mean

    @property
    def _members(self):
        return self

    def out_of_bag_mean(self, X, count_draws):
        return self.mean, count_draws

    def _pair_with_targets(self, y, mean, is_known):
        return y[is_known], mean[is_known]


class BagsOfNumbers(RegressorMixin, Bags, BaseEstimator):
    pass


class BagsOfClasses(ClassifierMixin, Bags, BaseEstimator):
    classes_ = np.array(["a", "b"])


@pytest.mark.parametrize(
    "max_samples, n_draws", [(None, 10), (0.25, 2), (7, 7), (0.001, 1), (1.5, 15)]
)
def test_number_of_draws(max_samples, n_draws):
    assert Bags(max_samples)._get_n_draws(10, None) == n_draws
    assert Bags(max_samples, bootstrap=False)._get_n_draws(10, None) == 0


def test_a_share_of_draws_is_that_of_the_weights():
    assert Bags(0.5)._get_n_draws(4, np.array([1.0, 2.0, 3.0, 4.0])) == 5


def test_parameters_that_need_a_bootstrap():
    with pytest.raises(ValueError, match="max_samples=3 needs bootstrap=True"):
        Bags(3, bootstrap=False)._check_bootstrap()
    with pytest.raises(ValueError, match="oob_score=True needs bootstrap=True"):
        Bags(bootstrap=False, oob_score=True)._check_bootstrap()
    Bags(3, oob_score=True)._check_bootstrap()


def test_out_of_bag_score_leaves_out_rows_that_all_members_drew():
    # Of rows 0, 1 and 3, the second is misclassified.
    mean = np.array([[0.9, 0.1], [0.8, 0.2], [np.nan, np.nan], [0.3, 0.7]])
    model, n_out = BagsOfClasses(oob_score=True, mean=mean), np.array([2, 1, 0, 3])
    with pytest.warns(UserWarning, match="1 rows were drawn by every member"):
        model._score_out_of_bag(None, np.array([0.0, 1.0, 1.0, 1.0]), n_out)
    assert model.oob_score_ == pytest.approx(2 / 3)
    assert_array_equal(model.oob_decision_function_, mean)


def test_out_of_bag_score_may_be_a_function_of_labels():
    mean = np.array([[0.9, 0.1], [0.2, 0.8]])
    model = BagsOfClasses(oob_score=lambda truth, guess: (*truth, *guess), mean=mean)
    model._score_out_of_bag(None, np.array([1.0, 1.0]), np.array([1, 1]))
    assert model.oob_score_ == ("b", "b", "a", "b")


def test_out_of_bag_score_of_numbers_is_r2():
    # Squared errors 0, 0 and 1 of a sum of squares of 2.
    model = BagsOfNumbers(oob_score=True, mean=np.array([[1.0], [2.0], [2.0]]))
    model._score_out_of_bag(None, np.array([1.0, 2.0, 3.0]), np.ones(3))
    assert_array_equal(model.oob_prediction_, [1.0, 2.0, 2.0])
    assert model.oob_score_ == pytest.approx(0.5)
