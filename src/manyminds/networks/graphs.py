"""Graphs as small matrices: separation, blankets, equivalence classes, comparison.

Entry ``[i, j]`` of an adjacency matrix is 1 if there is an arc from node i to node j.
Two arcs in opposite directions stand for an edge without a direction. A matrix without
such edges and without cycles is a directed acyclic graph (DAG); with them it is a
partially directed graph, such as the equivalence class (CPDAG) of a DAG.
"""

from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np
from sklearn.utils import check_random_state


def read_graph(graph, names=None):
    """Check a graph; return its adjacency matrix and the names of its nodes.

    Parameters
    ----------
    graph : array-like of shape (n_nodes, n_nodes) or networkx graph
        A matrix of zeros and ones, or a graph of networkx; edges of an undirected graph
        become arcs in both directions.
    names : list of str, default=None
        Names of the nodes of a matrix, x0, x1, ... by default; of a networkx graph, the
        order of its nodes.

    Returns
    -------
    adjacency : ndarray of int8 of shape (n_nodes, n_nodes)
    names : list

    Examples
    --------
    >>> from manyminds.networks import read_graph
    >>> adjacency, names = read_graph([[0, 1], [0, 0]])
    >>> names
    ['x0', 'x1']
    """
    if isinstance(graph, nx.Graph):
        names = list(graph.nodes) if names is None else list(names)
        place = {name: k for k, name in enumerate(names)}
        if set(names) != set(graph.nodes):
            raise ValueError(
                f"names must be the nodes of the graph, {list(graph.nodes)}; got "
                f"{names}."
            )
        adjacency = np.zeros((len(names), len(names)), dtype=np.int8)
        for a, b in graph.edges:
            adjacency[place[a], place[b]] = 1
            if not graph.is_directed():
                adjacency[place[b], place[a]] = 1
        return adjacency, names
    adjacency = np.asarray(graph)
    if adjacency.ndim != 2 or adjacency.shape[0] != adjacency.shape[1]:
        raise ValueError(
            "graph must be a networkx graph or a square matrix; got an array of shape "
            f"{adjacency.shape}."
        )
    if not np.isin(adjacency, (0, 1)).all() or np.diagonal(adjacency).any():
        raise ValueError(
            "graph must be a matrix of zeros and ones with zeros on its diagonal."
        )
    names = [f"x{k}" for k in range(len(adjacency))] if names is None else list(names)
    if len(names) != len(adjacency):
        raise ValueError(
            f"names must have one entry for each of the {len(adjacency)} nodes; got "
            f"{len(names)}."
        )
    return adjacency.astype(np.int8), names


def to_networkx(adjacency, names=None):
    """Return a matrix as a directed graph of networkx.

    An edge without a direction becomes two arcs. Each arc has an attribute
    ``directed``, which is False for these.

    Examples
    --------
    >>> from manyminds.networks import to_networkx
    >>> graph = to_networkx([[0, 1, 0], [0, 0, 1], [0, 1, 0]], ["a", "b", "c"])
    >>> sorted(graph.edges(data="directed"))
    [('a', 'b', True), ('b', 'c', False), ('c', 'b', False)]
    """
    adjacency, names = read_graph(adjacency, names)
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for i, j in np.argwhere(adjacency).tolist():
        graph.add_edge(names[i], names[j], directed=not adjacency[j, i])
    return graph


def order_nodes(adjacency):
    """Return the nodes of a DAG in an order in which parents precede their children.

    Raises ``ValueError`` if there is a cycle, such as an edge without a direction.

    Examples
    --------
    >>> from manyminds.networks import order_nodes
    >>> order_nodes([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    [2, 1, 0]
    """
    adjacency = np.asarray(adjacency)
    n_parents, order = adjacency.sum(axis=0), []
    ready = [int(i) for i in np.flatnonzero(n_parents == 0)]
    while ready:
        node = ready.pop(0)
        order.append(node)
        n_parents = n_parents - adjacency[node]
        new = np.flatnonzero((adjacency[node] > 0) & (n_parents == 0))
        ready += [int(i) for i in new]
    if len(order) < len(adjacency):
        raise ValueError("the graph must be acyclic, with a direction for each edge.")
    return order


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
    arcs = np.asarray(adjacency).astype(np.int64)
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
    changed = True
    while changed:
        changed = False
        arcs = (graph > 0) & ~(graph.T > 0)
        for i, j in np.argwhere((graph > 0) & (graph.T > 0)).tolist():
            if graph[i, j] and graph[j, i] and _must_point(graph, arcs, i, j):
                graph[j, i] = 0
                arcs[i, j] = True
                changed = True
    return graph


