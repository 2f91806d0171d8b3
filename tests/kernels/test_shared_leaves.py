"""Shared leaves: worked examples; a twin is in the tests of proximity."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels.shared_leaves import find_most_shared, list_members

# Two trees: the first has leaves 0 and 1, the second leaves 2, 3 and 4.
LEAVES = np.array([[0, 2], [1, 2], [0, 3], [0, 2], [0, 2]])
STARTS = np.array([0, 4, 5, 9, 10, 10])


def find(n_kept, own):
    members = np.empty(LEAVES.size, np.uint32)
    list_members(LEAVES, STARTS, members)
    near = np.full((len(LEAVES), n_kept), len(LEAVES))
    shared = np.zeros(near.shape, np.int32)
    find_most_shared(LEAVES, own, STARTS, members, len(LEAVES), near, shared)
    return near, shared


@pytest.mark.no_jit
def test_members_of_leaves_are_in_order():
    members = np.empty(LEAVES.size, np.uint32)
    list_members(LEAVES, STARTS, members)
    assert_array_equal(members, [0, 2, 3, 4, 1, 0, 1, 3, 4, 2])


@pytest.mark.no_jit
def test_the_first_of_those_that_share_equally_many():
    near, shared = find(2, np.arange(5))
    assert_array_equal(np.sort(near), [[3, 4], [0, 3], [0, 3], [0, 4], [0, 3]])
    assert_array_equal(np.sort(shared), [[2, 2], [1, 1], [1, 1], [2, 2], [2, 2]])


@pytest.mark.no_jit
def test_fewer_than_wanted_and_rows_that_count_themselves():
    near, shared = find(5, np.full(5, -1))
    counts = np.zeros((5, 6), np.int64)
    np.put_along_axis(counts, near, shared, 1)
    twin = (LEAVES[:, None] == LEAVES[None]).sum(axis=2)
    assert_array_equal(counts[:, :5], twin)
