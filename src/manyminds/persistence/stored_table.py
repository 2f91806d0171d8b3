"""Describe a table on disk for a model file, without reading it into memory."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier

from manyminds.analysis import NoveltyCheck
from manyminds.datasets import Column, ParquetTable, match_columns
from manyminds.utils.errors import InputError, Parameter

__all__ = ["describe_stored"]

N_ROWS = 2**15  # in memory at a time
N_SAMPLE = 20_000  # rows by which those of training are described


def describe_stored(model: Any, table: ParquetTable) -> dict[str, Any]:
    """Return what a model file holds of a table on disk.

    Parameters
    ----------
    model : estimator
        Fitted on the table.
    table : ParquetTable

    Returns
    -------
    facts : dict
        ``columns``, ``task``, ``classes``, ``n_features`` and ``novelty``, which is a
        NoveltyCheck: ranges and missing values are those of all rows, the rest is
        estimated from a sample of them.
    """
    names = list(getattr(model, "feature_names_in_", table.columns))
    if names != table.columns:
        raise InputError(
            Parameter("data"),
            f" must have the columns of the model, {names}; got {table.columns}.",
        )
    columns = tuple(_describe(table, name) for name in names)
    is_class = is_classifier(model)
    return {
        "columns": columns,
        "task": "classification" if is_class else "regression",
        "classes": tuple(model.classes_.tolist()) if is_class else (),
        "n_features": len(columns),
        "novelty": _describe_rows(table, columns),
    }


def _describe(table: ParquetTable, name: str) -> Column:
    levels = table.read_levels(name)
    return Column(name, None if levels is None else tuple(levels))


def _describe_rows(table: ParquetTable, columns: tuple[Column, ...]) -> NoveltyCheck:
    rng, n_rows = np.random.default_rng(0), len(table)
    drawn = np.sort(rng.choice(n_rows, min(n_rows, N_SAMPLE), replace=False))
    numeric = [column.name for column in columns if column.is_numeric]
    low, high = np.full(len(numeric), np.nan), np.full(len(numeric), np.nan)
    complete, parts, first = np.ones(len(columns), dtype=bool), [], 0
    for frame in table.iterate_frames(N_ROWS):
        X = match_columns(frame.reset_index(drop=True), columns)
        numbers = X[numeric].to_numpy(dtype=np.float64)
        low = np.fmin(low, np.fmin.reduce(numbers))
        high = np.fmax(high, np.fmax.reduce(numbers))
        complete &= ~X.isna().any().to_numpy()
        start, end = np.searchsorted(drawn, [first, first + len(X)])
        parts.append(X.iloc[drawn[start:end] - first])
        first += len(X)
    check = NoveltyCheck.fit(pd.concat(parts, ignore_index=True))
    names = np.array([column.name for column in columns], dtype=object)
    return replace(
        check,
        ranges=np.vstack([low, high, check.ranges[2:]]),
        complete=tuple(names[complete].tolist()),
    )
