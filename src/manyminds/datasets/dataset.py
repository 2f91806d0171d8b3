"""A table with its target: the return value of every reader."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, issparse

from manyminds.datasets.dates import DATE_DTYPE, is_dates
from manyminds.datasets.fingerprint import fingerprint
from manyminds.datasets.marked_numbers import NumberMark
from manyminds.datasets.names import check_unique
from manyminds.utils.errors import InputError, UserError

__all__ = ["Dataset", "DatasetNotFoundError"]

TASKS = ("classification", "regression", "multilabel")


class DatasetNotFoundError(UserError, LookupError):
    """Raise when no data set has the given name.

    Parameters
    ----------
    *pieces : str, Parameter or PythonHint
        Where the data set was looked for, and what the user can do.
    name : str or None, default=None
        Name of the data set.

    Examples
    --------
    >>> from manyminds.datasets import DatasetNotFoundError, load_dataset
    >>> try:
    ...     load_dataset("irsi")
    ... except DatasetNotFoundError as error:
    ...     print(error)
    No bundled data set is called 'irsi'. Close: iris. See bundled_datasets().
    """

    def __init__(self, *pieces: str, name: str | None = None) -> None:
        super().__init__(*pieces)
        self.name = name


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table, its target, its task and its source.

    ``from_frame``, ``from_arrays`` and ``read_table`` convert other tables; the
    constructor requires columns of the right dtypes, and checks them.

    Parameters
    ----------
    name : str
        Short name, as in tables of results.
    X : DataFrame or csr_array of shape (n_samples, n_features)
        Columns of float64 numbers (missing: NaN), of dates (datetime64[us], missing:
        NaT), and of pandas' category dtype with strings for categories.
    y : ndarray of shape (n_samples,) or DataFrame of shape (n_samples, n_labels)
        Labels (strings or integers) for classification, floats for regression, and a
        frame of 0 and 1 for several labels.
    task : {"classification", "regression", "multilabel"}
        Type of the target.
    source : str, default=""
        Origin of the data.
    note : str, default=""
        Further remarks.
    target_name : str, default="target"
        Name of the column to predict; names of several labels, separated by spaces.
    left_out : tuple of str, default=()
        Names of further columns of the table, which are no features.
    marks : mapping of str to NumberMark, default={}
        Columns whose numbers had a currency, a percent sign or a unit in the table.

    Attributes
    ----------
    fingerprint : str
        Hash of the content in 32 hexadecimal digits: names, dtypes and values of the
        columns in their order, the target and the task. Equal content has an equal
        fingerprint, whatever its file format and the data set's name.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from manyminds.datasets import Dataset
    >>> X = pd.DataFrame({"size": [1.0, 2.0], "color": pd.Categorical(["red", "blue"])})
    >>> data = Dataset("toy", X, np.array([0.5, 0.7]), "regression")
    >>> data
    Dataset('toy', 2 rows, 1 numeric and 1 categorical columns, regression)
    >>> data.categorical
    ['color']
    """

    name: str
    X: pd.DataFrame | csr_array
    y: Any  # ndarray or DataFrame, by task
    task: str
    source: str = ""
    note: str = ""
    target_name: str = "target"
    left_out: tuple[str, ...] = ()
    marks: Mapping[str, NumberMark] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise InputError(f"task must be one of {TASKS}; got {self.task!r}.")
        _check_table(self.X)
        _check_target(self.y, self.task)
        if self.X.shape[0] != len(self.y):
            raise InputError(
                f"X and y must have the same number of rows; got {self.X.shape[0]} and "
                f"{len(self.y)}."
            )

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns, without the target."""
        return int(self.X.shape[1])

    @property
    def categorical(self) -> list[str]:
        """Names of the category columns."""
        if issparse(self.X):
            return []
        dtypes = self.X.dtypes
        return [c for c in self.X if isinstance(dtypes[c], pd.CategoricalDtype)]

    @property
    def dates(self) -> list[str]:
        """Names of the columns of dates."""
        if issparse(self.X):
            return []
        return [c for c, dtype in self.X.dtypes.items() if is_dates(dtype)]

    @property
    def n_missing(self) -> int:
        """Number of missing cells of the table."""
        if issparse(self.X):
            return int(np.isnan(self.X.data).sum())
        return int(self.X.isna().to_numpy().sum())

    @property
    def classes(self) -> np.ndarray:
        """Distinct labels, sorted; the names of several labels; none in regression."""
        if self.task == "multilabel":
            return np.array(list(self.y.columns), dtype=object)
        return np.unique(self.y) if self.task == "classification" else np.array([])

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content in 32 hexadecimal digits."""
        return fingerprint(self.X, self.y, self.task)

    def take(self, rows: Any, name: str | None = None) -> "Dataset":
        """Return a data set of selected rows.

        Parameters
        ----------
        rows : array-like of int or bool, or slice
            Positions of the rows, or a mask over all rows.
        name : str, default=None
            Name of the new data set; by default unchanged.

        Returns
        -------
        part : Dataset
            These rows in this order. Categories that no longer occur are kept.
        """
        rows = rows if isinstance(rows, slice) else np.asarray(rows)
        several, sparse = self.task == "multilabel", issparse(self.X)
        X = self.X[rows] if sparse else self.X.iloc[rows].reset_index(drop=True)
        y = self.y.iloc[rows].reset_index(drop=True) if several else self.y[rows]
        name = self.name if name is None else name
        return replace(self, name=name, X=X, y=y)

    def describe(self) -> str:
        """Format the size, the missing values, the task and the source as text."""
        lines = [f"{self.name}: {self.n_samples} rows, {self._columns_in_words()}"]
        lines.append(f"missing cells: {self.n_missing}")
        lines.append(f"task: {self.task}{_target_in_words(self.y, self.task)}")
        lines += [f"source: {self.source}"] if self.source else []
        lines += [f"note: {self.note}"] if self.note else []
        return "\n".join(lines)

    def __repr__(self) -> str:
        kind = {"classification": "classes", "multilabel": "labels"}.get(self.task)
        goal = f"{len(self.classes)} {kind}" if kind else "regression"
        columns = self._columns_in_words()
        return f"Dataset({self.name!r}, {self.n_samples} rows, {columns}, {goal})"

    def _columns_in_words(self) -> str:
        if issparse(self.X):
            return f"{self.n_features} sparse columns"
        n_categorical, n_dates = len(self.categorical), len(self.dates)
        n_numeric = self.n_features - n_categorical - n_dates
        if n_dates:
            return (
                f"{n_numeric} numeric, {n_categorical} categorical and {n_dates} date "
                "columns"
            )
        return f"{n_numeric} numeric and {n_categorical} categorical columns"


