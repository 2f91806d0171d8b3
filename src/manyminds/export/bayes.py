"""Classifiers of categories: averaged dependence estimators and trees of dependence."""

from typing import Any

import numpy as np

from manyminds.export.graph import Graph
from manyminds.export.table import Table, refuse_rotated
from manyminds.export.trees import read_codes

__all__ = ["convert_dependence", "convert_tan"]


def _cut(graph: Graph, table: Table, model: Any) -> str:
    """Return codes of all columns, as doubles; -1 for a missing value."""
    refuse_rotated(table, model)
    matrix = read_codes(graph, table, model)
    cuts = dict(zip(np.flatnonzero(model._is_numeric), model._cuts, strict=True))
    parts, axis = [], graph.constant(np.array([1]))
    for j in range(len(table.columns)):
        part = graph.take_columns(matrix, [j])
        is_missing = graph.add("IsNaN", part)
        if j in cuts:
            bounds = np.append(cuts[j][np.isfinite(cuts[j])], np.inf)
            above = graph.add("Greater", part, graph.constant(bounds[np.newaxis]))
            above = graph.add("Cast", above, to=11)  # double
            part = graph.add("ReduceSum", above, axis, keepdims=1)
        none = graph.constant(np.array([-1.0]))
        parts.append(graph.add("Where", is_missing, none, part))
    return graph.add("Concat", *parts, axis=1)


# ---------------------------------------------------------------- averages


def convert_dependence(model: Any, graph: Graph, table: Table) -> str:
    """Return the probabilities of averaged n-dependence estimators.

    Parameters
    ----------
    model : AODEClassifier, AnDEClassifier or NaiveBayesClassifier
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    probabilities : str
    """
    codes, n_columns = _cut(graph, table, model), len(table.columns)
    n_classes, levels = len(model.classes_), model._levels
    tables = [_store(graph, level, float(model.min_rows)) for level in levels]

    def convert(row: str) -> str:
        """Take the first level of which a set takes part, for one row of codes."""
        states = _number_states(graph, row, levels[0][0])
        row = graph.add("Cast", row, to=7)  # int64
        made, _ = _add_level(graph, row, states, levels[-1][0], tables[-1])
        for level, stored in zip(levels[-2::-1], tables[-2::-1], strict=True):
            better, is_used = _add_level(graph, row, states, level[0], stored)
            made = graph.add("Where", is_used, better, made)
        return made

    return graph.softmax(graph.each_row(codes, n_columns, n_classes, convert))


def _store(graph: Graph, level: Any, min_rows: float) -> tuple[str, str]:
    """Store the logarithms of a level, with a cell and a state for missing values.

    A cell of too few rows has no probability, and members of a set are certain.
    """
    sets, n_rows, alone, joint = level
    if sets.members.shape[1]:
        alone = np.where((n_rows < min_rows)[:, np.newaxis], -np.inf, alone)
    wide = np.zeros((joint.shape[0] + 1, joint.shape[1] + 1, joint.shape[2]))
    wide[:-1, :-1] = joint
    for s, members in enumerate(sets.members):
        for f in members:
            states = slice(sets.first_state[f], sets.first_state[f + 1])
            wide[sets.first[s] : sets.first[s + 1], states] = 0.0
    none = np.full((1, alone.shape[1]), -np.inf)
    return graph.constant(np.vstack([alone, none])), graph.constant(wide)


def _number_states(graph: Graph, row: str, sets: Any) -> str:
    """Return the numbers of the states of a row among those of all columns."""
    is_known = graph.add("GreaterOrEqual", row, graph.constant(np.array([0.0])))
    first = graph.constant(sets.first_state[:-1].astype(np.float64))
    missing = graph.constant(np.array([float(sets.first_state[-1])]))
    states = graph.add("Where", is_known, graph.add("Add", row, first), missing)
    return graph.add("Cast", states, to=7)  # int64


