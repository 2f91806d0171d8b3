"""Rows and columns of tables of any kind: arrays, sparse matrices, dataframes.

Why not narwhals: it wraps dataframes of many libraries behind one API, but passes NumPy
arrays and sparse matrices on untouched, so that each function below would still branch.
What is left for dataframes is five functions of two lines.
"""

from typing import Any

import numpy as np

__all__ = [
    "is_frame",
    "is_pandas",
    "is_polars",
    "is_stored",
    "name_columns",
    "take_columns",
    "take_rows",
]

# A dataframe is recognized by its methods, so that pandas and polars are not imported
# for those who do not use them.


def is_pandas(X: Any) -> bool:
    """Return whether a table is a dataframe of pandas."""
    return hasattr(X, "iloc") and hasattr(X, "columns")


def is_polars(X: Any) -> bool:
    """Return whether a table is a dataframe of polars."""
    return hasattr(X, "get_columns")


def is_frame(X: Any) -> bool:
    """Return whether a table has columns with names and dtypes of their own."""
    return is_pandas(X) or is_polars(X)


def is_stored(X: Any) -> bool:
    """Return whether a table stays on disk, as ``ParquetTable``."""
    return hasattr(X, "read_column")


def name_columns(X: Any) -> Any:
    """Return a table from which scikit-learn reads the names of X's columns.

    scikit-learn 1.6 does not know the dataframes of polars.
    """
    if is_stored(X):
        return X.read_empty()
    if not is_polars(X):
        return X
    import pandas as pd

    return pd.DataFrame(columns=X.columns)


def take_rows(X: Any, rows: Any) -> Any:
    """Return rows of an array, a sparse matrix or a dataframe, by position.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.utils.tables import take_rows
    >>> take_rows(pd.DataFrame({"a": [1, 2, 3]}, index=[7, 8, 9]), [2, 0])["a"].tolist()
    [3, 1]
    """
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def take_columns(X: Any, columns: Any) -> Any:
    """Return columns of an array, a sparse matrix or a dataframe.

    Parameters
    ----------
    X : table of any kind
    columns : array-like of int or of bool
        Positions, or a mask over all columns.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.tables import take_columns
    >>> take_columns(np.array([[1, 2, 3], [4, 5, 6]]), [2, 0])
    array([[3, 1],
           [6, 4]])
    """
    columns = np.asarray(columns)
    if columns.dtype == bool:
        columns = np.flatnonzero(columns)
    columns = columns.astype(np.intp, copy=False)
    if hasattr(X, "iloc"):
        return X.iloc[:, columns]
    return X[:, columns.tolist()] if is_polars(X) else X[:, columns]
