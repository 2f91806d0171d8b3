"""Matrices, networkx, arcs and parents: from one form to another, and errors."""

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.graphs.forms import (
    list_parents,
    make_adjacency,
    order_nodes,
    read_arcs,
    read_graph,
    read_parents,
    to_networkx,
)


def test_arcs_by_names_and_positions():
    assert read_arcs([("b", "a"), (0, 1)], ["a", "b"]) == [(1, 0), (0, 1)]
    assert read_arcs(None, ["a"]) == []
    assert list_parents([(0, 2), (1, 2)], list("abc")) == [(), (), (0, 1)]
    with pytest.raises(ValueError, match=r"cycle through \['a', 'b'\]"):
        list_parents([(0, 1), (1, 0)], ["a", "b"])
    with pytest.raises(ValueError, match="'c', which is no column"):
        read_arcs([("a", "c")], ["a", "b"])
    with pytest.raises(ValueError, match="pairs"):
        read_arcs(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="to itself"):
        read_arcs([("a", "a")], ["a", "b"])


def test_order_and_parents(random_dags):
    for adjacency in random_dags[:20]:
        place = {node: k for k, node in enumerate(order_nodes(adjacency))}
        assert all(place[a] < place[b] for a, b in np.argwhere(adjacency))
        assert_array_equal(make_adjacency(read_parents(adjacency)), adjacency)


def test_cycles_are_refused():
    with pytest.raises(ValueError, match="acyclic"):
        order_nodes([[0, 1], [1, 0]])


def test_networkx_and_back():
    true = nx.DiGraph([("b", "a"), ("b", "c"), ("a", "c")])
    adjacency, names = read_graph(true)
    graph = to_networkx(adjacency, names)
    assert set(graph.edges) == set(true.edges)
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
        read_graph(nx.path_graph(2), ["a"])
