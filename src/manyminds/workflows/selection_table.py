"""Prepare a table for selection: drop identifiers, merge rare categories, fill."""

from dataclasses import replace
from typing import Any

import pandas as pd
from scipy.sparse import issparse

from manyminds.datasets import Dataset, find_identifiers
from manyminds.utils.errors import InputError, Parameter, warn_caller
from manyminds.workflows.tables import warn_of_left_out

MIN_LEVEL_ROWS = 10  # categories with fewer rows are merged
MAX_LEVELS = 255  # of a column that forests accept
MAX_NAMED = 5  # columns named in a warning
RARE, MISSING = "(rare)", "(missing)"


def prepare_table(data: Dataset) -> tuple[Dataset, dict[str, str]]:
    """Drop columns that identify the rows, and merge rare categories; warn of both.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    data : Dataset
        With at least one column.
    identifiers : dict of str to str
        Columns that look like identifiers, and why. Those of text are dropped; a
        counter of the rows is not, because it may be informative.
    """
    if issparse(data.X):
        return data, {}
    identifiers = find_identifiers(data.X)
    names = [name for name in identifiers if name in data.categorical]
    warn_of_left_out({name: identifiers[name] for name in names})
    if len(names) == data.n_features:
        raise InputError(
            f"There is nothing to select from: all columns of {data.name} have a "
            "different text in each row."
        )
    X, merged = _merge_rare(data.X.drop(columns=names))
    if merged:
        warn_caller(
            f"Categories of fewer than {MIN_LEVEL_ROWS} rows count as one: "
            f"{_list(merged)}."
        )
    data = replace(data, X=X)
    _check_levels(data)
    return data, identifiers


def fill_missing(X: Any) -> Any:
    """Return the table with missing values filled: medians, and a category for them."""
    if issparse(X):
        raise InputError("The sparse table has missing values; fill them first.")
    filled = X.copy()
    for name in X:
        column = X[name]
        if column.dtype == "category":
            if column.isna().any():
                column = column.cat.add_categories(MISSING).fillna(MISSING)
        else:
            column = column.fillna(column.median()).fillna(0.0)
        filled[name] = column
    return filled


def _merge_rare(X: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Merge rare categories into one; return the columns that had several."""
    merged = []
    X = X.copy()
    for name in X.select_dtypes("category"):
        counts = X[name].value_counts()
        rare = counts.index[(counts < MIN_LEVEL_ROWS) & (counts > 0)]
        if len(rare) > 1:
            merged.append(str(name))
            texts = X[name].astype(object)
            X[name] = texts.mask(texts.isin(rare), RARE).astype("category")
    return X, merged


def _check_levels(data: Dataset) -> None:
    counts = {name: int(data.X[name].nunique()) for name in data.categorical}
    many = [f"{name} ({n:,})" for name, n in counts.items() if n > MAX_LEVELS]
    if many:
        raise InputError(
            f"Columns of more than {MAX_LEVELS} categories cannot be compared with "
            f"others: {_list(many)}. Leave them out with ",
            Parameter("drop"),
            ", or merge categories first.",
        )


def _list(names: list[str]) -> str:
    return ", ".join(names[:MAX_NAMED]) + (" ..." if len(names) > MAX_NAMED else "")
