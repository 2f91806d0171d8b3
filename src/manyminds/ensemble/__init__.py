"""Learners made of learners: forests and boosting, and with time all the others."""

from manyminds.ensemble.boosting.rp_boost import RpBoostClassifier
from manyminds.ensemble.forests.extra_trees import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
)
from manyminds.ensemble.forests.local_trees import (
    ForestOfLocalTreesClassifier,
    ForestOfLocalTreesRegressor,
)
from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)

__all__ = [
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForestOfLocalTreesClassifier",
    "ForestOfLocalTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RpBoostClassifier",
]
