"""Points and their neighbors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.ensemble.pruning.neighbors import Neighbors, PointReader


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


def test_neighbors_of_others_and_of_themselves(seed):
    points = np.random.default_rng(seed).normal(size=(20, 2))
    neighbors = Neighbors(points, 4)
    order = ((points[:, None] - points) ** 2).sum(axis=2).argsort(axis=1)
    assert_array_equal(neighbors.find(points), order[:, :4])
    assert_array_equal(neighbors.find(), order[:, 1:5])
    assert Neighbors(points[:3], 7).find(points).shape == (20, 3)
    assert Neighbors(points[:1], 7).find().tolist() == [[0]]
