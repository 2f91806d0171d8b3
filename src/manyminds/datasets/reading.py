"""Read a file in any format, with its target or without."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd
from scipy.sparse import csr_array

from manyminds.datasets._paragraphs import document_reader
from manyminds.datasets.columns import MISSING_VALUES, parse_number
from manyminds.datasets.dataset import Dataset
from manyminds.datasets.errors import TableError, convert_errors
from manyminds.datasets.formats.arff import read_arff
from manyminds.datasets.formats.delimited import iterate_delimited, read_delimited
from manyminds.datasets.formats.mulan import find_label_file, read_label_names
from manyminds.datasets.formats.parquet import iterate_parquet, read_parquet
from manyminds.datasets.formats.svmlight import read_svmlight
from manyminds.datasets.formats.text_format import (
    TextFormat,
    check_expansion,
    read_text,
)
from manyminds.datasets.formats.xlsx import read_xlsx
from manyminds.datasets.frames import as_pandas, from_arrays, from_frame
from manyminds.datasets.model_columns import Column
from manyminds.datasets.names import with_text_names
from manyminds.datasets.schema import Schema, sibling_schema
from manyminds.datasets.sparse import refuse_sparse_infinities
from manyminds.datasets.target import choose_target
from manyminds.utils.errors import InputError, MissingFileError, Parameter

_NO_ROWS = "the file has names of columns, but no rows."

__all__ = ["SUFFIXES", "iterate_features", "read_features", "read_table"]

SUFFIXES = {
    ".csv": "text",
    ".tsv": "text",
    ".txt": "text",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
    ".arff": "arff",
    ".svm": "svmlight",
    ".libsvm": "svmlight",
    ".svmlight": "svmlight",
}


@document_reader
def read_table(
    path: str | PathLike[str],
    *,
    target: Any = None,
    task: str | None = None,
    categorical: Any = None,
    schema: Any = None,
    missing_values: Collection[str] = MISSING_VALUES,
    name: str | None = None,
    drop: Iterable[str] = (),
    drop_missing_target: bool = False,
    n_features: int | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Dataset:
    """Read a file that holds a table and its target.

    The suffix of the file determines the format: ``.csv``, ``.tsv``, ``.txt``,
    ``.parquet``, ``.xlsx``, ``.arff``, ``.svm``, ``.libsvm`` or ``.svmlight``, all but
    Parquet and XLSX also with ``.gz``. The schema of ``foo.csv`` is read from
    ``foo.schema.json`` in the same folder, if there is one.

    Parameters
    ----------
    path : path
        File to read.
    target : str, int, list of str or None, default=None
        Name or position of the column to predict, or names of several labels. By
        default the only column called "target", "class" or "label"; in ARFF files
        without one, the last column. The labels of an ARFF file ``foo.arff`` with a
        file ``foo.xml`` of Mulan are those that it names.
    {task}
    categorical : list of str, "all" or None, default=None
        Columns to read as categories, whatever their content. They keep the text of
        the file: a code is "1" where the file has 1, and "01" where it has 01.
    {schema}
    missing_values : collection of str, optional
        Texts that represent missing values. In ARFF files, these and ``?``.
    name : str, default=None
        Name of the data set; by default that of the file without its suffixes.
    {drop}
    n_features : int, default=None
        Number of columns of an svmlight file; by default the largest that occurs.
    {text_format}

    Returns
    -------
    {dataset}

    Raises
    ------
    TableError
        If the file cannot be read as a table: its fields are the file, the line, the
        problem and the advice.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import read_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "fruit.csv"
    ...     _ = path.write_text("weight,color,class\\n80,red,apple\\n?,yellow,lemon\\n")
    ...     read_table(path)
    Dataset('fruit', 2 rows, 1 numeric and 1 categorical columns, 2 classes)
    """
    path = Path(path)
    format_, stem = format_of(path)
    if not path.is_file():
        raise MissingFileError(
            Parameter("path"), f" must be a file; there is none at {str(path)!r}."
        )
    if schema is None:
        schema = sibling_schema(path)
    declared = Schema.read(schema).updated(
        target, task, categorical, drop, missing_values
    )
    text_format = TextFormat(separator, decimal, encoding)
    options: dict[str, Any] = {"name": name or stem, "source": f"file {path.name}"}
    options["drop_missing_target"] = drop_missing_target
    if format_ != "svmlight" and n_features is not None:
        raise InputError(
            f"n_features is for svmlight files; got {n_features!r} for a file in the "
            f"format {format_}."
        )
    with convert_errors(path):
        check_expansion(path)
        if format_ == "svmlight":
            text_format.refuse_all(format_)
            return _from_svmlight(path, declared, n_features, options)
        frame, declared = read_frame(path, format_, declared, text_format)
        return from_frame(frame, schema=vars(declared), **options)


@document_reader
def read_features(
    path: str | PathLike[str],
    columns: Iterable[Column] = (),
    *,
    missing_values: Iterable[str] | None = None,
    n_features: int | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> pd.DataFrame | csr_array:
    """Read the samples to predict from a file, which need not have a target.

    The formats are those of `read_table`. Cells of columns that the model knows as
    categorical keep the text of the file: a code 01 stays "01".

    Parameters
    ----------
    path : path
        File to read.
    columns : iterable of Column, default=()
        Columns of the model; some may be absent from the file.
    missing_values : iterable of str, default=None
        Texts that represent missing values; by default those of the schema in the
        folder of the file, or else the usual ones.
    n_features : int, default=None
        Number of columns of an svmlight file; by default the largest that occurs.
    {text_format}

    Returns
    -------
    table : DataFrame, or csr_array of an svmlight file
        All columns of the file; `match_columns` converts them to the columns of a
        model. The target of an svmlight file is left out.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import Column, read_features
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "new.csv"
    ...     _ = path.write_text("zone,size\\n01,2.5\\n02,?\\n")
    ...     read_features(path, [Column("zone", ("01", "02"))])["zone"].tolist()
    ['01', '02']
    """
    path = Path(path)
    format_, _ = format_of(path)
    if not path.is_file():
        raise MissingFileError(
            Parameter("path"), f" must be a file; there is none at {str(path)!r}."
        )
    text_format = TextFormat(separator, decimal, encoding)
    with convert_errors(path):
        check_expansion(path)
        if format_ == "svmlight":
            text_format.refuse_all(format_)
            X = read_svmlight(path, n_features)[0]
            refuse_sparse_infinities(X)
            return X
        wanted = _declare(path, tuple(columns), missing_values)
        frame, _ = read_frame(path, format_, wanted, text_format)
        return _finish(frame, path, wanted)


def iterate_features(
    path: str | PathLike[str],
    columns: Iterable[Column] = (),
    *,
    n_rows: int = 100_000,
    **options: Any,
) -> Iterator[pd.DataFrame | csr_array]:
    """Read the samples to predict from a file, some rows at a time.

    Parameters
    ----------
    path, columns, **options
        Those of `read_features`.
    n_rows : int, default=100_000
        Rows to read at a time. Only delimited text and Parquet are read in parts; files
        of other formats at once.

    Yields
    ------
    table : DataFrame or csr_array
        Consecutive rows, as `read_features` would return them.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets.reading import iterate_features
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "new.csv"
    ...     _ = path.write_text("size\\n1\\n2\\n3\\n")
    ...     [len(frame) for frame in iterate_features(path, n_rows=2)]
    [2, 1]
    """
    path = Path(path)
    format_, _ = format_of(path)
    if format_ not in ("text", "parquet") or not path.is_file():
        yield read_features(path, columns, **options)
        return
    missing_values = options.pop("missing_values", None)
    options.pop("n_features", None)
    text_format = TextFormat(**options)
    with convert_errors(path):
        check_expansion(path)
        wanted = _declare(path, tuple(columns), missing_values)
        if format_ == "parquet":
            text_format.refuse_all(format_)
            frames = iterate_parquet(path, n_rows)
        else:
            frames = iterate_delimited(path, wanted, text_format, n_rows)
        n_read = 0
        for frame in frames:
            n_read += len(frame)
            if len(frame):
                yield _finish(frame, path, wanted)
        if n_read == 0:
            raise TableError(_NO_ROWS, file=path.name)


def format_of(path: Path) -> tuple[str, str]:
    """Return the format of a file and its name without suffixes."""
    stem, dot, suffix = path.name.removesuffix(".gz").rpartition(".")
    format_ = SUFFIXES.get(dot + suffix.lower())
    zipped = path.name.endswith(".gz")
    if format_ is None or (zipped and format_ in ("parquet", "xlsx")):
        raise InputError(
            Parameter("path"),
            f" must end in one of {', '.join(SUFFIXES)}, all but .parquet and .xlsx "
            f"also with .gz; got {path.name!r}.",
        )
    return format_, stem


def read_frame(
    path: Path, format_: str, declared: Schema, text_format: TextFormat
) -> tuple[Any, Schema]:
    """Read the columns of a file; return them with the updated schema."""
    if format_ == "text":
        return read_delimited(path, declared, text_format), declared
    if format_ == "parquet":
        text_format.refuse_all(format_)
        return read_parquet(path), declared
    if format_ == "xlsx":
        text_format.refuse_all(format_)
        return read_xlsx(path), declared
    replace(text_format, encoding=None).refuse_all(format_)
    marks = ("?", *(declared.missing or ()))
    if declared.missing == MISSING_VALUES:
        marks = ("?",)
    frame = read_arff(read_text(path, text_format.encoding), marks, path.name)
    if declared.target is None:
        declared = declared.updated(_arff_target(path, list(frame.columns)))
    return frame, declared.updated(missing_values=marks)


def _arff_target(path: Path, columns: list[str]) -> str | tuple[str, ...]:
    """Return the labels of Mulan's XML file, the usual target, or the last column."""
    file = find_label_file(path)
    names = () if file is None else read_label_names(file)
    if names:
        return names
    try:
        return choose_target(columns, None)[0]
    except ValueError:
        return columns[-1]


