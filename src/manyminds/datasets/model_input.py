"""Convert a user's table and target to the input of models."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, issparse
from sklearn.utils import check_array
from sklearn.utils.validation import column_or_1d

from manyminds.datasets.columns import (
    Cells,
    format_value,
    refuse_infinite_columns,
    refuse_infinities,
    refuse_times,
)
from manyminds.datasets.dates import as_dates, holds_dates, is_dates, parse_dates
from manyminds.datasets.frames import as_pandas
from manyminds.datasets.names import check_unique
from manyminds.datasets.sparse import shorten_indices
from manyminds.utils.errors import InputError, warn_caller
from manyminds.utils.tables import is_frame
from manyminds.utils.text import one_spelling

__all__ = ["as_table", "as_target", "list_dates", "read_many_labels"]


def as_table(
    X: Any, ensure_min_samples: int = 1, dates: Collection[Any] | None = None
) -> Any:
    """Convert a table to an array of numbers, a sparse matrix or a DataFrame.

    Parameters
    ----------
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    ensure_min_samples : int, default=1
        Required number of rows.
    dates : collection of str or None, default=None
        Names of the columns of dates; None to detect them.

    Returns
    -------
    X : ndarray, csr_matrix or DataFrame
        A dataframe becomes a DataFrame with columns of float64, of dates and of
        categories: text, booleans and objects are categories, except for text that is
        all dates of ISO 8601.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.model_input import as_table
    >>> as_table(pd.DataFrame({"size": [1, 2], "hue": ["red", "blue"]})).dtypes
    size     float64
    hue     category
    dtype: object
    """
    if issparse(X):
        return _as_sparse(X, ensure_min_samples)
    if is_frame(X) or hasattr(X, "columns"):
        frame = as_pandas(X)
        if len(frame) < ensure_min_samples or not frame.shape[1]:
            raise InputError(
                f"X must have at least {ensure_min_samples} rows and a column; got "
                f"n_samples={len(frame)} and {frame.shape[1]} columns."
            )
        check_unique(frame.columns, "The columns of X")
        if all(dtype == np.float64 for dtype in frame.dtypes) and not dates:
            refuse_infinite_columns(frame.to_numpy(), frame.columns)
            return frame
        columns = {}
        for name in frame.columns:
            known = None if dates is None else name in dates
            columns[name] = _as_column(frame[name], known)
        return pd.DataFrame(columns, index=frame.index)
    return check_array(
        X,
        dtype=np.float64,
        ensure_all_finite="allow-nan",
        ensure_min_samples=ensure_min_samples,
        input_name="X",
    )


def list_dates(X: Any) -> list[Any]:
    """Return the names of the columns of dates."""
    if not isinstance(X, pd.DataFrame):
        return []
    return [name for name, dtype in X.dtypes.items() if is_dates(dtype)]


def read_many_labels(y: Any) -> np.ndarray | None:
    """Return a target of several columns as 0 and 1; None for one of a single column.

    Parameters
    ----------
    y : array-like, sparse matrix or dataframe

    Returns
    -------
    labels : ndarray of int64 of shape (n_samples, n_labels), or None

    Examples
    --------
    >>> from manyminds.datasets.model_input import read_many_labels
    >>> read_many_labels([[True, False], [True, True]])
    array([[1, 0],
           [1, 1]])
    >>> read_many_labels([1, 0]) is None
    True
    """
    if issparse(y):
        y = y.toarray()
    names = list(y.columns) if hasattr(y, "columns") else None
    cells = as_pandas(y).to_numpy() if names is not None else y
    try:
        cells = np.asarray(cells)
    except ValueError:  # rows of different lengths
        return None
    if cells.ndim != 2 or cells.shape[1] < 2:
        return None
    missing = pd.isna(cells)
    if missing.any():
        raise InputError(
            f"y contains NaN: it is missing in {missing.any(axis=1).sum()} of "
            f"{len(cells)} rows. Leave these rows out."
        )
    odd = ~np.isin(cells, [0, 1])
    if odd.any():
        row, column = np.argwhere(odd)[0]
        name = column if names is None else repr(names[column])
        raise InputError(
            "A y of several columns has labels, which are 0 or 1; column "
            f"{name} holds {format_value(cells[row, column])}."
        )
    return cells.astype(np.int64)


def as_target(y: Any) -> np.ndarray:
    """Convert a target to an array; raise if a cell is neither a class nor a number.

    Parameters
    ----------
    y : array-like of shape (n_samples,)

    Returns
    -------
    y : ndarray of shape (n_samples,)
        Without missing values and infinite numbers.

    Examples
    --------
    >>> from manyminds.datasets.model_input import as_target
    >>> as_target(["a", None, "b"])
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: y contains NaN: it is missing in 1 of 3 rows,
    first in row 2. Leave
    these rows out.
    """
    cells = _as_cells(y)
    y = column_or_1d(cells, warn=True)
    _refuse_lists(y)
    # NumPy converts a missing value in a list of texts to the word "nan".
    is_list = isinstance(cells, list | tuple) and y.dtype.kind == "U"
    missing = np.flatnonzero(pd.isna(np.array(cells, dtype=object) if is_list else y))
    if len(missing):
        raise InputError(
            f"y contains NaN: it is missing in {len(missing)} of {len(y)} rows, first "
            f"in row {missing[0] + 1}. Leave these rows out."
        )
    if y.dtype.kind == "f":
        refuse_infinities(y, "y", "The target")
    _warn_of_spellings(y)
    return y


def _as_cells(y: Any) -> Any:
    """Convert lists of different lengths to an array of objects."""
    if not isinstance(y, list | tuple):
        return y
    try:
        np.shape(y)
    except ValueError:
        cells = np.empty(len(y), dtype=object)
        cells[:] = y
        return cells
    return y


def _refuse_lists(y: np.ndarray) -> None:
    kinds = set(map(type, y.tolist())) if y.dtype == object else set()
    if not any(hasattr(kind, "__iter__") for kind in kinds - {str, bytes}):
        return
    for row, cell in enumerate(y.tolist(), start=1):
        if np.iterable(cell) and not isinstance(cell, str | bytes):
            kind = type(cell).__name__
            raise InputError(
                f"y must hold classes or numbers; got a {kind} in row {row}."
            )


def _warn_of_spellings(y: np.ndarray) -> None:
    """Warn of classes that look the same but differ in their Unicode form."""
    if y.dtype.kind not in "OU":
        return
    spelled: dict[str, str] = {}
    for label in dict.fromkeys(y.tolist()):
        if isinstance(label, str) and not label.isascii():
            first = spelled.setdefault(one_spelling(label), label)
            if first != label:
                warn_caller(
                    f"y has the class {label!r} in two spellings of Unicode, which are "
                    "two classes: convert them to one by unicodedata.normalize."
                )


def _as_column(column: pd.Series, is_date: bool | None) -> pd.Series:
    if is_date or (is_date is None and holds_dates(column)):
        return as_dates(column)
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype(str).astype("category")
    if pd.api.types.is_numeric_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return pd.Series(refuse_infinities(values, column.name), column.index)
    refuse_times(column)
    cells = Cells.of(column)
    if is_date is None and cells.texts and parse_dates(cells.texts) is not None:
        return as_dates(column)
    return pd.Series(cells.as_categories(), column.index)


def _as_sparse(X: Any, ensure_min_samples: int) -> csr_matrix:
    X = check_array(
        X,
        accept_sparse="csr",
        dtype=np.float64,
        ensure_min_samples=ensure_min_samples,
        input_name="X",
    )
    return shorten_indices(csr_matrix(X))
