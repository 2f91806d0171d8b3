"""TPDA: draft a graph by mutual information, thicken it, and thin it again."""

import numpy as np

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.orientation import orient_edges
from manyminds.networks.constraint.outcome import LearnedGraph


def learn_tpda(test, *, time_limit=None, verbose=0):
    """Learn the equivalence class of a network by three-phase dependency analysis.

    Pairs of variables are examined in the order of their information [1]_:

    1. Drafting: an edge for each dependent pair that no path joins yet.
    2. Thickening: an edge for each other dependent pair that no set found by the quick
       test separates.
    3. Thinning: edges whose ends are joined by another path, too, are removed if the
       quick or, after that, the thorough test separates them.

    The tests begin with the neighbors of one end that are on a path to the other (the
    thorough one with their neighbors as well), and leave out the variable whose absence
    lowers the information most, as long as it falls. They examine few sets, and are
    right only if closing a path never raises the information, which cannot hold for
    many networks [2]_.

    Parameters
    ----------
    test : IndependenceTest
        With a threshold of the mutual information, as in the paper, or any other.
    time_limit : float, default=None
        Seconds after which the graph is returned as it is.
    verbose : int, default=0
        Whether to report progress on the error stream.

    Returns
    -------
    learned : LearnedGraph

    References
    ----------
    .. [1] Cheng, Greiner, Kelly, Bell and Liu, "Learning Bayesian networks from data:
       an information-theory based approach", Artificial Intelligence 137, 2002.
    .. [2] Chickering and Meek, "On the incompatibility of faithfulness and monotone DAG
       faithfulness", Artificial Intelligence 170, 2006.

    Examples
    --------
    >>> from manyminds.networks import DSeparationTest, learn_tpda
    >>> oracle = DSeparationTest([[0, 1, 0], [0, 0, 1], [0, 0, 0]], count_paths=True)
    >>> learn_tpda(oracle).adjacency
    array([[0, 1, 0],
           [1, 0, 1],
           [0, 1, 0]], dtype=int8)
    """
    import networkx as nx  # which is slow to import, and seldom needed

    clock = Clock(time_limit, verbose, "TPDA")
    n_before, separators = test.n_tests, {}
    pairs = _list_dependent_pairs(test, separators, clock)
    graph = nx.Graph()
    graph.add_nodes_from(range(test.n_variables))
    rest = _draft(graph, pairs)
    clock.report(f"{graph.number_of_edges()} edges drafted")
    _thicken(test, graph, rest, separators, clock)
    clock.report(f"{graph.number_of_edges()} edges after thickening")
    for is_thorough in (False, True):
        _thin(test, graph, pairs, separators, is_thorough, clock)
    clock.report(f"{graph.number_of_edges()} edges after thinning")
    skeleton = nx.to_numpy_array(graph, nodelist=range(test.n_variables))
    adjacency = orient_edges(skeleton, separators)
    return LearnedGraph(
        adjacency, test.names, separators, test.n_tests - n_before, not clock.was_over
    )


def learn_dependence_graph(test, *, time_limit=None, verbose=0):
    """Join the pairs of variables that are dependent given nothing.

    The variables that it connects with a target are those that `learn_tpda` connects
    with it: no phase adds an edge between independent variables, and none removes an
    edge without leaving another path. To know them takes one test for each pair, and no
    conditioning sets.

    Parameters
    ----------
    test : IndependenceTest
    time_limit : float, default=None
        Seconds after which the pairs that have not been tested get no edge.
    verbose : int, default=0
        Whether to report progress on the error stream.

    Returns
    -------
    learned : LearnedGraph
        Without directions.

    Examples
    --------
    >>> from manyminds.networks import DSeparationTest, learn_dependence_graph
    >>> collider = [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    >>> learn_dependence_graph(DSeparationTest(collider)).find_component(0)
    [1, 2]
    """
    clock = Clock(time_limit, verbose, "dependence graph")
    n_before, separators = test.n_tests, {}
    adjacency = np.zeros((test.n_variables, test.n_variables), dtype=np.int8)
    for x, y in _list_dependent_pairs(test, separators, clock):
        adjacency[x, y] = adjacency[y, x] = 1
    return LearnedGraph(
        adjacency, test.names, separators, test.n_tests - n_before, not clock.was_over
    )


