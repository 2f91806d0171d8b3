"""Grow-Shrink: blankets with an oracle, a naive twin on data."""

import numpy as np
import pytest

from manyminds.networks.constraint import grow_shrink
from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.grow_shrink import grow_and_shrink
from manyminds.networks.graphs.separation import find_markov_blanket
from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.oracle import DSeparationTest


@pytest.mark.slow
def test_the_oracle_yields_the_blanket(random_dags):
    for adjacency in random_dags:
        oracle = DSeparationTest(adjacency)
        for target in (0, 4):
            found = grow_and_shrink(oracle, target, Clock())
            assert found.members == find_markov_blanket(adjacency, target)


def find_naively(test, target):
    """The sweeps of the paper, one test at a time."""
    others = [x for x in range(test.n_variables) if x != target]
    order = sorted(others, key=lambda x: -test.test(x, target).strength)
    members, grown = [], True
    while grown:
        grown = False
        for x in order:
            if x not in members:
                result = test.test(x, target, members)
                if result.reliable and not result.independent:
                    members.append(x)
                    grown = True
    changed = True
    while changed:
        changed = False
        for x in list(members):
            rest = [z for z in members if z != x]
            if test.test(x, target, rest).independent:
                members.remove(x)
                changed = True
    return sorted(members)


def test_agrees_with_naive_twin(seed, monkeypatch):
    monkeypatch.setattr(grow_shrink, "FIRST_BLOCK", 2)
    rng = np.random.default_rng(seed)
    for _ in range(10):
        X = rng.integers(2, size=(400, 9))
        for child in range(2, 9):
            copied = rng.uniform(size=400) < 0.5
            X[copied, child] = X[copied, rng.integers(child)]
        test = ContingencyTest(X)
        assert grow_and_shrink(test, 4, Clock()).members == find_naively(test, 4)


def test_time_limit(random_dags):
    found = grow_and_shrink(DSeparationTest(random_dags[0]), 0, Clock(0.0))
    assert not found.is_complete and found.members == []
