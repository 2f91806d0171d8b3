"""Counts of classes and categories on tiny data, also as plain Python."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.network_classes import (
    SuperParents,
    average_sets,
    count_pairs,
    count_states,
    sum_conditional_information,
    sum_tree,
    take_logs,
)

CODES = np.array([[0, 0, 1, 1], [0, 1, 1, -1]], dtype=np.int32)
Y, WEIGHT = np.array([0, 0, 1, 1]), np.array([1.0, 2.0, 1.0, 1.0])
STATES = np.array([2, 2])


@pytest.mark.no_jit
def test_counts_by_hand():
    sets = SuperParents(
        np.array([[0], [1]]), np.array([0, 2, 4]), STATES, np.array([0, 2, 4])
    )
    alone, joint = np.zeros((4, 2)), np.zeros((4, 4, 2))
    for s in (0, 1):
        count_states(CODES, Y, WEIGHT, sets, s, np.empty(4, np.int64), alone, joint)
    assert_array_equal(alone, [[3, 0], [0, 2], [1, 0], [2, 1]])
    assert_array_equal(joint[0, 2:], [[1, 0], [2, 0]])
    assert_array_equal(joint[1, 2:], [[0, 0], [0, 1]])
    n_rows = alone.sum(axis=1)
    take_logs(alone, joint, sets, np.empty(2), 1.0)
    assert_allclose(np.exp(alone[:2]).sum(), 1.0)
    assert_allclose(np.exp(joint[:, :2]).sum(axis=1), 1.0)
    out = np.empty((2, 2))
    rows = np.array([[0, -1], [-1, -1]], dtype=np.int32)
    average_sets(rows, sets, n_rows, 1.0, alone, joint, out)
    assert_allclose(out[0], alone[0])
    assert np.isnan(out[1]).all()


@pytest.mark.no_jit
def test_tree_by_hand():
    information = np.empty((2, 2))
    sum_conditional_information(CODES, STATES, Y, WEIGHT, 2, information)
    assert_allclose(information, 0.0, atol=1e-12)  # one column is constant in a class
    parent, first = np.array([-1, 0]), np.array([0, 4])
    cells = np.zeros(12)
    count_pairs(CODES, parent, STATES, Y, WEIGHT, first, cells)
    assert_array_equal(cells[:4], [3, 0, 0, 2])
    assert_array_equal(cells[4:], [1, 2, 0, 0, 0, 0, 0, 1])
    tables = np.concatenate([[0.5, 0.5, 0.25, 0.75], np.tile([0.1, 0.9], 4)])
    out = np.empty((3, 2))
    rows = np.array([[0, 1], [-1, 1], [-1, -1]], dtype=np.int32)
    prior = np.log([0.5, 0.5])
    sum_tree(rows, parent, np.array([0, 1]), STATES, first, tables, prior, out)
    assert_allclose(np.exp(out), 0.5 * np.array([[0.45, 0.225], [0.9, 0.9], [1, 1]]))
