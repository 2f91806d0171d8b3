"""Encodings on folds: scores of training samples, errors of test samples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin

from manyminds.analysis.correlation import correlation_score
from manyminds.analysis.correlation.trials import measure_encoders, measure_subsets

Y = np.array(["a", "b"] * 6)
ROWS = np.arange(12)
FOLDS = [(ROWS[4:], ROWS[:4]), (ROWS[:8], ROWS[8:])]


class Threshold(ClassifierMixin, BaseEstimator):
    """Predict "b" where the first column is positive; keep the seed it was given."""

    seeds = []

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        Threshold.seeds.append(self.random_state)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.where(np.asarray(X)[:, 0] > 0.0, "b", "a")


class Center(TransformerMixin, BaseEstimator):
    """Subtract the mean of the samples it was fitted to."""

    def fit(self, X, y=None):
        self.mean_ = X.mean(axis=0)
        return self

    def transform(self, X):
        return X - self.mean_


def draw(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 3))
    X[:, 0] = np.where(Y == "b", 1.0, -1.0)  # tells the classes apart
    X[:3, 0] *= -1.0  # but for three samples, all in the first fold
    return X


def measure(function, some, X, classifiers, random_state=0):
    return function(some, X, Y, classifiers, FOLDS, random_state, None, "r2", {})


def test_errors_of_subsets_worked_by_hand(seed):
    # Three of four test samples of the first fold are wrong, none of the second.
    X = draw(seed)
    subsets = [np.array([0, 1]), np.array([0]), np.array([2, 0])]
    found = measure(measure_subsets, subsets, X, {"threshold": Threshold()})
    assert_array_equal(found.n_columns, [2, 1, 2])
    assert_allclose(found.errors["threshold"][:2], [0.375, 0.375])
    reverse = np.where(X[:, 2] > 0.0, "b", "a") != Y
    tested = [reverse[test].mean() for _, test in FOLDS]
    assert_allclose(found.errors["threshold"][2], np.mean(tested))


def test_scores_are_those_of_training_samples(seed):
    X = draw(seed)
    found = measure(measure_subsets, [np.array([0, 1])], X, {})
    scores = [correlation_score(X[train][:, :2], Y[train]) for train, _ in FOLDS]
    assert_allclose(found.scores, [np.mean(scores)], atol=1e-10)
    assert found.errors == {}
    encoded = measure(measure_encoders, {"two": X[:, :2]}, X, {})
    assert_allclose(encoded.scores, found.scores, atol=1e-10)


def test_encoders_are_fitted_to_training_samples_alone():
    # Classes are at -1 and 1, in the first four samples at 0.5 and 2.5. Their mean is
    # 0.5; but the samples that the first fold trains on have mean 0, so that all four
    # are called b.
    X = np.where(Y == "b", 1.0, -1.0)[:, None]
    X[:4] += 1.5
    encoders = {"centered": Center(), "given": X - X.mean(axis=0)}
    found = measure(measure_encoders, encoders, X, {"threshold": Threshold()})
    assert_allclose(found.errors["threshold"], [0.25, 0.0])
    assert_array_equal(found.n_columns, [1, 1])


def test_free_seeds_are_set_and_given_ones_kept(seed):
    X, subsets = draw(seed), [np.array([0]), np.array([1])]
    Threshold.seeds.clear()
    measure(measure_subsets, subsets, X, {"free": Threshold(), "fixed": Threshold(5)})
    free, fixed = Threshold.seeds[::2], Threshold.seeds[1::2]
    assert set(fixed) == {5} and None not in free
    assert len(set(free)) == 4  # two subsets on two folds
    first = list(free)
    Threshold.seeds.clear()
    measure(measure_subsets, subsets, X, {"free": Threshold()})
    assert Threshold.seeds == first  # the same random_state draws the same seeds


def test_tables_of_other_lengths_are_named(seed):
    X = draw(seed)
    with pytest.raises(ValueError, match=r"encoders\['short'\] must be a transformer"):
        measure(measure_encoders, {"raw": None, "short": X[:3]}, X, {})
