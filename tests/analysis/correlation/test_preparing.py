"""Noise and bootstrap do what they say."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.correlation import AddNoise, Bootstrap


def test_noise_has_its_size(seed):
    # 20,000 draws: a standard deviation of one is met within 0.03, six of its own.
    X, y = np.zeros((10_000, 2)), np.zeros(10_000, dtype=int)
    noisy, same = AddNoise(1e-4)(X, y, seed)
    assert same is y
    assert_allclose(noisy.std(axis=0), 1e-4, rtol=0.05)
    X[:, 0] = np.arange(10_000.0)
    moved = AddNoise(1e-4, relative=True)(X, y, seed)[0] - X
    assert_allclose(moved[:, 0].std(), 1e-4 * X[:, 0].std(), rtol=0.05)
    assert_array_equal(moved[:, 1], 0.0)  # a constant column has no unit


def test_bootstrap_draws_rows_with_their_labels(seed):
    X, y = np.arange(50.0)[:, None], np.arange(50)
    drawn, labels = Bootstrap(0.5)(X, y, seed)
    assert drawn.shape == (25, 1)
    assert_array_equal(drawn[:, 0], labels)
    assert len(Bootstrap(2.0)(X, y, seed)[1]) == 100


def test_balanced_bootstrap(seed):
    y = np.repeat([0, 1, 2], [80, 15, 5])
    X = np.arange(100.0)[:, None]
    drawn, labels = Bootstrap(balanced=True)(X, y, seed)
    assert_array_equal(np.bincount(labels), [34, 33, 33])
    assert_array_equal(y[drawn[:, 0].astype(int)], labels)


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="scale must be"):
        AddNoise(-1.0)
    with pytest.raises(ValueError, match="fraction must be"):
        Bootstrap(0.0)
    with pytest.raises(ValueError, match="must draw one row"):
        Bootstrap(0.01)(np.zeros((5, 1)), np.zeros(5, dtype=int), 0)
