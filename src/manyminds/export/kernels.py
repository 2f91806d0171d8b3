"""Learners that keep training samples: support vector machines and NRBF networks."""

from itertools import combinations
from typing import Any

import numpy as np

from manyminds._compat import get_support_vectors
from manyminds.export.graph import ExportError, Graph
from manyminds.export.table import Table

__all__ = [
    "calibrate",
    "convert_nrbf_classifier",
    "convert_nrbf_regressor",
    "convert_svc",
    "convert_svr",
]


# ---------------------------------------------------------------- machines


def convert_svc(model: Any, graph: Graph, table: Table) -> str:
    """Return the calibrated probabilities of a support vector machine.

    All numbers are doubles. With an exponential kernel, the distance of a row from
    itself is the root of a rounding error, so that outputs agree up to 1e-8 times C.

    Its class is that of the most pairwise decisions, which need not have the greatest
    probability: the graph notes them as what decides.

    Parameters
    ----------
    model : KernelWidthSVC
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    probabilities : str
    """
    if not model.probability:
        raise ExportError(
            "KernelWidthSVC with probability=False cannot be converted to ONNX; "
            "probability=True can."
        )
    machine = model.model_
    coef = _list_pair_coefs(machine)
    pairs = _decide(graph, table, model, coef, machine.intercept_)
    if len(model.classes_) == 2:
        scores, votes = (
            pairs,
            graph.add("Concat", graph.add("Neg", pairs), pairs, axis=1),
        )
    else:
        scores, votes = _vote(graph, pairs, len(model.classes_))
    made = calibrate(graph, scores, model.calibrator_)
    graph.deciders[made] = votes
    return made


def convert_svr(model: Any, graph: Graph, table: Table) -> str:
    """Return the numbers that a support vector machine predicts.

    Parameters
    ----------
    model : KernelWidthSVR
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    predictions : str
    """
    machine = model.model_
    return _decide(graph, table, model, machine.dual_coef_.T, machine.intercept_)


def _list_pair_coefs(machine: Any) -> np.ndarray:
    """Return the weights of support vectors in all pairs of classes.

    Vectors are sorted by class. A row of ``dual_coef_`` has their weights against one
    of the other classes, which are in their order.

    Returns
    -------
    coefs : ndarray of shape (n_vectors, n_pairs)
    """
    if len(machine.classes_) == 2:
        return machine.dual_coef_.T
    ends = np.cumsum(machine.n_support_)
    of_class = [
        slice(end - n, end) for end, n in zip(ends, machine.n_support_, strict=True)
    ]
    pairs = list(combinations(range(len(ends)), 2))
    coefs = np.zeros((ends[-1], len(pairs)))
    for k, (i, j) in enumerate(pairs):
        coefs[of_class[i], k] = machine.dual_coef_[j - 1, of_class[i]]
        coefs[of_class[j], k] = machine.dual_coef_[i, of_class[j]]
    return coefs


def _decide(
    graph: Graph, table: Table, model: Any, coefs: np.ndarray, intercept: np.ndarray
) -> str:
    """Return sums of kernels and intercepts: (n_rows, n_outputs)."""
    vectors = get_support_vectors(model.model_)
    if model.kernel == "linear" or not len(vectors):
        made = graph.multiply(table.matrix, vectors.T @ coefs)
    elif model.kernel in ("gaussian", "exponential"):
        distances = _measure(graph, table.matrix, vectors)
        if model.kernel == "exponential":
            distances = graph.add("Sqrt", distances)
        shares = graph.add("Div", distances, graph.row(-model.width_, len(vectors)))
        made = graph.multiply(graph.add("Exp", shares), coefs)
    else:
        raise ExportError(
            f"{type(model).__name__} with kernel={model.kernel!r} cannot be converted "
            'to ONNX; "linear", "gaussian" and "exponential" can.'
        )
    return graph.add("Add", made, graph.row(intercept, coefs.shape[1]))


