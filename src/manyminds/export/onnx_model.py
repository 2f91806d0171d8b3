"""Convert a model with its columns to a model of ONNX."""

from typing import Any

import numpy as np

from manyminds.export.graph import ExportError, Graph, require_onnx
from manyminds.export.learners import convert_learner
from manyminds.export.table import read_inputs
from manyminds.persistence import TableModel

__all__ = ["decide", "to_onnx"]


def to_onnx(model: TableModel) -> Any:
    """Convert a model of a table to ONNX.

    Each column is an input of its name, of shape (n_rows, 1): doubles, with NaN for a
    missing value, or strings, of which all that are no level of training are missing.
    A date is a double, too: seconds since the beginning of 1970, in UTC. Outputs are
    ``label`` and ``probabilities``, with the classes in their order, or
    ``prediction``. All numbers are doubles, and so are thresholds of trees.

    Parameters
    ----------
    model : TableModel
        As `manyminds.persistence.load_model` returns it.

    Returns
    -------
    model : onnx.ModelProto

    Raises
    ------
    ExportError
        If a step or a learner cannot be converted; the message names it.
    """
    onnx = require_onnx()
    if model.columns is None:
        raise ExportError("Models of sparse tables cannot be converted to ONNX.")
    if model.task == "multilabel":
        raise ExportError("Models of many labels cannot be converted to ONNX.")
    graph = Graph()
    values = convert_learner(model.estimator, graph, read_inputs(graph, model.columns))
    if model.task == "regression":
        graph.rename(values, "prediction")
        outputs = [("prediction", onnx.TensorProto.DOUBLE, [None, 1])]
    else:
        outputs = _add_label(graph, model, values)
    converted = graph.build(outputs)
    facts = {"target": str(model.target), "task": model.task, "date": model.date}
    onnx.helper.set_model_props(converted, facts)
    converted.producer_name = "manyminds"
    converted.producer_version = model.versions.get("manyminds", "")
    return converted


def _add_label(graph: Graph, model: TableModel, values: str) -> list[Any]:
    """Add the class of the greatest probability, or vote; return both outputs."""
    onnx = require_onnx()
    classes = np.asarray(model.estimator.classes_)
    graph.rename(decide(graph, model.estimator, values, classes), "label")
    graph.rename(values, "probabilities")
    is_number = classes.dtype.kind in "iu"
    kind = onnx.TensorProto.INT64 if is_number else onnx.TensorProto.STRING
    return [
        ("label", kind, [None]),
        ("probabilities", onnx.TensorProto.DOUBLE, [None, len(classes)]),
    ]


def decide(graph: Graph, model: Any, values: str, classes: np.ndarray) -> str:
    """Return the classes that a model predicts.

    Parameters
    ----------
    graph : Graph
    model : classifier
        Fitted.
    values : str
        Its probabilities.
    classes : ndarray of shape (n_classes,)
        Their names or numbers.

    Returns
    -------
    label : str
        Of shape (n_rows,).
    """
    decided = graph.deciders.get(values, values)
    weights = getattr(model, "class_weights", None)
    if weights is not None:
        decided = graph.add("Mul", values, graph.row(weights, len(classes)))
    best = graph.add("ArgMax", decided, axis=1, keepdims=0)
    return graph.add("Gather", graph.constant(classes), best, axis=0)
