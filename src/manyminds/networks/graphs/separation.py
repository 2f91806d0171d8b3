"""Paths in graphs: ancestors, d-separation, components, Markov blankets."""

import numpy as np

from manyminds.networks.graphs.forms import order_nodes


def find_ancestors(adjacency):
    """Return which node is an ancestor of which, itself included.

    Parameters
    ----------
    adjacency : array-like of shape (n_nodes, n_nodes)
        A DAG.

    Returns
    -------
    ancestors : ndarray of bool of shape (n_nodes, n_nodes)
        Row i has the ancestors of node i.

    Examples
    --------
    >>> from manyminds.networks import find_ancestors
    >>> find_ancestors([[0, 1, 0], [0, 0, 1], [0, 0, 0]]).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    adjacency = np.asarray(adjacency) > 0
    ancestors = np.eye(len(adjacency), dtype=bool)
    for node in order_nodes(adjacency):
        for parent in np.flatnonzero(adjacency[:, node]):
            ancestors[node] |= ancestors[parent]
    return ancestors


def moralize(adjacency):
    """Return the moral graph: parents of a child are joined, directions are dropped.

    Examples
    --------
    >>> from manyminds.networks import moralize
    >>> moralize([[0, 0, 1], [0, 0, 1], [0, 0, 0]])
    array([[0, 1, 1],
           [1, 0, 1],
           [1, 1, 0]], dtype=int8)
    """
    arcs = np.asarray(adjacency).astype(np.float32)
    moral = arcs + arcs.T + arcs @ arcs.T
    np.fill_diagonal(moral, 0)
    return (moral > 0).astype(np.int8)


def is_d_separated(adjacency, x, y, given=()):
    """Return whether a set of nodes blocks all paths between two nodes of a DAG.

    Two nodes are d-separated if they are not connected in the moral graph of their
    ancestors and those of the set, without the set [1]_.

    Parameters
    ----------
    adjacency : array-like of shape (n_nodes, n_nodes)
        A DAG.
    x, y : int
        The nodes.
    given : sequence of int, default=()
        The set.

    Returns
    -------
    separated : bool

    References
    ----------
    .. [1] Lauritzen, Dawid, Larsen and Leimer, "Independence properties of directed
       Markov fields", Networks 20, 1990.

    Examples
    --------
    >>> from manyminds.networks import is_d_separated
    >>> collider = [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    >>> is_d_separated(collider, 0, 1), is_d_separated(collider, 0, 1, [2])
    (True, False)
    """
    given = list(given)
    if x == y or x in given or y in given:
        raise ValueError(
            f"x, y and given must be different nodes; got {x}, {y} and {given}."
        )
    adjacency = np.asarray(adjacency)
    kept = find_ancestors(adjacency)[[x, y, *given]].any(axis=0)
    moral = moralize(adjacency * kept[:, None] * kept[None, :]) > 0
    moral[given] = False
    moral[:, given] = False
    return y not in _reach(moral, x)


def find_component(adjacency, node):
    """Return the nodes on a path with a node, whatever the directions, without itself.

    Examples
    --------
    >>> from manyminds.networks import find_component
    >>> find_component([[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]], 0)
    [1, 2]
    """
    edges = np.asarray(adjacency) > 0
    return sorted(_reach(edges | edges.T, node) - {node})


def _reach(edges, start):
    """Return the set of nodes that are connected with a node."""
    reached, fresh = np.zeros(len(edges), dtype=bool), np.zeros(len(edges), dtype=bool)
    fresh[start] = True
    while fresh.any():
        reached |= fresh
        fresh = edges[fresh].any(axis=0) & ~reached
    return set(np.flatnonzero(reached).tolist())


def find_markov_blanket(adjacency, node):
    """Return the parents, the children and the other parents of the children.

    Of a partially directed graph these are the neighbors, and the nodes with an arc to
    a node that has an arc from this node.

    Examples
    --------
    >>> from manyminds.networks import find_markov_blanket
    >>> find_markov_blanket([[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0] * 4], 0)
    [1, 2]
    """
    arcs = np.asarray(adjacency) > 0
    blanket = arcs[node] | arcs[:, node]
    directed = arcs & ~arcs.T
    for child in np.flatnonzero(directed[node]):
        blanket = blanket | directed[:, child]
    blanket[node] = False
    return np.flatnonzero(blanket).tolist()
