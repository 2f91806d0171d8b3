"""IAMB and inter-IAMB: blankets with an oracle, the order of additions on data."""

import numpy as np
import pytest

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.iamb import add_and_remove
from manyminds.networks.graphs.separation import find_markov_blanket
from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.oracle import DSeparationTest


@pytest.mark.slow
@pytest.mark.parametrize("interleave", [False, True])
def test_the_oracle_yields_the_blanket(random_dags, interleave):
    for adjacency in random_dags:
        oracle = DSeparationTest(adjacency)
        for target in (0, 4):
            found = add_and_remove(oracle, target, Clock(), interleave)
            assert found.members == find_markov_blanket(adjacency, target)


def test_most_information_goes_first(seed):
    # b is a copy of the target with fewer errors than a: a adds nothing to it.
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=2000)
    b = np.where(rng.uniform(size=2000) < 0.05, 1 - y, y)
    a = np.where(rng.uniform(size=2000) < 0.2, 1 - b, b)
    test = ContingencyTest(np.column_stack([a, b, y]), alpha=1e-4)
    assert add_and_remove(test, 2, Clock()).members == [1]


def test_circles_end():
    # A test under which each of two variables removes the other.
    class Fickle(DSeparationTest):
        def _measure(self, xs, y, given):
            table = super()._measure(xs, y, given)
            table[:, 4] = 0.0 if len(given) == 0 else 1.0
            table[:, 3] = 1.0
            return table

    test = Fickle(np.zeros((3, 3), dtype=int))
    test._cache = {}
    found = add_and_remove(test, 2, Clock(), interleave=True)
    assert len(found.members) <= 2


def test_time_limit(random_dags):
    found = add_and_remove(DSeparationTest(random_dags[0]), 0, Clock(0.0))
    assert not found.is_complete
