"""Encode tables of users as floats: numbers as they are, categories as codes."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from manyminds.trees.stored_columns import StoredColumns
from manyminds.utils.tables import (
    is_frame,
    is_pandas,
    is_polars,
    is_stored,
    name_columns,
)

_CHECKS = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}
_SPARSE = ("csc", "csr")
_BLOCK_CELLS = 2**22  # of a sparse matrix that are made dense at a time: 32 MB


def encode_table(
    estimator, X, encoder=None, categorical_features="from_dtype", *, reset
):
    """Check a table and turn it into floats, in ``fit`` and afterwards.

    Parameters
    ----------
    estimator : estimator
        Its ``n_features_in_`` and ``feature_names_in_`` are set or compared.
    X : array-like, sparse matrix, dataframe or ParquetTable of shape \
(n_samples, n_features)
        The table. It may have missing values.
    encoder : ColumnEncoder, default=None
        What was returned when the model was fitted; not looked at if ``reset``.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical; see ``ColumnEncoder.fit``. Looked at only if
        ``reset``.
    reset : bool
        Whether the model is being fitted to this table.

    Returns
    -------
    X : ndarray, or sparse CSC or CSR matrix, of shape (n_samples, n_features)
        Finite numbers and NaNs as float64. Category codes count from 0. A table on disk
        stays there: StoredColumns.
    encoder : ColumnEncoder
        To encode other tables in the same way.
    """
    if reset or encoder is None:
        encoder = ColumnEncoder()
        has_codes = not isinstance(categorical_features, (str, type(None)))
    else:
        has_codes = encoder.is_categorical is not None
    if is_stored(X):
        X = _open_stored(estimator, X, encoder, categorical_features, reset)
        return X, encoder
    X = _known_frame(X)
    if not has_codes and _has_only_numbers(X):
        ready = _is_ready(X)
        X = validate_data(
            estimator, X, reset=reset, skip_check_array=ready, accept_sparse=_SPARSE,
            **_CHECKS,
        )  # fmt: skip
        return X, encoder

    if not is_frame(X):
        if isinstance(X, list | tuple):
            X = np.array(X, dtype=object)  # or numbers among strings become strings
        X = check_array(
            X, accept_sparse=_SPARSE, dtype=None, ensure_all_finite="allow-nan",
            estimator=estimator, input_name="X",
        )  # fmt: skip
    validate_data(estimator, name_columns(X), reset=reset, skip_check_array=True)
    X = encoder.fit(X, categorical_features) if reset else encoder.encode(X)
    return check_array(X, estimator=estimator, input_name="X", **_CHECKS), encoder


def _open_stored(estimator, X, encoder, categorical_features, reset):
    """Check a table on disk, and return its encoded columns."""
    if not getattr(estimator, "_reads_stored_tables", False):
        raise TypeError(
            f"{type(estimator).__name__} takes tables in memory only; X is {X!r}. "
            "Random forests, extra-trees and gradient boosting take tables on disk."
        )
    if not all(X.shape):
        raise ValueError(f"X has no cells: its shape is {X.shape}.")
    validate_data(estimator, name_columns(X), reset=reset, skip_check_array=True)
    if reset:
        encoder.fit_stored(X, categorical_features)
    return StoredColumns(X, encoder)


def map_dense_blocks(function, X, axis=0):
    """Apply a function of dense rows to a table; some are read block by block.

    Parameters
    ----------
    function : callable
        Takes an ndarray of shape (n_rows, n_features) and returns an array.
    X : ndarray, sparse matrix or StoredColumns of shape (n_samples, n_features)
        The table.
    axis : int, default=0
        Axis of the result that belongs to the rows.

    Returns
    -------
    result : ndarray
    """
    if isinstance(X, StoredColumns):
        blocks = X.iterate_blocks()
        return np.concatenate([function(block) for block in blocks], axis=axis)
    if not issparse(X):
        return function(X)
    n_rows = max(1, _BLOCK_CELLS // X.shape[1])
    X = X.tocsr()
    results = [
        function(np.ascontiguousarray(X[first : first + n_rows].toarray()))
        for first in range(0, X.shape[0], n_rows)
    ]
    return np.concatenate(results, axis=axis)


class ColumnEncoder:
    """Turn columns of numbers and categories into floats, always in the same way.

    Attributes
    ----------
    is_categorical : ndarray of bool of shape (n_features,) or None
        Which columns are categorical; None if no column is.
    categories : dict
        The categories of each categorical column, by the column's position, in the
        order of their codes.
    """

    def __init__(self):
        self.is_categorical = None
        self.categories = {}

    def fit(self, X, categorical_features="from_dtype"):
        """Learn the categories of a table; return the table as floats.

        Only categories that occur get a code. They keep the order of a column's dtype
        where it has one (pandas' categories, polars' Enum), and are sorted elsewhere.

        Parameters
        ----------
        X : ndarray, sparse matrix or dataframe of shape (n_samples, n_features)
            The table.
        categorical_features : array-like, "from_dtype" or None, default="from_dtype"
            - "from_dtype": columns of a dataframe that have a categorical dtype.
            - None: no column.
            - array-like of bool: mask of all columns.
            - array-like of int: positions of the categorical columns.
            - array-like of str: their names; ``X`` must be a dataframe.

        Returns
        -------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            Numbers as they are, categories as codes 0, 1, 2 ..., and NaN for what is
            missing.
        """
        X = _known_frame(X)
        self.is_categorical = _find_categorical(X, categorical_features)
        self.categories = {}
        if self.is_categorical is None:
            return self.encode(X)
        if issparse(X):
            raise ValueError(
                "A sparse X cannot have categorical columns: make it dense, or set "
                "categorical_features=None."
            )
        for j in np.flatnonzero(self.is_categorical).tolist():
            self.categories[j] = _list_categories(*_get_column(X, j))
        return self.encode(X)

    def fit_stored(self, table, categorical_features="from_dtype"):
        """Learn the categories of a table on disk; see ``fit``."""
        self.is_categorical = _find_categorical(
            table.read_empty(), categorical_features
        )
        self.categories = {}
        if self.is_categorical is not None:
            for j in np.flatnonzero(self.is_categorical).tolist():
                name = table.columns[j]
                self.categories[j] = _list_categories(name, table.read_column(name))

    def forget_absent(self, X):
        """Forget the categories that do not occur in a table that ``fit`` encoded.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            Some rows of the table that ``fit`` returned.

        Returns
        -------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            These rows with new codes, as if ``fit`` had seen them alone.
        """
        for j, categories in self.categories.items():
            column = X[:, j]
            known = ~np.isnan(column)
            present, codes = np.unique(column[known], return_inverse=True)
            self.categories[j] = [categories[int(code)] for code in present]
            if not isinstance(X, StoredColumns):  # which is encoded when it is read
                X[known, j] = codes
        return X

    def encode(self, X):
        """Turn a table into floats; a category that ``fit`` has not seen becomes NaN.

        Parameters
        ----------
        X : ndarray, sparse matrix or dataframe of shape (n_samples, n_features)
            The table.

        Returns
        -------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            Numbers and category codes as float64.
        """
        X = _known_frame(X)
        if issparse(X):
            if self.is_categorical is not None:
                raise ValueError(
                    "X is sparse, but the model was fitted with categorical columns: "
                    "make X dense."
                )
            return X.astype(np.float64, copy=False)
        is_plain = _find_plain(X)
        is_plain[list(self.categories)] = False
        encoded, unreadable = np.empty((X.shape[0], X.shape[1])), []
        if is_plain.any():  # at once: a single column of a dataframe takes long to get
            encoded[:, is_plain] = X.loc[:, is_plain].to_numpy(dtype=np.float64)
        for j in np.flatnonzero(~is_plain).tolist():
            name, column = _get_column(X, j)
            floats = self._read(j, column)
            if floats is None:
                unreadable.append(name)
            else:
                encoded[:, j] = floats
        _refuse_unreadable(unreadable)
        return encoded

    def encode_column(self, j, name, column):
        """Turn a single column into floats; see ``encode``."""
        floats = self._read(j, column)
        _refuse_unreadable([name] if floats is None else [])
        return floats

    def _read(self, j, column):
        """Return a column as floats; None if it holds something else."""
        if j in self.categories:
            return _look_up(column, self.categories[j])
        return _read_numbers(column)


def _refuse_unreadable(names):
    """Raise an error if there are columns without numbers or categories."""
    if names:
        raise ValueError(
            f"Columns {names} hold neither numbers nor categories. Set a categorical "
            "dtype, list them in categorical_features, or turn them into numbers."
        )


# ---------------------------------------------------------------- tables


def _known_frame(X):
    """Turn dataframes of other libraries into pandas'."""
    if isinstance(X, np.ndarray) or is_frame(X) or not hasattr(X, "to_pandas"):
        return X
    return X.to_pandas()


