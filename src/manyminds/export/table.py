"""A table inside a graph: one matrix of doubles, with categories as codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets import Column
from manyminds.export.graph import ExportError, Graph

__all__ = [
    "Table",
    "encode_levels",
    "index_levels",
    "read_inputs",
    "recode",
    "refuse_rotated",
]


@dataclass(frozen=True)
class Table:
    """A matrix of doubles in a graph, and what its columns are.

    Parameters
    ----------
    matrix : str
        Name of the value, of shape (n_rows, n_columns). A category is the place of its
        level, a date is seconds since 1970; NaN is a missing value.
    columns : tuple of Column
    is_rotated : bool, default=False
        Whether columns are sums of many, with rounding errors of their own.
    """

    matrix: str
    columns: tuple[Column, ...]
    is_rotated: bool = False

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [one.name for one in self.columns]

    @property
    def has_levels(self) -> bool:
        """Whether some columns are categorical."""
        return any(one.levels is not None for one in self.columns)

    def take(self, graph: Graph, places: Sequence[int]) -> "Table":
        """Return some columns."""
        places = [int(one) for one in places]
        if places == list(range(len(self.columns))):
            return self
        matrix = graph.take_columns(self.matrix, places)
        columns = tuple(self.columns[j] for j in places)
        return Table(matrix, columns, self.is_rotated)

    @staticmethod
    def of_numbers(
        matrix: str, n_columns: int, names: Sequence[str] | None = None
    ) -> "Table":
        """Return a table of numeric columns, by default without names."""
        if names is None:
            names = [f"x{j}" for j in range(n_columns)]
        return Table(matrix, tuple(Column(str(name)) for name in names))


def refuse_rotated(table: Table, model: Any) -> None:
    """Raise if a model with thresholds reads principal components.

    Rows of few values have components that differ by rounding errors alone. Thresholds
    lie between them, and onnxruntime has other errors.
    """
    if table.is_rotated:
        raise ExportError(
            f"{type(model).__name__} after PCA cannot be converted to ONNX, as its "
            "thresholds depend on rounding errors; one after RoundedPCA can."
        )


def read_inputs(graph: Graph, columns: Sequence[Column]) -> Table:
    """Add an input for each column, and join them to a table.

    Parameters
    ----------
    graph : Graph
    columns : sequence of Column

    Returns
    -------
    table : Table
    """
    parts = []
    for column in columns:
        if column.is_text:
            raise ExportError(
                f"The column {column.name!r} holds free text, which cannot be "
                "converted to ONNX, as its operators know other letters and words than "
                "Python: search again without it."
            )
        value = graph.add_input(column.name, column.levels is not None)
        parts.append(value if column.levels is None else _number(graph, value, column))
    return Table(graph.add("Concat", *parts, axis=1), tuple(columns))


def _number(graph: Graph, texts: str, column: Column) -> str:
    """Turn texts into the places of their levels; NaN for all others."""
    levels = column.levels or ()
    code = graph.add(
        "LabelEncoder",
        texts,
        domain="ai.onnx.ml",
        keys_strings=list(levels) or ["missing"],
        values_int64s=list(range(len(levels))) or [-1],
        default_int64=-1,
    )
    known = graph.add("GreaterOrEqual", code, graph.constant(np.array([0])))
    number = graph.add("Cast", code, to=11)  # double
    return graph.add("Where", known, number, graph.constant(np.array([np.nan])))


def recode(graph: Graph, table: Table, codes: dict[int, np.ndarray]) -> str:
    """Return the matrix of a table with other codes for some columns.

    Parameters
    ----------
    graph : Graph
    table : Table
    codes : dict of int to ndarray of shape (n_levels + 1,)
        The new number of each level, and at the end that of a missing value.

    Returns
    -------
    matrix : str
    """
    if not codes:
        return table.matrix
    parts = []
    for j in range(len(table.columns)):
        part = graph.take_columns(table.matrix, [j])
        if j in codes:
            lookup = graph.constant(codes[j].astype(np.float64))
            part = graph.add("Gather", lookup, _index(graph, part, len(codes[j]) - 1))
        parts.append(part)
    return graph.add("Concat", *parts, axis=1)


def encode_levels(graph: Graph, table: Table, encoder: Any) -> Table:
    """Convert a fitted encoder of category columns, each by a table of its outputs.

    The encoder itself is asked what it makes of each level and of a missing value, one
    column at a time. So any encoder that treats its columns one by one is converted.

    Parameters
    ----------
    graph : Graph
    table : Table
        Of category columns alone.
    encoder : transformer
        Fitted.

    Returns
    -------
    table : Table
    """
    _refuse_encoder(encoder, table)
    base = _transform(encoder, _frame(table.columns, 1))[0]
    owned = np.zeros(len(base), dtype=bool)
    parts = []
    for j, column in enumerate(table.columns):
        n_levels = len(column.levels or ())
        frame = _frame(table.columns, n_levels + 1)
        codes = np.append(np.arange(n_levels), -1)
        frame.isetitem(j, _category(column, codes))
        made = _transform(encoder, frame)
        changes = (made != base).any(axis=0)
        owned |= changes
        lookup = graph.constant(np.where(changes, made, 0.0))
        place = index_levels(graph, table.matrix, j, n_levels)
        parts.append(graph.add("Gather", lookup, place, axis=0))
    fixed = graph.constant(np.where(owned, 0.0, base)[np.newaxis])
    return Table.of_numbers(graph.total([*parts, fixed]), len(base))


def _refuse_encoder(encoder: Any, table: Table) -> None:
    """Raise if an encoder reads numbers, or has no code for what it did not see."""
    name = type(encoder).__name__
    numeric = [one.name for one in table.columns if one.levels is None]
    if numeric:
        raise ExportError(
            f"{name} reads {numeric[0]!r}, which is no column of categories: it cannot "
            "be converted to ONNX."
        )
    if getattr(encoder, "handle_unknown", None) == "error":
        raise ExportError(
            f"{name} with handle_unknown='error' cannot be converted to ONNX, whose "
            "operators raise no errors: set handle_unknown to give unknown categories "
            "a code."
        )


def index_levels(graph: Graph, matrix: str, j: int, n_levels: int) -> str:
    """Return the codes of a column as integers, a missing value after all levels."""
    place = _index(graph, graph.take_columns(matrix, [j]), n_levels)
    return graph.add("Squeeze", place, graph.constant(np.array([1])))


def _index(graph: Graph, codes: str, n_levels: int) -> str:
    """Turn codes into integers; a missing value comes after all levels."""
    last = graph.constant(np.array([float(n_levels)]))
    codes = graph.add("Where", graph.add("IsNaN", codes), last, codes)
    return graph.add("Cast", codes, to=7)  # int64


def _frame(columns: Sequence[Column], n_rows: int) -> pd.DataFrame:
    """Return a table of missing values with the dtypes of category columns."""
    missing = np.full(n_rows, -1)
    return pd.DataFrame({one.name: _category(one, missing) for one in columns})


def _category(column: Column, codes: np.ndarray) -> pd.Categorical:
    return pd.Categorical.from_codes(
        codes, categories=list(column.levels or ()), ordered=column.ordered
    )


def _transform(encoder: Any, frame: pd.DataFrame) -> np.ndarray:
    made = encoder.transform(frame)
    made = made.toarray() if hasattr(made, "toarray") else made
    return np.asarray(made, dtype=np.float64)
