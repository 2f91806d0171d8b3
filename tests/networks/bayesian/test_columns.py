"""Columns of networks as kernels take them."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.networks.bayesian.columns import make_family_data


def test_codes_values_and_moments():
    X = np.array([[0.0, 10.0], [1.0, 12.0], [np.nan, 14.0]])
    data = make_family_data(X, np.array([2, 0]), np.array([1.0, 1.0, 2.0]))
    assert_array_equal(data.codes[0], [0, 1, -1])
    assert_allclose(data.values[1], [-2.5, -0.5, 1.5])
    assert_allclose(data.scale, [1.0, 2.75])
    assert_allclose(data.moments[[0, 0, 2], [0, 2, 2]], [4.0, 0.0, 11.0], atol=1e-12)


def test_missing_numbers_have_no_moments():
    X = np.array([[1.0], [np.nan], [3.0]])
    data = make_family_data(X, np.array([0]), np.ones(3))
    assert data.moments.size == 0 and data.codes.size == 0
    assert_allclose(data.values[0], [-1.0, np.nan, 1.0])
