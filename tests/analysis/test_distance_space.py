"""From tables to points: scaling, gaps, categories."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.distance_space import DistanceSpace


def test_standard_scaling_with_gaps_and_constants():
    X = np.array([[1.0, 7.0, np.nan], [3.0, 7.0, np.nan], [np.nan, 7.0, np.nan]])
    points = DistanceSpace("standard").fit(X)
    root = np.sqrt(2 / 3)  # of the mean square of -1, 1 and 0 for the gap
    assert_allclose(points[:, 0], [-1 / root, 1 / root, 0.0])
    assert_array_equal(points[:, 1:], np.zeros((3, 2)))


def test_whitened_columns_have_the_identity_for_a_covariance(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3))
    points = DistanceSpace("mahalanobis").fit(X)
    assert_allclose(np.cov(points.T), np.eye(3), atol=1e-6)
    doubled = DistanceSpace("mahalanobis").fit(np.c_[X, X[:, 0]])
    # A column that says nothing new does not count twice.
    distances = np.linalg.norm(doubled - doubled[0], axis=1)
    assert_allclose(distances, np.linalg.norm(points - points[0], axis=1), atol=1e-4)


def test_categories_become_indicators():
    codes = np.array([[0.0, 0.0, 5.0], [1.0, 1.0, 6.0], [2.0, np.nan, 7.0]])
    space = DistanceSpace(None)
    points = space.fit(codes, np.array([True, True, False]))
    assert points.shape == (3, 3 + 2 + 1)  # the gap keeps both values of the second
    two = DistanceSpace(None).fit(np.array([[0.0], [1.0]]), np.array([True]))
    assert_array_equal(two, [[-0.5], [0.5]])
    unseen = space.transform(np.array([[np.nan, 0.0, 5.0]]))
    assert_allclose(unseen[0, :3], [-1 / 3] * 3)
