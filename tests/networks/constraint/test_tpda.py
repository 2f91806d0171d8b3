"""TPDA: with an oracle whose information is the number of open paths; its shortcut."""

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.tpda import (
    _draft,
    _list_dependent_pairs,
    learn_dependence_graph,
    learn_tpda,
)
from manyminds.networks.graphs.equivalence import find_cpdag
from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.oracle import DSeparationTest


@pytest.mark.slow
def test_the_oracle_yields_the_equivalence_class(random_dags):
    # Closing a path lowers the number of open ones: the assumption of the algorithm.
    for adjacency in random_dags:
        learned = learn_tpda(DSeparationTest(adjacency, count_paths=True))
        assert_array_equal(learned.adjacency, find_cpdag(adjacency))


# Spec 03, item 6: the component of the target is that of the dependent pairs.
def test_the_shortcut_connects_the_same_variables(seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        X = rng.integers(2, size=(300, 8))
        for child in range(2, 8):
            copied = rng.uniform(size=300) < rng.uniform(0.0, 0.8)
            X[copied, child] = X[copied, rng.integers(child)]
        test = ContingencyTest(X, threshold=0.01)
        full, shortcut = learn_tpda(test), learn_dependence_graph(test)
        for target in range(8):
            assert full.find_component(target) == shortcut.find_component(target)


def test_drafts_have_no_loops(random_dags):
    # A draft is a forest that spans the components of the dependence graph.
    for adjacency in random_dags[:10]:
        oracle = DSeparationTest(adjacency, count_paths=True)
        graph = nx.empty_graph(len(adjacency))
        pairs = _list_dependent_pairs(oracle, {}, Clock())
        rest = _draft(graph, pairs)
        assert nx.is_forest(graph) and len(rest) + len(graph.edges) == len(pairs)
        full = learn_dependence_graph(oracle)
        near = nx.node_connected_component(graph, 0) - {0}
        assert sorted(near) == full.find_component(0)


def test_time_limit(random_dags):
    # Of 2,000 columns there are two million pairs: the first phase looks at the clock.
    oracle = DSeparationTest(random_dags[0])
    for learn in (learn_tpda, learn_dependence_graph):
        learned = learn(oracle, time_limit=0.0)
        assert not learned.is_complete and learned.n_tests == 0
