"""Decision trees: growing them on binned columns, pruning them, reading what grew."""

from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.structure import Trees

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "Trees"]
