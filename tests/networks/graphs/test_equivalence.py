"""Equivalence classes by enumeration; members of a class, and graphs without one."""

from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.graphs.drawing import draw_dag
from manyminds.networks.graphs.equivalence import (
    complete_orientation,
    extend_pdag,
    find_cpdag,
)
from manyminds.networks.graphs.forms import order_nodes


def list_class(adjacency):
    """Return all DAGs with the same edges and the same colliders."""
    return [
        graph
        for graph in list_orientations(adjacency)
        if nx.is_directed_acyclic_graph(nx.DiGraph(graph.astype(int)))
        and find_colliders(graph) == find_colliders(adjacency)
    ]


def test_equivalence_class_by_enumeration(seed):
    for k in range(25):
        adjacency = draw_dag(6, 3 + k % 6, random_state=seed + k)
        expected = np.max(list_class(adjacency), axis=0)  # arcs of some member
        assert_array_equal(find_cpdag(adjacency), expected)


def test_orientation_leaves_what_is_not_determined():
    star = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    assert_array_equal(complete_orientation(star), star)


def test_the_extension_of_a_class_is_a_member(random_dags):
    for adjacency in random_dags:
        cpdag = find_cpdag(adjacency)
        assert_array_equal(find_cpdag(extend_pdag(cpdag)), cpdag)


def test_extensions_by_enumeration(seed):
    # Random arcs and edges: there is an extension if and only if some order of the
    # edges keeps all arcs and has the same colliders, whether Meek's rules hold or not.
    rng = np.random.default_rng(seed)
    n_without = 0
    for k in range(40):
        dag = draw_dag(5, 3 + k % 5, random_state=seed + k)
        turned = dag & (rng.random(dag.shape) < 0.3)
        some = dag & (rng.random(dag.shape) < 0.5)
        pdag = (dag & ~turned) | turned.T | (some | some.T) * (dag | dag.T)
        members = [one for one in list_orientations(pdag) if is_extension(one, pdag)]
        if members:
            assert any((extend_pdag(pdag) == one).all() for one in members)
            assert_array_equal(extend_pdag(pdag), extend_pdag(pdag, strict=False))
        else:
            n_without += 1
            with pytest.raises(ValueError, match="no consistent extension"):
                extend_pdag(pdag)
            near = extend_pdag(pdag, strict=False)
            order_nodes(near)
            assert_array_equal(near | near.T, pdag | pdag.T)
    assert 0 < n_without < 40


def list_orientations(pdag):
    edges = np.argwhere(np.triu(pdag | pdag.T)).tolist()
    for turns in product((False, True), repeat=len(edges)):
        graph = np.zeros_like(pdag)
        for (a, b), is_turned in zip(edges, turns):
            graph[(b, a) if is_turned else (a, b)] = 1
        yield graph


def is_extension(graph, pdag):
    """Whether a graph is acyclic, has the arcs of another, and just its colliders."""
    is_dag = nx.is_directed_acyclic_graph(nx.DiGraph(graph.astype(int)))
    arcs = pdag & ~pdag.T
    return (
        is_dag
        and not (arcs & ~graph).any()
        and not (find_colliders(graph) - find_colliders(arcs, pdag | pdag.T))
    )


def find_colliders(graph, skeleton=None):
    skeleton = graph | graph.T if skeleton is None else skeleton
    return {
        (a, c, b)
        for b in range(len(graph))
        for a, c in combinations(np.flatnonzero(graph[:, b]).tolist(), 2)
        if not skeleton[a, c]
    }


def test_fixed_arcs_stay_where_others_cannot():
    # A square has no extension: each orientation has a cycle or a new collider.
    square = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    with pytest.raises(ValueError, match="no consistent extension"):
        extend_pdag(square)
    for a, b in ((0, 1), (1, 0), (2, 3), (3, 2)):
        fixed = np.zeros_like(square)
        fixed[a, b] = 1
        pdag = square.copy()
        pdag[b, a] = 0
        dag = extend_pdag(pdag, fixed=fixed, strict=False)
        order_nodes(dag)
        assert dag[a, b] == 1 and dag.sum() == 4
    with pytest.raises(ValueError, match="cycle"):
        extend_pdag(square, fixed=square)
