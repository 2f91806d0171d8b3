"""Nets as products of matrices: RealMLP in float32, extreme learning machines."""

from typing import Any

import numpy as np

from manyminds.export.graph import ExportError, Graph
from manyminds.export.steps import convert_step
from manyminds.export.table import Table, index_levels
from manyminds.export.trees import read_codes
from manyminds.kernels.real_mlp import (
    CODES,
    FREQUENCIES,
    MIXES,
    N_CODE,
    N_EMBEDDED,
    N_FRONT,
    N_MIXED,
    N_WAVES,
    PHASES,
    SCALES,
    SHIFTS,
)
from manyminds.learners.real_mlp_columns import CLIP, MAX_SCALED

__all__ = ["convert_elm", "convert_net_classifier", "convert_net_regressor"]

FLOAT, DOUBLE = 1, 11  # types of TensorProto
ACTIVATIONS = {"tanh": "Tanh", "sigmoid": "Sigmoid", "sine": "Sin", "relu": "Relu"}


def convert_elm(model: Any, graph: Graph, table: Table) -> str:
    """Return the outputs of an extreme learning machine, in doubles.

    Parameters
    ----------
    model : ELMClassifier or ELMRegressor
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    outputs : str
        Of shape (n_rows, n_outputs): one for numbers and two classes.
    """
    if getattr(model, "output", "onehot") != "onehot":
        raise ExportError(
            f"ELMClassifier with output={model.output!r} cannot be converted to ONNX; "
            'output="onehot" can.'
        )
    if model.scaler_ is not None:
        table = convert_step(model.scaler_, graph, table)
    layer = graph.multiply(table.matrix, model.hidden_weights_)
    layer = graph.add("Add", layer, graph.row(model.hidden_biases_, len(model.coef_)))
    layer = graph.add(ACTIVATIONS[model.activation], layer)
    outputs = graph.multiply(layer, model.coef_)
    return graph.add("Add", outputs, graph.row(model.intercept_, model.coef_.shape[1]))


# ---------------------------------------------------------------- RealMLP


def convert_net_classifier(model: Any, graph: Graph, table: Table) -> str:
    """Return the probabilities of a RealMLP.

    Scales of columns are doubles. The net computes in float32, as ours does, but adds
    in another order, and ours has exponentials of its own, which err by 1e-6. So
    probabilities differ by up to 1e-5, and no more digits are to be compared.

    Parameters
    ----------
    model : RealMLPClassifier
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    probabilities : str
        Doubles of shape (n_rows, n_classes).
    """
    n_classes, made = len(model.classes_), []
    for theta, temperature in zip(model.parameters_, model.temperature_):
        outputs = _run_net(model, theta, graph, table)
        divided = graph.add("Div", outputs, graph.row(temperature, n_classes))
        made.append(graph.softmax(divided))
    return _average(graph, made)


def convert_net_regressor(model: Any, graph: Graph, table: Table) -> str:
    """Return the numbers that a RealMLP predicts, up to 1e-5 of the target's range.

    Parameters
    ----------
    model : RealMLPRegressor
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    predictions : str
        Doubles of shape (n_rows, 1).
    """
    nets = [_run_net(model, theta, graph, table) for theta in model.parameters_]
    scaled = graph.add("Mul", _average(graph, nets), graph.row(model._spread, 1))
    made = graph.add("Add", scaled, graph.row(model._center, 1))
    return _clip(graph, made, *model._range)


def _average(graph: Graph, made: list[str]) -> str:
    """Return the mean of what several nets make."""
    if len(made) == 1:
        return made[0]
    return graph.add("Div", graph.total(made), graph.row(len(made), 1))


