"""How features are drawn: intervals, and the most equal weights within them."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from manyminds.trees.nodes.feature_draws import (
    bound_gains,
    draw_most_uniformly,
    normalize,
)
from manyminds.trees.nodes.gain_statistics import GainStatistics


def add_up(columns):
    """Statistics of nodes of weight 1, one column for each feature."""
    ones = np.ones_like(columns)
    sums = [ones, columns, columns**2, ones, ones]
    return GainStatistics(*(one.sum(axis=0) for one in sums))


def test_intervals_are_those_of_students_distribution(seed):
    values = np.random.default_rng(seed).normal(size=(12, 3))
    statistics = add_up(values)
    low, high = bound_gains(statistics, statistics.count("count"), 0.9)
    expected = stats.t.interval(0.9, 11, values.mean(axis=0), stats.sem(values))
    assert_allclose([low, high], expected)


def test_too_few_nodes_leave_all_open():
    # Acceptance item 3: with m of 1 or less everywhere, weights are equal.
    statistics = add_up(np.array([[0.2, 0.9]]))
    low, high = bound_gains(statistics, statistics.count("count"))
    assert np.all(low == -np.inf) and np.all(high == np.inf)
    assert_array_equal(draw_most_uniformly(low, high), [0.5, 0.5])


def test_overlapping_intervals_leave_weights_equal():
    # Acceptance item 3: 0.3 lies in all of them.
    low, high = np.array([0.1, 0.3, 0.2]), np.array([0.4, 0.5, 0.3])
    assert_allclose(draw_most_uniformly(low, high), [1 / 3] * 3)


def test_worked_example():
    # Middle of 0.6 and 0.2 is 0.4: the first goes up to 0.2 only, the second down to
    # 0.6; the third, of which nothing is known, takes the middle.
    low, high = np.array([0.0, 0.6, -np.inf]), np.array([0.2, 0.9, np.inf])
    assert_allclose(draw_most_uniformly(low, high), np.array([0.2, 0.6, 0.4]) / 1.2)


def test_weights_are_never_negative():
    low, high = np.array([-0.9, -0.5]), np.array([-0.6, 0.5])
    assert_allclose(draw_most_uniformly(low, high), [0.5, 0.5])
    low, high = np.array([-0.9, 0.4]), np.array([-0.6, 0.5])
    assert_allclose(draw_most_uniformly(low, high), [0.0, 1.0])
    assert_array_equal(normalize(np.zeros(4)), np.full(4, 0.25))
