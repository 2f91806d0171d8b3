"""Junction tree: exact posteriors of all nodes of a network of categories at once."""

import numpy as np

from manyminds.networks.bayesian.elimination_order import order_elimination
from manyminds.networks.graphs.forms import make_adjacency
from manyminds.networks.graphs.separation import moralize

_BLOCK_CELLS = 2**21  # of all cliques and rows at a time
MAX_CELLS = 2**25  # of one clique


class JunctionTree:
    """Cliques of a triangulated network, and messages between them.

    Evidence is soft: for each node a likelihood of each of its states. A known state
    has the likelihood 1 and the others 0; of a missing value all have 1.

    Parameters
    ----------
    parents : list of tuple of int
        Parents of each node.
    n_states : sequence of int
        Number of states of each node.

    Attributes
    ----------
    cliques : list of tuple of int
        Sorted nodes of each clique; a clique comes before the one it is joined to.
    joined : list of int
        The clique to which each is joined; -1: the root.

    References
    ----------
    .. [1] Lauritzen and Spiegelhalter, "Local computations with probabilities on
       graphical structures and their application to expert systems", Journal of the
       Royal Statistical Society B 50, 1988.

    Examples
    --------
    >>> from manyminds.datasets import load_network
    >>> from manyminds.networks import JunctionTree
    >>> asia = load_network("asia")
    >>> tree = JunctionTree(asia.parents, asia.n_states)
    >>> print(len(tree.cliques), max(map(len, tree.cliques)))
    6 3
    """

    def __init__(self, parents, n_states):
        self.parents = [tuple(int(u) for u in of_node) for of_node in parents]
        self.n_states = [int(n) for n in n_states]
        moral = moralize(make_adjacency(self.parents))
        steps = order_elimination(moral, self.n_states, range(len(self.parents)))
        self.cliques, self.joined = _join_cliques(steps)
        sizes = [np.prod([float(self.n_states[v]) for v in c]) for c in self.cliques]
        if max(sizes) > MAX_CELLS:
            raise ValueError(
                f"The graph has a clique with {max(sizes):.3g} cells, more than "
                f"{MAX_CELLS:.3g}: exact inference is not possible. Limit max_parents."
            )
        self._n_cells = sum(sizes)
        at = [set(clique) for clique in self.cliques]
        self._home = [  # the clique of each family: the first that has all of it
            next(c for c, clique in enumerate(at) if {v, *self.parents[v]} <= clique)
            for v in range(len(self.parents))
        ]

    def log_evidence(self, tables, evidence):
        """Return the log probability of the evidence of each row.

        Parameters
        ----------
        tables : list of ndarray
            Probabilities of each node's states, in the last axis, given its parents'.
        evidence : list of ndarray of shape (n_rows, n_states) or None
            Likelihood of each node's states in each row; None: all are missing.

        Returns
        -------
        log_evidence : ndarray of shape (n_rows,)
        """
        blocks = self._split(evidence)
        return np.concatenate([self._collect(tables, block)[1] for block in blocks])

    def posteriors(self, tables, evidence, nodes):
        """Return the posterior of each node of a list: (n_rows, n_states) arrays."""
        found = [[] for _ in nodes]
        for block in self._split(evidence):
            beliefs = self._calibrate(tables, block)[0]
            for k, v in enumerate(nodes):
                clique = self.cliques[self._home[v]]
                axes = tuple(a + 1 for a, u in enumerate(clique) if u != v)
                belief = beliefs[self._home[v]].sum(axis=axes)
                found[k].append(_normalize(belief)[0])
        return [np.concatenate(of_node) for of_node in found]

    def expected_counts(self, tables, evidence, weight):
        """Return the expected number of rows of each family's configurations.

        Parameters
        ----------
        tables, evidence : as for ``log_evidence``
        weight : ndarray of shape (n_rows,)

        Returns
        -------
        counts : list of ndarray
            Axes as in the tables: the parents, then the node.
        log_evidence : ndarray of shape (n_rows,)
        """
        counts = [np.zeros(np.shape(table)) for table in tables]
        first, logs = 0, []
        for block in self._split(evidence):
            beliefs, log_evidence = self._calibrate(tables, block)
            logs.append(log_evidence)
            of_block = weight[first : first + len(log_evidence)]
            first += len(log_evidence)
            for v, of_node in enumerate(self.parents):
                clique, family = self.cliques[self._home[v]], (*of_node, v)
                total = np.tensordot(of_block, beliefs[self._home[v]], axes=1)
                axes = tuple(a for a, u in enumerate(clique) if u not in family)
                total = total.sum(axis=axes)
                left = [u for u in clique if u in family]
                counts[v] += total.transpose([left.index(u) for u in family])
        return counts, np.concatenate(logs)

    def _split(self, evidence):
        """Yield the evidence in blocks of rows."""
        n_rows = next((len(one) for one in evidence if one is not None), 1)
        size = max(1, int(_BLOCK_CELLS // self._n_cells))
        for first in range(0, n_rows, size):
            rows = slice(first, first + size)
            yield [None if one is None else one[rows] for one in evidence]

    def _collect(self, tables, evidence):
        """Pass messages to the root; return potentials, log evidence and messages."""
        n_rows = next((len(one) for one in evidence if one is not None), 1)
        potentials = [np.ones((1,) * (len(c) + 1)) for c in self.cliques]
        for v, table in enumerate(tables):
            home = self._home[v]
            family = (*self.parents[v], v)
            factor = _spread(np.asarray(table)[None], family, self.cliques[home])
            potentials[home] = potentials[home] * factor
            if evidence[v] is not None:
                factor = _spread(evidence[v], (v,), self.cliques[home])
                potentials[home] = potentials[home] * factor
        total, messages = np.zeros(n_rows), []
        for c, clique in enumerate(self.cliques):
            parent = self.joined[c]
            shared = [v for v in clique if parent >= 0 and v in self.cliques[parent]]
            axes = tuple(a + 1 for a, v in enumerate(clique) if v not in shared)
            message, log_scale = _normalize(potentials[c].sum(axis=axes))
            total = total + log_scale
            messages.append((message, shared))
            if parent >= 0:
                factor = _spread(message, shared, self.cliques[parent])
                potentials[parent] = potentials[parent] * factor
        return potentials, total, messages

    def _calibrate(self, tables, evidence):
        """Return the posterior of each clique in each row, and the log evidence."""
        beliefs, log_evidence, messages = self._collect(tables, evidence)
        n_rows = len(log_evidence)
        for c in reversed(range(len(self.cliques))):
            parent, (message, shared) = self.joined[c], messages[c]
            if parent >= 0:
                other = self.cliques[parent]
                axes = tuple(a + 1 for a, v in enumerate(other) if v not in shared)
                back = beliefs[parent].sum(axis=axes)
                ratio = np.divide(back, message, out=np.zeros_like(back + message),
                                  where=message > 0.0)  # fmt: skip
                beliefs[c] = beliefs[c] * _spread(ratio, shared, self.cliques[c])
            total = beliefs[c].sum(axis=tuple(range(1, beliefs[c].ndim)), keepdims=True)
            beliefs[c] = beliefs[c] / np.where(total > 0.0, total, 1.0)
            sizes = [self.n_states[v] for v in self.cliques[c]]
            beliefs[c] = np.broadcast_to(beliefs[c], (n_rows, *sizes))
        return beliefs, log_evidence


def _join_cliques(steps):
    """Return the maximal cliques of an elimination, each with the one it is joined to.

    A clique is joined to that of the first of its other nodes to be eliminated; one
    that lies within another is dropped.
    """
    place = {node: k for k, (node, _) in enumerate(steps)}
    joined, cliques = [], [clique for _, clique in steps]
    for node, clique in steps:
        others = [place[v] for v in clique if v != node]
        joined.append(min(others) if others else -1)
    # A later step lies within an earlier clique if that clique loses one node by it.
    into = list(range(len(steps)))
    for k, clique in enumerate(cliques):
        parent = joined[k]
        if parent >= 0 and into[parent] == parent and cliques[parent] <= clique:
            into[parent] = k
    home = [_follow(into, k) for k in range(len(steps))]
    keep = sorted(set(home))
    tree = {k: -1 for k in keep}
    for k in range(len(steps)):
        parent = joined[k]
        if parent >= 0 and home[k] != home[parent]:
            tree[home[k]] = home[parent]
    return _root_first(keep, tree, cliques)


def _follow(into, k):
    while into[k] != k:
        k = into[k]
    return k


def _root_first(keep, tree, cliques):
    """Number cliques so that each comes before the one it is joined to.

    Trees of separate parts of the graph are joined at their roots, by nothing.
    """
    neighbors = {k: set() for k in keep}
    for k, parent in tree.items():
        if parent >= 0:
            neighbors[k].add(parent)
            neighbors[parent].add(k)
    order, above, previous = [], {}, -1
    for start in keep:
        if start in above:
            continue
        above[start], waiting = previous, [start]
        previous = start
        while waiting:
            k = waiting.pop()
            order.append(k)
            for other in neighbors[k] - set(above):
                above[other] = k
                waiting.append(other)
    order.reverse()
    number = {k: c for c, k in enumerate(order)}
    joined = [number.get(above[k], -1) for k in order]
    return [tuple(sorted(cliques[k])) for k in order], joined


def _spread(factor, nodes, clique):
    """Put the axes of a factor, rows first, at their places among those of a clique."""
    inside = [v for v in clique if v in nodes]
    order = [0, *(list(nodes).index(v) + 1 for v in inside)]
    sizes = iter(np.shape(factor)[k] for k in order[1:])
    shape = [next(sizes) if v in nodes else 1 for v in clique]
    return np.transpose(factor, order).reshape(len(factor), *shape)


def _normalize(message):
    """Scale each row to add up to 1; return it and the log of its sum."""
    axes = tuple(range(1, message.ndim))
    total = message.sum(axis=axes, keepdims=True)
    with np.errstate(divide="ignore"):
        log_total = np.log(total).reshape(len(message))
    return message / np.where(total > 0.0, total, 1.0), log_total
