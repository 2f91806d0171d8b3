"""Ancestors, d-separation and blankets: networkx's answers and worked examples."""

import networkx as nx
import numpy as np
import pytest

from manyminds.networks.graphs.forms import read_graph
from manyminds.networks.graphs.separation import (
    find_ancestors,
    find_component,
    find_markov_blanket,
    is_d_separated,
    moralize,
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


def test_ancestors_agree_with_networkx(random_dags):
    for adjacency in random_dags[:20]:
        graph = nx.DiGraph(adjacency.astype(int))
        ancestors = find_ancestors(adjacency)
        for node in graph:
            expected = nx.ancestors(graph, node) | {node}
            assert set(np.flatnonzero(ancestors[node])) == expected


def test_blanket_and_component_of_asia():
    adjacency, names = read_graph(ASIA)

    def name(found):
        return {names[k] for k in found}

    blanket = find_markov_blanket(adjacency, names.index("either"))
    assert name(blanket) == {"tub", "lung", "xray", "dysp", "bronc"}
    assert len(find_component(adjacency, 0)) == 7
    assert moralize(adjacency)[names.index("tub"), names.index("lung")] == 1


def test_parents_are_married():
    moral = moralize([[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    expected = [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]
    assert moral.tolist() == expected


def test_a_node_is_not_separated_from_itself():
    with pytest.raises(ValueError, match="different nodes"):
        is_d_separated([[0, 1], [0, 0]], 0, 0)