def _has_only_numbers(X):
    """Return whether scikit-learn's own checks can read a table."""
    if is_pandas(X):
        return all(dtype.kind in "biufc" for dtype in set(X.dtypes))
    return not is_polars(X)


def _is_ready(X):
    """Return whether there is nothing to check or change in an array.

    For small arrays, this is much quicker than scikit-learn's thorough check.
    """
    if type(X) is not np.ndarray or X.dtype != np.float64 or X.ndim != 2 or not X.size:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(X.sum()))


def _get_column(X, j):
    """Return the name and the values of a column."""
    if is_polars(X):
        return X.columns[j], X.to_series(j)
    if is_pandas(X):
        return X.columns[j], X.iloc[:, j]
    return j, np.asarray(X)[:, j]


def _find_plain(X):
    """Return the mask of the columns of a pandas table that hold NumPy's numbers."""
    if not is_pandas(X):
        return np.zeros(X.shape[1], dtype=bool)
    return np.array(
        [isinstance(one, np.dtype) and one.kind in "biuf" for one in X.dtypes],
        dtype=bool,
    )


# ---------------------------------------------------------------- which columns


def _find_categorical(X, categorical_features):
    """Return the mask of the categorical columns, or None if there are none."""
    if categorical_features is None:
        return None
    if isinstance(categorical_features, str):
        if not is_frame(X):
            return None
        mask = np.array([_is_category(dtype) for dtype in X.dtypes], dtype=bool)
    else:
        mask = _read_mask(X, np.asarray(categorical_features))
    return mask if mask.any() else None


