"""Read text files of cells with a separator between them."""

import csv
import gzip
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.columns import Cells
from manyminds.datasets.layout import (
    TextLayout,
    find_separator,
    read_decimal_commas,
)
from manyminds.datasets.schema import Schema
from manyminds.datasets.target import choose_target, holds_codes
from manyminds.utils.text import one_spelling

__all__ = ["read_cells", "read_delimited"]

MAX_CELL = 2**31 - 1  # characters; Python's csv takes no more than 131,072 by itself
TRUTH_VALUES = {"true": True, "false": False}

# Until 3.1, pandas rounds the last digit of many numbers wrongly unless it is asked not
# to; then the same table would have one fingerprint as text and another as Parquet.
_VERSION = tuple(int(part) for part in pd.__version__.split(".")[:2])
EXACT_FLOATS: dict[str, Any] = (
    {} if _VERSION >= (3, 1) else {"float_precision": "round_trip"}
)


def read_delimited(
    path: Path, declared: Schema, layout: TextLayout | None = None
) -> pd.DataFrame:
    """Read a file of separated cells whose first row has the names of the columns.

    Parameters
    ----------
    path : Path
        File, which may be gzipped. ``.tsv`` has tabs; for all others the separator is
        found among comma, semicolon and tab. Text is UTF-8, or Latin-1 if it is not.
    declared : Schema
        What is declared about the table: categorical columns are left as text.
    layout : TextLayout or None, default=None
        Separator, decimal mark and encoding, where they are not to be found.

    Returns
    -------
    frame : DataFrame
        Columns of numbers, booleans and text.
    """
    layout = layout or TextLayout()
    if layout.encoding is not None:
        return _read_as(path, declared, layout, layout.encoding)
    if b"\x00" in _first_bytes(path):
        raise ValueError(
            f"{path.name}: the text is in another encoding, such as UTF-16; save it as "
            "UTF-8, or name the encoding."
        )
    try:
        return _read(path, declared, layout, "utf-8")
    except UnicodeDecodeError:
        return _read(path, declared, layout, "latin-1")


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


def _read_as(
    path: Path, declared: Schema, layout: TextLayout, encoding: str
) -> pd.DataFrame:
    try:
        return _read(path, declared, layout, encoding)
    except UnicodeError as error:
        raise ValueError(
            f"{path.name}: the text is not in the encoding {encoding}: {error}."
        ) from error


def _read(
    path: Path, declared: Schema, layout: TextLayout, encoding: str
) -> pd.DataFrame:
    separator = layout.separator or _find_separator(path, encoding)
    columns = _read_names(path, encoding, separator)
    declared.check_names(columns)
    targets = choose_target(columns, declared.target)
    named = set(declared.named("categorical"))
    labels = [name for name in targets if name not in named]
    kept = [c for c in columns if declared.kind(c) == "categorical" and c not in labels]
    as_text = [columns.index(name) for name in {*kept, *labels}]
    try:
        frame = read_cells(
            path,
            len(columns),
            header=0,
            sep=separator,
            encoding=encoding,
            decimal=layout.decimal or ".",
            dtype=dict.fromkeys(as_text, str),
            na_values=list(declared.missing or ()),
        )
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise ValueError(_explain(path, len(columns), error)) from error
    if frame[len(columns) - 1].isna().any():  # as of a row that is too short
        _refuse_short_rows(path, encoding, separator, len(columns))
    frame = frame.set_axis(columns, axis=1)
    frame = read_decimal_commas(frame, layout, separator, kept)
    found = {name: _read_labels(frame[name]) for name in labels}
    return frame.assign(**found)


def _find_separator(path: Path, encoding: str) -> str:
    if ".tsv" in path.suffixes:
        return "\t"
    with _open(path, encoding) as file:
        return find_separator(file.readline())


def _explain(path: Path, n_columns: int, error: Exception) -> str:
    if "Expected" in str(error) or isinstance(error, pd.errors.ParserWarning):
        return (
            f"{path.name}: a row has more cells than the {n_columns} of the header. "
            f"{error}"
        )
    return f"{path.name}: the text cannot be cut into cells. {error}"


def _read_labels(column: pd.Series) -> pd.Series:
    """Turn the text of a target into what pandas reads, unless it holds codes as 01."""
    if pd.api.types.is_numeric_dtype(column.dtype):  # it had decimal commas
        return column
    numbers = _read_fractions(column)
    if numbers is not None:
        return pd.Series(numbers, column.index)
    cells = Cells.of(column)
    if not cells.words() and not holds_codes(cells.texts):
        return pd.Series(cells.as_numbers(), column.index)
    truth = [TRUTH_VALUES.get(text.lower()) for text in cells.texts]
    if cells.texts and None not in truth:
        values = np.array([*truth, None], dtype=object)[cells.codes]
        return pd.Series(values, column.index).convert_dtypes()
    return column


def _read_fractions(column: pd.Series) -> np.ndarray | None:
    """Read text as numbers at once; None if some are words, or if all are whole."""
    try:
        numbers = column.to_numpy(dtype=object, na_value=np.nan).astype(np.float64)
    except ValueError:
        return None
    # Python takes 1_000 for a number, and codes such as 01 are whole numbers.
    odd = column.str.contains("_", regex=False).any()
    whole = np.all(np.floor(numbers) == numbers, where=np.isfinite(numbers))
    return None if odd or whole else numbers


def _refuse_short_rows(
    path: Path, encoding: str, separator: str, n_columns: int
) -> None:
    """Raise if a row has fewer cells than the header: pandas would fill it up."""
    with _open_rows(path, encoding, separator) as rows:
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


def _open(path: Path, encoding: str) -> Any:
    opener: Any = gzip.open if path.name.endswith(".gz") else open
    return opener(path, "rt", encoding=encoding, newline="")


@contextmanager
def _open_rows(path: Path, encoding: str, separator: str) -> Iterator[Any]:
    """Open a file for Python's reader, with cells of any length."""
    usual = csv.field_size_limit(MAX_CELL)
    try:
        with _open(path, encoding) as file:
            yield csv.reader(file, delimiter=separator, skipinitialspace=True)
    finally:
        csv.field_size_limit(usual)


def _read_names(path: Path, encoding: str, separator: str) -> list[str]:
    """Read the header by itself: pandas would rename columns of the same name."""
    with _open_rows(path, encoding, separator) as rows:
        names = [name.removeprefix("\ufeff").strip() for name in next(rows, [])]
    names = [one_spelling(name) for name in names]
    if not names:
        raise ValueError(f"{path.name}: the file is empty; its first row has names.")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise ValueError(
            f"{path.name}: columns must have different names; twice: {twice}."
        )
    return names
