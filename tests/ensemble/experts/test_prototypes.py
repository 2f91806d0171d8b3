"""Weights of experts by distances, and where prototypes are drawn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.experts.prototypes import (
    draw_prototypes,
    dynamic_weights,
    gaussian_weights,
    make_eta,
    measure_distances,
    measure_mixing,
    static_weights,
)


def draw_points(seed, n_samples=50, n_experts=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_samples, 3)), rng.normal(size=(n_experts, 3))


def test_item_1_static_weights(seed):
    X, prototypes = draw_points(seed)
    distances, eta = measure_distances(X, prototypes), make_eta(4)
    weights = static_weights(distances, eta)
    assert_array_equal(np.sort(weights, axis=1), np.tile(eta, (50, 1)))
    nearest = distances.argmin(axis=1)
    assert (weights[np.arange(50), nearest] == eta[-1]).all()
    for d, h in zip(distances, weights):  # naive: rank N for the nearest
        for i in range(4):
            assert h[i] == eta[sum(d > d[i])]


def test_item_1_dynamic_weights(seed):
    X, prototypes = draw_points(seed)
    distances = measure_distances(X, prototypes)
    weights = dynamic_weights(distances)
    assert_allclose(weights.sum(axis=1), 3.0)
    assert_allclose(weights, [[1 - d / sum(row) for d in row] for row in distances])
    # The share of the nearest is never above 1 / (N - 1).
    assert (weights / 3.0).max() <= 1.0 / 3.0 + 1e-12
    two = dynamic_weights(distances[:, :2])
    assert_allclose(two.sum(axis=1), 1.0)
    assert_allclose(two[:, 0], distances[:, 1] / distances[:, :2].sum(axis=1))


def test_dynamic_weights_at_prototypes():
    assert_array_equal(dynamic_weights(np.zeros((2, 1))), np.ones((2, 1)))
    assert_allclose(dynamic_weights(np.zeros((1, 4))), np.full((1, 4), 0.75))
    assert_allclose(dynamic_weights(np.array([[0.0, 1.0, 3.0]])), [[1.0, 0.75, 0.25]])


def test_item_2_scale_translation_rotation_and_order(seed):
    rng = np.random.default_rng(seed)
    X, prototypes = draw_points(seed)
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    order = rng.permutation(4)

    def weigh(X, prototypes):
        distances = measure_distances(X, prototypes)
        return dynamic_weights(distances), static_weights(distances, make_eta(4))

    expected = weigh(X, prototypes)
    moves = (lambda Z: 7.0 * Z, lambda Z: Z + 5.0, lambda Z: Z @ rotation)
    for move in moves:
        for found, wanted in zip(weigh(move(X), move(prototypes)), expected):
            assert_allclose(found, wanted, atol=1e-9)
    for found, wanted in zip(weigh(X, prototypes[order]), expected):
        assert_allclose(found, wanted[:, order])


def test_gaussian_weights_are_sharper(seed):
    X, prototypes = draw_points(seed)
    distances = measure_distances(X, prototypes)
    sharp = gaussian_weights(distances, 0.1)
    assert_allclose(sharp.sum(axis=1), 1.0)
    assert np.median(sharp.max(axis=1)) > 0.99
    assert_allclose(gaussian_weights(distances, 1e9), np.full((50, 4), 0.25))


@pytest.mark.parametrize("way", ["random", "k-means++", "complexity"])
def test_prototypes_are_different_rows(way, seed):
    rng = np.random.default_rng(seed)
    X, label = rng.normal(size=(60, 2)), rng.integers(2, size=60)
    weight = np.where(np.arange(60) < 30, 1.0, 0.0)
    rows = draw_prototypes(X, label, weight, 5, way, np.random.RandomState(seed))
    assert len(np.unique(rows)) == 5 and (rows < 30).all()
    everything = draw_prototypes(
        X[:4], label[:4], None, 4, way, np.random.RandomState(0)
    )
    assert_array_equal(np.sort(everything), np.arange(4))


def test_complexity_draws_where_classes_mix(seed):
    # Classes mix on the left half only.
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(300, 2))
    label = np.where(X[:, 0] < 0.0, rng.integers(2, size=300), 1)
    mixing = measure_mixing(X, label, np.random.RandomState(0))
    assert (mixing > 0.0).all()
    assert mixing[X[:, 0] < -0.1].mean() > 1.5 * mixing[X[:, 0] > 0.3].mean()
