"""Each check of odd targets can fail: here is the estimator that fails it."""

import numpy as np
import pytest

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, odd_targets
from manyminds.testing.plain import PlainClassifier, PlainRegressor


class LooksForASecondClass(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if len(self.classes_) == 1 and len(X) > 1:
            raise IndexError("index 1 is out of bounds")
        return self


class DividesByTheSpread(PlainRegressor):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if len(X) > 1 and np.ptp(np.asarray(y)) == 0:
            self.intercept_ = np.nan
        return self


class FillsTargets(PlainRegressor):
    def fit(self, X, y, sample_weight=None):
        y = np.nan_to_num(y) if isinstance(y, np.ndarray) else y
        return super().fit(X, y, sample_weight)


class InventsTargets(PlainRegressor):
    def fit(self, X, y, sample_weight=None):
        y = np.zeros(len(X)) if y is None else y
        return super().fit(X, y, sample_weight)


class CutsToLength(PlainRegressor):
    def fit(self, X, y, sample_weight=None):
        if isinstance(X, np.ndarray) and isinstance(y, np.ndarray):
            X, y = X[: len(y)], y[: len(X)]
        return super().fit(X, y, sample_weight)


class SpellsOutNumbers(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(y, np.ndarray) and y.dtype == object:
            y = np.array([str(label) for label in y], dtype=object)
        return super().fit(X, y, sample_weight)


class TakesTheFirstTarget(PlainRegressor):
    def fit(self, X, y, sample_weight=None):
        y = y[:, 0] if np.ndim(y) == 2 else y
        return super().fit(X, y, sample_weight)


BROKEN = {
    "check_constant_target": DividesByTheSpread(),
    "check_mixed_labels": SpellsOutNumbers(),
    "check_one_class": LooksForASecondClass(),
    "check_several_targets_refused": TakesTheFirstTarget(),
    "check_target_length": CutsToLength(),
    "check_target_missing": InventsTargets(),
    "check_target_with_nan": FillsTargets(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(odd_targets.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}
