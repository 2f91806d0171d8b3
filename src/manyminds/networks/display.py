"""Pictures of graphs: a learned one next to the true one."""

import numpy as np

from manyminds.networks.graphs.comparison import compare_graphs
from manyminds.networks.graphs.forms import read_graph

RIGHT, REVERSED = "#3d8bc9", "#8a5fbf"
MISSING, EXTRA = "#b8b8b8", "#d9822b"
NODE, TARGET = "#f4f4f4", "#ffe9a8"


class GraphDisplay:
    """Plot a graph, or a learned graph next to the true one.

    Edges of the learned graph that are right are blue, those of another direction than
    the true ones are violet, extra ones are orange, and missing ones are dashed and
    gray. Edges without an arrowhead have no direction.

    Parameters
    ----------
    graph : networkx graph or array-like of shape (n_nodes, n_nodes)
        The learned graph.
    true_graph : networkx graph or array-like of shape (n_nodes, n_nodes), default=None
        The true graph of the same nodes.
    names : list of str, default=None
        Names of the nodes of matrices.

    Attributes
    ----------
    comparison : GraphComparison or None
        Right, missing and extra edges.
    axes_ : ndarray of matplotlib Axes
        One or two, after `plot`.
    figure_ : matplotlib Figure

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from manyminds.networks import GraphDisplay
    >>> learned = [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    >>> true = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> display = GraphDisplay(learned, true, names=["a", "b", "c"]).plot()
    >>> display.axes_[1].get_title()
    'learned: 1 right, 1 missing, 1 extra'
    """

    def __init__(self, graph, true_graph=None, *, names=None):
        self.true_graph, self.comparison = true_graph, None
        if true_graph is not None:
            self.true_graph, names = read_graph(true_graph, names)
        self.graph, self.names = read_graph(graph, names)
        if true_graph is not None:
            self.comparison = compare_graphs(self.graph, self.true_graph, self.names)

    def plot(self, axes=None, *, highlight=None, layout=None):
        """Draw the graph; next to the true one if there is one.

        Parameters
        ----------
        axes : array-like of matplotlib Axes, default=None
            One for the learned graph, or two: the true graph on the left. By default a
            new figure.
        highlight : str, default=None
            Name of a node in another color, such as the target.
        layout : dict, default=None
            Position of each node by name. By default nodes are on layers, parents above
            their children where the graph has directions.

        Returns
        -------
        display : GraphDisplay
        """
        n_panels = 1 if self.true_graph is None else 2
        if axes is not None:
            n_panels = min(n_panels, np.size(axes))
        else:
            import matplotlib.pyplot as plt

            size = (5.5 * n_panels, 5.0)
            _, axes = plt.subplots(1, n_panels, figsize=size, layout="constrained")
        self.axes_ = np.atleast_1d(axes)
        if len(self.axes_) != n_panels:
            raise ValueError(f"axes must be {n_panels}; got {len(self.axes_)}.")
        self.figure_ = self.axes_[0].figure
        if layout is None:
            shown = self.graph if self.true_graph is None else self.true_graph
            layout = place_nodes(shown, self.names)
        colors = [TARGET if name == highlight else NODE for name in self.names]
        if n_panels == 2:
            _draw(self.axes_[0], self.true_graph, self.names, layout, colors, {})
            self.axes_[0].set_title("true")
        _draw(
            self.axes_[-1], self.graph, self.names, layout, colors, self._mark_edges()
        )
        self.axes_[-1].set_title(self._describe())
        return self

    def _mark_edges(self):
        """Return the kind of each edge that is not right."""
        if self.comparison is None:
            return {}
        found = self.comparison
        marks = {frozenset(pair): REVERSED for pair in found.wrong_direction}
        marks |= {frozenset(pair): EXTRA for pair in found.extra}
        return marks | {frozenset(pair): MISSING for pair in found.missing}

    def _describe(self):
        if self.comparison is None:
            return ""
        found = self.comparison
        turned = len(found.wrong_direction)
        direction = f" ({turned} with another direction)" if turned else ""
        return (
            f"learned: {len(found.right)} right{direction}, "
            f"{len(found.missing)} missing, {len(found.extra)} extra"
        )


def place_nodes(adjacency, names):
    """Place nodes on layers: below all their parents, as far as there are directions.

    Examples
    --------
    >>> from manyminds.networks.display import place_nodes
    >>> place_nodes([[0, 1], [0, 0]], ["a", "b"])
    {'a': (-0.25, 0.0), 'b': (0.25, -1.0)}
    """
    adjacency = np.asarray(adjacency) > 0
    arcs = adjacency & ~adjacency.T
    depth = np.zeros(len(names), dtype=int)
    for _ in names:  # as often as the longest path may have arcs
        for parent, child in np.argwhere(arcs):
            depth[child] = min(max(depth[child], depth[parent] + 1), len(names) - 1)
    layout, across = {}, np.zeros(len(names))
    for level in range(depth.max(initial=0) + 1):
        here = np.flatnonzero(depth == level)
        centers = [across[arcs[:, k]].mean() if arcs[:, k].any() else 0.0 for k in here]
        # Layers are shifted in turn, so that edges pass between the nodes of others.
        first = -0.5 * (len(here) - 1) + (0.25 if level % 2 else -0.25)
        for place, k in enumerate(here[np.argsort(centers, kind="stable")]):
            across[k] = first + place
    for k, name in enumerate(names):
        layout[name] = (float(across[k]), -float(depth[k]))
    return layout


def _draw(ax, adjacency, names, layout, colors, marks):
    """Draw nodes, edges in their colors, and edges that are missing."""
    import networkx as nx  # which is slow to import, and seldom needed

    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    labels = {"font_size": 7, "ax": ax}
    nx.draw_networkx_nodes(
        graph, layout, node_color=colors, node_size=900, edgecolors="#606060", ax=ax
    )
    nx.draw_networkx_labels(graph, layout, **labels)
    shown = {frozenset((names[i], names[j])) for i, j in np.argwhere(adjacency)}
    options = {"ax": ax, "node_size": 900, "width": 1.6}
    for i, j in np.argwhere(adjacency).tolist():
        is_directed = not adjacency[j, i]
        if is_directed or i < j:
            color = marks.get(frozenset((names[i], names[j])), RIGHT)
            nx.draw_networkx_edges(
                graph, layout, [(names[i], names[j])], edge_color=color,
                arrows=True, arrowstyle="-|>" if is_directed else "-", **options,
            )  # fmt: skip
    for pair, color in marks.items():
        if color == MISSING and pair not in shown:
            nx.draw_networkx_edges(
                graph, layout, [tuple(pair)], edge_color=color, style="dashed",
                arrows=True, arrowstyle="-", **options,
            )  # fmt: skip
    ax.margins(0.12)
    ax.set_axis_off()
