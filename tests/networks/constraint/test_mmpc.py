"""Max-min parents and children: neighbors with an oracle, separating sets."""

import numpy as np

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.mmpc import drop_separated, find_by_max_min
from manyminds.networks.graphs.separation import is_d_separated
from manyminds.networks.independence.oracle import DSeparationTest


def test_neighbors_are_found_and_the_others_separated(random_dags):
    for adjacency in random_dags[:40]:
        separators = {}
        members = find_by_max_min(DSeparationTest(adjacency), 0, 9, separators, Clock())
        neighbors = np.flatnonzero(adjacency[0] | adjacency[:, 0])
        assert set(neighbors) <= set(members)
        assert set(separators) | set(members) == set(range(1, len(adjacency)))
        for x, given in separators.items():
            assert is_d_separated(adjacency, x, 0, given)


def test_members_that_a_set_separates_are_dropped():
    chain = DSeparationTest([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    separators = {}
    assert drop_separated(chain, 0, [2, 1], 1, separators, Clock()) == [1]
    assert separators == {2: (1,)}
