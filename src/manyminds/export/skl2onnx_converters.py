"""Register the conversions of our estimators with skl2onnx, for columns of numbers."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier
from sklearn.feature_selection import SelectorMixin

from manyminds import feature_selection
from manyminds.ensemble.multilabel.base import MultiLabelMixin
from manyminds.export.graph import OPSETS, ExportError, Graph, require_onnx
from manyminds.export.learners import convert_learner
from manyminds.export.onnx_model import decide
from manyminds.export.steps import convert_step
from manyminds.export.table import Table
from manyminds.preprocessing import (
    ArithmeticFeatures,
    ColumnCleaner,
    MatrixScaler,
    RoundedPCA,
)
from manyminds.search.choice.label_committee import LabelCommittee
from manyminds.utils.errors import InputError

__all__ = ["register_with_skl2onnx"]


def _is_selector(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, SelectorMixin)


# All our learners and committees that have a conversion, and steps that read numbers.
PREDICTORS = tuple(
    one for one in convert_learner.registry if one.__module__.startswith("manyminds.")
)
# Their scores are no map of classes.
LABEL_PREDICTORS = tuple(
    one for one in PREDICTORS if issubclass(one, MultiLabelMixin | LabelCommittee)
)
PUBLIC = [getattr(feature_selection, name) for name in feature_selection.__all__]
STEPS = (
    ArithmeticFeatures,
    ColumnCleaner,
    MatrixScaler,
    RoundedPCA,
    *filter(_is_selector, PUBLIC),
)
# How its users ask for probabilities; its parser asks for the second one, too.
OUTPUTS = {"zipmap": [True, False, "columns"], "nocl": [False]}


def register_with_skl2onnx() -> None:
    """Let ``skl2onnx.to_onnx`` convert our estimators, alone and in pipelines.

    All learners of which `to_onnx` has a conversion are registered, with the votes and
    committees that a search makes of them, and all selectors. There, they read columns
    of numbers, with missing values; `to_onnx` converts tables with categories and
    dates. Outputs are doubles; with ``zipmap``, probabilities are floats, as that
    operator knows no others.

    Examples
    --------
    >>> from manyminds.export import register_with_skl2onnx
    >>> register_with_skl2onnx()  # doctest: +SKIP
    >>> from skl2onnx import to_onnx  # doctest: +SKIP
    >>> made = to_onnx(pipeline, X[:1], options={"zipmap": False})  # doctest: +SKIP
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError as error:
        raise InputError(
            "register_with_skl2onnx needs the package: pip install skl2onnx."
        ) from error
    for kind in PREDICTORS:
        is_plain = issubclass(kind, ClassifierMixin | RegressorMixin)
        is_plain = is_plain and kind not in LABEL_PREDICTORS
        update_registered_converter(
            kind,
            f"Manyminds{kind.__name__}",
            _shape_predictions,
            _convert_predictor,
            parser=None if is_plain else _parse_special,
            options=OUTPUTS if issubclass(kind, ClassifierMixin) else None,
        )
    for step in STEPS:
        alias = f"Manyminds{step.__name__}"
        update_registered_converter(step, alias, _shape_columns, _convert_step)


# ---------------------------------------------------------------- shapes


def _parse_special(
    scope: Any, model: Any, inputs: list[Any], custom_parsers: Any = None
) -> Any:
    """Declare outputs of a model that has labels, or whose class has any task."""
    from skl2onnx import get_model_alias
    from skl2onnx.common.data_types import DoubleTensorType, Int64TensorType

    operator = scope.declare_local_operator(get_model_alias(type(model)), model)
    operator.inputs = inputs
    label = "labels" if isinstance(model, LABEL_PREDICTORS) else "label"
    names = {label: Int64TensorType(), "probabilities": DoubleTensorType()}
    if not is_classifier(model):
        names = {"variable": DoubleTensorType()}
    for name, kind in names.items():
        operator.outputs.append(scope.declare_local_variable(name, kind))
    return operator.outputs


def _shape_predictions(operator: Any) -> None:
    """Set the types of labels and probabilities, or of numbers."""
    from skl2onnx.common.data_types import (
        DoubleTensorType,
        FloatTensorType,
        Int64TensorType,
        StringTensorType,
    )

    model, outputs = operator.raw_operator, operator.outputs
    if not is_classifier(model):
        outputs[0].type = DoubleTensorType([None, 1])
        return
    classes = _list_classes(model)
    is_number = classes.dtype.kind == "i"
    if classes.ndim == 2:
        outputs[0].type = Int64TensorType([None, len(classes)])
        outputs[1].type = DoubleTensorType([None, len(classes)])
        return
    outputs[0].type = (Int64TensorType if is_number else StringTensorType)([None])
    makes_floats = _makes_maps(operator.scope_inst, model)
    kind = FloatTensorType if makes_floats else DoubleTensorType
    outputs[1].type = kind([None, len(classes)])


