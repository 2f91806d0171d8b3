"""Each check of weights can fail: here is the estimator that fails it."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, weights
from manyminds.testing.checks.weights import agree_on_average
from manyminds.testing.plain import PlainClassifier


class TakesRoots(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            sample_weight = np.sqrt(np.asarray(sample_weight))
        return super().fit(X, y, sample_weight)


class GivesEachRowAVoice(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            sample_weight = np.asarray(sample_weight)
            sample_weight = np.where(sample_weight == 0, 1, sample_weight)
        return super().fit(X, y, sample_weight)


class ChangesWithAnyWeights(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if sample_weight is not None and np.ptp(np.asarray(sample_weight)) == 0:
            self.means_ = 1.1 * self.means_
        return self


class FillsWeights(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            sample_weight = np.nan_to_num(sample_weight)
        return super().fit(X, y, sample_weight)


BROKEN = {
    "check_unit_weights": ChangesWithAnyWeights(),
    "check_weights_refused": FillsWeights(),
    "check_whole_weights": TakesRoots(),
    "check_zero_weights": GivesEachRowAVoice(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(weights.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


class ForestWithoutWeights(RandomForestClassifier):
    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y)


class RegressionForestWithoutWeights(RandomForestRegressor):
    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize(
    "forest", [ForestWithoutWeights(), RegressionForestWithoutWeights()]
)
def test_a_random_estimator_without_weights_is_found_out(forest):
    for check in (weights.check_whole_weights, weights.check_zero_weights):
        with pytest.raises(AssertionError, match="differs significantly"):
            check("forest", forest)
    weights.check_unit_weights("forest", forest)


class Coin(RegressorMixin, BaseEstimator):
    """A stand-in for a fitted regressor: one number that chance decides."""

    def __init__(self, mean, seed):
        self.mean = mean
        self.seed = seed

    def predict(self, X):
        return np.random.default_rng(self.seed).normal(self.mean, size=len(X))


def test_odds_are_uniform_where_nothing_differs(seed):
    # Two samples of one law: odds below 0.1 come up in a tenth of all runs, so that
    # 27 or more of 100 do so less than once in 200,000 runs of this test.
    low = 0
    for k in range(100):
        start = seed * 100_000 + k * 1_000

        def make(s, start=start):
            return Coin(0.0, start + s)

        low += agree_on_average(make, make, np.zeros((1, 1))) < 0.1
    assert low < 27


def test_odds_are_the_lowest_where_the_means_are_far_apart(seed):
    # Twenty draws around 0, twenty around 9: no other deal sets them further apart.
    odds = agree_on_average(
        lambda s: Coin(0.0, seed + s), lambda s: Coin(9.0, seed + s), np.zeros((1, 1))
    )
    assert odds == 1 / 10_000
