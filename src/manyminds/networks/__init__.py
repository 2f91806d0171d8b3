"""Graphs of dependence: Bayesian networks, their structure and their classifiers."""

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
from manyminds.networks.drawing import compare_graphs, plot_network
from manyminds.networks.hill_climbing import HillClimbingSearch
from manyminds.networks.pooling import PooledClassifier, linear_pool, logarithmic_pool
from manyminds.networks.scores import FamilyScores

__all__ = [
    "AODEClassifier",
    "AnDEClassifier",
    "AnnealingSearch",
    "BayesianNetwork",
    "BayesianNetworkClassifier",
    "CombinedNetworksClassifier",
    "ExpertNetworkClassifier",
    "FamilyScores",
    "HillClimbingSearch",
    "JunctionTree",
    "LinearGaussianCPD",
    "MeanCombiner",
    "NaiveBayesClassifier",
    "NormativeResidualTransformer",
    "PooledClassifier",
    "SemiSupervisedNetworkClassifier",
    "TANClassifier",
    "TableCPD",
    "TableCombiner",
    "WeightedVote",
    "compare_graphs",
    "linear_pool",
    "logarithmic_pool",
    "plot_network",
]
