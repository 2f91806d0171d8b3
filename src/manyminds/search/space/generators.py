"""Options of the stage that generates columns from others, and their conditions."""

from typing import Any

from manyminds.preprocessing import (
    ArithmeticFeatures,
    CrossedCategories,
    TargetMeans,
)
from manyminds.search.space.options import Option
from manyminds.search.space.parameters import Number
from manyminds.search.space.problem import Problem

__all__ = ["GENERATORS", "UNGENERATED"]

MIN_ROWS = 100  # in fewer, hardly any gain is significant
MAX_COLUMNS = 2_000  # of which the strongest are found in seconds
MAX_CELLS = 1e8  # of a table that is copied with more columns


def generate_nothing(problem: Problem) -> None:
    """Return None: no column is generated."""


def make_arithmetic(problem: Problem, count: int) -> Any:
    """Append sums, differences, products and ratios of numeric columns."""
    return ArithmeticFeatures(int(count), task=problem.task)


def make_crosses(problem: Problem) -> Any:
    """Append crosses of category columns."""
    return CrossedCategories(task=problem.task)


def make_level_means(problem: Problem) -> Any:
    """Append the mean target of levels, cross-fitted."""
    return TargetMeans(task=problem.task)


def can_generate(problem: Problem) -> bool:
    """Return whether columns can be chosen by one target, and added to the table."""
    n_cells = problem.n_samples * problem.n_features
    is_small = problem.n_features <= MAX_COLUMNS and n_cells <= MAX_CELLS
    has_one_target = problem.task in ("classification", "regression")
    is_dense = not problem.sparse
    return is_small and has_one_target and is_dense and problem.n_samples >= MIN_ROWS


def has_numbers(problem: Problem) -> bool:
    """Return whether there are two numeric columns to combine."""
    return can_generate(problem) and problem.n_numbers >= 2


def has_categories(problem: Problem) -> bool:
    """Return whether there are category columns."""
    return can_generate(problem) and problem.n_categorical > 0


def has_pairs_of_categories(problem: Problem) -> bool:
    """Return whether there are two category columns to cross."""
    return can_generate(problem) and problem.n_categorical > 1


# GroupFeatures is no option: it paid before no learner on any of 20 tables.
UNGENERATED = Option("ungenerated", generate_nothing)
GENERATORS = (
    UNGENERATED,
    Option(
        "arithmetic",
        make_arithmetic,
        {"count": Number(1, 30, default=10, log=True, whole=True)},
        has_numbers,
    ),
    Option("crosses", make_crosses, suits=has_pairs_of_categories),
    Option("level_means", make_level_means, suits=has_categories),
)
