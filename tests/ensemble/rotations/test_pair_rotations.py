"""Rotations of pairs of features: a plain twin, and distances that stay."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist

from manyminds.ensemble.rotations.pair_rotations import (
    PairRotation,
    draw_pair_rotation,
)


def as_matrix(rotation, n_features):
    """Write the rotation down pair by pair, straight from the formula."""
    turn = np.eye(n_features)
    for a, b, angle in zip(rotation.first, rotation.second, rotation.angles):
        turn[[a, b], a] = np.cos(angle), np.sin(angle)
        turn[[a, b], b] = -np.sin(angle), np.cos(angle)
    return turn


def test_plain_twin_of_a_rotation(seed):
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(20, 7))
    rotation = draw_pair_rotation(7, rng)
    assert len(np.unique(np.r_[rotation.first, rotation.second])) == 6  # one stays
    assert (rotation.angles >= 0).all() and (rotation.angles <= np.pi / 2).all()
    assert_allclose(rotation.transform(X), X @ as_matrix(rotation, 7))


def test_a_hundred_rotations_keep_distances(seed):
    # Spec item 4.
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(25, 10))
    turned = X
    for _ in range(100):
        turned = draw_pair_rotation(10, rng).transform(turned)
    assert_allclose(pdist(turned), pdist(X), atol=1e-10)
    assert not np.allclose(turned, X)


def test_worked_example():
    # (3, 4) turned by an angle of tangent 4/3 lies on the first axis; x1 stays.
    rotation = PairRotation(np.array([0]), np.array([2]), np.array([np.arctan2(4, 3)]))
    X = np.array([[3.0, 7.0, 4.0]])
    assert_allclose(rotation.transform(X), [[5.0, 7.0, 0.0]], atol=1e-12)
    assert_array_equal(X, [[3.0, 7.0, 4.0]])  # the table itself is left alone
    assert repr(rotation) == "<PairRotation: 1 pairs>"


@pytest.mark.parametrize("n_features", [0, 1])
def test_less_than_two_features_are_never_turned(n_features):
    rotation = draw_pair_rotation(n_features, np.random.RandomState(0))
    X = np.ones((2, n_features))
    assert len(rotation.angles) == 0
    assert_array_equal(rotation.transform(X), X)


def test_angles_are_uniform_up_to_a_quarter_turn(seed):
    # The mean of 2,000 has a standard deviation of 0.01.
    angles = draw_pair_rotation(4000, np.random.RandomState(seed)).angles
    assert abs(angles.mean() - np.pi / 4) < 0.06
    assert angles.max() > 1.5
