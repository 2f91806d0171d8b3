"""Graphs: worked examples, networkx's answers, equivalence classes by enumeration."""

from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.graphs import (
    GraphComparison,
    compare_graphs,
    complete_orientation,
    draw_dag,
    find_ancestors,
    find_component,
    find_cpdag,
    find_markov_blanket,
    is_d_separated,
    moralize,
    order_nodes,
    read_graph,
    to_networkx,
)

# asia: visit -> tub; smoke -> lung, bronc; tub, lung -> either -> xray; bronc -> dysp
ASIA = nx.DiGraph(
    [("visit", "tub"), ("smoke", "lung"), ("smoke", "bronc"), ("tub", "either"),
     ("lung", "either"), ("either", "xray"), ("either", "dysp"), ("bronc", "dysp")]
)  # fmt: skip


def test_d_separation_agrees_with_networkx(random_dags, seed):
    rng = np.random.default_rng(seed)
    is_separated = getattr(nx, "is_d_separator", None) or nx.d_separated
    for adjacency in random_dags[:40]:
        graph = nx.DiGraph(adjacency.astype(int))
        for _ in range(10):
            nodes = rng.permutation(len(adjacency)).tolist()
            x, y, given = nodes[0], nodes[1], nodes[2 : 2 + rng.integers(5)]
            expected = is_separated(graph, {x}, {y}, set(given))
            assert is_d_separated(adjacency, x, y, given) == expected


def test_ancestors_and_order_agree_with_networkx(random_dags):
    for adjacency in random_dags[:20]:
        graph = nx.DiGraph(adjacency.astype(int))
        ancestors = find_ancestors(adjacency)
        for node in graph:
            expected = nx.ancestors(graph, node) | {node}
            assert set(np.flatnonzero(ancestors[node])) == expected
        place = {node: k for k, node in enumerate(order_nodes(adjacency))}
        assert all(place[a] < place[b] for a, b in graph.edges)


def test_cycles_are_refused():
    with pytest.raises(ValueError, match="acyclic"):
        order_nodes([[0, 1], [1, 0]])


def test_blanket_and_component_of_asia():
    adjacency, names = read_graph(ASIA)

    def name(found):
        return {names[k] for k in found}

    blanket = find_markov_blanket(adjacency, names.index("either"))
    assert name(blanket) == {"tub", "lung", "xray", "dysp", "bronc"}
    assert len(find_component(adjacency, 0)) == 7
    assert moralize(adjacency)[names.index("tub"), names.index("lung")] == 1


def list_class(adjacency):
    """Return all DAGs with the same edges and the same colliders."""
    edges = np.argwhere(np.triu(adjacency | adjacency.T)).tolist()

    def colliders(graph):
        skeleton = graph | graph.T
        return {
            (a, c, b)
            for b in range(len(graph))
            for a, c in combinations(np.flatnonzero(graph[:, b]).tolist(), 2)
            if not skeleton[a, c]
        }

    members = []
    for turns in product((False, True), repeat=len(edges)):
        graph = np.zeros_like(adjacency)
        for (a, b), turned in zip(edges, turns):
            graph[(b, a) if turned else (a, b)] = 1
        is_dag = nx.is_directed_acyclic_graph(nx.DiGraph(graph.astype(int)))
        if is_dag and colliders(graph) == colliders(adjacency):
            members.append(graph)
    return members


def test_equivalence_class_by_enumeration(seed):
    for k in range(25):
        adjacency = draw_dag(6, 3 + k % 6, random_state=seed + k)
        expected = np.max(list_class(adjacency), axis=0)  # arcs of some member
        assert_array_equal(find_cpdag(adjacency), expected)


def test_orientation_leaves_what_is_not_determined():
    star = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    assert_array_equal(complete_orientation(star), star)


def test_random_dags(seed):
    adjacency = draw_dag(9, 12, max_parents=2, random_state=seed)
    assert adjacency.sum() == 12 and adjacency.sum(axis=0).max() <= 2
    order_nodes(adjacency)
    assert_array_equal(adjacency, draw_dag(9, 12, max_parents=2, random_state=seed))
    with pytest.raises(ValueError, match="n_edges must be between 0 and 3"):
        draw_dag(3, 4)


def test_comparison():
    comparison = compare_graphs(
        [[0, 1, 1], [0, 0, 0], [1, 0, 0]], [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    )
    assert isinstance(comparison, GraphComparison)
    assert comparison.right == [("x0", "x1"), ("x0", "x2")]
    assert comparison.missing == [("x1", "x2")]
    assert comparison.wrong_direction == [("x0", "x2")]
    assert comparison.distance == 2
    assert comparison.precision == 1.0 and comparison.recall == 2 / 3
    nothing = np.zeros((3, 3), dtype=int)
    assert compare_graphs(nothing, nothing).recall == 1.0
    with pytest.raises(ValueError, match="names must have one entry"):
        compare_graphs(np.zeros((2, 2)), nothing)


def test_networkx_and_back():
    adjacency, names = read_graph(ASIA)
    graph = to_networkx(adjacency, names)
    assert set(graph.edges) == set(ASIA.edges)
    again, _ = read_graph(graph, names)
    assert_array_equal(again, adjacency)
    undirected, _ = read_graph(nx.path_graph(3))
    assert_array_equal(undirected, undirected.T)


@pytest.mark.parametrize(
    "graph, message",
    [
        ([[0, 1]], "square matrix"),
        ([[0, 2], [0, 0]], "zeros and ones"),
        ([[1, 0], [0, 0]], "zeros on its diagonal"),
    ],
)
def test_wrong_graphs(graph, message):
    with pytest.raises(ValueError, match=message):
        read_graph(graph)
    with pytest.raises(ValueError, match="names must be the nodes"):
        read_graph(ASIA, ["a"])
    with pytest.raises(ValueError, match="different nodes"):
        is_d_separated([[0, 1], [0, 0]], 0, 0)
