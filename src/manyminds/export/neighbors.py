"""Nearest neighbors: all training rows are compared with one row at a time."""

from typing import Any

import numpy as np

from manyminds.ensemble.neighbors import MAX_DISTANCE
from manyminds.export.graph import Graph
from manyminds.export.table import Table
from manyminds.learners.tied_neighbors import RTOL, ZERO

__all__ = ["convert_label_neighbors", "convert_neighbors"]


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


# ---------------------------------------------------------------- many labels


def convert_label_neighbors(model: Any, graph: Graph, table: Table) -> str:
    """Return the scores of labels by how many neighbors have them.

    Squares are added column by column, as in the learner: which of two rows is nearer
    may depend on the last digit. Of rows at the same distance, the first ones count.

    Parameters
    ----------
    model : MLkNNClassifier
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    scores : str
    """
    found = model._neighbors
    points, n_labels = found._points, model.n_labels_
    n_points, n_columns = points.shape
    by_column = graph.constant(np.ascontiguousarray(points.T))
    labels = graph.constant(model._labels.astype(np.float64))
    every = np.arange(found.n_near + 1)[:, np.newaxis].repeat(n_labels, axis=1)
    scores = graph.constant(model._score_counts(every).ravel())
    label, first = graph.constant(np.arange(n_labels)), graph.constant(np.array([0]))
    width = graph.constant(np.array([n_labels]))

    def convert(row: str) -> str:
        row = graph.add("Unsqueeze", row, graph.constant(np.array([1])))
        away = graph.add("Sub", row, by_column)
        squares = graph.sum_in_order(graph.add("Mul", away, away), 0)
        near = graph.smallest_places(squares, min(found.n_near, n_points))
        counts = graph.add("Gather", labels, near, axis=0)
        counts = graph.add("ReduceSum", counts, first, keepdims=0)
        cell = graph.add("Mul", graph.add("Cast", counts, to=7), width)  # int64
        return graph.add("Gather", scores, graph.add("Add", cell, label))

    center = found._center * found._scale
    matrix = graph.add("Mul", table.matrix, graph.row(found._scale, n_columns))
    matrix = graph.add("Max", matrix, graph.row(center - MAX_DISTANCE, n_columns))
    matrix = graph.add("Min", matrix, graph.row(center + MAX_DISTANCE, n_columns))
    return graph.each_row(matrix, n_columns, n_labels, convert)
