"""Random graphs."""

import numpy as np
from sklearn.utils import check_random_state


def draw_dag(n_nodes, n_edges, *, max_parents=None, random_state=None):
    """Draw a random DAG.

    Parameters
    ----------
    n_nodes : int
    n_edges : int
        Number of arcs, among randomly ordered nodes; fewer if ``max_parents`` leaves no
        room for them.
    max_parents : int, default=None
        Maximum number of parents of a node; None: no limit.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    adjacency : ndarray of int8 of shape (n_nodes, n_nodes)

    Examples
    --------
    >>> from manyminds.networks import draw_dag
    >>> int(draw_dag(6, 8, random_state=0).sum())
    8
    """
    rng = check_random_state(random_state)
    order = rng.permutation(n_nodes)
    pairs = [(a, b) for a in range(n_nodes) for b in range(a + 1, n_nodes)]
    if not 0 <= n_edges <= len(pairs):
        raise ValueError(
            f"n_edges must be between 0 and {len(pairs)} for {n_nodes} nodes; got "
            f"{n_edges}."
        )
    adjacency = np.zeros((n_nodes, n_nodes), dtype=np.int8)
    for k in rng.permutation(len(pairs)):
        parent, child = order[pairs[k][0]], order[pairs[k][1]]
        if adjacency.sum() == n_edges:
            break
        if max_parents is None or adjacency[:, child].sum() < max_parents:
            adjacency[parent, child] = 1
    return adjacency