def _check_table(X: Any) -> None:
    """Raise unless X is a table of the documented type: every method relies on it."""
    if issparse(X):
        if not isinstance(X, csr_array):
            raise TypeError(f"A sparse X must be a csr_array; got {type(X).__name__}.")
        return
    if not isinstance(X, pd.DataFrame):
        raise TypeError(
            f"X must be a pandas DataFrame or a csr_array; got {type(X).__name__}. "
            "from_arrays() takes other tables."
        )
    check_unique(X.columns, "The columns of X")
    for column, dtype in X.dtypes.items():
        known = dtype in (np.float64, DATE_DTYPE) or isinstance(
            dtype, pd.CategoricalDtype
        )
        if not known:
            raise TypeError(
                f"Columns of X must be float64, {DATE_DTYPE} or category; {column!r} "
                f"is {dtype}. from_frame() converts other dtypes."
            )


def _check_target(y: Any, task: str) -> None:
    wanted = pd.DataFrame if task == "multilabel" else np.ndarray
    if not isinstance(y, wanted):
        raise TypeError(
            f"y must be a {wanted.__name__} for {task}; got {type(y).__name__}."
        )
    if task != "multilabel" and y.ndim != 1:
        raise InputError(f"y must have one dimension for {task}; got {y.ndim}.")


def _target_in_words(y: Any, task: str) -> str:
    """Format the counts of classes or labels, in descending order; or the range."""
    if task == "regression":
        return f", from {y.min():g} to {y.max():g}" if len(y) else ""
    counts = y.sum() if task == "multilabel" else pd.Series(y).value_counts()
    counts = counts.sort_values(ascending=False, kind="stable")
    words = [f"{label} {count}" for label, count in counts.head(10).items()]
    more = f" and {len(counts) - 10} more" if len(counts) > 10 else ""
    return f", {len(counts)} {'labels' if task == 'multilabel' else 'classes'}: " + (
        ", ".join(words) + more
    )
