"""Forms of a graph: matrix, networkx, lists of arcs and of parents.

Entry ``[i, j]`` of an adjacency matrix is 1 if there is an arc from node i to node j.
Two arcs in opposite directions stand for an edge without a direction. A matrix without
such edges and without cycles is a directed acyclic graph (DAG); with them it is a
partially directed graph, such as the equivalence class (CPDAG) of a DAG.
"""

import sys

import numpy as np

from manyminds.datasets.networks.table_network import sort_topologically


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
    nx = sys.modules.get("networkx")  # slow to import; who has a graph of it did
    if nx is not None and isinstance(graph, nx.Graph):
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
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for i, j in np.argwhere(adjacency).tolist():
        graph.add_edge(names[i], names[j], directed=not adjacency[j, i])
    return graph


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


def list_parents(arcs, names):
    """Return the sorted parents of each node; raise if the arcs have a cycle.

    Parameters
    ----------
    arcs : list of pairs of int
        Arcs as (parent, child), by positions.
    names : list
        Names of the nodes, for an error.

    Returns
    -------
    parents : list of tuple of int

    Examples
    --------
    >>> from manyminds.networks.graphs.forms import list_parents
    >>> list_parents([(2, 1), (0, 1)], ["a", "b", "c"])
    [(), (0, 2), ()]
    """
    adjacency = np.zeros((len(names), len(names)), dtype=np.int8)
    for u, v in arcs:
        adjacency[u, v] = 1
    order_nodes(adjacency, names)  # or there is a cycle
    return read_parents(adjacency)


def read_parents(adjacency):
    """Return the parents of each node of a matrix, as tuples of positions.

    Examples
    --------
    >>> from manyminds.networks.graphs.forms import read_parents
    >>> read_parents([[0, 1], [0, 0]])
    [(), (0,)]
    """
    return [
        tuple(np.flatnonzero(column).tolist()) for column in np.transpose(adjacency)
    ]


def make_adjacency(parents):
    """Return the matrix of a graph whose nodes have these parents.

    Examples
    --------
    >>> from manyminds.networks.graphs.forms import make_adjacency
    >>> make_adjacency([(), (0,)])
    array([[0, 1],
           [0, 0]], dtype=int8)
    """
    adjacency = np.zeros((len(parents), len(parents)), dtype=np.int8)
    for child, of_node in enumerate(parents):
        adjacency[list(of_node), child] = 1
    return adjacency


def order_nodes(adjacency, names=None):
    """Return the nodes of a DAG in an order in which parents precede their children.

    Raises ``ValueError`` if there is a cycle, such as an edge without a direction.

    Parameters
    ----------
    adjacency : array-like of shape (n_nodes, n_nodes)
    names : list, default=None
        Names of the nodes, for the error; positions by default.

    Returns
    -------
    order : list of int

    Examples
    --------
    >>> from manyminds.networks import order_nodes
    >>> order_nodes([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    [2, 1, 0]
    """
    try:
        return sort_topologically(read_parents(adjacency))
    except ValueError:
        import networkx as nx

        names = range(len(adjacency)) if names is None else names
        graph = nx.DiGraph(np.asarray(adjacency).astype(int))
        cycle = [names[u] for u, _ in nx.find_cycle(graph)]
        raise ValueError(
            f"The graph must be acyclic; there is a cycle through {cycle}."
        ) from None
