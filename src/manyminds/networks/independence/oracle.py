"""An oracle: what holds in a known graph, to check algorithms without data."""

import numpy as np

from manyminds.kernels.conditional_tables import (
    DEPENDENT,
    INDEPENDENT,
    LOG_P,
    N_RESULTS,
    STRENGTH,
    VERDICT,
)
from manyminds.networks.graphs.forms import read_graph
from manyminds.networks.graphs.separation import find_ancestors
from manyminds.networks.independence.base import IndependenceTest


class DSeparationTest(IndependenceTest):
    """Return what a perfect test would: whether variables are d-separated in a DAG.

    Parameters
    ----------
    graph : array-like of shape (n_nodes, n_nodes) or networkx.DiGraph
        The true DAG.
    count_paths : bool, default=False
        Whether the strength of a dependence is the number of paths that are open given
        the conditioning set, as if each carried the same information; else it is 1.
        Counting takes a time that grows exponentially with the number of edges.
    names : list of str, default=None
        Names of the nodes of a matrix.

    Examples
    --------
    >>> from manyminds.networks import DSeparationTest
    >>> oracle = DSeparationTest([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    >>> oracle.test(0, 2).independent, oracle.test(0, 2, [1]).independent
    (False, True)
    """

    def __init__(self, graph, *, count_paths=False, names=None):
        adjacency, names = read_graph(graph, names)
        super().__init__(names)
        self.adjacency = adjacency
        self.count_paths = count_paths
        self._ancestors = [_pack(row) for row in find_ancestors(adjacency)]
        self._parents = [_pack(row) for row in adjacency.T]
        self._children = [_pack(row) for row in adjacency]
        self._moral = {}

    def _measure(self, xs, y, given):
        table = np.zeros((len(xs), N_RESULTS))
        for k, x in enumerate(xs.tolist()):
            separated = self._is_separated(x, y, given)
            table[k, VERDICT] = INDEPENDENT if separated else DEPENDENT
            table[k, LOG_P] = 0.0 if separated else -np.inf
            if not separated:
                n_open = self._count_open(x, y, given) if self.count_paths else 1.0
                table[k, STRENGTH] = n_open
        return table

    def _is_separated(self, x, y, given):
        """Search y from x in the moral graph of the ancestors, around the set."""
        kept = self._ancestors[x] | self._ancestors[y]
        blocked = 0
        for z in given:
            kept |= self._ancestors[z]
            blocked |= 1 << z
        moral = self._moralize(kept)
        reached = fresh = 1 << x
        while fresh:
            near = 0
            for node in _unpack(fresh):
                near |= moral[node]
            fresh = near & ~reached & ~blocked
            reached |= fresh
        return not reached >> y & 1

    def _moralize(self, kept):
        """Return the neighbors of each node in the moral graph of some nodes."""
        if kept not in self._moral:
            near = {node: 0 for node in _unpack(kept)}
            for node in near:
                parents = self._parents[node]
                near[node] |= parents
                for parent in _unpack(parents):
                    near[parent] |= (parents | 1 << node) & ~(1 << parent)
            self._moral[kept] = near
        return self._moral[kept]

    def _count_open(self, x, y, given):
        """Count the paths without repeated nodes that the set leaves open."""
        blocked = 0
        open_colliders = 0  # ancestors of the set, itself included
        for z in given:
            blocked |= 1 << z
            open_colliders |= self._ancestors[z]

        def walk(node, visited, came_down):
            if node == y:
                return 1
            total = 0
            is_blocked = blocked >> node & 1
            if node == x or not is_blocked:  # not as a collider
                for child in _unpack(self._children[node] & ~visited):
                    total += walk(child, visited | 1 << child, True)
            as_collider = came_down and open_colliders >> node & 1
            if node == x or as_collider or (not came_down and not is_blocked):
                for parent in _unpack(self._parents[node] & ~visited):
                    total += walk(parent, visited | 1 << parent, False)
            return total

        return walk(x, 1 << x, False)


def _pack(row):
    """Return a mask of nodes as the bits of one number."""
    return sum(1 << int(k) for k in np.flatnonzero(row))


def _unpack(bits):
    """List the nodes of a number of bits."""
    nodes = []
    while bits:
        low = bits & -bits
        nodes.append(low.bit_length() - 1)
        bits ^= low
    return nodes
