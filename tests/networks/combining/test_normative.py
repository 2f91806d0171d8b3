"""Normative residuals: prediction intervals of controls."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.networks import NormativeResidualTransformer


def draw(seed, n_samples=200):
    rng = np.random.default_rng(seed)
    age, disc = rng.uniform(40, 80, n_samples), rng.uniform(1.5, 2.5, n_samples)
    rim = np.exp(0.8 + 0.3 * disc - 0.004 * age + 0.1 * rng.normal(size=n_samples))
    return pd.DataFrame({"age": age, "disc": disc, "rim": rim})


def test_worked_example():
    # Intercept only: mean 2, s = 1, n = 3; limit t * s * sqrt(1 + 1/3).
    X = np.array([[1.0], [2.0], [3.0]])
    model = NormativeResidualTransformer().fit(X)
    limit = 4.302652729696144 * np.sqrt(4.0 / 3.0)
    assert_allclose(model.transform([[2.0 - limit]]), [[-1.0]])


def test_new_controls_are_outside_as_often_as_the_level_says(seed):
    # Of 4,000 new controls 5 % lie outside, give or take 1.7 % (five standard errors).
    model = NormativeResidualTransformer(["age", "disc"], log=True).fit(
        draw(seed, 5000)
    )
    z = model.transform(draw(seed + 1, 4000))
    assert abs(np.mean(np.abs(z) > 1.0) - 0.05) < 0.02
    assert_array_equal(model.get_feature_names_out(), ["rim"])


def test_only_controls_are_fitted(seed):
    X = draw(seed)
    y = np.where(np.arange(200) < 100, "control", "patient")
    changed = X.copy()
    changed.loc[100:, "rim"] *= 0.5
    model = NormativeResidualTransformer(["age", "disc"], log=True)
    one = model.fit(X, y).coefficients_
    assert_allclose(model.fit(changed, y).coefficients_, one)
    assert_allclose(model.fit(X[:100]).coefficients_, one)
    assert model.fit(X, y).transform(changed)[100:].mean() < -1.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"covariates": ["weight"]}, "'weight', which is no column"),
        ({"covariates": ["age", "disc", "rim"]}, "leave a column"),
        ({"control_class": "?"}, "which no row of y has"),
    ],
)
def test_errors_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        NormativeResidualTransformer(**parameters).fit(draw(0), np.arange(200) % 2)
    with pytest.raises(ValueError, match="positive"):
        NormativeResidualTransformer(log=True).fit(-draw(0))
