"""Graphs of dependence: Bayesian networks, their structure and their classifiers."""

from manyminds.networks.annealing import AnnealingSearch
from manyminds.networks.hill_climbing import HillClimbingSearch
from manyminds.networks.scores import FamilyScores

__all__ = ["AnnealingSearch", "FamilyScores", "HillClimbingSearch"]
