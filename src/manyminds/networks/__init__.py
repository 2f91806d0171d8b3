"""Graphs, tests of conditional independence, structure learning, Bayesian networks."""

from manyminds.networks.annealing import AnnealingSearch
from manyminds.networks.bayesian.cpds import LinearGaussianCPD, TableCPD
from manyminds.networks.bayesian.junction_tree import JunctionTree
from manyminds.networks.bayesian.network import BayesianNetwork
from manyminds.networks.classifiers.ande import (
    AnDEClassifier,
    AODEClassifier,
    NaiveBayesClassifier,
)
from manyminds.networks.classifiers.network_classifier import BayesianNetworkClassifier
from manyminds.networks.classifiers.tan import TANClassifier
from manyminds.networks.combining.combined import CombinedNetworksClassifier
from manyminds.networks.combining.combiners import (
    MeanCombiner,
    TableCombiner,
    WeightedVote,
)
from manyminds.networks.combining.expert import ExpertNetworkClassifier
from manyminds.networks.combining.normative import NormativeResidualTransformer
from manyminds.networks.combining.semi_supervised import SemiSupervisedNetworkClassifier
from manyminds.networks.constraint.blankets import find_blanket
from manyminds.networks.constraint.orientation import orient_edges
from manyminds.networks.constraint.outcome import Blanket, LearnedGraph
from manyminds.networks.constraint.pc import learn_pc
from manyminds.networks.constraint.tpda import learn_dependence_graph, learn_tpda
from manyminds.networks.constraint.whole_graphs import learn_graph
from manyminds.networks.constraint_search import ConstraintSearch
from manyminds.networks.display import GraphDisplay
from manyminds.networks.graphs.comparison import GraphComparison, compare_graphs
from manyminds.networks.graphs.drawing import draw_dag
from manyminds.networks.graphs.equivalence import (
    complete_orientation,
    extend_pdag,
    find_cpdag,
)
from manyminds.networks.graphs.forms import order_nodes, read_graph, to_networkx
from manyminds.networks.graphs.separation import (
    find_ancestors,
    find_component,
    find_markov_blanket,
    is_d_separated,
    moralize,
)
from manyminds.networks.hill_climbing import HillClimbingSearch
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
from manyminds.networks.pooling import PooledClassifier, linear_pool, logarithmic_pool
from manyminds.networks.scores import FamilyScores

# Names of this room that other rooms import, besides those in __all__.
INTERNALS = (
    "constraint.clock.TimeLimitWarning",
    "constraint.outcome.warn_untested",
    "independence.coding.MAX_LEVELS",
    "independence.making.TESTS_OF_NUMBERS",
    "independence.making.TEST_NAMES",
    "independence.making.make_coded_test",
    "independence.making.make_numeric_test",
)

__all__ = [
    "AODEClassifier",
    "AnDEClassifier",
    "AnnealingSearch",
    "BayesianNetwork",
    "BayesianNetworkClassifier",
    "Blanket",
    "CombinedNetworksClassifier",
    "ConditionalGaussianTest",
    "ConstraintSearch",
    "ContingencyTest",
    "DSeparationTest",
    "ExpertNetworkClassifier",
    "FamilyScores",
    "FisherZTest",
    "GraphComparison",
    "GraphDisplay",
    "HillClimbingSearch",
    "IndependenceTest",
    "JunctionTree",
    "LearnedGraph",
    "LinearGaussianCPD",
    "MeanCombiner",
    "NaiveBayesClassifier",
    "NormativeResidualTransformer",
    "PermutationTest",
    "PooledClassifier",
    "SemiSupervisedNetworkClassifier",
    "Separators",
    "TANClassifier",
    "TableCPD",
    "TableCombiner",
    "TestResult",
    "TestResults",
    "WeightedVote",
    "compare_graphs",
    "complete_orientation",
    "draw_dag",
    "extend_pdag",
    "find_ancestors",
    "find_blanket",
    "find_component",
    "find_cpdag",
    "find_markov_blanket",
    "is_d_separated",
    "learn_dependence_graph",
    "learn_graph",
    "learn_pc",
    "learn_tpda",
    "linear_pool",
    "logarithmic_pool",
    "moralize",
    "order_nodes",
    "orient_edges",
    "read_graph",
    "to_networkx",
]