def _run_net(model: Any, theta: np.ndarray, graph: Graph, table: Table) -> str:
    """Return the outputs of a net as doubles: (n_rows, n_outputs)."""
    ends = zip(model._starts[:-1], model._starts[1:], strict=True)
    blocks = [theta[first:last] for first, last in ends]
    layer = _read_inputs(model, blocks, graph, table)
    widths, scales = model._widths, blocks[SCALES].astype(np.float64)
    n_layers = len(widths) - 1
    for k in range(n_layers):
        weights, bias, alpha = blocks[N_FRONT + 3 * k : N_FRONT + 3 * k + 3]
        # Scales of the inputs and the gain are factors of the weights.
        factors = scales[:, np.newaxis] / np.sqrt(widths[k])
        weights = weights.reshape(widths[k], widths[k + 1]) * factors
        layer = graph.add("MatMul", layer, _floats(graph, weights))
        layer = graph.add("Add", layer, _floats(graph, bias[np.newaxis]))
        if k < n_layers - 1:
            layer = _activate(graph, layer, alpha, model._is_mish)
            scales = np.ones(widths[k + 1])
    return graph.add("Cast", layer, to=DOUBLE)


def _activate(graph: Graph, x: str, alpha: np.ndarray, is_mish: bool) -> str:
    """Apply parametric activations: ``x + alpha * (activation(x) - x)``."""
    bent = _mish(graph, x) if is_mish else graph.add("Selu", x)
    more = graph.add("Sub", bent, x)
    more = graph.add("Mul", more, _floats(graph, alpha[np.newaxis]))
    return graph.add("Add", x, more)


def _mish(graph: Graph, x: str) -> str:
    """Return ``x * tanh(log(1 + exp(x)))``, of which no exponential overflows."""
    power = graph.add("Exp", graph.add("Min", x, _floats(graph, [20.0])))
    two = _floats(graph, [2.0])
    square = graph.add("Mul", power, graph.add("Add", power, two))
    share = graph.add("Div", square, graph.add("Add", square, two))
    return graph.add("Mul", x, share)


# ---------------------------------------------------------------- inputs


def _read_inputs(
    model: Any, blocks: list[np.ndarray], graph: Graph, table: Table
) -> str:
    """Return the inputs of the first layer: numbers, plain columns, embedded codes."""
    columns = model._columns
    matrix = read_codes(graph, table, model)
    numbers = _scale_numbers(graph, matrix, columns)
    if numbers and columns._embed_numbers:
        numbers = _embed_numbers(graph, numbers, blocks)
    parts = [numbers, _expand(graph, matrix, columns)]
    if len(columns._coded):
        parts.append(_embed_codes(graph, matrix, columns, blocks[CODES]))
    parts = [part for part in parts if part]
    if not parts:  # a net has an input
        zero = _floats(graph, [0.0])
        anything = graph.add("IsNaN", graph.take_columns(matrix, [0]))
        parts = [graph.add("Where", anything, zero, zero)]
    return graph.add("Concat", *parts, axis=1)


def _scale_numbers(graph: Graph, matrix: str, columns: Any) -> str:
    """Return the scaled numeric columns; an empty name if there are none."""
    kept = columns._number_scales[2] > 0.0
    if not kept.any():
        return ""
    numbers = graph.take_columns(matrix, columns._numeric[kept])
    return _scale(graph, numbers, columns._number_scales[:, kept])


def _expand(graph: Graph, matrix: str, columns: Any) -> str:
    """Return scaled indicators and one-hot codes; an empty name if there are none."""
    kept = columns._code_scales[2] > 0.0
    if not kept.any():
        return ""
    parts = []
    if len(columns._indicated):
        numbers = graph.take_columns(matrix, columns._indicated)
        parts.append(graph.add("Cast", graph.add("IsNaN", numbers), to=DOUBLE))
    for j in columns._one_hot:
        n_states = int(columns._n_states[j])
        codes = np.vstack([np.eye(n_states), np.zeros(n_states)])
        if n_states == 2:
            codes = np.array([[-1.0], [1.0], [0.0]])
        place = index_levels(graph, matrix, int(j), n_states)
        parts.append(graph.add("Gather", graph.constant(codes), place, axis=0))
    whole = graph.add("Concat", *parts, axis=1)
    whole = graph.take_columns(whole, np.flatnonzero(kept))
    return _scale(graph, whole, columns._code_scales[:, kept])


