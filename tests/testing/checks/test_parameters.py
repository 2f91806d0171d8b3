"""Each check of parameters can fail: here is the estimator that fails it."""

import numpy as np
import pytest

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, parameters
from manyminds.testing.plain import PlainClassifier, PlainRegressor


class SettlesItsJobs(PlainClassifier):
    def predict_proba(self, X):
        self.n_jobs = self.n_jobs or 1
        return super().predict_proba(X)


class LetsJobsPass(PlainClassifier):
    _parameter_constraints = {
        name: PlainClassifier._parameter_constraints[name]
        for name in ("n_estimators", "random_state")
    }


class CannotRoute(PlainClassifier):
    def get_metadata_routing(self):
        raise NotImplementedError("no routing")


BROKEN = {
    "check_metadata_routing": CannotRoute(),
    "check_parameters_unchanged": SettlesItsJobs(),
    "check_wrong_parameters": LetsJobsPass(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(parameters.__all__)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["check_metadata_routing", "check_parameters_unchanged"]
)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


def test_a_parameter_that_is_not_looked_at_is_found_out():
    with pytest.raises(AssertionError, match="no error when n_jobs is an object"):
        LetsJobsPass.__doc__ = PlainClassifier.__doc__
        parameters.check_wrong_parameters("LetsJobsPass", LetsJobsPass())


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda array: array.copy(), "fit replaces the parameter shrink"),
        (lambda array: np.negative(array, out=array), "changes the parameter shrink"),
    ],
)
def test_arrays_as_parameters_are_neither_copied_nor_changed(spoil, message):
    class Shrinks(PlainRegressor):
        def __init__(self, alpha=1.0, shrink=None):
            super().__init__(alpha)
            self.shrink = shrink

        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            self.shrink = spoil(self.shrink)
            return self

    with pytest.raises(AssertionError, match=message):
        parameters.check_parameters_unchanged("Shrinks", Shrinks(shrink=np.ones(4)))
