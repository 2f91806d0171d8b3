"""One door to all algorithms that learn a whole graph from tests."""

import numpy as np

from manyminds.networks.constraint.blankets import GLOBAL_METHODS
from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.neighborhoods import FINDERS, Neighbors
from manyminds.networks.constraint.orientation import orient_edges
from manyminds.networks.constraint.outcome import LearnedGraph
from manyminds.networks.constraint.pc import learn_pc
from manyminds.networks.constraint.tpda import learn_tpda

GRAPH_METHODS = sorted(["pc", "tpda", *GLOBAL_METHODS, *FINDERS])


def learn_graph(test, method="pc", *, max_condition_size=3, time_limit=None, verbose=0):
    """Learn the equivalence class of a network from tests of independence.

    Parameters
    ----------
    test : IndependenceTest
    method : str, default="pc"
        - "pc": remove the edges of separated pairs, see `learn_pc`.
        - "tpda": draft, thicken and thin, see `learn_tpda`.
        - "mmpc", "hiton_pc": find the neighbors of each variable, see `find_blanket`;
          two variables are joined if each is a neighbor of the other.
        - "grow_shrink", "iamb", "inter_iamb": find the Markov blanket of each variable;
          two that are in each other's blankets are joined unless a set within the
          smaller one separates them [1]_.
    max_condition_size : int, default=3
        Maximum size of conditioning sets; None: no limit. "tpda" has none, and blankets
        are conditioned on as a whole.
    time_limit : float, default=None
        Seconds after which the graph is returned as it is.
    verbose : int, default=0
        Whether to report progress on the error stream.

    Returns
    -------
    learned : LearnedGraph

    References
    ----------
    .. [1] Margaritis and Thrun, "Bayesian network induction via local neighborhoods",
       NIPS, 1999.

    Examples
    --------
    >>> from manyminds.networks import DSeparationTest, learn_graph
    >>> collider = [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    >>> learn_graph(DSeparationTest(collider), "iamb").adjacency
    array([[0, 0, 1, 0],
           [0, 0, 1, 0],
           [0, 0, 0, 1],
           [0, 0, 0, 0]], dtype=int8)
    """
    if method not in GRAPH_METHODS:
        raise ValueError(f"method must be one of {GRAPH_METHODS}; got {method!r}.")
    options = {"time_limit": time_limit, "verbose": verbose}
    if method == "tpda":
        return learn_tpda(test, **options)
    if method == "pc":
        return learn_pc(test, max_condition_size=max_condition_size, **options)
    n_before, clock = test.n_tests, Clock(time_limit, verbose, method)
    size = test.n_variables if max_condition_size is None else max_condition_size
    join = _join_neighbors if method in FINDERS else _join_blankets
    skeleton, separators = join(test, method, size, clock)
    return LearnedGraph(
        orient_edges(skeleton, separators), test.names, separators,
        test.n_tests - n_before, not clock.was_over,
    )  # fmt: skip


def _join_neighbors(test, method, max_size, clock):
    """Join variables that are neighbors of each other; return what separates others."""
    search = Neighbors(test, FINDERS[method], max_size, clock)
    skeleton = np.zeros((test.n_variables, test.n_variables), dtype=bool)
    for x in range(test.n_variables):
        skeleton[x, search.find(x)] = True
        clock.report(f"neighbors of {x + 1} variables")
    separators = {}
    for x, y in np.argwhere(np.triu(~skeleton, 1)).tolist():
        separator = search.find_separator(x, y)
        if separator is not None:
            separators[x, y] = separator
    return skeleton & skeleton.T, separators


def _join_blankets(test, method, max_size, clock):
    """Join variables in each other's blankets that no set in the smaller one separates.

    A variable outside of a blanket is separated by the blanket.
    """
    blankets, separators = [], {}
    for x in range(test.n_variables):
        blankets.append(set(GLOBAL_METHODS[method](test, x, clock).members))
        clock.report(f"blankets of {x + 1} variables")
    pairs, lists = [], []
    for x in range(test.n_variables):
        for y in range(x + 1, test.n_variables):
            if x in blankets[y] and y in blankets[x]:
                pairs.append((x, y))
                sets = blankets[x] - {y}, blankets[y] - {x}
                lists.append(sorted(min(sets, key=len)))
            else:
                separators[x, y] = tuple(sorted(blankets[y if y in blankets[x] else x]))
    skeleton = np.zeros((test.n_variables, test.n_variables), dtype=bool)
    found = test.search(pairs, lists, 0, max_size).found
    for (x, y), separator in zip(pairs, found):
        if separator is None:
            skeleton[x, y] = skeleton[y, x] = True
        else:
            separators[x, y] = separator
    return skeleton, separators
