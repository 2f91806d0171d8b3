"""Problems of known densities: priors, posteriors, Bayes error."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from manyminds.datasets.generators import (
    bayes_error,
)
from manyminds.datasets.generators._densities import (
    GaussianClasses,
    bayes_error_in_plane,
)


def test_integrals_agree_with_a_grid():
    # In the plane, both can be summed over a grid instead.
    ring = GaussianClasses(
        np.array([[0, 0], [0.5**0.5] * 2]), np.array([2.0, 1.0]), np.arange(2)
    )
    by_grid = bayes_error_in_plane(ring.log_joint, (-16, -16), (16, 16), step=0.05)
    assert_allclose(bayes_error("ringnorm", n_features=2), by_grid, atol=1e-5)
    three = GaussianClasses(
        np.array([[2.0, 0], [-2, 0], [0, 2]]), np.ones(3), np.array([0, 0, 1])
    )
    by_grid = bayes_error_in_plane(three.log_joint, (-10, -9), (10, 10), step=0.05)
    assert_allclose(bayes_error("threenorm"), by_grid, atol=1e-5)


TWO = GaussianClasses(np.array([[-1.0, 0], [1.0, 0]]), np.ones(2), np.arange(2))
THREE = GaussianClasses(
    np.array([[0.0, 1.0], [2.0, -1.0], [5.0, 0.0]]),
    np.array([1.0, 0.5, 2.0]),
    np.array([0, 0, 1]),
)


def test_classes_are_equally_likely_whatever_their_components():
    # Class 0 has two components and class 1 one.
    assert_allclose(THREE.weights(), [0.25, 0.25, 0.5])


def test_densities_are_those_of_scipy(seed):
    X = np.random.default_rng(seed).normal(size=(20, 2))
    peaks = [
        multivariate_normal(mean, std**2 * np.eye(2)).pdf(X)
        for mean, std in zip(THREE.means, THREE.stds)
    ]
    joint = np.stack([(peaks[0] + peaks[1]) / 4, peaks[2] / 2], axis=1)
    assert_allclose(np.exp(THREE.log_joint(X)), joint)
    expected = joint / joint.sum(axis=1, keepdims=True)
    assert_allclose(THREE.posterior(X), expected)


def test_bayes_error_of_two_gaussians_is_a_normal_tail():
    # Means two standard deviations apart: the border is one away from both.
    found = bayes_error_in_plane(TWO.log_joint, (-9, -8), (9, 8), step=0.05)
    assert_allclose(found, ndtr(-1.0), atol=1e-4)


def test_far_samples_have_posteriors():
    # Densities there are 0 in floating point; their ratio is not.
    far = np.array([[300.0, 0.0], [0.0, 300.0]])
    assert_allclose(TWO.posterior(far), [[0.0, 1.0], [0.5, 0.5]], atol=1e-12)


def test_draws_are_of_their_components(seed):
    narrow = GaussianClasses(THREE.means, np.full(3, 1e-9), THREE.classes)
    X, y = narrow.draw(50, seed, return_posterior=False)
    nearest = np.linalg.norm(X[:, None] - THREE.means, axis=2).argmin(axis=1)
    assert_allclose(X, THREE.means[nearest], atol=1e-7)
    assert (THREE.classes[nearest] == y).all()
    again, labels, posterior = narrow.draw(50, seed, return_posterior=True)
    assert (again == X).all() and (posterior.argmax(axis=1) == labels).all()
    with pytest.raises(ValueError, match="n_samples must be an integer, 1 or more"):
        narrow.draw(0, seed, return_posterior=False)