def _add_level(
    graph: Graph, row: str, states: str, sets: Any, tables: tuple[str, str]
) -> tuple[str, str]:
    """Return the log of the sum over the sets, and whether any takes part."""
    n_sets, n_states = len(sets.members), len(sets.n_states)
    cells = _number_cells(graph, row, sets)
    shape = graph.constant(np.array([n_sets, n_states, 1]))
    pairs = graph.add(
        "Concat",
        graph.add("Expand", graph.add("Unsqueeze", cells, _axes(graph, 1, 2)), shape),
        graph.add("Expand", graph.add("Unsqueeze", states, _axes(graph, 0, 2)), shape),
        axis=2,
    )
    products = graph.add("GatherND", tables[1], pairs)  # (n_sets, n_states, n_classes)
    terms = graph.add("ReduceSum", products, _axes(graph, 1), keepdims=0)
    terms = graph.add("Add", terms, graph.add("Gather", tables[0], cells, axis=0))
    high = graph.reduce("ReduceMax", terms, 0, 0)
    is_used = graph.add("Greater", high, graph.constant(np.array([-np.inf])))
    high = graph.add("Where", is_used, high, graph.constant(np.array([0.0])))
    shares = graph.add("Exp", graph.add("Sub", terms, high))
    total = graph.add("ReduceSum", shares, _axes(graph, 0), keepdims=0)
    return graph.add("Add", high, graph.add("Log", total)), is_used


def _number_cells(graph: Graph, row: str, sets: Any) -> str:
    """Return the cell of each set: (n_sets,), the last one if a member is missing."""
    first = graph.constant(sets.first[:-1])
    n_members = sets.members.shape[1]
    if not n_members:
        return first
    steps = np.ones_like(sets.members)
    for m in range(n_members - 1, 0, -1):
        steps[:, m - 1] = steps[:, m] * sets.n_states[sets.members[:, m]]
    codes = graph.add("Gather", row, graph.constant(sets.members), axis=0)
    cells = graph.add("Mul", codes, graph.constant(steps))
    cells = graph.add("ReduceSum", cells, _axes(graph, 1), keepdims=0)
    lowest = graph.reduce("ReduceMin", codes, 1, 0)
    is_known = graph.add("GreaterOrEqual", lowest, graph.constant(np.array([0])))
    last = graph.constant(sets.first[-1:])
    return graph.add("Where", is_known, graph.add("Add", cells, first), last)


def _axes(graph: Graph, *axes: int) -> str:
    return graph.constant(np.array(axes))


# ---------------------------------------------------------------- trees of dependence


def convert_tan(model: Any, graph: Graph, table: Table) -> str:
    """Return the probabilities of a tree of dependence, by messages to the root.

    Parameters
    ----------
    model : TANClassifier
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    probabilities : str
    """
    codes, n_classes = _cut(graph, table, model), len(model.classes_)
    beliefs = [_believe(graph, codes, f, n) for f, n in enumerate(model.n_states_)]
    logs = [graph.row(model._log_prior, n_classes)]
    for f in model._order[::-1]:
        parent, n_states = model.parents_[f], model.n_states_[f]
        n_rows = model.n_states_[parent] if parent >= 0 else 1
        first = model._first[f]
        cells = model._tables[first : first + n_classes * n_rows * n_states]
        # One product for each class: (n_classes, n_states, n_rows).
        cells = cells.reshape(n_classes, n_rows, n_states).transpose(0, 2, 1)
        cells = graph.constant(np.ascontiguousarray(cells))
        message = graph.add("MatMul", beliefs[f], cells)  # (n_classes, n_samples, ...)
        if parent >= 0:
            message = graph.add("Mul", beliefs[parent], message)
        high = graph.reduce("ReduceMax", message, 2, 1)
        if parent >= 0:
            beliefs[parent] = graph.add("Div", message, high)
        high = graph.add("Squeeze", high, _axes(graph, 2))
        high = graph.add("Transpose", high, perm=[1, 0])
        logs.append(graph.add("Log", high))
    return graph.softmax(graph.total(logs))


def _believe(graph: Graph, codes: str, f: int, n_states: int) -> str:
    """Return 1 for all states that a column may have: (1, n_samples, n_states)."""
    code = graph.take_columns(codes, [f])
    states = graph.row(np.arange(n_states), n_states)
    is_it = graph.add("Equal", code, states)
    is_missing = graph.add("Less", code, graph.constant(np.array([[0.0]])))
    may_be = graph.add("Cast", graph.add("Or", is_it, is_missing), to=11)  # double
    return graph.add("Unsqueeze", may_be, _axes(graph, 0))