def _must_point(graph, arcs, i, j):
    """Return whether the edge between two nodes must point from i to j."""
    adjacent = (graph > 0) | (graph.T > 0)
    if (arcs[:, i] & ~adjacent[:, j] & (np.arange(len(graph)) != j)).any():
        return True  # k -> i - j: the other way there would be a new collider
    if (arcs[i] & arcs[:, j]).any():
        return True  # i -> k -> j: the other way there would be a cycle
    edges = (graph > 0) & (graph.T > 0)
    between = np.flatnonzero(edges[i] & arcs[:, j])
    return any(not adjacent[a, b] for a, b in combinations(between, 2))


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


@dataclass(frozen=True)
class GraphComparison:
    """Edges of a learned graph compared with those of a true one.

    Attributes
    ----------
    right : list of tuple
        Edges of both graphs, whatever their directions, as pairs of names.
    missing : list of tuple
        Edges of the true graph only.
    extra : list of tuple
        Edges of the learned graph only.
    wrong_direction : list of tuple
        Edges of both graphs that are directed differently, including those that are
        directed in one graph only.
    precision : float
        Share of the learned edges that are right; 1 if there are none.
    recall : float
        Share of the true edges that are right; 1 if there are none.
    distance : int
        Structural Hamming distance: missing, extra and wrongly directed edges.
    """

    right: list
    missing: list
    extra: list
    wrong_direction: list

    @property
    def precision(self):
        """Share of the learned edges that are right."""
        n_learned = len(self.right) + len(self.extra)
        return len(self.right) / n_learned if n_learned else 1.0

    @property
    def recall(self):
        """Share of the true edges that are right."""
        n_true = len(self.right) + len(self.missing)
        return len(self.right) / n_true if n_true else 1.0

    @property
    def distance(self):
        """Structural Hamming distance."""
        return len(self.missing) + len(self.extra) + len(self.wrong_direction)


def compare_graphs(learned, true, names=None):
    """Compare a learned graph with the true one.

    To compare what data can tell, pass the equivalence class of the true graph, see
    `find_cpdag`.

    Parameters
    ----------
    learned, true : networkx graph or array-like of shape (n_nodes, n_nodes)
        Of the same nodes.
    names : list of str, default=None
        Names of the nodes of matrices.

    Returns
    -------
    comparison : GraphComparison

    Examples
    --------
    >>> from manyminds.networks import compare_graphs
    >>> learned = [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    >>> true = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> comparison = compare_graphs(learned, true, ["a", "b", "c"])
    >>> comparison.right, comparison.missing, comparison.extra
    ([('a', 'b')], [('b', 'c')], [('a', 'c')])
    >>> comparison.distance
    2
    """
    true, names = read_graph(true, names)
    learned, _ = read_graph(learned, names)
    if len(learned) != len(true):
        raise ValueError(
            f"learned and true must have the same nodes; got {len(learned)} and "
            f"{len(true)}."
        )
    lists = {"right": [], "missing": [], "extra": [], "wrong_direction": []}
    for a, b in combinations(range(len(names)), 2):
        is_learned = learned[a, b] or learned[b, a]
        is_true = true[a, b] or true[b, a]
        pair = names[a], names[b]
        if is_learned and is_true:
            lists["right"].append(pair)
            if (learned[a, b], learned[b, a]) != (true[a, b], true[b, a]):
                lists["wrong_direction"].append(pair)
        elif is_true:
            lists["missing"].append(pair)
        elif is_learned:
            lists["extra"].append(pair)
    return GraphComparison(**lists)
