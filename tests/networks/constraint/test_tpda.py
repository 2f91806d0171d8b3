"""TPDA: with an oracle whose information is the number of open paths; its shortcut."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.constraint.tpda import learn_dependence_graph, learn_tpda
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
    # With no time left after drafting, the graph is a forest that spans components.
    for adjacency in random_dags[:10]:
        oracle = DSeparationTest(adjacency, count_paths=True)
        learned = learn_tpda(oracle, time_limit=0.0)
        n_edges = (learned.adjacency | learned.adjacency.T).sum() // 2
        components = {
            frozenset([k, *learned.find_component(k)]) for k in range(len(adjacency))
        }
        assert n_edges == len(adjacency) - len(components)
        full = learn_dependence_graph(oracle)
        assert learned.find_component(0) == full.find_component(0)
