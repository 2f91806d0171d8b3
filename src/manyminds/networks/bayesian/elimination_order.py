"""In which order nodes of a network are summed out."""

import numpy as np


def order_elimination(moral, n_states, eliminated):
    """Order nodes for elimination, each with the clique that this makes.

    Of the nodes left, the one goes first that adds the fewest arcs between its
    neighbors; of ties, the one with the smallest table.

    Parameters
    ----------
    moral : ndarray of shape (n_nodes, n_nodes)
        An undirected graph.
    n_states : sequence of int
    eliminated : collection of int
        Nodes that are eliminated.

    Returns
    -------
    steps : list of (int, frozenset of int)
        Each node with the clique of itself and its neighbors at that time.
    """
    graph = {v: set(np.flatnonzero(row).tolist()) for v, row in enumerate(moral)}
    steps, left = [], set(eliminated)

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
