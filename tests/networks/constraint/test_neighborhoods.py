"""MMMB and HITON-MB: neighbors and spouses with an oracle."""

import numpy as np
import pytest

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.neighborhoods import find_neighborhood
from manyminds.networks.graphs.separation import find_markov_blanket
from manyminds.networks.independence.oracle import DSeparationTest


@pytest.mark.slow
@pytest.mark.parametrize("finder", ["mmpc", "hiton_pc"])
def test_the_oracle_yields_neighbors_and_spouses(random_dags, finder):
    for adjacency in random_dags:
        oracle = DSeparationTest(adjacency)
        found = find_neighborhood(oracle, 3, Clock(), finder, 9)
        neighbors = np.flatnonzero(adjacency[3] | adjacency[:, 3]).tolist()
        assert found.neighbors == neighbors
        assert found.members == find_markov_blanket(adjacency, 3)
        for spouse, children in found.spouses.items():
            for child in children:
                assert adjacency[spouse, child] and adjacency[3, child]


def test_a_descendant_needs_the_check_from_its_side():
    # 0 -> 1 -> 3, 0 -> 2 -> 3, and 1 -> 2: candidates that the target keeps must keep
    # the target in turn.
    adjacency = np.zeros((4, 4), dtype=int)
    adjacency[0, [1, 2]] = adjacency[[1, 2], 3] = adjacency[1, 2] = 1
    for finder in ("mmpc", "hiton_pc"):
        found = find_neighborhood(DSeparationTest(adjacency), 0, Clock(), finder, 4)
        assert found.members == [1, 2]


def test_time_limit(random_dags):
    found = find_neighborhood(DSeparationTest(random_dags[0]), 0, Clock(0.0), "mmpc", 9)
    assert not found.is_complete
