"""A table with its target, as every reader of this room returns it."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, issparse

from manyminds.datasets.dates import UNIT, is_dates
from manyminds.datasets.fingerprint import fingerprint
from manyminds.utils.errors import UserError

__all__ = ["Dataset", "DatasetNotFoundError", "close_matches"]

TASKS = ("classification", "regression", "multilabel")


class DatasetNotFoundError(UserError, LookupError):
    """Says that no data set of a name was found, where it was sought, and what helps.

    Examples
    --------
    >>> from manyminds.datasets import DatasetNotFoundError, load_dataset
    >>> try:
    ...     load_dataset("irsi")
    ... except DatasetNotFoundError as error:
    ...     print(error)
    No bundled data set is called 'irsi'. Close: iris. See bundled_datasets().
    """


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Hold a table, its target and what is known about them.

    ``from_frame``, ``from_arrays`` and ``read_table`` make data sets of anything else;
    the constructor takes columns that are in order already, and checks that they are.

    Parameters
    ----------
    name : str
        Short name, for tables of results.
    X : DataFrame or csr_array of shape (n_samples, n_features)
        Columns of float64 numbers (missing: NaN), of dates (datetime64[us], missing:
        NaT), and of pandas' category dtype with strings for categories.
    y : ndarray of shape (n_samples,) or DataFrame of shape (n_samples, n_labels)
        Labels (strings or integers) for classification, floats for regression, and a
        frame of 0 and 1 for several labels.
    task : {"classification", "regression", "multilabel"}
        What is to be predicted.
    source : str, default=""
        Where the data came from, in a few words.
    note : str, default=""
        Anything else worth knowing.
    target_name : str, default="target"
        Name of the column to predict; names of several labels, separated by spaces.

    Attributes
    ----------
    fingerprint : str
        32 hexadecimal digits that stand for the content: names, kinds and values of
        the columns in their order, the target and the task. Equal content has an equal
        fingerprint, however it was read, stored or named.

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

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise ValueError(f"task must be one of {TASKS}; got {self.task!r}.")
        _check_table(self.X)
        _check_target(self.y, self.task)
        if self.X.shape[0] != len(self.y):
            raise ValueError(
                f"X and y must have as many rows; got {self.X.shape[0]} and "
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
        kinds = self.X.dtypes
        return [c for c in self.X if isinstance(kinds[c], pd.CategoricalDtype)]

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
        """32 hexadecimal digits that stand for the content."""
        return fingerprint(self.X, self.y, self.task)

    def take(self, rows: Any, name: str | None = None) -> "Dataset":
        """Return the data set of some rows.

        Parameters
        ----------
        rows : array-like of int or bool, or slice
            Positions of the rows, or a mask over all rows.
        name : str, default=None
            Name of the new data set; the old one's if None.

        Returns
        -------
        part : Dataset
            These rows in this order. Categories that no longer occur stay declared.
        """
        rows = rows if isinstance(rows, slice) else np.asarray(rows)
        several, sparse = self.task == "multilabel", issparse(self.X)
        X = self.X[rows] if sparse else self.X.iloc[rows].reset_index(drop=True)
        y = self.y.iloc[rows].reset_index(drop=True) if several else self.y[rows]
        name = self.name if name is None else name
        return replace(self, name=name, X=X, y=y)

    def describe(self) -> str:
        """Tell in a few lines how large the data set is and what it predicts."""
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


def close_matches(name: str, known: list[str], n: int = 3) -> str:
    """Describe which known names are like this one: "Close: a, b. ", or nothing."""
    lower = {one.lower(): one for one in known}
    found = [lower[one] for one in get_close_matches(name.lower(), lower, n)]
    return f"Close: {', '.join(found)}. " if found else ""


def _check_table(X: Any) -> None:
    """Raise unless X is what the class promises: every method relies on it."""
    if issparse(X):
        if not isinstance(X, csr_array):
            raise TypeError(f"A sparse X must be a csr_array; got {type(X).__name__}.")
        return
    if not isinstance(X, pd.DataFrame):
        raise TypeError(
            f"X must be a pandas DataFrame or a csr_array; got {type(X).__name__}. "
            "from_arrays() takes other tables."
        )
    if not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()].unique().tolist()
        raise ValueError(f"The columns of X must have different names; twice: {twice}.")
    for column, dtype in X.dtypes.items():
        known = dtype in (np.float64, UNIT) or isinstance(dtype, pd.CategoricalDtype)
        if not known:
            raise TypeError(
                f"Columns of X must be float64, {UNIT} or category; {column!r} is "
                f"{dtype}. "
                "from_frame() finds the kinds of columns."
            )


def _check_target(y: Any, task: str) -> None:
    wanted = pd.DataFrame if task == "multilabel" else np.ndarray
    if not isinstance(y, wanted):
        raise TypeError(
            f"y must be a {wanted.__name__} for {task}; got {type(y).__name__}."
        )
    if task != "multilabel" and y.ndim != 1:
        raise ValueError(f"y must have one dimension for {task}; got {y.ndim}.")


def _target_in_words(y: Any, task: str) -> str:
    """Counts of the classes or labels, the frequent ones first; or the range."""
    if task == "regression":
        return f", from {y.min():g} to {y.max():g}" if len(y) else ""
    counts = y.sum() if task == "multilabel" else pd.Series(y).value_counts()
    counts = counts.sort_values(ascending=False, kind="stable")
    words = [f"{label} {count}" for label, count in counts.head(10).items()]
    more = f" and {len(counts) - 10} more" if len(counts) > 10 else ""
    return f", {len(counts)} {'labels' if task == 'multilabel' else 'classes'}: " + (
        ", ".join(words) + more
    )
