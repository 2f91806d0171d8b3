"""Convert a model with its columns to a model of ONNX."""

import json
from typing import Any

import numpy as np

from manyminds.export.graph import ExportError, Graph, require_onnx
from manyminds.export.labels import choose_labels
from manyminds.export.learners import convert_learner
from manyminds.export.table import read_inputs
from manyminds.persistence import TableModel

__all__ = ["decide", "to_onnx"]


def to_onnx(model: TableModel) -> Any:
    """Convert a model of a table to ONNX.

    Each column is an input of its name, of shape (n_rows, 1): doubles, with NaN for a
    missing value, or strings, of which all that are no level of training are missing.
    A date is a double, too: seconds since the beginning of 1970, in UTC. Outputs are
    ``label`` and ``probabilities``, with the classes in their order, or ``prediction``;
    of many labels ``labels``, 0 or 1, and ``probabilities``, both of shape (n_rows,
    n_labels), and the metadata ``labels`` has their names as a list in JSON. An output
    of which a column has the name gets an underscore: ``label_``. All numbers are
    doubles, and so are thresholds of trees.

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
    graph = Graph(reserved=frozenset(one.name for one in model.columns))
    values = convert_learner(model.estimator, graph, read_inputs(graph, model.columns))
    if model.task == "regression":
        name = graph.rename(values, "prediction")
        outputs = [(name, onnx.TensorProto.DOUBLE, [None, 1])]
    else:
        outputs = _add_label(graph, model, values)
    converted = graph.build(outputs)
    facts = {"target": ",".join(model.targets), "task": model.task, "date": model.date}
    if model.task == "multilabel":
        facts["labels"] = json.dumps(model.targets)
    onnx.helper.set_model_props(converted, facts)
    converted.producer_name = "manyminds"
    converted.producer_version = model.versions.get("manyminds", "")
    return converted


def _add_label(graph: Graph, model: TableModel, values: str) -> list[Any]:
    """Add the class of the greatest probability, or all labels; return both outputs."""
    onnx = require_onnx()
    classes = np.asarray(model.estimator.classes_)
    is_set = classes.ndim == 2  # of labels: two values each
    name, shape = ("labels", [None, len(classes)]) if is_set else ("label", [None])
    label = decide(graph, model.estimator, values, classes)
    names = graph.rename(label, name), graph.rename(values, "probabilities")
    numbers = {"b": onnx.TensorProto.BOOL, "f": onnx.TensorProto.DOUBLE}
    numbers |= dict.fromkeys("iu", onnx.TensorProto.INT64)
    kind = numbers.get("i" if is_set else classes.dtype.kind, onnx.TensorProto.STRING)
    return [
        (names[0], kind, shape),
        (names[1], onnx.TensorProto.DOUBLE, [None, len(classes)]),
    ]


def decide(graph: Graph, model: Any, values: str, classes: np.ndarray) -> str:
    """Return the class that a model predicts, or whether each label is there.

    Parameters
    ----------
    graph : Graph
    model : classifier
        Fitted.
    values : str
        Its probabilities.
    classes : ndarray of shape (n_classes,) or (n_labels, 2)
        Their names or numbers, or those of each label.

    Returns
    -------
    label : str
        Of shape (n_rows,), or (n_rows, n_labels).
    """
    if classes.ndim == 2:
        return choose_labels(graph, model, values)
    decided = graph.deciders.get(values, values)
    weights = getattr(model, "class_weights", None)
    if weights is not None:
        decided = graph.add("Mul", values, graph.row(weights, len(classes)))
    best = graph.add("ArgMax", decided, axis=1, keepdims=0)
    return graph.add("Gather", graph.constant(classes), best, axis=0)
