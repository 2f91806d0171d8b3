"""Kernels of competence by hand; twins are in the tests of dynamic selection."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels import member_competence

# Right are: members 0 and 1 about row 0, 0 about row 1, 1 about row 2.
KNOWN = np.array([[1, 1, 0], [0, 1, 1], [0, 1, 0]], dtype=np.int32)
TRUTH = np.array([1, 0, 1], dtype=np.int32)
NEAR = np.array([[0, 1, 2]], dtype=np.int64)
LABELS = np.array([[1, 1, 1]], dtype=np.int32)


def weigh(kernel, *options):
    weights = np.empty((1, 3))
    kernel(KNOWN, TRUTH, NEAR, LABELS, *options, weights)
    return weights[0]


def test_counts_of_neighbors():
    assert_array_equal(weigh(member_competence.weigh_by_right, False), [2, 2, 0])
    assert_array_equal(weigh(member_competence.weigh_by_right, True), [1, 1, 0])
    assert_array_equal(weigh(member_competence.choose_longest_run), [1, 0, 0])


def test_neighbors_of_the_same_class():
    # Shares: 1 of 1, 2 of 3, 0 of 1.
    assert_array_equal(weigh(member_competence.choose_by_class), [1, 0, 0])
    # Two of three members vote like for the row about rows 0 and 1, one about row 2.
    limits = np.array([0.6, 0.1])
    assert_array_equal(weigh(member_competence.choose_by_similar, limits), [1, 0, 0])
    limits = np.array([0.6, 0.6])
    assert_array_equal(weigh(member_competence.choose_by_similar, limits), [1, 1, 0])


def test_accurate_and_diverse():
    n_taken = np.array([2, 1])
    kernel = member_competence.choose_accurate_and_diverse
    assert_array_equal(weigh(kernel, n_taken), [1, 0, 0])


def test_shares_of_votes():
    labels = np.array([[0, 2, 2], [0, 2, 2]], dtype=np.int32)
    weights, shares = np.array([[1.0, 3.0, 0.0], [0, 0, 0]]), np.empty((2, 3))
    member_competence.share_votes(labels, weights, shares)
    assert_allclose(shares, [[0.25, 0, 0.75], [1 / 3, 0, 2 / 3]])
