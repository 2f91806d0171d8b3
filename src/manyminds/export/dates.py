"""Dates as seconds since 1970: their components, computed in whole numbers."""

from typing import Any

import numpy as np

from manyminds.datasets import Column
from manyminds.export.graph import Graph
from manyminds.export.table import Table

__all__ = ["convert_dates"]

DAY = 86_400_000_000  # microseconds
HOUR = 3_600_000_000
CYCLE = 146_097  # days of 400 years
BEFORE = 719_468  # days from the first of March of year 0 to 1970


def convert_dates(step: Any, graph: Graph, table: Table) -> Table:
    """Replace columns of seconds by year, month, day, weekday, hour and days.

    Parameters
    ----------
    step : DateEncoder
        Fitted.
    graph : Graph
    table : Table
        Its columns of dates are seconds since the beginning of 1970, NaN if missing.

    Returns
    -------
    table : Table
    """
    names = iter(step.get_feature_names_out())
    parts, columns = [], []
    for place, column in enumerate(table.columns):
        value = graph.take_columns(table.matrix, [place])
        if place not in step.parts_:
            parts.append(value)
            columns.append(column)
            next(names)
            continue
        made = _compute_parts(graph, value)
        for part in step.parts_[place]:
            parts.append(made[part])
            columns.append(Column(str(next(names))))
    return Table(graph.add("Concat", *parts, axis=1), tuple(columns))


def _compute_parts(graph: Graph, seconds: str) -> dict[str, str]:
    """Return the components of dates: (n_rows, 1), NaN where missing.

    Doubles would round the last microsecond of a day up to the next one, so that all
    but the input is whole numbers. The input is exact to the microsecond as long as it
    is below 2 ** 32 seconds, from 1834 to 2106.
    """
    is_missing = graph.add("IsNaN", seconds)
    known = graph.add("Where", is_missing, graph.constant(np.array([0.0])), seconds)
    known = graph.add("Mul", known, graph.constant(np.array([1e6])))
    time = graph.add("Cast", graph.add("Round", known), to=7)  # int64
    of_day = _apply(graph, "Mod", time, DAY)
    day = _apply(graph, "Div", graph.add("Sub", time, of_day), DAY)
    weekday = _apply(graph, "Mod", _apply(graph, "Add", day, 3), 7)
    parts = {"weekday": weekday} | _compute_calendar(graph, day)
    parts = {name: graph.add("Cast", part, to=11) for name, part in parts.items()}
    for name, value, unit in (("days", time, DAY), ("hour", of_day, HOUR)):
        number = graph.add("Cast", value, to=11)  # double
        unit_name = graph.constant(np.array([float(unit)]))
        parts[name] = graph.add("Div", number, unit_name)
    missing = graph.constant(np.array([np.nan]))
    return {
        name: graph.add("Where", is_missing, missing, part)
        for name, part in parts.items()
    }


def _compute_calendar(graph: Graph, day: str) -> dict[str, str]:
    """Return year, month and day of the month, from days since 1970.

    Years begin in March, so that the leap day is their last one. A cycle of 400 years
    always has the same number of days.
    """
    since = _apply(graph, "Add", day, BEFORE)
    of_cycle = _apply(graph, "Mod", since, CYCLE)
    cycle = _apply(graph, "Div", graph.add("Sub", since, of_cycle), CYCLE)
    year = graph.add("Sub", of_cycle, _apply(graph, "Div", of_cycle, 1460))
    year = graph.add("Add", year, _apply(graph, "Div", of_cycle, 36_524))
    year = graph.add("Sub", year, _apply(graph, "Div", of_cycle, CYCLE - 1))
    year = _apply(graph, "Div", year, 365)  # of the cycle
    before = graph.add(
        "Sub", _apply(graph, "Div", year, 4), _apply(graph, "Div", year, 100)
    )
    before = graph.add("Add", before, _apply(graph, "Mul", year, 365))
    of_year = graph.add("Sub", of_cycle, before)
    # Months from March on have 31, 30, 31, 30 and 31 days: 153 of each five months.
    month = _apply(graph, "Add", _apply(graph, "Mul", of_year, 5), 2)
    month = _apply(graph, "Div", month, 153)
    days = _apply(graph, "Add", _apply(graph, "Mul", month, 153), 2)
    of_month = graph.add("Sub", of_year, _apply(graph, "Div", days, 5))
    is_next = _apply(graph, "Div", month, 10)  # 1 in January and February
    month = _apply(graph, "Add", month, 3)
    month = graph.add("Sub", month, _apply(graph, "Mul", is_next, 12))
    year = graph.add("Add", year, _apply(graph, "Mul", cycle, 400))
    return {
        "year": graph.add("Add", year, is_next),
        "month": month,
        "day": _apply(graph, "Add", of_month, 1),
    }


def _apply(graph: Graph, operator: str, values: str, number: int) -> str:
    """Apply an operator to whole numbers and a constant."""
    return graph.add(operator, values, graph.constant(np.array([number])))
