"""Targets whose squares overflow are refused by those who square them."""

import re

import numpy as np
import pytest

from manyminds.ensemble import (
    AdaBoostR2Regressor,
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HERFRegressor,
    MultiTargetForestRegressor,
)
from manyminds.learners import LMNetRegressor, NRBFRegressor
from manyminds.utils.targets import check_magnitude


@pytest.mark.parametrize("y", [[], [0.0], [-1e100, 1e100], [[1.0, 2.0], [3.0, -4.0]]])
def test_usual_targets_pass(y):
    y = np.array(y)
    assert check_magnitude(y) is y


@pytest.mark.parametrize("value", [1.1e100, -1e308])
def test_greater_ones_are_named(value):
    with pytest.raises(ValueError, match=re.escape(f"got {value:g}: divide y")):
        check_magnitude(np.array([[1.0, value]]))


@pytest.mark.parametrize(
    "estimator",
    [
        AdaBoostR2Regressor(),
        ExtraTreesRegressor(2),
        GradientBoostingRegressor(),
        HERFRegressor(),
        LMNetRegressor(),
        MultiTargetForestRegressor(2),
        NRBFRegressor(),
    ],
    ids=lambda one: type(one).__name__,
)
def test_regressors_refuse_them(estimator, seed):
    # They predicted NaN or infinity.
    X = np.random.default_rng(seed).normal(size=(20, 2))
    with pytest.raises(ValueError, match="y must be between"):
        estimator.fit(X, 1e300 * X[:, 0])
