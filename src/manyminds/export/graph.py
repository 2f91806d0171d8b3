"""A graph of ONNX operators that grows node by node; all numbers are doubles."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from manyminds.utils.errors import InputError, UserError

__all__ = ["ExportError", "Graph", "refuse_large", "require_onnx"]

OPSETS = {"": 17, "ai.onnx.ml": 3}  # versions of the operators
IR_VERSION = 8
MAX_BYTES = 2**31 - 1  # of a file of protobuf


class ExportError(UserError, ValueError):
    """Raise when a part of a model cannot be converted."""


def require_onnx() -> Any:
    """Import onnx, or raise an error that says how to install it."""
    try:
        import onnx
    except ImportError as error:
        raise InputError(
            "Export to ONNX needs the package onnx: pip install 'manyminds[onnx]'."
        ) from error
    return onnx


def refuse_large(n_bytes: int) -> None:
    """Raise if a model is larger than a file of ONNX can be."""
    if n_bytes > MAX_BYTES:
        raise ExportError(
            f"The model takes {n_bytes:,} bytes or more as ONNX, and a file of ONNX "
            f"holds {MAX_BYTES:,} at most: fit fewer trees, or trees with fewer leaves."
        )


@dataclass
class Graph:
    """Nodes, constants and inputs; a value is known by its name.

    ``deciders`` has, for probabilities whose greatest one is not that of the predicted
    class, the scores of which it is the greatest. ``opset`` is the version of the
    operators of ONNX; from 18 on, all reductions read their axis from an input.
    ``reserved`` has the names of all inputs, which no other value gets.

    Examples
    --------
    >>> from manyminds.export.graph import Graph
    >>> graph = Graph()
    >>> graph.add("Exp", "x")
    'exp_0'
    """

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)
    inputs: list[Any] = field(default_factory=list)
    deciders: dict[str, str] = field(default_factory=dict)
    opset: int = OPSETS[""]
    reserved: frozenset[str] = frozenset()
    _n_names: int = 0

    is_trial: ClassVar[bool] = False  # whether nothing is stored

    def add(self, operator: str, *values: str, domain: str = "", **options: Any) -> str:
        """Apply an operator; return the name of its output.

        Parameters
        ----------
        operator : str
            Name of the operator of ONNX.
        *values : str
            Names of its inputs.
        domain : str, default=""
            "ai.onnx.ml" for operators of machine learning.
        **options : object
            Attributes of the operator; arrays become tensors.

        Returns
        -------
        name : str
        """
        helper = require_onnx().helper
        name = self._make_name(operator.lower())
        options = {key: _as_attribute(value) for key, value in options.items()}
        node = helper.make_node(
            operator, list(values), [name], name=name, domain=domain, **options
        )
        self.nodes.append(node)
        return name

    def constant(self, values: Any) -> str:
        """Store an array of doubles, integers, booleans or strings; return its name."""
        name = self._make_name("constant")
        tensor = _as_attribute(np.asarray(values))
        tensor.name = name
        self.constants.append(tensor)
        return name

    def add_input(self, name: str, is_text: bool) -> str:
        """Add an input of shape (n_rows, 1): doubles, or strings."""
        onnx = require_onnx()
        kind = onnx.TensorProto.STRING if is_text else onnx.TensorProto.DOUBLE
        self.inputs.append(onnx.helper.make_tensor_value_info(name, kind, [None, 1]))
        return name

    def rename(self, value: str, name: str) -> str:
        """Return a value under another name, that of an output.

        A name that an input has gets an underscore.
        """
        helper = require_onnx().helper
        while name in self.reserved:
            name += "_"
        self.nodes.append(helper.make_node("Identity", [value], [name], name=name))
        return name

    def take_columns(self, matrix: str, places: Any) -> str:
        """Return some columns of a matrix, in the order of ``places``."""
        index = self.constant(np.asarray(places, dtype=np.int64))
        return self.add("Gather", matrix, index, axis=1)

    def multiply(self, matrix: str, weights: np.ndarray) -> str:
        """Return linear combinations of the columns: (n_rows, weights.shape[1]).

        onnxruntime multiplies a factor next to a product of matrices into it, as a
        float32. So a single column is no matrix, and factors are rows of numbers.
        """
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        return self.add(
            "Mul" if len(weights) == 1 else "MatMul", matrix, self.constant(weights)
        )

    def row(self, values: Any, n_columns: int) -> str:
        """Store a number, or one for each column, as a constant of one row."""
        values = np.atleast_2d(np.asarray(values, dtype=np.float64))
        return self.constant(np.broadcast_to(values, (1, n_columns)))

    def total(self, values: list[str]) -> str:
        """Return the sum of values, in their order."""
        whole = values[0]
        for value in values[1:]:
            whole = self.add("Add", whole, value)
        return whole

    def reduce(self, operator: str, values: str, axis: int, keepdims: int) -> str:
        """Return the least or greatest values along an axis.

        Parameters
        ----------
        operator : {"ReduceMax", "ReduceMin"}
        values : str
        axis : int
        keepdims : {0, 1}
            Whether the axis stays, of length 1.

        Returns
        -------
        reduced : str
        """
        if self.opset < 18:
            return self.add(operator, values, axes=[axis], keepdims=keepdims)
        return self.add(
            operator, values, self.constant(np.array([axis])), keepdims=keepdims
        )

    def normalize(self, matrix: str) -> str:
        """Divide the rows of a matrix by their sums."""
        axis = self.constant(np.array([1]))
        return self.add("Div", matrix, self.add("ReduceSum", matrix, axis, keepdims=1))

    def sum_in_order(self, values: str, axis: int) -> str:
        """Return sums along an axis, which is dropped; the last number is added last.

        Other sums of ONNX may add in any order, and so have other rounding errors.
        """
        sums = self.add("CumSum", values, self.constant(np.array(axis)))
        return self.add("Gather", sums, self.constant(np.array(-1)), axis=axis)

    def smallest(self, values: str, k: int) -> str:
        """Return the k-th smallest number of a vector, as a vector of one number."""
        numbers, _places = self._find_smallest(values, k)
        return self.add("Gather", numbers, self.constant(np.array([k - 1])), axis=0)

    def smallest_places(self, values: str, k: int) -> str:
        """Return the places of the k smallest numbers of a vector, the smallest first.

        Of equal numbers, the first ones are taken.
        """
        return self._find_smallest(values, k)[1]

    def _find_smallest(self, values: str, k: int) -> tuple[str, str]:
        """Return the k smallest numbers of a vector, and their places."""
        helper, name = require_onnx().helper, self._make_name("topk")
        count = self.constant(np.array([k]))
        made = (name, self._make_name("places"))
        node = helper.make_node(
            "TopK", [values, count], made, name=name, axis=0, largest=0
        )
        self.nodes.append(node)
        return made

    def each_row(
        self, matrix: str, n_columns: int, n_made: int, convert: Callable[[str], str]
    ) -> str:
        """Apply operators to one row at a time, to need less memory.

        Parameters
        ----------
        matrix : str
        n_columns : int
            Of the matrix.
        n_made : int
            Numbers that are made of a row.
        convert : callable
            Adds the operators: takes a vector of doubles, returns another one.

        Returns
        -------
        made : str
            Of shape (n_rows, n_made).
        """
        onnx = require_onnx()
        helper, double = onnx.helper, onnx.TensorProto.DOUBLE
        row, outside = self._make_name("row"), self.nodes
        self.nodes = []
        made = convert(row)
        inside, self.nodes = self.nodes, outside
        body = helper.make_graph(
            inside,
            "each_row",
            [helper.make_tensor_value_info(row, double, [n_columns])],
            [helper.make_tensor_value_info(made, double, [n_made])],
        )
        return self.add("Scan", matrix, body=body, num_scan_inputs=1)

    def softmax(self, logits: str) -> str:
        """Return probabilities from logits, row by row."""
        return self.add("Softmax", logits, axis=1)

    def pair(self, positive: str) -> str:
        """Return the probabilities of two classes from those of the second."""
        one = self.constant(np.array([1.0]))
        rest = self.add("Sub", one, positive)
        return self.add("Concat", rest, positive, axis=1)

    def build(self, outputs: list[tuple[str, Any, list[int | None]]]) -> Any:
        """Return the model of ONNX, checked.

        Parameters
        ----------
        outputs : list of (str, type of TensorProto, shape)

        Returns
        -------
        model : onnx.ModelProto

        Raises
        ------
        ExportError
            If it is larger than a file of ONNX can be.
        """
        onnx = require_onnx()
        helper = onnx.helper
        refuse_large(sum(one.ByteSize() for one in (*self.nodes, *self.constants)))
        shown = [helper.make_tensor_value_info(*output) for output in outputs]
        graph = helper.make_graph(
            self.nodes, "manyminds", self.inputs, shown, self.constants
        )
        opsets = {**OPSETS, "": self.opset}
        versions = [helper.make_opsetid(*one) for one in opsets.items()]
        model = helper.make_model(graph, opset_imports=versions, ir_version=IR_VERSION)
        onnx.checker.check_model(model)
        return model

    def _make_name(self, kind: str) -> str:
        name = f"{kind}_{self._n_names}"
        self._n_names += 1
        return self._make_name(kind) if name in self.reserved else name


def _as_attribute(value: Any) -> Any:
    """Turn an array into a tensor; leave other values as they are."""
    if not isinstance(value, np.ndarray):
        return value
    onnx = require_onnx()
    refuse_large(value.nbytes)
    if value.dtype.kind in "OU":
        texts = [str(one).encode() for one in value.ravel()]
        return onnx.helper.make_tensor(
            "texts", onnx.TensorProto.STRING, value.shape, texts
        )
    if value.dtype.kind == "i":
        value = value.astype(np.int64)
    return onnx.numpy_helper.from_array(np.asarray(value, order="C"))
