"""HITON-PC: neighbors with an oracle, separating sets, time limit."""

import numpy as np

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.hiton_pc import find_interleaved
from manyminds.networks.graphs.separation import is_d_separated
from manyminds.networks.independence.oracle import DSeparationTest


def test_neighbors_are_found_and_the_others_separated(random_dags):
    for adjacency in random_dags[:40]:
        separators = {}
        members = find_interleaved(
            DSeparationTest(adjacency), 0, 9, separators, Clock()
        )
        neighbors = np.flatnonzero(adjacency[0] | adjacency[:, 0])
        assert set(neighbors) <= set(members)
        for x, given in separators.items():
            assert is_d_separated(adjacency, x, 0, given)


def test_time_limit():
    clock, pair = Clock(0.0), DSeparationTest([[0, 1], [0, 0]])
    assert find_interleaved(pair, 0, 9, {}, clock) == []
    assert clock.was_over
