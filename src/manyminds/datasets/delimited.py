"""Read text files of cells with a separator between them."""

import csv
import gzip
import re
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd

from manyminds.datasets.schema import Schema
from manyminds.datasets.target import choose_target

__all__ = ["find_separator", "read_cells", "read_delimited"]

SEPARATORS = (",", ";", "\t")

# Until 3.1, pandas rounds the last digit of many numbers wrongly unless it is asked not
# to; then the same table would have one fingerprint as text and another as Parquet.
_VERSION = tuple(int(part) for part in pd.__version__.split(".")[:2])
EXACT_FLOATS: dict[str, Any] = (
    {} if _VERSION >= (3, 1) else {"float_precision": "round_trip"}
)


def read_delimited(path: Path, declared: Schema) -> pd.DataFrame:
    """Read a file of separated cells whose first row has the names of the columns.

    Parameters
    ----------
    path : Path
        File, which may be gzipped. ``.tsv`` has tabs; for all others the separator is
        found among comma, semicolon and tab. Text is UTF-8, or Latin-1 if it is not.
    declared : Schema
        What is declared about the table: categorical columns are left as text.

    Returns
    -------
    frame : DataFrame
        Columns of numbers, booleans and text.
    """
    if b"\x00" in _first_bytes(path):
        raise ValueError(
            f"{path.name}: the text is in another encoding, such as UTF-16; save it as "
            "UTF-8."
        )
    try:
        return _read(path, declared, "utf-8")
    except UnicodeDecodeError:
        return _read(path, declared, "latin-1")


def find_separator(header: str) -> str:
    r"""Find the separator that a header has most of, outside quotes.

    Parameters
    ----------
    header : str
        First line of a file.

    Returns
    -------
    separator : str
        Comma, semicolon or tab; comma if there is none.

    Examples
    --------
    >>> from manyminds.datasets.delimited import find_separator
    >>> find_separator('"length, width";colour;class')
    ';'
    """
    bare = re.sub(r'"[^"]*"', "", header)
    return max(SEPARATORS, key=bare.count)


def read_cells(source: Any, n_columns: int, **options: Any) -> pd.DataFrame:
    """Read cells by pandas, numbers to the last digit; columns are numbered.

    Parameters
    ----------
    source : path or file
        What to read.
    n_columns : int
        Number of columns. Shorter rows are filled up.
    **options
        Further options of ``pandas.read_csv``.

    Returns
    -------
    frame : DataFrame
        Columns 0, 1, 2 and so on.

    Raises
    ------
    ParserError, ParserWarning
        If a row is longer: pandas would cut it and only warn.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        return pd.read_csv(
            source,
            names=range(n_columns),
            index_col=False,
            keep_default_na=False,
            skipinitialspace=True,
            low_memory=False,
            **EXACT_FLOATS,
            **options,
        )


def _read(path: Path, declared: Schema, encoding: str) -> pd.DataFrame:
    tabs = ".tsv" in path.suffixes
    separator = "\t" if tabs else find_separator(_first_line(path, encoding))
    columns = _read_names(path, encoding, separator)
    declared.check_names(columns)
    targets = choose_target(columns, declared.target)
    as_text = {
        place: str
        for place, column in enumerate(columns)
        if declared.kind(column) == "categorical"
        and (column not in targets or column in declared.named("categorical"))
    }
    try:
        frame = read_cells(
            path,
            len(columns),
            header=0,
            sep=separator,
            encoding=encoding,
            dtype=as_text,
            na_values=list(declared.missing or ()),
        )
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise ValueError(
            f"{path.name}: a row has more cells than the {len(columns)} of the header. "
            f"{error}"
        ) from error
    if frame[len(columns) - 1].isna().any():  # as of a row that is too short
        _refuse_short_rows(path, encoding, separator, len(columns))
    return frame.set_axis(columns, axis=1)


def _refuse_short_rows(
    path: Path, encoding: str, separator: str, n_columns: int
) -> None:
    """Raise if a row has fewer cells than the header: pandas would fill it up."""
    opener: Any = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "rt", encoding=encoding, newline="") as file:
        rows = csv.reader(file, delimiter=separator, skipinitialspace=True)
        for cells in rows:
            # A line without anything is left out, as pandas does.
            if 0 < len(cells) < n_columns and any(cells):
                raise ValueError(
                    f"{path.name}: line {rows.line_num} has {len(cells)} cells, the "
                    f"header {n_columns}."
                )


def _first_bytes(path: Path) -> bytes:
    opener: Any = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "rb") as file:
        return bytes(file.read(1000))


def _first_line(path: Path, encoding: str) -> str:
    opener: Any = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "rt", encoding=encoding) as file:
        return file.readline()


def _read_names(path: Path, encoding: str, separator: str) -> list[str]:
    """Read the header by itself: pandas would rename columns of the same name."""
    opener: Any = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "rt", encoding=encoding, newline="") as file:
        rows = csv.reader(file, delimiter=separator, skipinitialspace=True)
        names = [name.removeprefix("\ufeff").strip() for name in next(rows, [])]
    if not names:
        raise ValueError(f"{path.name}: the file is empty; its first row has names.")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise ValueError(
            f"{path.name}: columns must have different names; twice: {twice}."
        )
    return names
