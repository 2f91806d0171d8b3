"""A learned graph compared with a true one."""

from dataclasses import dataclass
from itertools import combinations

from manyminds.networks.graphs.forms import read_graph


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
