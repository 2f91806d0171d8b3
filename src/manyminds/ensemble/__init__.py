"""Learners made of learners: forests, and with time all the others."""

from manyminds.ensemble.forests.extra_trees import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
)
from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)

__all__ = [
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
]
