"""Temperature of a softmax, by hand."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.learners.temperature import compute_log_losses, fit_temperature


def test_temperature_by_hand():
    # Ten rows with a margin of 2, of which two are wrong; the added one makes 3 of 11:
    # the probability of the higher class is 8/11 at the best temperature.
    outputs = np.tile(np.array([[2.0, 0.0]], dtype=np.float32), (10, 1))
    label = np.array([0] * 8 + [1] * 2)
    found = fit_temperature(outputs, label, np.ones(10))
    assert_allclose(2.0 / found, np.log(8 / 3), rtol=1e-3)
    sure = fit_temperature(outputs, np.zeros(10, int), np.ones(10))
    assert_allclose(2.0 / sure, np.log(10.0), rtol=1e-3)


def test_log_losses_by_hand():
    outputs = np.log(np.array([[1.0, 3.0], [1.0, 1.0]], dtype=np.float32))
    assert_allclose(compute_log_losses(outputs, np.array([0, 1])), -np.log([0.25, 0.5]))


def test_weights_are_rows(seed):
    rng = np.random.default_rng(seed)
    outputs, label = rng.normal(size=(30, 3)), rng.integers(0, 3, size=30)
    outputs[np.arange(30), label] += 1.0
    twice = fit_temperature(outputs, label, np.full(30, 5.0))
    assert_allclose(twice, fit_temperature(outputs, label, np.ones(30)), rtol=1e-6)
