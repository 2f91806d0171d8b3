"""Arcs by names, lists of parents, moral graphs and orders of elimination."""

import networkx as nx
import numpy as np

from manyminds.datasets.networks.table_network import sort_topologically


def read_arcs(arcs, names, parameter="arcs"):
    """Turn arcs by names or positions into positions.

    Parameters
    ----------
    arcs : list of pairs or None
        Arcs as (parent, child).
    names : list
        Names of the nodes; positions are taken as well.
    parameter : str, default="arcs"
        What an error calls them.

    Returns
    -------
    arcs : list of pairs of int
    """
    at = {name: j for j, name in enumerate(names)}
    found = []
    for arc in () if arcs is None else arcs:
        try:
            u, v = arc
        except (TypeError, ValueError):
            raise ValueError(
                f"{parameter} must be pairs (parent, child); got {arc!r}."
            ) from None
        ends = []
        for name in (u, v):
            is_place = isinstance(name, (int, np.integer)) and 0 <= name < len(names)
            if name not in at and not is_place:
                raise ValueError(
                    f"{parameter} has {name!r}, which is no column; the columns are "
                    f"{list(names)}."
                )
            ends.append(at[name] if name in at else int(name))
        if ends[0] == ends[1]:
            raise ValueError(f"{parameter} has an arc from {u!r} to itself.")
        found.append(tuple(ends))
    return found


def list_parents(arcs, n_nodes):
    """Return the sorted parents of each node; raise if the arcs have a cycle.

    Examples
    --------
    >>> from manyminds.networks.bayesian.arcs import list_parents
    >>> list_parents([(2, 1), (0, 1)], 3)
    [(), (0, 2), ()]
    """
    parents = [
        tuple(sorted({u for u, v in arcs if v == node})) for node in range(n_nodes)
    ]
    sort_topologically(parents)
    return parents


def make_graph(arcs, names):
    """Return a matrix of arcs as a ``networkx.DiGraph``; raise if it has a cycle."""
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from((names[u], names[v]) for u, v in np.argwhere(arcs))
    if not nx.is_directed_acyclic_graph(graph):
        cycle = [u for u, _ in nx.find_cycle(graph)]
        raise ValueError(f"The arcs must have no cycle; there is one through {cycle}.")
    return graph


def find_ancestors(parents, nodes):
    """Return nodes and all from which arcs lead to them, as a set."""
    found, waiting = set(), list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += parents[node]
    return found


def join_parents(parents, nodes):
    """Return the moral graph of some nodes: neighbors of each, parents married."""
    neighbors = {node: set() for node in nodes}
    for node in nodes:
        family = [node, *(parent for parent in parents[node] if parent in neighbors)]
        for u in family:
            neighbors[u].update(v for v in family if v != u)
    return neighbors


def order_elimination(neighbors, n_states, keep=()):
    """Order nodes for elimination, each with the clique that this makes.

    Of the nodes left, the one goes first that adds the fewest arcs between its
    neighbors; of ties, the one with the smallest table.

    Parameters
    ----------
    neighbors : dict of int to set of int
        An undirected graph; it is not changed.
    n_states : sequence of int
    keep : collection of int, default=()
        Nodes that are not eliminated.

    Returns
    -------
    steps : list of (int, frozenset of int)
        Each node with the clique of itself and its neighbors at that time.
    """
    graph = {node: set(others) for node, others in neighbors.items()}
    steps, left = [], set(graph) - set(keep)

    def cost(node):
        others = list(graph[node])
        missing = sum(
            b not in graph[a] for k, a in enumerate(others) for b in others[:k]
        )
        size = np.prod([float(n_states[v]) for v in (node, *others)])
        return missing, size, node

    costs = {node: cost(node) for node in left}
    while left:
        node = min(left, key=costs.get)
        others = graph.pop(node)
        steps.append((node, frozenset({node, *others})))
        for u in others:
            graph[u].discard(node)
            graph[u].update(others - {u})
        left.discard(node)
        near = set(others).union(*(graph[u] for u in others)) if others else set()
        costs.update({u: cost(u) for u in near & left})
    return steps
