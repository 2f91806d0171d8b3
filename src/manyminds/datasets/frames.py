"""Create data sets from dataframes and arrays."""

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, issparse

from manyminds.datasets._paragraphs import document_reader
from manyminds.datasets.columns import (
    MISSING_VALUES,
    parse_number,
    read_marked_column,
    refuse_infinite_columns,
)
from manyminds.datasets.dataset import Dataset
from manyminds.datasets.marked_numbers import NumberMark
from manyminds.datasets.names import with_text_names
from manyminds.datasets.schema import Schema
from manyminds.datasets.sparse import refuse_sparse_infinities
from manyminds.datasets.target import (
    choose_target,
    find_missing,
    read_label_columns,
    read_target,
)
from manyminds.utils.errors import InputError, Parameter, PythonHint
from manyminds.utils.tables import is_polars

__all__ = ["as_pandas", "from_arrays", "from_frame"]


@document_reader
def from_frame(
    frame: Any,
    target: Any = None,
    *,
    task: str | None = None,
    categorical: Any = None,
    schema: Any = None,
    missing_values: Collection[str] = MISSING_VALUES,
    name: str = "data",
    drop: Iterable[str] = (),
    drop_missing_target: bool = False,
    source: str = "",
    note: str = "",
) -> Dataset:
    """Create a data set from a dataframe.

    Columns become numbers (float64), dates (datetime64) or categories by the rules of
    ``read_column``; declarations in a schema or an argument take precedence. The index
    of the frame is left out.

    Parameters
    ----------
    frame : DataFrame
        Of pandas or of polars.
    target : str, int, list of str or None, default=None
        Name or position of the column to predict, or names of several labels. By
        default the only column called "target", "class" or "label".
    {task}
    categorical : list of str, "all" or None, default=None
        Columns to read as categories, whatever their content. A target named here
        keeps its labels as text.
    {schema}
    missing_values : collection of str, optional
        Texts that represent missing values.
    name : str, default="data"
        Name of the data set.
    {drop}
    source, note : str, default=""
        Origin of the data and remarks, stored in the data set.

    Returns
    -------
    {dataset}

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets import from_frame
    >>> frame = pd.DataFrame({"size": ["1", "?", "3"], "kind": ["a", "b", "a"]})
    >>> data = from_frame(frame.assign(label=["yes", "no", "yes"]))
    >>> data
    Dataset('data', 3 rows, 1 numeric and 1 categorical columns, 2 classes)
    >>> data.n_missing
    1
    """
    declared = Schema.read(schema).updated(
        target, task, categorical, drop, missing_values
    )
    frame = with_text_names(as_pandas(frame))
    columns = list(frame.columns)
    declared.check_names(columns)
    targets = choose_target(columns, declared.target)
    if clash := set(targets) & set(declared.drop):
        raise InputError(
            Parameter("drop"), f" names the target: {', '.join(sorted(clash))}."
        )

    frame = _rows_with_target(frame, targets, declared, drop_missing_target)
    y, task = _read_targets(frame[targets], declared)
    features = frame.drop(columns=[*targets, *declared.drop])
    X, marks = _read_features(features, declared)
    left_out = tuple(declared.drop)
    return Dataset(name, X, y, task, source, note, " ".join(targets), left_out, marks)


@document_reader
def from_arrays(
    X: Any,
    y: Any,
    *,
    feature_names: Iterable[str] | None = None,
    categorical: Any = None,
    name: str = "data",
    **options: Any,
) -> Dataset:
    """Create a data set from a table and a target.

    Parameters
    ----------
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        Table. A sparse one stays sparse.
    y : array-like of shape (n_samples,) or (n_samples, n_labels)
        Target; two dimensions mean several labels.
    feature_names : iterable of str, default=None
        Names of the columns. By default those of the dataframe, or x0, x1 and so on.
    categorical : list of str or int, "all" or None, default=None
        Names or positions of the categorical columns.
    name : str, default="data"
        Name of the data set.
    **options
        ``task``, ``schema``, ``missing_values``, ``drop``, ``drop_missing_target``,
        ``source`` and ``note``, as in ``from_frame``.

    Returns
    -------
    {dataset}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.datasets import from_arrays
    >>> from_arrays(*load_diabetes(return_X_y=True), task="regression", name="diabetes")
    Dataset('diabetes', 442 rows, 10 numeric and 0 categorical columns, regression)
    """
    labels = _target_frame(y)
    if issparse(X):
        return _from_sparse(X, labels, feature_names, categorical, name, options)
    frame = as_pandas(X) if hasattr(X, "columns") else pd.DataFrame(np.asarray(X))
    if feature_names is None and not hasattr(X, "columns"):
        feature_names = [f"x{place}" for place in range(frame.shape[1])]
    if feature_names is not None:
        frame = frame.set_axis(list(feature_names), axis=1)
    _check_lengths(len(frame), len(labels))
    frame = with_text_names(frame)
    if categorical is not None and categorical != "all":
        names = list(frame.columns)
        categorical = [names[c] if isinstance(c, int) else c for c in categorical]
    labels.columns = [_free_name(label, frame.columns) for label in labels.columns]
    target = labels.columns[0] if labels.shape[1] == 1 else list(labels.columns)
    both = pd.concat([frame, labels], axis=1)
    return from_frame(both, target, categorical=categorical, name=name, **options)


def as_pandas(frame: Any) -> pd.DataFrame:
    """Convert a dataframe to pandas, with rows numbered from 0."""
    if is_polars(frame):
        columns = {
            column.name: _polars_column(column) for column in frame.get_columns()
        }
        return pd.DataFrame(columns, index=range(frame.height))
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            "frame must be a DataFrame of pandas or polars; got "
            f"{type(frame).__name__}."
        )
    return frame.reset_index(drop=True)


