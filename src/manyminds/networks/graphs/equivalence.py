"""Graphs that imply the same independencies: their class, and a member of it."""

from itertools import combinations

import numpy as np

from manyminds.networks.graphs.forms import order_nodes


def find_cpdag(adjacency):
    """Return the equivalence class of a DAG: the arcs that all its members share.

    Edges that point in different directions in different members have no direction.
    Data alone cannot tell the members of a class apart.

    Examples
    --------
    >>> from manyminds.networks import find_cpdag
    >>> find_cpdag([[0, 1, 0], [0, 0, 1], [0, 0, 0]])  # a chain: no arc is certain
    array([[0, 1, 0],
           [1, 0, 1],
           [0, 1, 0]], dtype=int8)
    """
    arcs = np.asarray(adjacency).astype(np.int8)
    order_nodes(arcs)  # or it has a cycle
    edges = (arcs | arcs.T).astype(np.int8)
    pattern = edges.copy()
    for child in range(len(arcs)):
        for a, b in combinations(np.flatnonzero(arcs[:, child]), 2):
            if not edges[a, b]:
                pattern[child, a] = pattern[child, b] = 0
    return complete_orientation(pattern)


def complete_orientation(pattern):
    """Orient all edges whose direction follows from the arcs there are.

    The rules are Meek's [1]_: no new collider may arise, and no cycle.

    Parameters
    ----------
    pattern : array-like of shape (n_nodes, n_nodes)
        Edges without a direction and arcs, such as those into colliders.

    Returns
    -------
    adjacency : ndarray of int8 of shape (n_nodes, n_nodes)

    References
    ----------
    .. [1] Meek, "Causal inference and causal explanation with background knowledge",
       UAI, 1995.

    Examples
    --------
    >>> from manyminds.networks import complete_orientation
    >>> complete_orientation([[0, 1, 0], [0, 0, 1], [0, 1, 0]])  # a -> b - c
    array([[0, 1, 0],
           [0, 0, 1],
           [0, 0, 0]], dtype=int8)
    """
    graph = np.array(pattern, dtype=np.int8)
    adjacent, changed = (graph > 0) | (graph.T > 0), True
    while changed:
        changed = False
        arcs = (graph > 0) & ~(graph.T > 0)
        for i, j in np.argwhere((graph > 0) & (graph.T > 0)).tolist():
            if graph[i, j] and graph[j, i] and _must_point(graph, arcs, adjacent, i, j):
                graph[j, i] = 0
                arcs[i, j] = True
                changed = True
    return graph


def _must_point(graph, arcs, adjacent, i, j):
    """Return whether the edge between two nodes must point from i to j."""
    if (arcs[:, i] & ~adjacent[:, j] & (np.arange(len(graph)) != j)).any():
        return True  # k -> i - j: the other way there would be a new collider
    if (arcs[i] & arcs[:, j]).any():
        return True  # i -> k -> j: the other way there would be a cycle
    between = np.flatnonzero((graph[i] > 0) & (graph[:, i] > 0) & arcs[:, j])
    return any(not adjacent[a, b] for a, b in combinations(between, 2))


def extend_pdag(pdag, *, fixed=None, strict=True):
    """Return a DAG with the edges, the arcs and the colliders of a graph, and no more.

    Nodes are removed one by one [1]_: each must be able to be the last one, which no
    arc leaves, and whose edges without a direction may point to it without a new
    collider. Of a CPDAG, the result is a member of the class.

    Parameters
    ----------
    pdag : array-like of shape (n_nodes, n_nodes)
        A partially directed graph.
    fixed : array-like of bool of shape (n_nodes, n_nodes), default=None
        Arcs of ``pdag`` that are kept even if others are not; they have no cycle.
    strict : bool, default=True
        Whether to raise ``ValueError`` if there is no such DAG, as tests that err can
        cause. Otherwise, where no node can be the last, the one is taken that needs
        the fewest reversed arcs and new colliders.

    Returns
    -------
    adjacency : ndarray of int8 of shape (n_nodes, n_nodes)
        A DAG with the edges of ``pdag``.

    References
    ----------
    .. [1] Dor and Tarsi, "A simple algorithm to construct a consistent extension of a
       partially oriented graph", technical report R-185, UCLA, 1992.

    Examples
    --------
    >>> from manyminds.networks import extend_pdag
    >>> extend_pdag([[0, 1, 0], [1, 0, 1], [0, 1, 0]])  # a chain without directions
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 1, 0]], dtype=int8)
    """
    graph = np.array(pdag, dtype=np.int8) > 0
    is_fixed = np.zeros_like(graph) if fixed is None else np.asarray(fixed) > 0
    order_nodes(is_fixed)  # or they have a cycle
    dag, left = np.zeros(graph.shape, dtype=np.int8), list(range(len(graph)))
    while left:
        costs = []
        for node in left:
            costs.append(
                np.inf if is_fixed[node].any() else _count_changes(graph, node)
            )
            if costs[-1] == 0:
                break
        best = left.pop(int(np.argmin(costs)))
        if min(costs) > 0 and strict:
            raise ValueError(
                "The graph has no consistent extension: each order of its nodes makes "
                "a cycle or a new collider. Pass strict=False for a DAG near it."
            )
        dag[:, best] = graph[best] | graph[:, best]
        graph[best] = graph[:, best] = is_fixed[:, best] = False
    return dag


def _count_changes(graph, node):
    """Count the arcs that leave a node, and the colliders it would become."""
    leaves = graph[node] & ~graph[:, node]
    open_ends = np.flatnonzero(graph[node] & graph[:, node])
    near = np.flatnonzero(graph[node] | graph[:, node])
    joined = graph[np.ix_(open_ends, near)] | graph[np.ix_(near, open_ends)].T
    n_apart = joined.size - np.count_nonzero(joined) - len(open_ends)  # not itself
    return np.count_nonzero(leaves) + n_apart
