"""Each check of repetition can fail: here is the estimator that fails it."""

import copy

import numpy as np
import pytest

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, repetition
from manyminds.testing.plain import PlainClassifier


class LearnsOtherwiseInParallel(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.means_ = self.means_ * (1 + 1e-15 * (self.n_jobs == 2))
        return self


class IgnoresTheStateOfAGenerator(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if isinstance(self.random_state, np.random.RandomState):
            self.means_ = self.means_ + np.random.default_rng().normal()
        return self


class RemembersTheLastFit(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        learnt = hasattr(self, "means_")
        super().fit(X, y, sample_weight)
        self.means_ = self.means_ + 0.1 * learnt * np.arange(np.shape(X)[1])
        return self


class NeedsASeed(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if self.random_state is None:
            raise ValueError("random_state is missing")
        return super().fit(X, y, sample_weight)


class SeedsEverything(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(self.random_state, int):
            np.random.seed(self.random_state)  # noqa: NPY002
        return super().fit(X, y, sample_weight)


class CopiesRoughly(PlainClassifier):
    def __deepcopy__(self, memo):
        twin = copy.copy(self)
        if hasattr(self, "means_"):
            twin.means_ = self.means_.round(3)
        return twin


class WritesWhilePredicting(PlainClassifier):
    def predict_proba(self, X):
        self.means_ *= 1.0
        return super().predict_proba(X)


class ClonesItsMemory(PlainClassifier):
    def __sklearn_clone__(self):
        return copy.deepcopy(self)


BROKEN = {
    "check_clone": ClonesItsMemory(),
    "check_global_random_state": SeedsEverything(),
    "check_memory_mapped_model": WritesWhilePredicting(),
    "check_n_jobs": LearnsOtherwiseInParallel(),
    "check_pickle": CopiesRoughly(),
    "check_random_states": NeedsASeed(),
    "check_refit": RemembersTheLastFit(),
    "check_same_seed": IgnoresTheStateOfAGenerator(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(repetition.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


def test_noise_in_fit_fails_all_that_compare():
    class Noisy(PlainClassifier):
        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            self.means_ = self.means_ + np.random.default_rng().normal()
            return self

    failures = failed_checks(Noisy())
    assert {"check_n_jobs", "check_same_seed", "check_clone"} <= set(failures)


def test_an_estimator_that_cannot_be_pickled_is_found_out():
    class Local(PlainClassifier):
        pass

    failures = failed_checks(Local())
    assert "unexpected" in str(failures["check_pickle"])
