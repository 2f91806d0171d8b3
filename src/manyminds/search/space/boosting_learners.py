"""Boosting as learners of a search, which stops early and fits into memory."""

from typing import Any

import numpy as np

from manyminds.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RpBoostClassifier,
)
from manyminds.search.space.options import Learner, pick
from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.suitability import (
    count_outputs,
    has_few_cells,
    suits_boosting,
    suits_quick_boosting,
)

MIN_AVERAGED = 5_000  # rows from which on models of folds stay in a mean
MAX_ROUNDS = 2000  # of boosting, which stops early
PATIENCE = 50  # rounds without a lower loss on held-out rows
SUBSAMPLE = 0.8  # of the rows, that a round draws
SYMMETRIC_BINS = 64
SYMMETRIC_ROWS, MIN_SYMMETRIC_DEPTH = 24, 3  # rows of a table for each leaf
MAX_BOOSTED_TREES = 20_000  # each round grows a tree for each class
N_QUICK_ROUNDS = 30
MAX_QUICK_BOOSTED_TREES = 3000
MAX_QUICK_BOOSTED_ROWS = 200_000  # that each round of quick boosting draws


def make_gb(
    problem: Problem,
    learning_rate: float,
    max_leaf_nodes: int,
    min_samples_leaf: int,
    l2: float,
    max_features: float,
    random_thresholds: bool = False,
    **growth: Any,
) -> Any:
    """Make gradient boosting that stops early: on folds of a small table.

    The number of rounds is no parameter of the search. It is found on folds, for all
    rounds at once, and on held-out rows of a large table. Of many rows, the models of
    the folds stay in the mean.
    """
    kind = pick(problem, GradientBoostingClassifier, GradientBoostingRegressor)
    return kind(
        learning_rate=learning_rate,
        max_iter=bound_rounds(problem, learning_rate),
        max_leaf_nodes=int(max_leaf_nodes),
        min_samples_leaf=int(min_samples_leaf),
        l2_regularization=l2,
        max_features=max_features,
        random_thresholds=random_thresholds,
        # Thresholds that are drawn make trees differ enough.
        subsample=1.0 if random_thresholds else SUBSAMPLE,
        early_stopping=True,
        n_iter_no_change=PATIENCE,
        cv=count_stopping_folds(problem),
        validation_fraction=choose_held_out_share(problem),
        refit="average" if problem.n_samples >= MIN_AVERAGED else "replay",
        random_state=0,
        **growth,
    )


def make_extra_gb(problem: Problem, **values: Any) -> Any:
    """Make gradient boosting of trees with random thresholds, which stops early."""
    return make_gb(problem, **values, random_thresholds=True)


def make_symmetric_gb(
    problem: Problem, max_depth: int, random_thresholds: bool, **values: Any
) -> Any:
    """Make gradient boosting of symmetric trees, which stops early.

    All bins of all leaves of a level are looked at, so that there are few bins: quicker
    by up to four times, and about as good. Trees of few rows have fewer levels, which
    is quicker and better.
    """
    most = int(np.log2(max(1.0, problem.n_samples / SYMMETRIC_ROWS)))
    depth = int(min(max_depth, max(MIN_SYMMETRIC_DEPTH, most)))
    return make_gb(
        problem,
        **values,
        max_leaf_nodes=2**depth,
        max_depth=depth,
        random_thresholds=random_thresholds,
        symmetric=True,
        max_bins=SYMMETRIC_BINS,
    )


def bound_rounds(problem: Problem, learning_rate: float) -> int:
    """Return the maximum number of rounds: fewer for a high rate or many classes."""
    n_trees = MAX_BOOSTED_TREES // count_outputs(problem)
    return int(max(1, min(MAX_ROUNDS, 100 / learning_rate, n_trees)))


def count_stopping_folds(problem: Problem) -> int | None:
    """Return the number of folds on which boosting stops; None: held-out rows.

    Each class has trees of its own, so that rows of many classes take as long as more
    rows of two.
    """
    n_values = problem.n_samples * count_outputs(problem)
    if n_values <= 2_000 or (problem.n_samples >= MIN_AVERAGED and n_values <= 20_000):
        return 5
    return 3 if n_values <= 50_000 else None


def choose_held_out_share(problem: Problem) -> float:
    """Return the share of rows on which boosting stops: at most 50,000 rows."""
    return float(min(0.15, 50_000 / problem.n_samples))


def make_quick_gb(problem: Problem) -> Any:
    """Make gradient boosting of few rounds, each of a bounded number of samples."""
    kind = pick(problem, GradientBoostingClassifier, GradientBoostingRegressor)
    n_rounds = MAX_QUICK_BOOSTED_TREES // count_outputs(problem)
    return kind(
        learning_rate=0.1,
        max_iter=max(1, min(N_QUICK_ROUNDS, n_rounds)),
        max_features=None,
        subsample=min(0.8, MAX_QUICK_BOOSTED_ROWS / problem.n_samples),
        random_state=0,
    )


def make_rpboost(problem: Problem, learning_rate: float) -> Any:
    """Make boosting along random projections."""
    return RpBoostClassifier(300, learning_rate=learning_rate, random_state=0)


BOOSTING = {
    "learning_rate": Number(0.01, 0.5, default=0.05, log=True),
    "max_leaf_nodes": Number(3, 127, default=31, log=True, whole=True),
    "min_samples_leaf": Number(1, 50, default=20, log=True, whole=True),
    "l2": Number(1e-6, 30, default=1.0, log=True),
    "max_features": Number(0.1, 1.0, default=0.5, log=True),
}
# Random thresholds need more rounds and less of the other regularization.
EXTRA_BOOSTING = BOOSTING | {
    "learning_rate": Number(0.01, 0.5, default=0.03, log=True),
    "max_features": Number(0.1, 1.0, default=0.8, log=True),
}
# Whole levels are split at once: trees of the same depth are less flexible.
SYMMETRIC_BOOSTING: dict[str, Number | Choice] = {
    "learning_rate": Number(0.01, 0.5, default=0.05, log=True),
    "max_depth": Number(3, 8, default=6, whole=True),
    "min_samples_leaf": Number(1, 50, default=1, log=True, whole=True),
    "l2": Number(0.1, 30, default=5.0, log=True),
    "max_features": Number(0.1, 1.0, default=0.8, log=True),
    "random_thresholds": Choice([True, False], default=True),
}
GB = Learner("gb", make_gb, BOOSTING, suits_boosting, reads_tables=True)
EXTRA_GB = Learner(
    "extra_gb", make_extra_gb, EXTRA_BOOSTING, suits_boosting, reads_tables=True
)
SYMMETRIC_GB = Learner(
    "symmetric_gb",
    make_symmetric_gb,
    SYMMETRIC_BOOSTING,
    suits_boosting,
    reads_tables=True,
)
QUICK_GB = Learner(
    "quick_gb", make_quick_gb, {}, suits_quick_boosting, reads_tables=True
)
RPBOOST = Learner(
    "rpboost",
    make_rpboost,
    {"learning_rate": Number(0.03, 1.0, default=0.3, log=True)},
    has_few_cells,
    needs_scaling=True,
)
