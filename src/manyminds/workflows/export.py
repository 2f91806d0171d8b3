"""Export a model file to ONNX: load, convert, write."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scipy.sparse import issparse

from manyminds.datasets import Dataset, describe_columns
from manyminds.export import find_obstacle, to_onnx
from manyminds.persistence import TableModel, load_model
from manyminds.utils.files import write_atomically

__all__ = ["ExportResult", "describe_export", "run_export"]


@dataclass(frozen=True)
class ExportResult:
    """Result of `run_export`.

    Parameters
    ----------
    file : Path
        File that was written.
    n_bytes : int
        Its size.
    inputs, outputs : tuple of str
        Names of the inputs, which are columns, and of the outputs.
    """

    file: Path
    n_bytes: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def describe_export(model: Any, data: Dataset) -> str:
    """Return whether a model can be exported to ONNX, as a sentence for its card.

    Nothing is converted.

    Parameters
    ----------
    model : estimator
        Fitted on ``data.X`` and ``data.y``.
    data : Dataset

    Returns
    -------
    text : str
    """
    columns = None if issparse(data.X) else describe_columns(data.X)
    classes = tuple(data.classes.tolist())
    known = TableModel(
        model, columns, data.target_name, data.task, classes, data.n_features
    )
    obstacle = find_obstacle(known)
    return f"ONNX: {obstacle or '`manyminds export` can convert the model.'}"


def run_export(
    model: str | os.PathLike[str],
    onnx: str | os.PathLike[str],
    *,
    trusted: Sequence[str] = (),
) -> ExportResult:
    """Convert a model file to ONNX, with all its steps from the columns on.

    ``manyminds export`` calls this function. See `manyminds.export.to_onnx` for inputs
    and outputs.

    Parameters
    ----------
    model : path
        Model file, or a folder with a ``model.skops``.
    onnx : path
        File to write, usually ``model.onnx``.
    trusted : sequence of str, default=()
        Full names of types that the model file may hold besides our estimators and
        scikit-learn's.

    Returns
    -------
    result : ExportResult

    Raises
    ------
    ExportError
        If a part of the model cannot be converted; the message names it, and nothing is
        written.
    """
    converted = to_onnx(load_model(model, trusted=trusted))
    content = converted.SerializeToString()
    write_atomically(Path(onnx), content)
    return ExportResult(
        Path(onnx),
        len(content),
        tuple(one.name for one in converted.graph.input),
        tuple(one.name for one in converted.graph.output),
    )
