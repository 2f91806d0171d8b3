"""Draw a graph, alone or beside the true one."""

import networkx as nx
import numpy as np

RIGHT, REVERSED, EXTRA, MISSING = "right", "reversed", "extra", "missing"
COLORS = {RIGHT: "tab:blue", REVERSED: "tab:orange", EXTRA: "tab:red", MISSING: "0.7"}
STYLES = {RIGHT: "-", REVERSED: "-", EXTRA: "-", MISSING: "--"}


def compare_graphs(learned, true):
    """Sort the edges of two graphs into right, reversed, extra and missing ones.

    Parameters
    ----------
    learned, true : networkx.DiGraph or iterable of pairs
        Graphs, or their arcs as (parent, child).

    Returns
    -------
    edges : dict of str to list of pairs
        The first three as the learned graph has them, the last as the true one has.

    Examples
    --------
    >>> from manyminds.networks import compare_graphs
    >>> compare_graphs([("a", "b"), ("b", "c")], [("a", "b"), ("c", "b"), ("c", "d")])
    {'right': [('a', 'b')], 'reversed': [('b', 'c')], 'extra': [],
    'missing': [('c', 'd')]}
    """
    learned, true = _list_arcs(learned), _list_arcs(true)
    known, found = set(true), set(learned)
    edges = {RIGHT: [], REVERSED: [], EXTRA: [], MISSING: []}
    for u, v in learned:
        kind = RIGHT if (u, v) in known else REVERSED if (v, u) in known else EXTRA
        edges[kind].append((u, v))
    edges[MISSING] = [
        (u, v) for u, v in true if (u, v) not in found and (v, u) not in found
    ]
    return edges


def plot_network(graph, true=None, *, positions=None, ax=None, node_size=700):
    """Draw a graph; with the true one, edges by whether they are right.

    Parameters
    ----------
    graph : networkx.DiGraph or iterable of pairs
        Such as the ``graph_`` of `HillClimbingSearch` or of `BayesianNetwork`.
    true : networkx.DiGraph or iterable of pairs, default=None
        Right edges are blue, reversed ones orange, extra ones red, and missing ones
        dashed and gray.
    positions : dict of node to (x, y), default=None
        None: nodes in layers, each below its parents.
    ax : matplotlib Axes, default=None
        Where to draw; None: a new figure.
    node_size : float, default=700
        Area of a node, in square points.

    Returns
    -------
    ax : matplotlib Axes
    """
    import matplotlib.pyplot as plt

    ax = plt.subplots(layout="constrained")[1] if ax is None else ax
    arcs = _list_arcs(graph)
    whole = nx.DiGraph(arcs if true is None else _list_arcs(true))
    whole.add_nodes_from(_list_nodes(graph))
    if positions is None:
        positions = place_in_layers(whole)
    edges = {RIGHT: arcs} if true is None else compare_graphs(graph, true)
    nx.draw_networkx_nodes(
        whole, positions, ax=ax, node_size=node_size, node_color="white",
        edgecolors="0.3",
    )  # fmt: skip
    nx.draw_networkx_labels(whole, positions, ax=ax, font_size=7)
    for kind, listed in edges.items():
        nx.draw_networkx_edges(
            nx.DiGraph(listed), positions, edgelist=listed, ax=ax,
            edge_color=COLORS[kind], style=STYLES[kind], node_size=node_size,
            arrowsize=10,
        )  # fmt: skip
        if true is not None:
            label = f"{kind} ({len(listed)})"
            ax.plot([], [], STYLES[kind], color=COLORS[kind], label=label)
    if true is not None:
        ax.legend(fontsize=7, frameon=False)
    ax.set_axis_off()
    return ax


def place_in_layers(graph):
    """Return positions of the nodes of an acyclic graph, each below its parents.

    Parameters
    ----------
    graph : networkx.DiGraph

    Returns
    -------
    positions : dict of node to (x, y)
    """
    layers = [list(layer) for layer in nx.topological_generations(graph)]
    positions = {}
    for depth, layer in enumerate(layers):
        # Nodes of a layer in the order of their parents' places, to cross less.
        places = [
            np.mean([positions[u][0] for u in graph.predecessors(v)] or [0.0])
            for v in layer
        ]
        order = np.argsort(places, kind="stable")
        width = np.linspace(-1.0, 1.0, len(layer)) if len(layer) > 1 else [0.0]
        for x, k in zip(width, order):
            positions[layer[k]] = (float(x), -float(depth))
    return positions


def _list_arcs(graph):
    return list(graph.edges) if hasattr(graph, "edges") else [tuple(a) for a in graph]


def _list_nodes(graph):
    if hasattr(graph, "nodes"):
        return list(graph.nodes)
    return list(dict.fromkeys(node for arc in graph for node in arc))