def _measure(graph: Graph, matrix: str, points: np.ndarray) -> str:
    """Return squared distances of rows from points: (n_rows, n_points).

    They are computed from products, which are inaccurate far away from zero: the mean
    of the points is subtracted first.
    """
    center = points.mean(axis=0)
    points = points - center
    matrix = graph.add("Sub", matrix, graph.row(center, len(center)))
    squares = graph.add("Mul", matrix, matrix)
    squares = graph.add("ReduceSum", squares, graph.constant(np.array([1])), keepdims=1)
    made = graph.add("Add", graph.multiply(matrix, -2.0 * points.T), squares)
    made = graph.add("Add", made, graph.row((points**2).sum(axis=1), len(points)))
    return graph.add("Max", made, graph.row(0.0, len(points)))


def _vote(graph: Graph, pairs: str, n_classes: int) -> tuple[str, str]:
    """Return a score for each class, and its pairwise votes: (n_rows, n_classes).

    The score is the number of votes and less than half a vote by the sum of decisions,
    as in scikit-learn.
    """
    first, second = map(list, zip(*combinations(range(n_classes), 2), strict=True))
    for_first, for_second = np.eye(n_classes)[first], np.eye(n_classes)[second]
    is_second = graph.add("Less", pairs, graph.constant(np.array([0.0])))
    is_second = graph.add("Cast", is_second, to=11)  # double
    votes = graph.multiply(is_second, for_second - for_first)
    votes = graph.add("Add", votes, graph.row(for_first.sum(axis=0), n_classes))
    total = graph.multiply(pairs, for_first - for_second)
    three = graph.row(3.0, n_classes)
    size = graph.add("Mul", graph.add("Abs", total), three)
    more = graph.add("Div", total, graph.add("Add", size, three))
    return graph.add("Add", votes, more), votes


def calibrate(graph: Graph, scores: str, model: Any) -> str:
    """Return probabilities of scores by Platt's sigmoids.

    Parameters
    ----------
    graph : Graph
    scores : str
        Of shape (n_rows, n_classes), or of one column for two classes.
    model : CalibratedClassifierCV
        Fitted with method="sigmoid" and ensemble=False.

    Returns
    -------
    probabilities : str
        Of shape (n_rows, n_classes).
    """
    if model.method != "sigmoid" or len(model.calibrated_classifiers_) > 1:
        raise ExportError(
            "CalibratedClassifierCV cannot be converted to ONNX but with "
            'method="sigmoid" and ensemble=False.'
        )
    sigmoids = model.calibrated_classifiers_[0].calibrators
    slope = graph.row([-one.a_ for one in sigmoids], len(sigmoids))
    shift = graph.row([-one.b_ for one in sigmoids], len(sigmoids))
    logits = graph.add("Add", graph.add("Mul", scores, slope), shift)
    made = graph.add("Sigmoid", logits)
    return graph.pair(made) if len(sigmoids) == 1 else graph.normalize(made)


# ---------------------------------------------------------------- NRBF networks


def convert_nrbf_classifier(model: Any, graph: Graph, table: Table) -> str:
    """Return the shares of classes in the kernels of all points.

    Parameters
    ----------
    model : NRBFClassifier
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    probabilities : str
    """
    return _average_kernels(model, graph, table)


def convert_nrbf_regressor(model: Any, graph: Graph, table: Table) -> str:
    """Return the means of targets, weighted by kernels.

    Parameters
    ----------
    model : NRBFRegressor
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    predictions : str
    """
    made = _average_kernels(model, graph, table)
    return graph.add("Add", made, graph.row(model._mean, 1))


def _average_kernels(model: Any, graph: Graph, table: Table) -> str:
    """Return means of the sums of points, by kernels of which the largest is 1."""
    sums = model._points.sums
    distances = _measure(graph, table.matrix, model.prototypes_)
    nearest = graph.reduce("ReduceMin", distances, 1, 1)
    away = graph.add("Sub", distances, nearest)
    shares = graph.add("Div", away, graph.row(-model.width_, len(sums)))
    kernels = graph.add("Exp", shares)
    totals = graph.multiply(kernels, sums[:, :-1])
    return graph.add("Div", totals, graph.multiply(kernels, sums[:, -1:]))
