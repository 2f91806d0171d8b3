"""Colliders need their condition on separating sets (spec 03, error 3)."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.networks.constraint.orientation import orient_edges
from manyminds.networks.graphs.equivalence import find_cpdag
from manyminds.networks.independence.oracle import DSeparationTest

CHAIN = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])


def test_a_chain_is_no_collider():
    assert_array_equal(orient_edges(CHAIN, {(0, 2): (1,)}), CHAIN)
    collider = orient_edges(CHAIN, {(0, 2): ()})
    assert_array_equal(collider, [[0, 1, 0], [0, 0, 0], [0, 1, 0]])


def test_pairs_without_a_separating_set_orient_nothing():
    assert_array_equal(orient_edges(CHAIN, {}), CHAIN)


def test_contradictions_leave_a_direction_of_the_first():
    # a - b - c - d with (a, c) separated without b and (b, d) without c.
    path = np.zeros((4, 4), dtype=int)
    for k in range(3):
        path[k, k + 1] = path[k + 1, k] = 1
    graph = orient_edges(path, {(0, 2): (), (1, 3): (), (0, 3): ()})
    assert graph[0, 1] == 1 and graph[1, 0] == 0
    assert graph[2, 1] == 1 and graph[1, 2] == 0


def test_true_separating_sets_orient_the_class(random_dags):
    for adjacency in random_dags[:20]:
        oracle = DSeparationTest(adjacency)
        skeleton = adjacency | adjacency.T
        separators = {}
        for x, y in np.argwhere(np.triu(1 - skeleton, 1)).tolist():
            near = [np.flatnonzero(adjacency[:, z]).tolist() for z in (x, y)]
            (found,) = oracle.search([(x, y)], [(near[0], near[1])], 0, 9).found
            separators[x, y] = found
        assert_array_equal(orient_edges(skeleton, separators), find_cpdag(adjacency))