def _polars_column(column: Any) -> pd.Series:
    """Convert a column without pyarrow, which polars' own conversion needs."""
    import polars

    dtype = column.dtype
    if dtype.is_numeric():
        return pd.Series(column.cast(polars.Float64).to_numpy())
    if isinstance(dtype, polars.Categorical | polars.Enum):
        texts = column.cast(polars.String).to_list()
        declared = (
            dtype.categories.to_list() if isinstance(dtype, polars.Enum) else None
        )
        categories = declared or sorted({text for text in texts if text is not None})
        return pd.Series(pd.Categorical(texts, categories=categories))
    if dtype == polars.Boolean and not column.null_count():
        return pd.Series(column.to_numpy())
    if dtype.is_temporal() and dtype in (polars.Date, polars.Datetime):
        if getattr(dtype, "time_zone", None) is not None:
            column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return pd.Series(column.cast(polars.Datetime("us")).to_numpy())
    return pd.Series(column.to_list(), dtype=object)


def _check_lengths(n_rows: int, n_targets: int) -> None:
    if n_rows != n_targets:
        raise InputError(
            f"X and y must have the same number of rows; got {n_rows} and {n_targets}."
        )


def _rows_with_target(
    frame: pd.DataFrame, targets: list[str], declared: Schema, drop: bool
) -> pd.DataFrame:
    marks = declared.missing or ()
    missing = np.zeros(len(frame), dtype=bool)
    for target in targets:
        missing |= find_missing(frame[target], marks)
    if missing.any() and not drop:
        raise InputError(
            f"The target {', '.join(targets[:3])} is missing in {missing.sum()} of "
            f"{len(frame)} rows. Pass ",
            Parameter("drop_missing_target"),
            PythonHint("=True"),
            " to leave them out.",
        )
    return frame[~missing].reset_index(drop=True) if missing.any() else frame


def _read_targets(frame: pd.DataFrame, declared: Schema) -> tuple[Any, str]:
    task, several = declared.task, frame.shape[1] > 1
    if several and task not in (None, "multilabel"):
        raise InputError(f"Several targets need task='multilabel'; got {task!r}.")
    if several or task == "multilabel":
        return read_label_columns(frame), "multilabel"
    column = frame.iloc[:, 0]
    keep_text = column.name in declared.named("categorical")
    return read_target(column, task, keep_text)


def _read_features(
    frame: pd.DataFrame, declared: Schema
) -> tuple[pd.DataFrame, dict[str, NumberMark]]:
    """Convert each column; columns of numbers all at once, for wide tables.

    Return the table, and the marks of columns that have one.
    """
    marks = declared.missing or ()
    kinds = {column: declared.kind(column) for column in frame.columns}
    plain = [
        column
        for column, dtype in frame.dtypes.items()
        if isinstance(dtype, np.dtype) and dtype.kind in "iuf"
        if kinds[column] != "categorical"
    ]
    if any(parse_number(mark.strip()) is not None for mark in marks):
        plain = []  # some numbers represent missing values: convert each column
    values = frame[plain].to_numpy(dtype=np.float64)
    refuse_infinite_columns(values, plain)
    numbers = pd.DataFrame(values, index=frame.index, columns=plain)
    read = {
        column: read_marked_column(frame[column], kinds[column], marks)
        for column in frame.columns.difference(plain, sort=False)
    }
    if not read:
        return numbers, {}
    others = pd.DataFrame({name: one for name, (one, _) in read.items()}, frame.index)
    X = pd.concat([numbers, others], axis=1)[list(frame.columns)]
    return X, {name: mark for name, (_, mark) in read.items() if mark is not None}


def _target_frame(y: Any) -> pd.DataFrame:
    if hasattr(y, "columns"):
        return with_text_names(as_pandas(y))
    if type(y).__module__.partition(".")[0] == "polars":
        return _polars_column(y).to_frame("target")
    if isinstance(y, pd.Series):
        name = "target" if y.name is None else str(y.name)
        return y.reset_index(drop=True).to_frame(name)
    y = np.asarray(y)
    if y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1):
        return pd.DataFrame({"target": y.ravel()})
    if y.ndim != 2:
        raise InputError(f"y must have one or two dimensions; got {y.ndim}.")
    return pd.DataFrame(y, columns=[f"label{place}" for place in range(y.shape[1])])


def _free_name(name: str, taken: Iterable[str]) -> str:
    """Append underscores to a name until it differs from all others."""
    while name in set(taken):
        name += "_"
    return name


def _from_sparse(
    X: Any, labels: pd.DataFrame, names: Any, categorical: Any, name: str, options: Any
) -> Dataset:
    """Read the target by ``from_frame``, with row numbers as its only feature."""
    given = {"feature_names": names, "categorical": categorical}
    given |= {key: options.get(key) for key in ("schema", "drop")}
    if refused := [key for key, value in given.items() if value]:
        raise InputError(
            f"A sparse table has columns of numbers without names: {refused[0]} does "
            "not apply to it."
        )
    _check_lengths(X.shape[0], len(labels))
    target = labels.columns[0] if labels.shape[1] == 1 else list(labels.columns)
    rows = np.arange(len(labels), dtype=np.float64)
    marker = _free_name("row", labels.columns)
    read = from_frame(labels.assign(**{marker: rows}), target, name=name, **options)
    X = csr_array(X, dtype=np.float64)
    refuse_sparse_infinities(X)
    kept = read.X[marker].to_numpy().astype(np.int64)
    X = X if len(kept) == X.shape[0] else X[kept]
    return Dataset(name, X, read.y, read.task, read.source, read.note)
