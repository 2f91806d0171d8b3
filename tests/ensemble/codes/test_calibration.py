"""Platt's sigmoid against scikit-learn's, temperatures against a grid."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import log_softmax
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble.codes.calibration import (
    apply_platt,
    fit_platt,
    fit_temperature,
)


def test_platt_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 1))
    y = (X[:, 0] + rng.logistic(size=200) > 0.4).astype(int)
    model = LogisticRegression().fit(X, y)
    theirs = CalibratedClassifierCV(FrozenEstimator(model), method="sigmoid").fit(X, y)
    scores = model.decision_function(X)
    ours = apply_platt(scores, fit_platt(scores, y))
    # Theirs stops at a tolerance of 1e-6 or so.
    assert_allclose(ours, theirs.predict_proba(X)[:, 1], atol=1e-4)


def test_weights_are_repetitions_up_to_smoothing(seed):
    rng = np.random.default_rng(seed)
    s, y = rng.normal(size=40), np.arange(40) % 2
    w = rng.integers(1, 4, size=40)
    assert_allclose(
        fit_platt(s, y, w.astype(float)), fit_platt(s.repeat(w), y.repeat(w))
    )


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_units_of_scores_do_not_matter(scale, seed):
    s = np.random.default_rng(seed).normal(size=50)
    y = s + np.tile([-0.5, 0.5], 25) > 0
    expected = apply_platt(s, fit_platt(s, y))
    assert_allclose(
        apply_platt(scale * s, fit_platt(scale * s, y)), expected, atol=1e-6
    )


def test_odd_targets_and_scores():
    assert apply_platt([0.3], fit_platt([0.1, 0.2], [0, 0])) == 0.0
    assert apply_platt([0.3], fit_platt([0.1, 0.2], [1, 1])) == 1.0
    # Equal scores: the smoothed share, 2 of 4 samples.
    assert_allclose(apply_platt([0.3], fit_platt([0.5] * 4, [0, 1, 0, 1])), 0.5)
    slope, _ = fit_platt([0.0, 1.0, 2.0, 3.0], [0, 0, 1, 1])  # separated: finite
    assert -100 < slope < 0


def test_temperature_is_the_best_of_a_grid(seed):
    rng = np.random.default_rng(seed)
    label = rng.integers(4, size=300)
    losses = 3.0 * rng.uniform(size=(300, 4))
    losses[np.arange(300), label] -= 0.7

    def cost(t):
        return -log_softmax(-t * losses, axis=1)[np.arange(300), label].mean()

    found = fit_temperature(losses, label)
    assert cost(found) <= min(cost(t) for t in np.geomspace(1e-3, 1e3, 400)) + 1e-9
    assert_allclose(fit_temperature(10.0 * losses, label), found / 10.0, rtol=1e-3)