def _list_dependent_pairs(test, separators, clock):
    """List the dependent pairs by decreasing information; note the others."""
    pairs, strengths = [], []
    for y in range(1, test.n_variables):
        if clock.is_over():
            break
        clock.report(f"pairs of {y} variables")
        results = test.test_many(np.arange(y), y)
        for x in range(y):
            if results.is_dependent[x]:
                pairs.append((x, y))
                strengths.append(results.strength[x])
            elif results.is_independent[x]:
                separators[x, y] = ()
    order = np.argsort(-np.array(strengths), kind="stable")
    return [pairs[k] for k in order]


def _draft(graph, pairs):
    """Add an edge for each pair that no path joins; return the other pairs."""
    import networkx as nx

    groups = nx.utils.UnionFind(graph.nodes)
    rest = []
    for x, y in pairs:
        if groups[x] == groups[y]:
            rest.append((x, y))
        else:
            groups.union(x, y)
            graph.add_edge(x, y)
    return rest


def _thicken(test, graph, pairs, separators, clock):
    """Add an edge for each pair that the quick test does not separate."""
    for x, y in pairs:
        if clock.is_over():
            return
        separator = _separate(test, graph, x, y, is_thorough=False)
        if separator is None:
            graph.add_edge(x, y)
        else:
            separators[x, y] = separator


def _thin(test, graph, pairs, separators, is_thorough, clock):
    """Remove edges whose ends are separated without them."""
    import networkx as nx

    for x, y in pairs:
        if not graph.has_edge(x, y):
            continue
        if clock.is_over():
            return
        graph.remove_edge(x, y)
        separator = None
        if nx.has_path(graph, x, y):
            separator = _separate(test, graph, x, y, is_thorough)
        if separator is None:
            graph.add_edge(x, y)
        else:
            separators[x, y] = separator


def _separate(test, graph, x, y, is_thorough):
    """Return a set that separates two variables, or None."""
    on_paths = _find_nodes_on_paths(graph, x, y)
    sets = [sorted(set(graph[one]) & on_paths) for one in (x, y)]
    if is_thorough:
        sets = [
            sorted(set(near).union(*(set(graph[z]) & on_paths for z in near)))
            for near in sets
        ]
        sets = [min(sets, key=len)]
    for start in sorted(sets, key=len):
        separator = _shrink(test, x, y, start)
        if separator is not None:
            return tuple(separator)
    return None


def _find_nodes_on_paths(graph, x, y):
    """Return the nodes on paths between two nodes, without the two."""
    import networkx as nx

    joined = nx.Graph(graph)
    joined.add_edge(x, y)
    for component in nx.biconnected_components(joined):
        if x in component and y in component:
            return component - {x, y}
    return set()


def _shrink(test, x, y, start):
    """Leave out variables as long as this lowers the information; or return None."""
    given = list(start)
    information, separated = _inform(test, x, y, given)
    while not separated and len(given) > 1:
        smaller = [[z for z in given if z != out] for out in given]
        tried = [_inform(test, x, y, some) for some in smaller]
        best = min(range(len(tried)), key=lambda k: tried[k][0])
        if tried[best][0] > information and not tried[best][1]:
            return None
        given, (information, separated) = smaller[best], tried[best]
    return given if separated else None


def _inform(test, x, y, given):
    """Return the information of two variables, and whether they are independent."""
    result = test.test(x, y, given)
    if not result.reliable:
        return np.inf, False
    return (0.0 if result.independent else result.strength), result.independent
