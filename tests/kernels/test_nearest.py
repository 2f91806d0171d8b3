"""The kernel of nearest points by hand; twins are in the tests of neighbors."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.kernels import nearest


def test_bounds_that_exclude_nothing_and_all():
    known = np.array([[3.0], [1.0], [2.0], [1.0]])
    rows, own = np.zeros((2, 1)), np.array([-1, 1])
    for bound, expected in ((-np.inf, [[1, 3, 2], [3, 2, 0]]), (np.inf, [[4] * 3] * 2)):
        bounds = np.full((2, nearest.GROUP), np.inf, dtype=np.float32)
        bounds[:, :4] = bound
        squares, near = np.full((2, 3), 99.0), np.full((2, 3), 4)
        nearest.add_nearest(known, rows, np.zeros(2), own, bounds, 0, squares, near)
        assert_array_equal(near, expected)
