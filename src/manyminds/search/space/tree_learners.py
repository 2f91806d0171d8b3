"""Forests and trees as learners of a search, bounded by the size of the table."""

from typing import Any

import numpy as np

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    ForestOfLocalTreesClassifier,
    ForestOfLocalTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RotationForestClassifier,
    RotationForestRegressor,
)
from manyminds.search.space.options import Learner, pick
from manyminds.search.space.parameters import Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.suitability import has_few_cells, is_large, is_narrow
from manyminds.trees import SSVTreeClassifier

N_TREES = 200
MIN_TREES = 10  # of a forest that is bounded by its memory
MAX_FOREST_VALUES = 15_000_000  # class shares in all leaves: below 1 GB while growing
N_QUICK_TREES = 50
MAX_QUICK_ROWS = 20_000  # that each tree of a quick forest draws
NUMBER_SHARE = 0.6  # of the columns, that a quick forest of numbers considers
MANY_COLUMNS, MIN_SHARE = 100, 0.3  # so many of a wide table, and at least this share


def make_rf(problem: Problem, max_features: Any, min_samples_leaf: int) -> Any:
    """Make a random forest."""
    kind = pick(problem, RandomForestClassifier, RandomForestRegressor)
    return _make_forest(kind, problem, max_features, min_samples_leaf)


def make_quick_rf(problem: Problem) -> Any:
    """Make a random forest of few trees, each of a bounded number of samples."""
    kind = pick(problem, RandomForestClassifier, RandomForestRegressor)
    share = MAX_QUICK_ROWS / problem.n_samples
    n_rows = min(problem.n_samples, MAX_QUICK_ROWS)
    return kind(
        **bound_forest(problem, N_QUICK_TREES, n_rows),
        max_features="sqrt" if problem.n_classes else choose_number_share(problem),
        max_samples=share if share < 1.0 else None,
        random_state=0,
    )


def choose_number_share(problem: Problem, share: float = NUMBER_SHARE) -> float:
    """Return the share of the columns that a forest of numbers considers at a node.

    It needs more of them than one of classes; of a wide table, fewer, to be quick.

    Parameters
    ----------
    problem : Problem
    share : float, default=0.6
        On a narrow table.

    Returns
    -------
    share : float
    """
    return float(np.clip(MANY_COLUMNS / problem.n_features, MIN_SHARE, share))


def make_et(problem: Problem, max_features: Any, min_samples_leaf: int) -> Any:
    """Make extremely randomized trees."""
    kind = pick(problem, ExtraTreesClassifier, ExtraTreesRegressor)
    return _make_forest(kind, problem, max_features, min_samples_leaf)


def _make_forest(
    kind: Any, problem: Problem, max_features: Any, min_samples_leaf: int
) -> Any:
    return kind(
        **bound_forest(problem, N_TREES, problem.n_samples // min_samples_leaf),
        max_features=max_features,
        min_samples_leaf=min_samples_leaf,
        random_state=0,
    )


def bound_forest(problem: Problem, n_trees: int, max_leaves: int) -> dict[str, Any]:
    """Return the number of trees and of their leaves that fit into memory.

    A leaf holds a share of each class. Of very many classes, there are fewer trees, and
    if even ten are too large, trees of fewer leaves.

    Parameters
    ----------
    problem : Problem
    n_trees : int
        Number of trees if they are small enough.
    max_leaves : int
        That a tree can have; it usually has a quarter of them.

    Returns
    -------
    parameters : dict
        Of a forest.
    """
    room = MAX_FOREST_VALUES // max(1, problem.n_classes)
    if not problem.n_classes or n_trees * max_leaves <= 2 * room:
        return {"n_estimators": n_trees}
    n_trees = max(MIN_TREES, min(n_trees, 4 * room // max_leaves))
    return {"n_estimators": n_trees, "max_leaf_nodes": max(2, room // n_trees)}


def make_rotation_forest(
    problem: Problem, features_per_block: int, max_features: float
) -> Any:
    """Make a rotation forest."""
    kind = pick(problem, RotationForestClassifier, RotationForestRegressor)
    return kind(
        N_TREES // 2,
        features_per_block=int(features_per_block),
        max_features=float(max_features),
        random_state=0,
    )


def make_flt(
    problem: Problem, n_estimators: int, max_features: float, precision: float
) -> Any:
    """Make a forest of local trees."""
    kind = pick(problem, ForestOfLocalTreesClassifier, ForestOfLocalTreesRegressor)
    return kind(
        int(n_estimators),
        max_features=max_features,
        precision=precision,
        random_state=0,
    )


def make_ssv_tree(problem: Problem) -> Any:
    """Make a single SSV tree, pruned by cross-validation."""
    return SSVTreeClassifier(random_state=0)


FOREST = {
    "max_features": Number(0.02, 1.0, default=0.3, log=True),
    "min_samples_leaf": Number(1, 20, default=1, log=True, whole=True),
}


RF = Learner("rf", make_rf, FOREST, reads_tables=True)
QUICK_RF = Learner("quick_rf", make_quick_rf, {}, is_large, reads_tables=True)
ET = Learner("et", make_et, FOREST, reads_tables=True)
ROTATION_FOREST = Learner(
    "rotation_forest",
    make_rotation_forest,
    {
        "features_per_block": Number(2, 10, default=3, whole=True),
        "max_features": Number(0.05, 1.0, default=1.0, log=True),
    },
    has_few_cells,
)
FLT = Learner(
    "flt",
    make_flt,
    {
        "n_estimators": Number(10, 200, default=50, log=True, whole=True),
        "max_features": Number(0.05, 1.0, default=0.3, log=True),
        "precision": Number(0.1, 10, default=1.0, log=True),
    },
    has_few_cells,
)
SSV_TREE = Learner("ssv_tree", make_ssv_tree, {}, is_narrow)
