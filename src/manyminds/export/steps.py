"""Convert the steps of a pipeline before its learner."""

from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectorMixin
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import (
    MaxAbsScaler,
    OneHotEncoder,
    OrdinalEncoder,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from manyminds.export.dates import convert_dates
from manyminds.export.generation import (
    convert_arithmetic,
    convert_crosses,
    convert_target_means,
)
from manyminds.export.graph import ExportError, Graph
from manyminds.export.quantiles import convert_quantiles
from manyminds.export.table import Table, encode_levels
from manyminds.preprocessing import (
    ArithmeticFeatures,
    CrossedCategories,
    DateEncoder,
    MatrixScaler,
    RoundedPCA,
    TargetMeans,
)

__all__ = ["convert_step"]


@singledispatch
def convert_step(step: Any, graph: Graph, table: Table) -> Table:
    """Convert a fitted transformer; return the table that it makes.

    Parameters
    ----------
    step : transformer
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    table : Table

    Raises
    ------
    ExportError
        If there is no conversion of its class.
    """
    raise ExportError(
        f"The step {type(step).__name__} cannot be converted to ONNX; manyminds search "
        "--exportable finds a model without it."
    )


convert_step.register(ArithmeticFeatures, convert_arithmetic)
convert_step.register(CrossedCategories, convert_crosses)
convert_step.register(DateEncoder, convert_dates)
convert_step.register(TargetMeans, convert_target_means)
convert_step.register(QuantileTransformer, convert_quantiles)


@convert_step.register
def _(step: SelectorMixin, graph: Graph, table: Table) -> Table:
    return table.take(graph, step.get_support(indices=True))


@convert_step.register(OneHotEncoder)
@convert_step.register(OrdinalEncoder)
@convert_step.register(TargetEncoder)
def _(step: Any, graph: Graph, table: Table) -> Table:
    return encode_levels(graph, table, step)


@convert_step.register
def _(step: SimpleImputer, graph: Graph, table: Table) -> Table:
    missing = graph.add("IsNaN", table.matrix)
    fill = graph.constant(np.asarray(step.statistics_, dtype=np.float64)[np.newaxis])
    if np.isnan(step.statistics_).any() and not step.keep_empty_features:
        raise ExportError("SimpleImputer drops empty columns: not converted to ONNX.")
    n_columns = len(step.statistics_)
    parts = [graph.add("Where", missing, fill, table.matrix)]
    if step.indicator_ is not None and len(step.indicator_.features_):
        flags = graph.take_columns(missing, step.indicator_.features_)
        parts.append(graph.add("Cast", flags, to=11))  # double
        n_columns += len(step.indicator_.features_)
    return Table.of_numbers(graph.add("Concat", *parts, axis=1), n_columns)


@convert_step.register
def _(step: ColumnTransformer, graph: Graph, table: Table) -> Table:
    parts, n_columns = [], 0
    for _name, transformer, chosen in step.transformers_:
        places = _find_places(chosen, table)
        if not places or (isinstance(transformer, str) and transformer == "drop"):
            continue
        part = table.take(graph, places)
        if not isinstance(transformer, str):  # else "passthrough"
            part = convert_step(transformer, graph, part)
        parts.append(part.matrix)
        n_columns += len(part.columns)
    return Table.of_numbers(graph.add("Concat", *parts, axis=1), n_columns)


def _find_places(chosen: Any, table: Table) -> list[int]:
    """Return the places of columns that are named, numbered or masked."""
    if isinstance(chosen, slice):
        return list(range(len(table.columns)))[chosen]
    values = np.asarray(chosen)
    if values.dtype.kind == "b":
        return np.flatnonzero(values).tolist()
    names = table.names
    return [names.index(one) if isinstance(one, str) else int(one) for one in chosen]


@convert_step.register
def _(step: StandardScaler, graph: Graph, table: Table) -> Table:
    mean = step.mean_ if step.with_mean else None
    return _scale(graph, table, mean, step.scale_ if step.with_std else None)


@convert_step.register
def _(step: RobustScaler, graph: Graph, table: Table) -> Table:
    return _scale(graph, table, step.center_, step.scale_)


@convert_step.register
def _(step: MaxAbsScaler, graph: Graph, table: Table) -> Table:
    return _scale(graph, table, None, step.scale_)


@convert_step.register
def _(step: MatrixScaler, graph: Graph, table: Table) -> Table:
    mean = step.mean_ if step.with_mean else None
    return _scale(graph, table, mean, step.scale_ if step.with_std else None)


def _scale(graph: Graph, table: Table, shift: Any, scale: Any) -> Table:
    """Subtract, then divide."""
    matrix, n_columns = table.matrix, len(table.columns)
    if shift is not None:
        matrix = graph.add("Sub", matrix, graph.row(shift, n_columns))
    if scale is not None:
        matrix = graph.add("Div", matrix, graph.row(scale, n_columns))
    return Table(matrix, table.columns, table.is_rotated)


@convert_step.register
def _(step: PCA, graph: Graph, table: Table) -> Table:
    if step.whiten:
        raise ExportError("PCA with whiten=True cannot be converted to ONNX.")
    centered = _scale(graph, table, step.mean_, None).matrix
    made = graph.multiply(centered, step.components_.T)
    columns = Table.of_numbers(made, len(step.components_)).columns
    return Table(made, columns, is_rotated=True)


@convert_step.register
def _(step: RoundedPCA, graph: Graph, table: Table) -> Table:
    """Convert principal components; units are powers of two, so nothing is lost."""
    n_made = len(step.components_)
    centered = _scale(graph, table, step.mean_, None).matrix
    made = graph.multiply(centered, step.components_.T)
    unit = graph.row(step.unit_, n_made)
    made = graph.add("Round", graph.add("Div", made, unit))
    return Table.of_numbers(graph.add("Mul", made, unit), n_made)
