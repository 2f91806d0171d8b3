"""Nearest neighbors: all training rows are compared with one row at a time."""

from typing import Any

import numpy as np

from manyminds.export.graph import Graph
from manyminds.export.table import Table
from manyminds.learners.tied_neighbors import RTOL, ZERO

__all__ = ["convert_neighbors"]


def convert_neighbors(model: Any, graph: Graph, table: Table) -> str:
    """Return the weighted means of the targets of the neighbors.

    Rows at the distance of the last neighbor share its place, as in the learner, so
    that the order in which they are found does not matter.

    Parameters
    ----------
    model : KNeighborsClassifierCV or KNeighborsRegressorCV
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    values : str
        Probabilities, or numbers.
    """
    targets = graph.constant(model._targets)
    n_points, n_columns = model._neighbors.points.shape

    def convert(row: str) -> str:
        distances = _measure(graph, row, model._neighbors)
        weights = _weigh(graph, distances, model._neighbors, model.weights)
        total = graph.add("ReduceSum", weights, graph.constant(np.array([0])))
        shares = graph.add("Div", weights, total)
        shape = graph.constant(np.array([1, n_points]))
        made = graph.add("MatMul", graph.add("Reshape", shares, shape), targets)
        return graph.add("Squeeze", made, graph.constant(np.array([0])))

    n_values = model._targets.shape[1]
    made = graph.each_row(table.matrix, n_columns, n_values, convert)
    if n_values > 1:
        # The first of equal shares is predicted, whatever their rounding errors.
        best = graph.reduce("ReduceMax", made, 1, 1)
        least = graph.add("Sub", best, graph.row(1e-12, 1))
        is_best = graph.add("GreaterOrEqual", made, least)
        graph.deciders[made] = graph.add("Cast", is_best, to=11)  # double
    return made


def _measure(graph: Graph, row: str, neighbors: Any) -> str:
    """Return the distances of a row from all points: (n_points,)."""
    points = neighbors.points
    if neighbors.metric == "canberra":
        limit = graph.constant(np.array([ZERO * neighbors.size]))
        zero = graph.constant(np.array([0.0]))
        is_zero = graph.add("LessOrEqual", graph.add("Abs", row), limit)
        row = graph.add("Where", is_zero, zero, row)
    away = graph.add("Abs", graph.add("Sub", graph.constant(points), row))
    if neighbors.metric == "canberra":
        size = graph.constant(np.abs(points))
        size = graph.add("Add", size, graph.add("Abs", row))
        one = graph.constant(np.array([1.0]))
        size = graph.add("Where", graph.add("Equal", size, zero), one, size)
        away = graph.add("Div", away, size)
    if neighbors.metric == "chebyshev":
        return graph.reduce("ReduceMax", away, 1, 0)
    axis = graph.constant(np.array([1]))
    if neighbors.metric in ("manhattan", "canberra"):
        return graph.add("ReduceSum", away, axis, keepdims=0)
    if neighbors.metric == "minkowski":
        power = graph.constant(np.array([float(neighbors.p)]))
        total = graph.add("ReduceSum", graph.add("Pow", away, power), axis, keepdims=0)
        return graph.add("Pow", total, graph.constant(np.array([1.0 / neighbors.p])))
    squares = graph.add("Mul", away, away)
    return graph.add("Sqrt", graph.add("ReduceSum", squares, axis, keepdims=0))


def _weigh(graph: Graph, distances: str, neighbors: Any, weights: str) -> str:
    """Return the weights of all points: (n_points,)."""
    zero, one = graph.constant(np.array([0.0])), graph.constant(np.array([1.0]))
    tiny = graph.constant(np.array([float(neighbors.tiny)]))
    last = graph.smallest(distances, neighbors.n_neighbors)
    margin = graph.constant(np.array([RTOL]))
    margin = graph.add("Add", graph.add("Mul", last, margin), tiny)
    is_nearer = graph.add("Less", distances, graph.add("Sub", last, margin))
    is_near = graph.add("LessOrEqual", distances, graph.add("Add", last, margin))
    n_nearer, n_near = _count(graph, is_nearer), _count(graph, is_near)
    left = graph.constant(np.array([float(neighbors.n_neighbors)]))
    left = graph.add("Sub", left, n_nearer)
    share = graph.add("Div", left, graph.add("Sub", n_near, n_nearer))
    tied = graph.add("Where", is_near, share, zero)
    counts = graph.add("Where", is_nearer, one, tied)
    if weights == "uniform":
        return counts
    is_same = graph.add("LessOrEqual", distances, tiny)
    any_same = graph.add("Greater", _count(graph, is_same), zero)
    same = graph.add("Cast", is_same, to=11)  # double
    inverse = graph.add("Where", any_same, same, graph.add("Div", one, distances))
    return graph.add("Mul", counts, inverse)


def _count(graph: Graph, flags: str) -> str:
    """Return the number of flags that are set, as a vector of one number."""
    numbers = graph.add("Cast", flags, to=11)  # double
    return graph.add("ReduceSum", numbers, graph.constant(np.array([0])))
