"""Register the conversions of our estimators with skl2onnx, for matrices of numbers."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, is_classifier

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.export.graph import OPSETS, Graph, require_onnx
from manyminds.export.learners import convert_learner
from manyminds.export.steps import convert_step
from manyminds.export.table import Table
from manyminds.preprocessing import ColumnCleaner, MatrixScaler
from manyminds.search import PriorCorrectedClassifier
from manyminds.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    MDLTreeClassifier,
    REPTreeClassifier,
    REPTreeRegressor,
    SSVTreeClassifier,
)
from manyminds.utils.errors import InputError

__all__ = ["register_with_skl2onnx"]

PREDICTORS = (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    MDLTreeClassifier,
    PriorCorrectedClassifier,
    REPTreeClassifier,
    REPTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    SSVTreeClassifier,
)
STEPS = (ColumnCleaner, MatrixScaler)
ZIPMAP = {"zipmap": [True, False, "columns"]}  # how its users ask for probabilities


def register_with_skl2onnx() -> None:
    """Let ``skl2onnx.to_onnx`` convert our estimators, alone and in pipelines.

    They take matrices of numbers there, with missing values; `to_onnx` converts tables
    with categories, and committees.
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError as error:
        raise InputError(
            "register_with_skl2onnx needs the package: pip install skl2onnx."
        ) from error
    for kind in PREDICTORS:
        update_registered_converter(
            kind,
            f"Manyminds{kind.__name__}",
            _shape_predictions,
            _convert_predictor,
            options=ZIPMAP if issubclass(kind, ClassifierMixin) else None,
        )
    for step in STEPS:
        alias = f"Manyminds{step.__name__}"
        update_registered_converter(step, alias, _shape_columns, _convert_step)


# ---------------------------------------------------------------- shapes


def _shape_predictions(operator: Any) -> None:
    """Set the types of labels and probabilities, or of numbers."""
    from skl2onnx.common.data_types import (
        DoubleTensorType,
        Int64TensorType,
        StringTensorType,
    )

    model, outputs = operator.raw_operator, operator.outputs
    if not is_classifier(model):
        outputs[0].type = DoubleTensorType([None, 1])
        return
    is_number = np.asarray(model.classes_).dtype.kind in "iu"
    outputs[0].type = (Int64TensorType if is_number else StringTensorType)([None])
    outputs[1].type = DoubleTensorType([None, len(model.classes_)])


def _shape_columns(operator: Any) -> None:
    """Set the number of columns that a step makes."""
    from skl2onnx.common.data_types import DoubleTensorType

    n_columns = len(operator.raw_operator.get_feature_names_out())
    operator.outputs[0].type = DoubleTensorType([None, n_columns])


# ---------------------------------------------------------------- nodes


def _convert_predictor(scope: Any, operator: Any, container: Any) -> None:
    model, graph = operator.raw_operator, Graph()
    values = convert_learner(model, graph, _read_matrix(graph, operator))
    if not is_classifier(model):
        _move(graph, scope, container, {values: operator.outputs[0].full_name})
        return
    best = graph.add("ArgMax", values, axis=1, keepdims=0)
    classes = graph.constant(np.asarray(model.classes_))
    label = graph.add("Gather", classes, best, axis=0)
    names = [one.full_name for one in operator.outputs]
    _move(graph, scope, container, {label: names[0], values: names[1]})


def _convert_step(scope: Any, operator: Any, container: Any) -> None:
    graph = Graph()
    made = convert_step(operator.raw_operator, graph, _read_matrix(graph, operator))
    _move(graph, scope, container, {made.matrix: operator.outputs[0].full_name})


def _read_matrix(graph: Graph, operator: Any) -> Table:
    """Return the input as a table of doubles."""
    given = operator.inputs[0]
    matrix = graph.add("Cast", given.full_name, to=11)  # double
    return Table.of_numbers(matrix, operator.raw_operator.n_features_in_)


def _move(graph: Graph, scope: Any, container: Any, outputs: dict[str, str]) -> None:
    """Add the nodes of a graph to those of skl2onnx, under names of their own."""
    helper = require_onnx().helper
    for value, name in outputs.items():
        graph.rename(value, name)
    own = {one.name for one in graph.constants}
    own |= {name for node in graph.nodes for name in node.output}
    own -= set(outputs.values())
    names = {name: scope.get_unique_variable_name(name) for name in sorted(own)}
    for tensor in graph.constants:
        tensor.name = names[tensor.name]
        container.initializers.append(tensor)
    for node in graph.nodes:
        options = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        container.add_node(
            node.op_type,
            [names.get(one, one) for one in node.input],
            [names.get(one, one) for one in node.output],
            op_domain=node.domain,
            op_version=OPSETS[node.domain] if node.domain else None,
            name=scope.get_unique_operator_name(node.op_type),
            **options,
        )
