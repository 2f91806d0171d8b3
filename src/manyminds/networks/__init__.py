"""Graphs, tests of conditional independence, structure learning, Bayesian networks."""

from manyminds.networks.constraint.blankets import find_blanket
from manyminds.networks.constraint.orientation import orient_edges
from manyminds.networks.constraint.outcome import Blanket, LearnedGraph
from manyminds.networks.constraint.pc import learn_pc
from manyminds.networks.constraint.tpda import learn_dependence_graph, learn_tpda
from manyminds.networks.display import GraphDisplay
from manyminds.networks.graphs import (
    GraphComparison,
    compare_graphs,
    complete_orientation,
    draw_dag,
    find_ancestors,
    find_component,
    find_cpdag,
    find_markov_blanket,
    is_d_separated,
    moralize,
    order_nodes,
    read_graph,
    to_networkx,
)
from manyminds.networks.independence.base import (
    IndependenceTest,
    Separators,
    TestResult,
    TestResults,
)
from manyminds.networks.independence.conditional_gaussian import (
    ConditionalGaussianTest,
)
from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.fisher_z import FisherZTest
from manyminds.networks.independence.oracle import DSeparationTest
from manyminds.networks.independence.permutation import PermutationTest

__all__ = [
    "Blanket",
    "ConditionalGaussianTest",
    "ContingencyTest",
    "DSeparationTest",
    "FisherZTest",
    "GraphComparison",
    "GraphDisplay",
    "IndependenceTest",
    "LearnedGraph",
    "PermutationTest",
    "Separators",
    "TestResult",
    "TestResults",
    "compare_graphs",
    "complete_orientation",
    "draw_dag",
    "find_ancestors",
    "find_blanket",
    "find_component",
    "find_cpdag",
    "find_markov_blanket",
    "is_d_separated",
    "learn_dependence_graph",
    "learn_pc",
    "learn_tpda",
    "moralize",
    "order_nodes",
    "orient_edges",
    "read_graph",
    "to_networkx",
]
