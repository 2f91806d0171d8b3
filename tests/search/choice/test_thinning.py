"""Smaller committees: by weight, by loss, by time."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.search.choice.simplex import Losses
from manyminds.search.choice.thinning import (
    MAX_MEMBERS,
    drop_slow,
    drop_spare,
    trim_weights,
)


def test_small_weights_and_too_many_members_are_trimmed():
    assert_allclose(trim_weights(np.array([0.01, 0.495, 0.495])), [0.0, 0.5, 0.5])
    many = trim_weights(np.full(20, 0.05))
    assert np.count_nonzero(many) == MAX_MEMBERS and many.sum() == 1.0


def test_slow_members_are_dropped_until_the_rest_is_quick_enough():
    weights, seconds = np.array([0.5, 0.3, 0.2]), np.array([4.0, 1.0, 2.0])
    # Seconds per weight: 8, 3.3 and 10. The last one goes first, then the first one.
    assert_allclose(drop_slow(weights, seconds, 7.0), weights)
    assert_allclose(drop_slow(weights, seconds, 5.0), [0.625, 0.375, 0.0])
    assert_allclose(drop_slow(weights, seconds, 1.0), [0.0, 1.0, 0.0])
    assert_allclose(drop_slow(weights, seconds, 0.1), [0.0, 1.0, 0.0])  # the last one


def test_a_copy_is_not_missed_and_a_complement_is(seed):
    rng = np.random.default_rng(seed)
    y, off = rng.normal(size=200), rng.choice([-1.0, 1.0], size=200)
    P = np.stack([y + off, y - off, y - off])
    losses = Losses(P, y)
    weights = drop_spare(np.array([0.5, 0.25, 0.25]), losses)
    assert np.count_nonzero(weights) == 2
    assert_allclose(weights[0], 0.5, atol=1e-3)


def test_a_committee_of_equals_becomes_one(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=100)
    given = np.where(y == 1, 0.7, 0.3)[:, None]
    P = np.concatenate([1.0 - given, given], axis=1)[None].repeat(4, axis=0)
    weights = drop_spare(np.full(4, 0.25), Losses(P, y))
    assert np.count_nonzero(weights) == 1 and weights.sum() == 1.0
