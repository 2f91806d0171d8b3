"""Kernels of competence by hand; twins are in the tests of dynamic selection."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels import member_competence

RIGHT = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 0]], dtype=np.uint8)
NEAR = np.array([[0, 1, 2]], dtype=np.int64)


def test_counts_of_neighbors():
    out = np.empty((1, 3))
    member_competence.count_right(RIGHT, NEAR, out)
    assert_array_equal(out, [[2, 2, 0]])
    member_competence.count_right_in_turn(RIGHT, NEAR, out)
    assert_array_equal(out, [[2, 1, 0]])


def test_neighbors_of_the_same_class():
    known = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 0]], dtype=np.int32)
    labels, out = np.array([[1, 1, 1]], dtype=np.int32), np.empty((1, 3))
    member_competence.rate_same_class(RIGHT, known, NEAR, labels, out)
    assert_allclose(out, [[0.5, 2 / 3, 0.0]])
    # No member but the first two votes like for the row: 2 of 3, at neighbors 0 and 2.
    member_competence.rate_similar(RIGHT, known, NEAR, labels, 0.6, out)
    assert_allclose(out, [[0.5, 1.0, 0.0]])


def test_accurate_and_diverse():
    out = np.empty((1, 3))
    member_competence.choose_accurate_and_diverse(RIGHT, NEAR, 2, 1, out)
    assert_array_equal(out, [[1, 0, 0]])
