"""Read a data set from a file: CSV, Parquet, ARFF or svmlight."""

import gzip
from collections.abc import Collection, Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from manyminds.datasets.arff import read_arff
from manyminds.datasets.columns import MISSING_VALUES
from manyminds.datasets.dataset import Dataset
from manyminds.datasets.delimited import read_delimited
from manyminds.datasets.failures import first_line, naming_file, silencing_rust
from manyminds.datasets.frames import from_arrays, from_frame
from manyminds.datasets.layout import TextLayout
from manyminds.datasets.schema import Schema, sibling_schema
from manyminds.datasets.svmlight import read_svmlight
from manyminds.datasets.target import choose_target
from manyminds.utils.errors import (
    InputError,
    MissingFileError,
    MissingPackageError,
    Parameter,
)

__all__ = ["SUFFIXES", "read_table"]

SUFFIXES = {
    ".csv": "text",
    ".tsv": "text",
    ".txt": "text",
    ".parquet": "parquet",
    ".arff": "arff",
    ".svm": "svmlight",
    ".libsvm": "svmlight",
    ".svmlight": "svmlight",
}


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

    The end of the file's name tells the format: ``.csv``, ``.tsv``, ``.txt``,
    ``.parquet``, ``.arff``, ``.svm``, ``.libsvm`` or ``.svmlight``, all but Parquet
    also with ``.gz``. A file ``foo.schema.json`` beside ``foo.csv`` is used by itself.

    Parameters
    ----------
    path : path
        File to read.
    target : str, int, list of str or None, default=None
        Name or position of the column to predict, or names of several labels. None
        stands for the one column called "target", "class" or "label"; in ARFF, failing
        that, for the last one.
    task : {"classification", "regression", "multilabel"} or None, default=None
        What is to be predicted; None to tell it from the target.
    categorical : list of str, "all" or None, default=None
        Columns that are categories whatever they look like. They keep the file's own
        text: a code is "1" if the file says 1, and "01" if it says 01.
    schema : dict, path of a JSON file or None, default=None
        Declarations under the keys "categorical", "numeric", "target", "task", "drop"
        and "missing". Arguments win over it.
    missing_values : collection of str, optional
        Texts that mean that a value is missing. In ARFF it is the mark ``?``, and those
        given here besides.
    name : str, default=None
        Name of the data set; by default that of the file without its endings.
    drop : list of str, default=()
        Columns to leave out.
    drop_missing_target : bool, default=False
        Whether to leave out rows without a target. If False they are an error.
    n_features : int, default=None
        Number of columns of an svmlight file, which does not tell it.
    separator : str or None, default=None
        Character between the cells of a text file; None to find it among comma,
        semicolon and tab.
    decimal : {".", ","} or None, default=None
        Decimal mark of a text file. None means a point, but for columns that are all
        numbers with commas where the separator is not a comma.
    encoding : str or None, default=None
        Encoding of a text or ARFF file; None means UTF-8, or Latin-1 if it is not.

    Returns
    -------
    data : Dataset
        The table and its target.

    Raises
    ------
    TableError
        If the file cannot be read as a table; the message names it.

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
    layout = TextLayout(separator, decimal, encoding)
    options: dict[str, Any] = {"name": name or stem, "source": f"file {path.name}"}
    options["drop_missing_target"] = drop_missing_target
    if format_ != "svmlight" and n_features is not None:
        raise ValueError("n_features is for svmlight files; other tables tell it.")
    with naming_file(path):
        if format_ == "svmlight":
            layout.refuse_all(format_)
            return _from_svmlight(path, declared, n_features, options)
        frame, declared = read_frame(path, format_, declared, layout)
        return from_frame(frame, schema=vars(declared), **options)


def format_of(path: Path) -> tuple[str, str]:
    """Tell a file's format and its name without endings."""
    stem, dot, suffix = path.name.removesuffix(".gz").rpartition(".")
    format_ = SUFFIXES.get(dot + suffix.lower())
    zipped = path.name.endswith(".gz")
    if format_ is None or (zipped and format_ == "parquet"):
        raise InputError(
            Parameter("path"),
            f" must end in one of {', '.join(SUFFIXES)}, all but .parquet also with "
            f".gz; got {path.name!r}.",
        )
    return format_, stem


def read_frame(
    path: Path, format_: str, declared: Schema, layout: TextLayout
) -> tuple[Any, Schema]:
    """Read columns; give them with what is declared of them by now."""
    if format_ == "text":
        return read_delimited(path, declared, layout), declared
    if format_ == "parquet":
        layout.refuse_all(format_)
        return _read_parquet(path), declared
    replace(layout, encoding=None).refuse_all(format_)
    marks = ("?", *(declared.missing or ()))
    if declared.missing == MISSING_VALUES:
        marks = ("?",)
    frame = read_arff(_text_of(path, layout.encoding), marks, path.name)
    if declared.target is None:
        declared = declared.updated(_arff_target(list(frame.columns)))
    return frame, declared.updated(missing_values=marks)


def _read_parquet(path: Path) -> Any:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        try:
            import polars
        except ImportError as error:
            raise MissingPackageError(
                "Reading Parquet needs pyarrow or polars: `pip install pyarrow`."
            ) from error
        read: Any = polars.read_parquet
        quietly: Any = silencing_rust()
    else:
        read, quietly = partial(pd.read_parquet, engine="pyarrow"), nullcontext()
    # What cannot be opened is told by the system.
    with path.open("rb") as file, quietly:
        try:
            return read(file)
        except MemoryError:
            raise
        except Exception as error:
            raise ValueError(
                f"{path.name}: the file is damaged, or is not Parquet: "
                f"{first_line(error)}."
            ) from error


def _text_of(path: Path, encoding: str | None) -> str:
    content = path.read_bytes()
    if path.name.endswith(".gz"):
        content = gzip.decompress(content)
    if encoding is not None:
        return content.decode(encoding).removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _arff_target(columns: list[str]) -> str:
    try:
        return choose_target(columns, None)[0]
    except ValueError:
        return columns[-1]


def _from_svmlight(
    path: Path, declared: Schema, n_features: int | None, options: dict[str, Any]
) -> Dataset:
    named = (declared.categorical, declared.numeric, declared.drop)
    if any(named) or declared.target is not None:
        raise ValueError(
            "An svmlight file has columns of numbers without names, and its target "
            "comes first: target, categorical and drop cannot be used with it."
        )
    X, y = read_svmlight(path, n_features)
    return from_arrays(X, y, task=declared.task, **options)
