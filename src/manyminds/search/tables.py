"""Bring users' tables to the forms that chains take."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, issparse
from sklearn.utils import check_array

from manyminds.datasets.frames import as_pandas

__all__ = ["as_table", "shorten_indices"]


def as_table(X: Any, ensure_min_samples: int = 1) -> Any:
    """Turn a table into an array of numbers, a sparse matrix or a plain DataFrame.

    Parameters
    ----------
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    ensure_min_samples : int, default=1
        Rows that there must be.

    Returns
    -------
    X : ndarray, csr_matrix or DataFrame
        A DataFrame has columns of float64 and of categories, and stays one only if
        there are names to keep: columns of text, booleans and objects are categories.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.search.tables import as_table
    >>> as_table(pd.DataFrame({"size": [1, 2], "hue": ["red", "blue"]})).dtypes
    size     float64
    hue     category
    dtype: object
    """
    if issparse(X):
        return _as_sparse(X, ensure_min_samples)
    if hasattr(X, "columns") or hasattr(X, "get_columns"):
        frame = as_pandas(X)
        if len(frame) < ensure_min_samples or not frame.shape[1]:
            raise ValueError(
                f"X must have at least {ensure_min_samples} rows and a column; got "
                f"n_samples={len(frame)} and {frame.shape[1]} columns."
            )
        if all(dtype == np.float64 for dtype in frame.dtypes):
            return _without_infinities(frame)
        columns = {name: _as_column(name, frame[name]) for name in frame.columns}
        return pd.DataFrame(columns, index=frame.index)
    return check_array(
        X,
        dtype=np.float64,
        ensure_all_finite="allow-nan",
        ensure_min_samples=ensure_min_samples,
        input_name="X",
    )


def _without_infinities(frame: pd.DataFrame) -> pd.DataFrame:
    infinite = np.isinf(frame.to_numpy()).any(axis=0)
    if infinite.any():
        name = frame.columns[int(infinite.argmax())]
        raise ValueError(f"The column {name!r} of X has infinite values.")
    return frame


def _as_column(name: Any, column: pd.Series) -> pd.Series:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype(str).astype("category")
    if pd.api.types.is_numeric_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isinf(values).any():
            raise ValueError(f"The column {name!r} of X has infinite values.")
        return pd.Series(values, column.index)
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        raise ValueError(
            f"The column {name!r} of X holds dates: turn it into numbers, such as "
            "days since a date."
        )
    return column.astype("category")


def _as_sparse(X: Any, ensure_min_samples: int) -> csr_matrix:
    X = check_array(
        X,
        accept_sparse="csr",
        dtype=np.float64,
        ensure_min_samples=ensure_min_samples,
        input_name="X",
    )
    return shorten_indices(csr_matrix(X))


def shorten_indices(X: Any) -> Any:
    """Store the positions of a sparse matrix in 32 bits, where they fit.

    Support vector machines take no longer ones.

    Parameters
    ----------
    X : csr_matrix or csr_array

    Returns
    -------
    X : csr_matrix or csr_array
        Shares its values with what was given, which is not changed.
    """
    is_short = X.indices.dtype == X.indptr.dtype == np.int32
    if is_short or max(*X.shape, X.nnz) > np.iinfo(np.int32).max:
        return X
    X = type(X)(X)  # a face of its own over the same values
    X.indices = X.indices.astype(np.int32)
    X.indptr = X.indptr.astype(np.int32)
    return X
