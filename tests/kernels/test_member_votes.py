"""Kernels of votes: what the tests of pruning do not reach."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.kernels import member_votes


def test_counts_and_weighted_sums(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=(12, 5)).astype(np.int32)
    weights = rng.integers(4, size=(12, 5)).astype(np.float64)
    n_votes, total = np.zeros((12, 3), np.int32), np.zeros((12, 3))
    member_votes.count_votes(labels, n_votes)
    member_votes.sum_votes(labels, weights, total)
    for c in range(3):
        assert_array_equal(n_votes[:, c], (labels == c).sum(axis=1))
        assert_array_equal(total[:, c], ((labels == c) * weights).sum(axis=1))


def test_greedy_order_starts_from_given_votes():
    # Rows 0 and 1 have two votes for the wrong class: one more vote decides nothing,
    # row 2 has none, and only the second member is right about it.
    labels = np.array([[0, 1], [0, 1], [1, 0]], dtype=np.int32)
    y = np.zeros(3, dtype=np.int32)
    votes = np.array([[0, 2], [0, 2], [0, 0]], dtype=np.int32)
    order, right = np.empty(2, dtype=np.int64), np.empty(2)
    weight = np.ones(len(y))
    usable = np.ones(2, dtype=bool)
    member_votes.add_greedily(
        labels, y, weight, usable, True, False, votes, order, right
    )
    assert order[0] == 1 and right[0] == 1.0
    assert usable.all()
