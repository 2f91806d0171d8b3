"""Arcs, moral graphs, orders of elimination."""

import numpy as np
import pytest

from manyminds.networks.bayesian.arcs import (
    find_ancestors,
    join_parents,
    list_parents,
    make_graph,
    order_elimination,
    read_arcs,
)


def test_arcs_by_names_and_positions():
    assert read_arcs([("b", "a"), (0, 1)], ["a", "b"]) == [(1, 0), (0, 1)]
    assert read_arcs(None, ["a"]) == []
    assert list_parents([(0, 2), (1, 2)], 3) == [(), (), (0, 1)]
    with pytest.raises(ValueError, match="cycle"):
        list_parents([(0, 1), (1, 0)], 2)


def test_graph_names_a_cycle():
    graph = make_graph(np.array([[0, 1], [0, 0]]), ["a", "b"])
    assert list(graph.edges) == [("a", "b")]
    with pytest.raises(ValueError, match=r"through \['a', 'b'\]"):
        make_graph(np.array([[0, 1], [1, 0]]), ["a", "b"])


def test_parents_are_married():
    parents = [(), (), (0, 1), (2,)]
    assert find_ancestors(parents, [2]) == {0, 1, 2}
    assert join_parents(parents, range(4)) == {
        0: {1, 2},
        1: {0, 2},
        2: {0, 1, 3},
        3: {2},
    }


def test_elimination_of_a_square_adds_one_chord():
    square = {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}
    steps = order_elimination(square, [2, 2, 2, 2])
    assert [node for node, _ in steps] == [0, 1, 2, 3]
    assert [len(clique) for _, clique in steps] == [3, 3, 2, 1]
    kept = order_elimination(square, [2, 2, 2, 2], keep=[0])
    assert [node for node, _ in kept] == [1, 2, 3]
    assert square[0] == {1, 3}  # not changed