def _from_svmlight(
    path: Path, declared: Schema, n_features: int | None, options: dict[str, Any]
) -> Dataset:
    named = (declared.categorical, declared.numeric, declared.drop)
    if any(named) or declared.target is not None:
        raise InputError(
            "An svmlight file has columns of numbers without names, and its target "
            "comes first: target, categorical and drop do not apply to it."
        )
    X, y = read_svmlight(path, n_features)
    return from_arrays(X, y, task=declared.task, **options)


def _declare(
    path: Path, columns: Sequence[Column], missing_values: Iterable[str] | None
) -> Schema:
    """Declare what a model knows of the columns of a file."""
    marks = missing_values
    if marks is None:
        declared = Schema.read(sibling_schema(path)).missing
        marks = MISSING_VALUES if declared is None else declared
    categorical = tuple(
        column.name for column in columns if column.levels is not None or column.is_text
    )
    # Readers need a target: the first column, which is read as text all the same if it
    # is declared categorical.
    return _Wanted(categorical=categorical, target=0, missing=tuple(marks))


def _finish(frame: Any, path: Path, wanted: Schema) -> pd.DataFrame:
    """Return the rows of a file with names of columns that are text."""
    frame = with_text_names(as_pandas(frame))
    if not len(frame):
        raise TableError(_NO_ROWS, file=path.name)
    return _blank_marks(frame, wanted.missing or ())


def _blank_marks(frame: pd.DataFrame, marks: Iterable[str]) -> pd.DataFrame:
    """Replace markers of missing values; `match_columns` replaces the usual ones."""
    unusual: set[Any] = set(marks) - set(MISSING_VALUES)
    unusual |= {parse_number(mark) for mark in unusual} - {None}
    return frame.mask(frame.isin(unusual)) if unusual else frame


@dataclass(frozen=True)
class _Wanted(Schema):
    """Declarations of columns some of which may be absent: `match_columns` checks."""

    def check_names(self, columns: list[str]) -> None:
        """Accept any names."""