def _scale(graph: Graph, matrix: str, scales: np.ndarray) -> str:
    """Center, scale and clip columns of doubles; return them as float32."""
    n_columns = scales.shape[1]
    unit, median, spread = (graph.row(one, n_columns) for one in scales)
    x = graph.add("Sub", graph.add("Div", matrix, unit), median)
    x = graph.add("Div", x, spread)
    x = graph.add("Where", graph.add("IsNaN", x), graph.row(0.0, n_columns), x)
    x = _clip(graph, x, -MAX_SCALED, MAX_SCALED)
    share = graph.add("Div", x, graph.row(CLIP, n_columns))
    square = graph.add("Mul", share, share)
    root = graph.add("Sqrt", graph.add("Add", square, graph.row(1.0, n_columns)))
    return graph.add("Cast", graph.add("Div", x, root), to=FLOAT)


def _embed_numbers(graph: Graph, numbers: str, blocks: list[np.ndarray]) -> str:
    """Return for each number linear combinations of its cosines, and itself."""
    n_columns = len(blocks[SHIFTS]) // N_MIXED
    turns = graph.take_columns(numbers, np.repeat(np.arange(n_columns), N_WAVES))
    turns = graph.add("Mul", turns, _floats(graph, blocks[FREQUENCIES][np.newaxis]))
    phases = blocks[PHASES][np.newaxis] / (2.0 * np.pi)
    turns = graph.add("Add", turns, _floats(graph, phases))
    turns = graph.add("Sub", turns, graph.add("Round", turns))
    waves = graph.add("Cos", graph.add("Mul", turns, _floats(graph, [2.0 * np.pi])))
    waves = _reshape(graph, waves, -1, n_columns, N_WAVES)
    waves = graph.add("Transpose", waves, perm=[1, 0, 2])
    mixes = blocks[MIXES].reshape(n_columns, N_MIXED, N_WAVES).transpose(0, 2, 1)
    mixed = graph.add("MatMul", waves, _floats(graph, mixes))
    mixed = graph.add("Transpose", mixed, perm=[1, 0, 2])
    shifts = blocks[SHIFTS].reshape(1, n_columns, N_MIXED)
    mixed = graph.add("Add", mixed, _floats(graph, shifts))
    numbers = _reshape(graph, numbers, -1, n_columns, 1)
    whole = graph.add("Concat", mixed, numbers, axis=2)
    return _reshape(graph, whole, -1, n_columns * N_EMBEDDED)


def _embed_codes(graph: Graph, matrix: str, columns: Any, codes: np.ndarray) -> str:
    """Return the vectors of the levels of columns with many of them."""
    codes, parts = codes.reshape(-1, N_CODE), []
    for j, first in zip(columns._coded, columns._offsets, strict=True):
        n_states = int(columns._n_states[j])
        lookup = _floats(graph, codes[first : first + n_states + 1])
        place = index_levels(graph, matrix, int(j), n_states)
        parts.append(graph.add("Gather", lookup, place, axis=0))
    return graph.add("Concat", *parts, axis=1)


def _clip(graph: Graph, values: str, low: float, high: float) -> str:
    """Move doubles into a range."""
    ends = (graph.constant(np.float64(end)) for end in (low, high))
    return graph.add("Clip", values, *ends)


def _floats(graph: Graph, values: Any) -> str:
    """Store an array of float32."""
    return graph.constant(np.asarray(values, dtype=np.float32))


def _reshape(graph: Graph, values: str, *sizes: int) -> str:
    return graph.add("Reshape", values, graph.constant(np.array(sizes)))
