"""Friedman's problem in two classes, and the simple one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import ndtr
from sklearn import datasets

from manyminds.datasets import generators
from manyminds.datasets.generators import (
    bayes_error,
    make_friedman_classes,
    make_simple,
)


def level(X):
    x1, x2, x3, x4, x5 = X.T[:5]
    return 10 * np.sin(np.pi * x1 * x2) + 20 * (x3 - 0.5) ** 2 + 10 * x4 + 5 * x5


def test_regression_problems_are_those_of_scikit_learn():
    for name in ("make_friedman1", "make_friedman2", "make_friedman3"):
        assert getattr(generators, name) is getattr(datasets, name)


def test_classes_by_the_formula(seed):
    X, y = make_friedman_classes(500, noise=0.0, random_state=seed)
    assert X.shape == (500, 10)
    assert_array_equal(y, level(X) > 14)


def test_posteriors_by_the_formula(seed):
    X, _, posterior = make_friedman_classes(
        500, threshold=12.0, noise=2.0, return_posterior=True, random_state=seed
    )
    assert_allclose(posterior[:, 1], ndtr((level(X) - 12) / 2), atol=1e-12)
    X, y, posterior = make_friedman_classes(
        500, noise=0.0, return_posterior=True, random_state=seed
    )
    assert_array_equal(posterior[:, 1], y)


def test_share_above_the_threshold(seed):
    # Reports have 0.531; six standard deviations of the count are 0.0134.
    _, y = make_friedman_classes(50_000, random_state=seed)
    assert_allclose(y.mean(), 0.532, atol=0.0134 + 0.001)


@pytest.mark.parametrize("threshold, noise", [(14.0, 1.0), (10.0, 0.5), (16.0, 3.0)])
def test_bayes_error_by_drawing(threshold, noise, seed):
    # The spread of a mean of 50,000 is at most 0.0009; six of them.
    X = np.random.default_rng(seed).uniform(size=(50_000, 5))
    at_points = ndtr(-np.abs(level(X) - threshold) / noise)
    spread = at_points.std() / np.sqrt(len(X))
    error = bayes_error("friedman_classes", threshold=threshold, noise=noise)
    assert abs(at_points.mean() - error) < 6 * spread


def test_no_noise_no_error():
    assert bayes_error("friedman_classes", noise=0.0) == 0


def test_simple_by_the_formula(seed):
    X, y = make_simple(20_000, random_state=seed)
    assert X.shape == (20_000, 9)
    assert_array_equal(y, X[:, 0] ** 2 + 2 * X[:, 1] > 4 / 3)
    # The threshold is the median: six standard deviations of the count.
    assert_allclose(y.mean(), 0.5, atol=0.0213)


def test_wrong_parameters_are_named():
    with pytest.raises(ValueError, match=r"n_features .* 5 or more; got 4"):
        make_friedman_classes(n_features=4)
    with pytest.raises(ValueError, match=r"threshold .* got nan"):
        make_friedman_classes(threshold=np.nan)
