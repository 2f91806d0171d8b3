"""Decision trees: growing them on binned columns, pruning them, reading what grew."""

from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.mdl_tree import MDLTreeClassifier
from manyminds.trees.pruning import prune_cost_complexity, prune_reduced_error
from manyminds.trees.rep_tree import REPTreeClassifier, REPTreeRegressor
from manyminds.trees.rules import export_rules
from manyminds.trees.ssv_tree import SSVTreeClassifier
from manyminds.trees.structure import Trees
from manyminds.trees.surrogates import Surrogates, masking_matrix, surrogate_splits

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "MDLTreeClassifier",
    "REPTreeClassifier",
    "REPTreeRegressor",
    "SSVTreeClassifier",
    "Surrogates",
    "Trees",
    "export_rules",
    "masking_matrix",
    "prune_cost_complexity",
    "prune_reduced_error",
    "surrogate_splits",
]