def _makes_maps(scope: Any, model: Any) -> bool:
    """Return whether probabilities are made maps of classes, which hold floats."""
    if not isinstance(model, ClassifierMixin) or isinstance(model, LABEL_PREDICTORS):
        return False
    return scope.get_options(model, {"zipmap": True})["zipmap"] is True


def _list_classes(model: Any) -> np.ndarray:
    """Return the classes as texts or integers, as skl2onnx does."""
    classes = np.asarray(model.classes_)
    return classes.astype(str if classes.dtype.kind in "OU" else np.int64)


def _shape_columns(operator: Any) -> None:
    """Set the number of columns that a step makes."""
    from skl2onnx.common.data_types import DoubleTensorType

    step = operator.raw_operator
    if isinstance(step, SelectorMixin):
        n_columns = int(np.sum(step.get_support()))
    else:
        n_columns = len(step.get_feature_names_out())
    operator.outputs[0].type = DoubleTensorType([None, n_columns])


# ---------------------------------------------------------------- nodes


def _convert_predictor(scope: Any, operator: Any, container: Any) -> None:
    model, graph = operator.raw_operator, _start_graph(container)
    values = convert_learner(model, graph, _read_numbers(graph, operator))
    names = [one.full_name for one in operator.outputs]
    if not is_classifier(model):
        _move(graph, scope, container, {values: names[0]})
        return
    label = decide(graph, model, values, _list_classes(model))
    if _makes_maps(scope, model):
        values = graph.add("Cast", values, to=1)  # float
    _move(graph, scope, container, {label: names[0], values: names[1]})


def _convert_step(scope: Any, operator: Any, container: Any) -> None:
    graph = _start_graph(container)
    made = convert_step(operator.raw_operator, graph, _read_numbers(graph, operator))
    _move(graph, scope, container, {made.matrix: operator.outputs[0].full_name})


def _start_graph(container: Any) -> Graph:
    """Return a graph of the operators that the user asked for."""
    opset = container.target_opset_any_domain("")
    if opset < OPSETS[""]:
        raise ExportError(
            f"target_opset must be at least {OPSETS['']} for estimators of manyminds; "
            f"got {opset}."
        )
    return Graph(opset=opset)


def _read_numbers(graph: Graph, operator: Any) -> Table:
    """Return the inputs, a matrix or several columns, as one table of doubles."""
    from skl2onnx.common.data_types import StringTensorType

    model, inputs, parts = operator.raw_operator, operator.inputs, []
    for one in inputs:
        if isinstance(one.type, StringTensorType):
            raise ExportError(
                f"{type(model).__name__} reads texts, which skl2onnx cannot convert; "
                "manyminds.export.to_onnx converts tables with categories."
            )
        parts.append(graph.add("Cast", one.full_name, to=11))  # double
    matrix = parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=1)
    names = getattr(model, "feature_names_in_", None)
    if 1 < len(inputs) == model.n_features_in_:
        names = [one.raw_name for one in inputs]
    return Table.of_numbers(matrix, model.n_features_in_, names)


def _move(graph: Graph, scope: Any, container: Any, outputs: dict[str, str]) -> None:
    """Add the nodes of a graph to those of skl2onnx, under names of their own."""
    for value, name in outputs.items():
        graph.rename(value, name)
    own = [one.name for one in graph.constants] + _list_made(graph.nodes)
    own = [name for name in own if name not in outputs.values()]
    names = {name: scope.get_unique_variable_name(name) for name in own}
    for tensor in graph.constants:
        tensor.name = names[tensor.name]
        container.initializers.append(tensor)
    helper = require_onnx().helper
    for node in graph.nodes:
        _rename_inside(node, names)
        options = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        version = OPSETS[node.domain] if node.domain else None
        container.add_node(
            node.op_type,
            [names.get(one, one) for one in node.input],
            [names.get(one, one) for one in node.output],
            op_domain=node.domain,
            # Operators within another one need the version that was asked for.
            op_version=graph.opset if "body" in options else version,
            name=scope.get_unique_operator_name(node.op_type),
            **options,
        )


def _list_made(nodes: Any) -> list[str]:
    """Return the names of all values, of those within an operator, too."""
    names = []
    for node in nodes:
        names += node.output
        for one in node.attribute:
            if one.HasField("g"):
                names += [value.name for value in one.g.input]
                names += _list_made(one.g.node)
    return names


def _rename_inside(node: Any, names: dict[str, str]) -> None:
    """Rename values of the operators within an operator, in place."""
    for one in node.attribute:
        if one.HasField("g"):
            for value in [*one.g.input, *one.g.output]:
                value.name = names.get(value.name, value.name)
            for inner in one.g.node:
                _rename_inside(inner, names)
                for place in (inner.input, inner.output):
                    place[:] = [names.get(name, name) for name in place]
