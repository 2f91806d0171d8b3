"""Calibration and description of the training rows, as plain values of a model file."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from manyminds.analysis import ConformalIntervals, ConformalSets, NoveltyCheck
from manyminds.datasets import Column
from manyminds.datasets.columns import read_column
from manyminds.datasets.frames import as_pandas

__all__ = ["describe_rows", "find_unseen", "read_part", "write_part"]

KINDS = {
    kind.__name__: kind for kind in (ConformalIntervals, ConformalSets, NoveltyCheck)
}


def describe_rows(X: Any) -> NoveltyCheck | None:
    """Describe the rows of training; None for a sparse table, which is not checked."""
    return None if issparse(X) else NoveltyCheck.fit(X)


def write_part(part: Any) -> dict[str, Any] | None:
    """Convert a calibration or a description of rows to values that JSON can hold.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import ConformalIntervals
    >>> from manyminds.persistence.model_parts import read_part, write_part
    >>> one = np.array([1.0])
    >>> plain = write_part(ConformalIntervals(one, one, one, 1))
    >>> plain
    {'kind': 'ConformalIntervals', 'knots': [1.0], 'spreads': [1.0], 'scores': [1.0],
    'n_rows': 1}
    >>> read_part(plain).knots
    array([1.])
    """
    if part is None:
        return None
    values = {one.name: _to_plain(getattr(part, one.name)) for one in fields(part)}
    return {"kind": type(part).__name__, **values}


def read_part(plain: Mapping[str, Any] | None) -> Any:
    """Convert the output of `write_part` back; None for a kind that is not known."""
    if not plain or plain.get("kind") not in KINDS:
        return None
    kind = KINDS[plain["kind"]]
    return kind(
        **{one.name: _from_plain(plain[one.name], one.type) for one in fields(kind)}
    )


def find_unseen(table: Any, X: pd.DataFrame, columns: tuple[Column, ...]) -> Any:
    """Return where a category of a table is unknown, and therefore missing in X."""
    table = as_pandas(table)
    unseen = pd.DataFrame(False, index=range(len(X)), columns=list(X.columns))
    for column in columns:
        lost = X[column.name].isna().to_numpy()
        if column.levels is not None and lost.any():
            cells = read_column(table[column.name], "categorical")
            unseen[column.name] = lost & cells.notna().to_numpy()
    return unseen


def _to_plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _without_infinity(value.tolist())
    if isinstance(value, tuple):
        return [_to_plain(one) for one in value]
    return _without_infinity(value)


def _without_infinity(value: Any) -> Any:
    """Replace infinity and NaN, which JSON does not have, by text and None."""
    if isinstance(value, list):
        return [_without_infinity(one) for one in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else "inf"
    return value


def _from_plain(value: Any, kind: Any) -> Any:
    """Restore arrays, tuples of names or arrays, and numbers."""
    if kind is tuple and value and isinstance(value[0], list):
        return tuple(np.array(one, dtype=np.float64) for one in value)
    if kind is np.ndarray:
        return np.array(value, dtype=np.float64)
    return float(value) if kind is float else kind(value)
