"""The oracle against d-separation, and its numbers of open paths."""

from itertools import combinations

import numpy as np

from manyminds.networks.graphs.separation import is_d_separated
from manyminds.networks.independence.oracle import DSeparationTest


def test_agrees_with_d_separation(random_dags, seed):
    rng = np.random.default_rng(seed)
    for adjacency in random_dags[:15]:
        oracle = DSeparationTest(adjacency, count_paths=True)
        for x, y in combinations(range(len(adjacency)), 2):
            rest = [z for z in range(len(adjacency)) if z not in (x, y)]
            given = rng.permutation(rest)[: rng.integers(4)].tolist()
            result = oracle.test(x, y, given)
            assert result.independent == is_d_separated(adjacency, x, y, given)
            assert (result.strength == 0.0) == result.independent


def test_open_paths_of_a_diamond():
    # 0 -> 1 -> 3, 0 -> 2 -> 3
    diamond = [[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    oracle = DSeparationTest(diamond, count_paths=True)
    assert oracle.test(0, 3).strength == 2.0
    assert oracle.test(0, 3, [1]).strength == 1.0
    assert oracle.test(0, 3, [1, 2]).independent
    assert oracle.test(1, 2).strength == 1.0
    assert oracle.test(1, 2, [0, 3]).strength == 1.0  # the collider opened
