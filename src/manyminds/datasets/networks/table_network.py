"""A Bayesian network of categorical variables: parents, tables, rows drawn from it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state

MAX_ROUNDING = 0.01  # sums of published rows that differ more from 1 are errors


@dataclass(frozen=True, eq=False)
class TableNetwork:
    """A directed acyclic graph with a table of probabilities for each node.

    Parameters
    ----------
    names : tuple of str
        Names of the nodes.
    states : tuple of tuple of str
        States of each node.
    parents : tuple of tuple of int
        Positions of each node's parents.
    tables : tuple of ndarray
        For each node the probabilities of its states, in the last axis, given the
        states of its parents, one axis for each in their order.

    Examples
    --------
    >>> from manyminds.datasets import load_network
    >>> asia = load_network("asia")
    >>> print(len(asia.names), len(asia.arcs), asia.n_parameters)
    8 8 18
    >>> rows = asia.sample(1000, random_state=0)
    >>> print(rows.shape, rows["smoke"].cat.categories.tolist())
    (1000, 8) ['yes', 'no']
    """

    names: tuple
    states: tuple
    parents: tuple
    tables: tuple

    def __post_init__(self):
        _check(self)

    @property
    def arcs(self):
        """Arcs as pairs of names, from parent to child."""
        return [
            (self.names[parent], self.names[child])
            for child, parents in enumerate(self.parents)
            for parent in parents
        ]

    @property
    def n_states(self):
        """Number of states of each node."""
        return np.array([len(states) for states in self.states])

    @property
    def n_parameters(self):
        """Number of free parameters: a row of a table has one less than states."""
        return sum(table.size - table.size // table.shape[-1] for table in self.tables)

    def sample(self, n_samples=1, *, random_state=None, as_frame=True):
        """Draw rows, each node after its parents.

        Parameters
        ----------
        n_samples : int, default=1
            Number of rows.
        random_state : int, RandomState instance or None, default=None
            Determines random number generation.
        as_frame : bool, default=True
            Whether to return a dataframe of categories rather than codes.

        Returns
        -------
        rows : DataFrame or ndarray of shape (n_samples, n_nodes)
            Categories, or the positions of the states as int64.
        """
        rng = check_random_state(random_state)
        codes = np.empty((len(self.names), n_samples), dtype=np.int64)
        for node in sort_topologically(self.parents):
            table = self.tables[node]
            row = np.zeros(n_samples, dtype=np.int64)
            for parent in self.parents[node]:
                row = row * len(self.states[parent]) + codes[parent]
            bounds = np.cumsum(table.reshape(-1, table.shape[-1]), axis=1)[:, :-1]
            goal = rng.uniform(size=n_samples)
            codes[node] = (goal[:, None] >= bounds[row]).sum(axis=1)
        if not as_frame:
            return np.ascontiguousarray(codes.T)
        columns = {
            name: pd.Categorical.from_codes(codes[j], categories=list(self.states[j]))
            for j, name in enumerate(self.names)
        }
        return pd.DataFrame(columns)

    def to_networkx(self):
        """Return the graph as a ``networkx.DiGraph`` of names."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from(self.arcs)
        return graph


def sort_topologically(parents):
    """List nodes so that each comes after its parents; of several the first first.

    Parameters
    ----------
    parents : sequence of sequence of int
        Parents of each node.

    Returns
    -------
    order : list of int

    Examples
    --------
    >>> from manyminds.datasets.networks.table_network import sort_topologically
    >>> sort_topologically([[2], [0], []])
    [2, 0, 1]
    """
    waiting = [len(of_node) for of_node in parents]
    children = [[] for _ in parents]
    for child, of_node in enumerate(parents):
        for parent in of_node:
            children[parent].append(child)
    ready = [node for node, n in enumerate(waiting) if n == 0]
    order = []
    while ready:
        node = ready.pop(0)
        order.append(node)
        for child in children[node]:
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    if len(order) < len(parents):
        cyclic = sorted(set(range(len(parents))) - set(order))
        raise ValueError(f"The graph must have no cycle; there is one among {cyclic}.")
    return order


def _check(network):
    """Raise unless the tables fit the graph and the states."""
    sort_topologically(network.parents)
    for j, (name, table) in enumerate(zip(network.names, network.tables)):
        sizes = [len(network.states[parent]) for parent in network.parents[j]]
        shape = (*sizes, len(network.states[j]))
        if table.shape != shape:
            raise ValueError(
                f"The table of {name!r} must have shape {shape}, by the states of its "
                f"parents and its own; got {table.shape}."
            )
        if (table < 0.0).any() or (abs(table.sum(axis=-1) - 1.0) > MAX_ROUNDING).any():
            raise ValueError(
                f"The table of {name!r} must have rows of probabilities; one does not "
                "add up to 1."
            )
