"""PC: remove edges between variables that some set separates, then orient the rest."""

import numpy as np

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.orientation import orient_edges
from manyminds.networks.constraint.outcome import LearnedGraph

BLOCK = 256  # pairs that are searched between two looks at the clock


def learn_pc(test, *, max_condition_size=None, stable=True, time_limit=None, verbose=0):
    """Learn the equivalence class of a network by the PC algorithm.

    It starts with all edges. For sizes 0, 1, 2, ... it removes the edge of two
    variables if a set of this size among the neighbors of one of them makes them
    independent [1]_. Edges are then oriented, see `orient_edges`.

    Parameters
    ----------
    test : IndependenceTest
    max_condition_size : int, default=None
        Maximum size of sets; None: no limit.
    stable : bool, default=True
        Whether neighbors are those at the beginning of a size [2]_. The skeleton then
        does not depend on the order of the variables.
    time_limit : float, default=None
        Seconds after which the graph is returned as it is; variables that have not been
        tested at all by then have no edges.
    verbose : int, default=0
        Whether to report progress on the error stream.

    Returns
    -------
    learned : LearnedGraph

    References
    ----------
    .. [1] Spirtes, Glymour and Scheines, Causation, prediction, and search, Springer,
       1993.
    .. [2] Colombo and Maathuis, "Order-independent constraint-based causal structure
       learning", Journal of Machine Learning Research 15, 2014.

    Examples
    --------
    >>> from manyminds.networks import DSeparationTest, learn_pc
    >>> collider = [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    >>> learn_pc(DSeparationTest(collider)).adjacency
    array([[0, 0, 1, 0],
           [0, 0, 1, 0],
           [0, 0, 0, 1],
           [0, 0, 0, 0]], dtype=int8)
    """
    clock = Clock(time_limit, verbose, "PC")
    n_before, n = test.n_tests, test.n_variables
    edges, separators = np.zeros((n, n), dtype=bool), {}
    largest = n - 2 if max_condition_size is None else max_condition_size
    _join_dependent(test, edges, separators, clock)
    size = 1
    while size <= largest and edges.sum(axis=1).max(initial=0) > size:
        clock.report(f"{edges.sum() // 2} edges before sets of size {size}")
        if clock.is_over():
            break
        remove = _remove_stable if stable else _remove_at_once
        remove(test, edges, separators, size, clock)
        size += 1
    adjacency = orient_edges(edges, separators)
    return LearnedGraph(
        adjacency, test.names, separators, test.n_tests - n_before, not clock.was_over
    )


def _join_dependent(test, edges, separators, clock):
    """Add an edge between variables that are dependent given nothing.

    Where there are too few samples for this test, nothing speaks for an edge.
    """
    for y in range(1, len(edges)):
        if clock.is_over():
            return
        results = test.test_many(np.arange(y), y)
        edges[:y, y] = edges[y, :y] = results.is_dependent
        for x in np.flatnonzero(results.is_independent).tolist():
            separators[x, y] = ()


def _remove_stable(test, edges, separators, size, clock):
    """Remove separated edges, with the neighbors that variables have now."""
    near = [np.flatnonzero(row).tolist() for row in edges]
    pairs, lists = [], []
    for x, y in np.argwhere(np.triu(edges)).tolist():
        first = [z for z in near[x] if z != y]
        second = [z for z in near[y] if z != x]
        if max(len(first), len(second)) >= size:
            pairs.append((x, y))
            lists.append((first, second))
    for first in range(0, len(pairs), BLOCK):
        if clock.is_over():
            return
        block = slice(first, first + BLOCK)
        found = test.search(pairs[block], lists[block], size, size).found
        for (x, y), separator in zip(pairs[block], found):
            if separator is not None:
                edges[x, y] = edges[y, x] = False
                separators[x, y] = separator


def _remove_at_once(test, edges, separators, size, clock):
    """Remove separated edges one by one, as the original algorithm does."""
    for x, y in np.argwhere(np.triu(edges)).tolist():
        if clock.is_over():
            return
        first, second = (
            [z for z in np.flatnonzero(edges[a]).tolist() if z != b]
            for a, b in ((x, y), (y, x))
        )
        (separator,) = test.search([(x, y)], [(first, second)], size, size).found
        if separator is not None:
            edges[x, y] = edges[y, x] = False
            separators[x, y] = separator
