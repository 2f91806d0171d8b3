"""Entropies by nearest neighbors, and the uncertainty coefficient."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from scipy.special import gamma

from manyminds.analysis.correlation import correlation_score, nearest_neighbor_entropy


def naive_entropy(X, estimator):
    if len(X) == 1:
        return 0.0
    distance = cdist(X, X) + np.diag(np.full(len(X), np.inf))
    rho = distance.min(axis=1)
    n, d = X.shape
    if estimator == "thesis":
        return np.mean(np.log(n * rho)) + np.log(2) + np.euler_gamma
    ball = np.pi ** (d / 2) / gamma(d / 2 + 1)
    return d / n * np.sum(np.log(rho)) + np.log(ball) + np.log(n - 1) + np.euler_gamma


def draw(seed, n_columns=2):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(70) % 3)
    return rng.normal(size=(70, n_columns)) + y[:, None], y


def test_worked_example():
    # Nearest distances 1, 1 and 2; the ball of radius one has length 2.
    expected = (0 + 0 + np.log(2)) / 3 + np.log(2) + np.log(2) + np.euler_gamma
    assert_allclose(nearest_neighbor_entropy([[0.0], [1.0], [3.0]]), expected)
    expected = (np.log(3) + np.log(3) + np.log(6)) / 3 + np.log(2) + np.euler_gamma
    found = nearest_neighbor_entropy([[0.0], [1.0], [3.0]], "thesis")
    assert_allclose(found, expected)


# Acceptance 7. Over 60 draws, the standard deviation was 0.028 for three columns and
# 0.020 for one, and the mean 0.01 too low: 0.15 is five standard deviations.
def test_entropy_of_normal_draws(seed):
    rng = np.random.default_rng(seed)
    entropy = 0.5 * np.log(2 * np.pi * np.e)
    cloud, line = rng.normal(size=(5000, 3)), rng.normal(size=(5000, 1))
    assert_allclose(nearest_neighbor_entropy(cloud), 3 * entropy, atol=0.15)
    assert_allclose(nearest_neighbor_entropy(line, "thesis"), entropy, atol=0.15)


def test_entropy_of_the_named_draws():
    # Acceptance 7 to the letter, with seeds that are fixed.
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(5000, 3))
    assert_allclose(nearest_neighbor_entropy(cloud), 4.257, atol=0.05)
    line = rng.normal(size=(5000, 1))
    assert_allclose(nearest_neighbor_entropy(line, "thesis"), 1.419, atol=0.05)


@pytest.mark.parametrize("estimator", ["kl", "thesis"])
def test_naive_twin_agrees(estimator, seed):
    X, y = draw(seed)
    assert_allclose(
        nearest_neighbor_entropy(X, estimator), naive_entropy(X, estimator), rtol=1e-9
    )
    shares = np.bincount(y) / len(y)
    labels = -np.sum(shares * np.log(shares))
    entropy = naive_entropy(X, estimator)
    within = sum(shares[k] * naive_entropy(X[y == k], estimator) for k in range(3))
    divisor = min(entropy, labels) if estimator == "thesis" else labels
    method = "uncertainty" if estimator == "kl" else "thesis_uncertainty"
    found = correlation_score(X, y, method, preparers=[], clip=False)
    assert_allclose(found, (entropy - within) / divisor, rtol=1e-8)


def test_classes_of_one_row(seed):
    X, y = draw(seed)
    more, labels = np.r_[X, [[50.0, 50.0]]], np.r_[y, 7]
    options = {"preparers": [], "clip": False}
    # They are left out by ours, and count with entropy 0 in the thesis's.
    ours = correlation_score(more, labels, "uncertainty", **options)
    assert_allclose(ours, correlation_score(X, y, "uncertainty", **options))
    theirs = correlation_score(more, labels, "thesis_uncertainty", **options)
    shares = np.bincount(labels)[[0, 1, 2, 7]] / len(labels)
    entropy = naive_entropy(more, "thesis")
    within = sum(shares[k] * naive_entropy(X[y == k], "thesis") for k in range(3))
    divisor = min(entropy, -np.sum(shares * np.log(shares)))
    assert_allclose(theirs, (entropy - within) / divisor, rtol=1e-8)


def test_clear_classes_score_high_and_noise_low(seed):
    # Measured over 300 draws: noise at most 0.28, clear classes always 1.
    rng = np.random.default_rng(seed)
    y = np.arange(300) % 2
    noise = rng.normal(size=(300, 2))
    assert correlation_score(noise, y, "uncertainty", random_state=seed) < 0.5
    clear = noise + 8.0 * y[:, None]
    assert correlation_score(clear, y, "uncertainty", random_state=seed) > 0.6


def test_ties_are_refused_without_noise():
    X, y = np.ones((6, 1)), [0, 1, 0, 1, 0, 1]
    with pytest.raises(ValueError, match="coincide with another"):
        correlation_score(X, y, "uncertainty", preparers=[])
    with pytest.raises(ValueError, match="two rows or more"):
        nearest_neighbor_entropy([[1.0]])
    with pytest.raises(ValueError, match="estimator must be one of"):
        nearest_neighbor_entropy([[1.0], [2.0]], "knn")
