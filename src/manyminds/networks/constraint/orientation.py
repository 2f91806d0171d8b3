"""Directions of edges: colliders, then what follows from them."""

import numpy as np

from manyminds.networks.graphs.equivalence import complete_orientation


def orient_edges(skeleton, separators):
    """Orient the edges of a skeleton as far as separating sets determine directions.

    If A and C are not adjacent, both are adjacent to B, and B is not in the set that
    separates them, then A -> B <- C. Where two such colliders contradict each other,
    the first one wins. All other arcs follow by Meek's rules.

    Parameters
    ----------
    skeleton : ndarray of shape (n_variables, n_variables)
        A symmetric matrix.
    separators : dict
        The separating set of each pair (i, j), i < j, without an edge.

    Returns
    -------
    adjacency : ndarray of int8 of shape (n_variables, n_variables)

    Notes
    -----
    A chapter [1]_ prints the rule for colliders without its condition on the separating
    set: every chain A - B - C would become a collider.

    References
    ----------
    .. [1] Duangsoithong and Windeatt, "Hybrid correlation and causal feature selection
       for ensemble classifiers", Ensembles in Machine Learning Applications, Springer,
       2011.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import orient_edges
    >>> chain = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> orient_edges(chain, {(0, 2): ()})
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 1, 0]], dtype=int8)
    """
    edges = np.asarray(skeleton) > 0
    graph = edges.astype(np.int8)
    for b in range(len(edges)):
        near = np.flatnonzero(edges[b])
        apart = np.argwhere(np.triu(~edges[np.ix_(near, near)], 1))
        for a, c in near[apart].tolist():
            separator = separators.get((a, c))
            if separator is None or b in separator:
                continue
            if graph[a, b] and graph[c, b]:  # neither arc leaves b already
                graph[b, a] = graph[b, c] = 0
    return complete_orientation(graph)
