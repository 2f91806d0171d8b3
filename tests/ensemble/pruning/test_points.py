"""Points without missing values."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.ensemble.pruning.points import PointReader


def test_points_have_no_scale_and_no_missing_values(seed):
    table = np.random.default_rng(seed).normal(3.0, 50.0, size=(30, 3))
    table[::4, 1] = np.nan
    table[:, 2] = 7.0
    points = PointReader(table, True).read(table)
    assert_allclose(points.mean(axis=0), 0.0, atol=1e-9)
    assert_allclose(points[:, 0].std(), 1.0)
    assert_array_equal(points[::4, 1], 0.0)
    assert_array_equal(points[:, 2], 0.0)
    plain = PointReader(table, False).read(table)
    assert_allclose(plain[:, 0], table[:, 0] - table[:, 0].mean())
    with pytest.raises(TypeError, match="take no sparse X"):
        PointReader(csr_matrix(np.eye(3)), True)


@pytest.mark.parametrize("standardize", [False, True])
def test_columns_that_overflow_are_named(standardize):
    table = np.array([[1.0, 1e308], [2.0, np.nan], [3.0, 1.5e308]])
    with pytest.raises(ValueError, match=r"column 1 of X overflow: .* reach 1.5e\+308"):
        PointReader(table, standardize)
    points = PointReader(table[:, :1], standardize).read(np.array([[1e308], [np.nan]]))
    assert points[0, 0] > 1e300 and points[1, 0] == 0.0
