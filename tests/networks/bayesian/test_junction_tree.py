"""Junction trees: brute force over all states, soft and missing evidence."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import load_network
from manyminds.networks import JunctionTree


def join_all(network):
    """Return the joint distribution of all nodes as one array."""
    joint, index = 1.0, np.indices(tuple(network.n_states), sparse=True)
    for v, (parents, table) in enumerate(zip(network.parents, network.tables)):
        joint = joint * table[(*(index[p] for p in parents), index[v])]
    return joint


def draw_evidence(network, rng, n_rows):
    """Draw known, soft and missing evidence of each node, and a node without any."""
    evidence = []
    for n in network.n_states:
        kind = rng.integers(3, size=n_rows)
        likelihood = rng.uniform(0.1, 1.0, size=(n_rows, n))
        likelihood[kind == 0] = 1.0
        known = np.eye(n)[rng.integers(n, size=n_rows)]
        likelihood[kind == 1] = 0.02 + 0.9 * known[kind == 1]
        evidence.append(likelihood)
    evidence[2] = None
    return evidence


@pytest.mark.parametrize("name", ["asia", "cancer", "survey", "sachs"])
def test_agrees_with_brute_force(name, seed):
    rng, network = np.random.default_rng(seed), load_network(name)
    tree, joint = JunctionTree(network.parents, network.n_states), join_all(network)
    evidence = draw_evidence(network, rng, 3)
    nodes, n = list(range(len(network.names))), len(network.names)
    found = tree.posteriors(network.tables, evidence, nodes)
    logs = tree.log_evidence(network.tables, evidence)
    weight = np.array([1.0, 2.0, 0.5])
    counts, _ = tree.expected_counts(network.tables, evidence, weight)
    expected_counts = [np.zeros(table.shape) for table in network.tables]
    for i in range(3):
        weighted = joint
        for v in nodes:
            if evidence[v] is not None:
                shape = [-1 if u == v else 1 for u in nodes]
                weighted = weighted * evidence[v][i].reshape(shape)
        assert_allclose(logs[i], np.log(weighted.sum()))
        weighted = weighted / weighted.sum()
        for v in nodes:
            others = tuple(u for u in nodes if u != v)
            assert_allclose(found[v][i], weighted.sum(axis=others), atol=1e-12)
            family = (*network.parents[v], v)
            total = np.einsum(weighted, range(n), list(family))
            expected_counts[v] += weight[i] * total
    for count, expected in zip(counts, expected_counts):
        assert_allclose(count, expected, atol=1e-12)


@pytest.mark.parametrize("name", ["alarm", "child", "win95pts", "hailfinder"])
def test_cliques_have_the_running_intersection_property(name):
    network = load_network(name)
    tree = JunctionTree(network.parents, network.n_states)
    for v, parents in enumerate(network.parents):
        assert any({v, *parents} <= set(clique) for clique in tree.cliques)
        # The cliques of a node hang together: all but one are joined to another one.
        have = [c for c, clique in enumerate(tree.cliques) if v in clique]
        tops = [c for c in have if tree.joined[c] not in have]
        assert len(tops) == 1
    assert all(parent > c or parent == -1 for c, parent in enumerate(tree.joined))
    assert tree.joined.count(-1) == 1


def test_impossible_evidence_has_probability_zero():
    tables = [np.array([1.0, 0.0]), np.array([[0.5, 0.5], [0.5, 0.5]])]
    tree = JunctionTree([(), (0,)], [2, 2])
    evidence = [np.array([[0.0, 1.0]]), None]
    assert tree.log_evidence(tables, evidence)[0] == -np.inf


def test_too_large_cliques_are_an_error():
    with pytest.raises(ValueError, match="Limit max_parents"):
        JunctionTree([*[()] * 30, tuple(range(30))], [4] * 31)
