"""Learners that are rarely kept: local trees, Gaussian processes, random stumps."""

from typing import Any

import numpy as np
from sklearn.gaussian_process import kernels

from manyminds.export.graph import ExportError, Graph
from manyminds.export.table import Table, refuse_rotated
from manyminds.export.trees import average_trees, read_codes

__all__ = ["convert_gp", "convert_local_trees", "convert_rp_boost"]


def convert_local_trees(model: Any, graph: Graph, table: Table) -> str:
    """Return the mean of all trees, each grown around its own centroid.

    Parameters
    ----------
    model : ForestOfLocalTreesClassifier or ForestOfLocalTreesRegressor
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    values : str
    """
    is_plain = model.n_active is None and not model.competence_weighted
    is_plain = is_plain and model.estimator is None
    if not is_plain or getattr(model, "voting", "soft") != "soft":
        raise ExportError(
            f"{type(model).__name__} cannot be converted to ONNX but with soft votes "
            "of all trees: n_active=None and competence_weighted=False."
        )
    refuse_rotated(table, model)
    matrix = read_codes(graph, table, model)
    return average_trees(graph, matrix, model.trees_, len(table.columns))


def convert_gp(model: Any, graph: Graph, table: Table) -> str:
    """Return the means of a Gaussian process.

    Parameters
    ----------
    model : GaussianProcessRegressor
        Fitted, of one target.
    graph : Graph
    table : Table

    Returns
    -------
    predictions : str
    """
    points = model.X_train_
    scaled = np.reshape(model.alpha_, (-1, 1)) * np.ravel(model._y_train_std)
    alpha = graph.constant(scaled)

    def convert(row: str) -> str:
        values = _apply_kernel(graph, model.kernel_, row, points)
        shape = graph.constant(np.array([1, len(points)]))
        made = graph.add("MatMul", graph.add("Reshape", values, shape), alpha)
        return graph.add("Squeeze", made, graph.constant(np.array([0])))

    made = graph.each_row(table.matrix, points.shape[1], 1, convert)
    return graph.add("Add", made, graph.row(model._y_train_mean, 1))


def _apply_kernel(graph: Graph, kernel: Any, row: str, points: np.ndarray) -> str:
    """Return the kernel of a row with all points: (n_points,)."""
    if isinstance(kernel, kernels.Sum | kernels.Product):
        operator = "Add" if isinstance(kernel, kernels.Sum) else "Mul"
        left = _apply_kernel(graph, kernel.k1, row, points)
        return graph.add(operator, left, _apply_kernel(graph, kernel.k2, row, points))
    if isinstance(kernel, kernels.ConstantKernel):
        return graph.constant(np.full(len(points), kernel.constant_value))
    if isinstance(kernel, kernels.WhiteKernel):  # no row is one of training
        return graph.constant(np.zeros(len(points)))
    if isinstance(kernel, kernels.Matern) and kernel.nu == 1.5:
        scale = np.broadcast_to(kernel.length_scale, points.shape[1])
        row = graph.add("Div", row, graph.constant(scale.astype(np.float64)))
        away = graph.add("Sub", graph.constant(points / scale), row)
        squares, axis = graph.add("Mul", away, away), graph.constant(np.array([1]))
        length = graph.add("Sqrt", graph.add("ReduceSum", squares, axis, keepdims=0))
        length = graph.add("Mul", length, graph.constant(np.array([np.sqrt(3.0)])))
        decay = graph.add("Exp", graph.add("Neg", length))
        more = graph.add("Add", length, graph.constant(np.array([1.0])))
        return graph.add("Mul", more, decay)
    raise ExportError(
        f"A Gaussian process with the kernel {kernel} cannot be converted to ONNX; "
        "sums and products of constant, white and Matern kernels with nu=1.5 can."
    )


def convert_rp_boost(model: Any, graph: Graph, table: Table) -> str:
    """Return the probabilities of boosting along random projections.

    Projections are added column by column, as in the learner, so that no row changes
    its side of a threshold.

    Parameters
    ----------
    model : RpBoostClassifier
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    probabilities : str
    """
    refuse_rotated(table, model)
    n_outputs, n_rounds, n_columns = model.directions_.shape
    directions = model.directions_.reshape(-1, n_columns).T
    by_column = graph.constant(np.ascontiguousarray(directions))
    threshold = graph.constant(model.thresholds_.ravel())
    above = graph.constant(model.weights_.ravel())
    below = graph.constant(-model.weights_.ravel())
    shape = graph.constant(np.array([n_outputs, n_rounds]))
    init = graph.constant(model.init_[:, np.newaxis])

    def add_stumps(row: str) -> str:
        row = graph.add("Unsqueeze", row, graph.constant(np.array([1])))
        sums = graph.sum_in_order(graph.add("Mul", row, by_column), 0)
        is_above = graph.add("Greater", sums, threshold)
        stumps = graph.add("Where", is_above, above, below)
        stumps = graph.add("Reshape", stumps, shape)
        return graph.sum_in_order(graph.add("Concat", init, stumps, axis=1), 1)

    F = graph.each_row(table.matrix, n_columns, n_outputs, add_stumps)
    if n_outputs == 1:
        F = graph.add("Concat", graph.add("Neg", F), F, axis=1)
    factor = graph.row(0.5 * len(model.classes_), len(model.classes_))
    return graph.softmax(graph.add("Mul", F, factor))
