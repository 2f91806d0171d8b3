"""Read the table of a search: its features, and the columns that are none."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from scipy.sparse import issparse

from manyminds.datasets import Dataset, find_identifiers
from manyminds.datasets.texts import is_free_text
from manyminds.utils.errors import InputError, InputWarning
from manyminds.workflows.parameters import Reading, Target
from manyminds.workflows.row_columns import RowColumns, take_row_columns
from manyminds.workflows.tables import (
    read_learnable,
    warn_about_pitfalls,
    warn_of_left_out,
)

ADVICE = "(?s)Column .* looks like an identifier"  # of readers; here it is left out


def read_search_table(
    data: Any,
    target: Target,
    roles: Mapping[str, str | None],
    cv: int | None,
    **reading: Unpack[Reading],
) -> tuple[Dataset, Dataset, RowColumns]:
    """Read a table, and separate its features from all other columns.

    Parameters
    ----------
    data, target, **reading
        See `manyminds.workflows.run_search`.
    roles, cv
        See `manyminds.workflows.row_columns.take_row_columns`.

    Returns
    -------
    table : Dataset
        With all columns.
    features : Dataset
        The same rows.
    rows : RowColumns
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ADVICE, InputWarning)
        table = read_learnable(data, target, **reading)
    features, rows = take_row_columns(table, roles, cv)
    features = leave_out_identifiers(features)
    warn_about_pitfalls(features)
    return table, features, rows


def leave_out_identifiers(data: Dataset) -> Dataset:
    """Leave out columns of text with another value in each row; warn of them.

    Free text and ordered categories stay, as they say something about other rows.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    data : Dataset

    Raises
    ------
    InputError
        If no column is left.
    """
    found = {} if issparse(data.X) else find_identifiers(data.X)
    found = {name: found[name] for name in data.categorical if name in found}
    for name in list(found):
        if data.X[name].cat.ordered or is_free_text(data.X[name]):
            del found[name]
    if not found:
        return data
    warn_of_left_out(found)
    if len(found) == data.n_features:
        raise InputError(f"{data.name} has no column left to learn from.")
    X = data.X.drop(columns=list(found))
    return replace(data, X=X, left_out=(*data.left_out, *found))