def _is_category(dtype):
    """Return whether a dtype of pandas or polars is one of categories."""
    if isinstance(dtype, np.dtype):  # whose names take long to make, of many columns
        return False
    return str(dtype).startswith(("category", "Categorical", "Enum"))


def _read_mask(X, given):
    """Turn a mask, positions or names into a mask."""
    n_features = X.shape[1]
    mask = np.zeros(n_features, dtype=bool)
    if given.size == 0:
        return mask
    types = {type(item).__name__ for item in given.ravel().tolist()}
    if types == {"str"}:
        if not is_frame(X):
            raise ValueError(
                "categorical_features has names, but X is not a dataframe: pass "
                "positions or a boolean mask."
            )
        names = list(X.columns)
        unknown = [name for name in given.tolist() if name not in names]
        if unknown:
            raise ValueError(
                f"categorical_features has names {unknown} that X has not. Its columns "
                f"are {names}."
            )
        mask[[names.index(name) for name in given.tolist()]] = True
    elif types == {"bool"}:
        if given.shape != (n_features,):
            raise ValueError(
                "categorical_features as a boolean mask must have shape "
                f"({n_features},); it has shape {given.shape}."
            )
        mask[:] = given
    elif types == {"int"}:
        if given.min() < 0 or given.max() >= n_features:
            raise ValueError(
                "categorical_features as positions must lie between 0 and "
                f"{n_features - 1}; got {given.tolist()}."
            )
        mask[given.astype(np.intp)] = True
    else:
        raise ValueError(
            "categorical_features must be an array-like of bool, int or str; got "
            f"{', '.join(sorted(types))}."
        )
    return mask


# ---------------------------------------------------------------- one column
#
# A column is a pandas Series, a polars Series or a one-dimensional array.


def _read_numbers(column):
    """Turn a column into floats; None if it holds something else."""
    dtype = column.dtype
    if hasattr(dtype, "is_numeric"):  # polars
        if dtype.is_numeric() or str(dtype) in ("Boolean", "Null"):
            return column.cast(float).to_numpy()
    elif dtype.kind in "biuf":
        if hasattr(column, "to_numpy"):
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return column.astype(np.float64, copy=False)
    elif dtype.kind != "O":
        return _parse_numbers(column) if dtype.kind in "UT" else None
    values, missing = _list_objects(column)
    if any(isinstance(value, str) for value in values[~missing]):
        return None
    values[missing] = np.nan
    return _parse_numbers(values)


def _parse_numbers(values):
    """Turn an array of strings or objects into floats; None if some are no numbers."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return None


def _list_objects(column):
    """Return the values of a column as an array of objects, and which are missing."""
    import pandas as pd

    values = np.empty(len(column), dtype=object)
    values[:] = column.to_list() if hasattr(column, "to_list") else column.tolist()
    return values, np.asarray(pd.isna(values), dtype=bool)


def _list_categories(name, column):
    """List the categories that occur in a column."""
    if hasattr(column, "cat") and hasattr(column.cat, "codes"):
        present = np.unique(column.cat.codes.to_numpy())
        return [column.cat.categories[code] for code in present if code >= 0]
    if str(column.dtype).startswith("Enum"):
        present = set(column.unique().to_list())
        return [item for item in column.dtype.categories.to_list() if item in present]
    numbers = _read_numbers(column)
    if numbers is not None:
        return np.unique(numbers[np.isfinite(numbers)]).tolist()
    values, missing = _list_objects(column)
    try:
        return sorted(set(values[~missing]))
    except TypeError as error:
        types = sorted({type(value).__name__ for value in values[~missing]})
        raise ValueError(
            f"The categories of column {name!r} are of several types ({types}): turn "
            "them into strings or numbers."
        ) from error


def _look_up(column, categories):
    """Turn a column of categories into codes: NaN for what is missing or unknown."""
    code_of = {category: code for code, category in enumerate(categories)}
    if hasattr(column, "cat") and hasattr(column.cat, "codes"):
        codes = [code_of.get(category, np.nan) for category in column.cat.categories]
        return np.array([*codes, np.nan])[column.cat.codes.to_numpy()]
    numbers = _read_numbers(column)
    if numbers is not None:
        distinct, places = np.unique(numbers, return_inverse=True)
        codes = [code_of.get(number, np.nan) for number in distinct.tolist()]
        # An infinite value stays what it is, for scikit-learn's checks to find.
        return np.where(np.isinf(distinct), distinct, codes)[places]
    values, _ = _list_objects(column)
    return np.array([code_of.get(value, np.nan) for value in values])
