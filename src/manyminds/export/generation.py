"""Convert steps that append columns to a table."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from manyminds.datasets import Column
from manyminds.export.graph import Graph
from manyminds.export.table import Table, encode_levels, index_levels
from manyminds.preprocessing.generation.arithmetic_features import LARGEST
from manyminds.preprocessing.generation.crossed_categories import MISSING, OTHER

__all__ = ["convert_arithmetic", "convert_crosses", "convert_target_means"]

OPERATORS = {"+": "Add", "-": "Sub", "*": "Mul"}


def convert_arithmetic(step: Any, graph: Graph, table: Table) -> Table:
    """Append sums, differences, products and ratios.

    Parameters
    ----------
    step : ArithmeticFeatures
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    table : Table
    """
    if not step.features_:
        return table
    parts = []
    for sign, *places in step.features_:
        first, second = (graph.take_columns(table.matrix, [j]) for j in places)
        if sign == "/":
            parts.append(_divide(graph, first, second))
        else:
            parts.append(graph.add(OPERATORS[sign], first, second))
    made = graph.add("Concat", *parts, axis=1)
    ends = (graph.constant(np.float64(end)) for end in (-LARGEST, LARGEST))
    clipped = graph.add("Clip", made, *ends)  # which may lose missing values
    made = graph.add("Where", graph.add("IsNaN", made), made, clipped)
    return _append(step, graph, table, [made], [None] * len(parts))


def _divide(graph: Graph, first: str, second: str) -> str:
    """Return a ratio: 0 if ``second`` is 0, missing if one of both is."""
    is_zero = graph.add("Equal", second, graph.constant(np.array([0.0])))
    safe = graph.add("Where", is_zero, graph.constant(np.array([1.0])), second)
    nothing = graph.add("Mul", first, graph.constant(np.array([0.0])))
    return graph.add("Where", is_zero, nothing, graph.add("Div", first, safe))


def convert_crosses(step: Any, graph: Graph, table: Table) -> Table:
    """Append crosses of category columns.

    Parameters
    ----------
    step : CrossedCategories
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    table : Table
    """
    parts, levels = [], []
    for pair, known in zip(step.features_, step.levels_, strict=True):
        levels.append(tuple(sorted({*known, OTHER})))
        parts.append(_cross(graph, table, pair, known, levels[-1]))
    return _append(step, graph, table, parts, levels)


def _cross(
    graph: Graph,
    table: Table,
    pair: tuple[int, int],
    known: list[str],
    levels: tuple[str, ...],
) -> str:
    """Return the codes of a cross: (n_rows, 1).

    They are looked up by those levels of both columns that are part of a known cross.
    """
    first, row = _find_used(graph, table, pair[0], lambda t: _starts(t, known))
    second, column = _find_used(graph, table, pair[1], lambda t: _ends(t, known))
    lookup = np.full((len(first) + 1, len(second) + 1), float(levels.index(OTHER)))
    for (i, one), (j, other) in product(enumerate(first), enumerate(second)):
        if f"{one} & {other}" in known:
            lookup[i, j] = levels.index(f"{one} & {other}")
    width = graph.constant(np.array([lookup.shape[1]]))
    place = graph.add("Add", graph.add("Mul", row, width), column)
    return graph.add("Gather", graph.constant(lookup.reshape(-1, 1)), place, axis=0)


def _starts(text: str, known: list[str]) -> bool:
    return any(one.startswith(f"{text} & ") for one in known)


def _ends(text: str, known: list[str]) -> bool:
    return any(one.endswith(f" & {text}") for one in known)


def _find_used(
    graph: Graph, table: Table, j: int, is_used: Callable[[str], bool]
) -> tuple[list[str], str]:
    """Return the levels of a column that are used, and the place of a row's level.

    All other levels are in the place after them.
    """
    texts = [*(table.columns[j].levels or ()), MISSING]
    used = list(dict.fromkeys(text for text in texts if is_used(text)))
    place = {text: code for code, text in enumerate(used)}
    codes = graph.constant(np.array([place.get(text, len(used)) for text in texts]))
    index = index_levels(graph, table.matrix, j, len(texts) - 1)
    return used, graph.add("Gather", codes, index)


def convert_target_means(step: Any, graph: Graph, table: Table) -> Table:
    """Append the mean targets of levels.

    Parameters
    ----------
    step : TargetMeans
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    table : Table
    """
    if step.encoder_ is None:
        return table
    part = table.take(graph, step.columns_)
    made = encode_levels(graph, part, step.encoder_)
    return _append(step, graph, table, [made.matrix], [None] * len(made.columns))


def _append(
    step: Any,
    graph: Graph,
    table: Table,
    parts: Sequence[str],
    levels: Sequence[tuple[str, ...] | None],
) -> Table:
    """Append new columns, each of numbers or of levels, under the names of the step."""
    if not parts:
        return table
    names = step.get_feature_names_out(table.names)[len(table.columns) :]
    new = [Column(*one) for one in zip(names, levels, strict=True)]
    matrix = graph.add("Concat", table.matrix, *parts, axis=1)
    return Table(matrix, (*table.columns, *new))
