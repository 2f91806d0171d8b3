"""Read delimited text files, such as CSV."""

import codecs
import csv
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.columns import Cells
from manyminds.datasets.errors import TableError
from manyminds.datasets.formats.text_format import (
    TextFormat,
    find_separator,
    open_file,
    read_decimal_commas,
)
from manyminds.datasets.names import check_unique
from manyminds.datasets.schema import Schema
from manyminds.datasets.target import choose_target, holds_codes
from manyminds.utils.text import one_spelling

__all__ = ["iterate_delimited", "read_cells", "read_delimited"]

MAX_CELL = 2**31 - 1  # characters; the default of Python's csv is 131,072
MAX_HEADER = 2**25  # characters: names of a million columns
N_SHOWN = 2**20  # characters of the header that show the separator
TRUTH_VALUES = {"true": True, "false": False}

# By default, pandas before 3.1 rounds the last digit of many numbers wrongly: the same
# table would have one fingerprint as text and another as Parquet.
_VERSION = tuple(int(part) for part in pd.__version__.split(".")[:2])
EXACT_FLOATS: dict[str, Any] = (
    {} if _VERSION >= (3, 1) else {"float_precision": "round_trip"}
)


def read_delimited(
    path: Path, declared: Schema, text_format: TextFormat | None = None
) -> pd.DataFrame:
    """Read a delimited text file whose first row has the names of the columns.

    Parameters
    ----------
    path : Path
        File, which may be gzipped. ``.tsv`` has tabs; in all others the separator is
        detected among comma, semicolon and tab. Text is UTF-8, or Latin-1 if it is not.
    declared : Schema
        Schema of the table: categorical columns are left as text.
    text_format : TextFormat or None, default=None
        Separator, decimal mark and encoding; None to detect them.

    Returns
    -------
    frame : DataFrame
        Columns of numbers, booleans and text.
    """
    text_format = text_format or TextFormat()
    if text_format.encoding is not None:
        return _read_as(path, declared, text_format, text_format.encoding)
    _refuse_wide_text(path)
    try:
        return _read(path, declared, text_format, "utf-8")
    except UnicodeDecodeError:
        return _read(path, declared, text_format, "latin-1")


def iterate_delimited(
    path: Path, declared: Schema, text_format: TextFormat, n_rows: int
) -> Iterator[pd.DataFrame]:
    """Read a delimited text file, ``n_rows`` rows at a time.

    A column is converted as it is in `read_delimited`, but some rows may be all numbers
    where others are not: only columns that are declared categorical are sure to have
    one dtype.

    Parameters
    ----------
    path, declared, text_format
        Those of `read_delimited`.
    n_rows : int

    Yields
    ------
    frame : DataFrame
        Consecutive rows, with their numbers in the file as index.
    """
    encoding = text_format.encoding
    if encoding is None:
        _refuse_wide_text(path)
        encoding = "utf-8" if _is_utf8(path) else "latin-1"
    layout = _Layout.find(path, declared, text_format, encoding)
    try:
        reader = layout.guard(partial(layout.read_cells, chunksize=n_rows))
        with reader:
            while (frame := layout.guard(partial(next, reader, None))) is not None:
                yield layout.convert(frame)
    except UnicodeError as error:
        problem = f"the text is not in the encoding {encoding}: {error}."
        raise TableError(problem, file=path.name) from error


def read_cells(source: Any, n_columns: int, **options: Any) -> pd.DataFrame:
    """Read cells by pandas, with exact floats and numbered columns.

    Parameters
    ----------
    source : path or file
        Text to read.
    n_columns : int
        Number of columns. Shorter rows are filled with missing values.
    **options
        Further options of ``pandas.read_csv``.

    Returns
    -------
    frame : DataFrame
        Columns 0, 1, 2 and so on.

    Raises
    ------
    ParserError, ParserWarning
        If a row is longer: by default pandas truncates it and warns.
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
    path: Path, declared: Schema, text_format: TextFormat, encoding: str
) -> pd.DataFrame:
    try:
        return _read(path, declared, text_format, encoding)
    except UnicodeError as error:
        problem = f"the text is not in the encoding {encoding}: {error}."
        raise TableError(problem, file=path.name) from error


def _read(
    path: Path, declared: Schema, text_format: TextFormat, encoding: str
) -> pd.DataFrame:
    layout = _Layout.find(path, declared, text_format, encoding)
    return layout.convert(layout.guard(layout.read_cells))


@dataclass
class _Layout:
    """How the text of a file is split into cells, and which columns stay text."""

    path: Path
    declared: Schema
    text_format: TextFormat
    encoding: str
    separator: str
    columns: list[str]
    labels: list[str]
    as_text: list[str]
    checked: bool = False

    @classmethod
    def find(
        cls, path: Path, declared: Schema, text_format: TextFormat, encoding: str
    ) -> "_Layout":
        """Find the separator and read the header."""
        separator = text_format.separator or _find_separator(path, encoding)
        columns = _read_names(path, encoding, separator)
        declared.check_names(columns)
        targets = choose_target(columns, declared.target)
        named = set(declared.named("categorical"))
        labels = [name for name in targets if name not in named]
        as_text = [
            c for c in columns if declared.kind(c) == "categorical" and c not in labels
        ]
        return cls(
            path, declared, text_format, encoding, separator, columns, labels, as_text
        )

    def read_cells(self, **options: Any) -> Any:
        """Read all rows, or open a reader of some rows at a time."""
        texts = {*self.as_text, *self.labels}
        positions = [self.columns.index(name) for name in texts]
        return read_cells(
            self.path,
            len(self.columns),
            header=0,
            sep=self.separator,
            encoding=self.encoding,
            decimal=self.text_format.decimal or ".",
            dtype=dict.fromkeys(positions, str),
            na_values=list(self.declared.missing or ()),
            **options,
        )

    def guard(self, read: Callable[[], Any]) -> Any:
        """Call a function that reads rows; its errors name the line."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)
                return read()
        except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
            self.check_lengths(too_long=True)
            problem = f"the text cannot be split into cells. {error}"
            raise TableError(problem, file=self.path.name) from error

    def convert(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Name the columns, and convert those that pandas leaves as text."""
        missing = frame[len(self.columns) - 1].isna().any()
        if missing and not self.checked:  # as of a row that is too short
            self.check_lengths()
            self.checked = True
        frame = frame.set_axis(self.columns, axis=1)
        frame = read_decimal_commas(
            frame, self.text_format, self.separator, self.as_text
        )
        return frame.assign(**{name: _read_labels(frame[name]) for name in self.labels})

    def check_lengths(self, too_long: bool = False) -> None:
        """Raise for the first row that is shorter, or longer, than the header."""
        n_columns = len(self.columns)
        _check_lengths(self.path, self.encoding, self.separator, n_columns, too_long)


def _refuse_wide_text(path: Path) -> None:
    if b"\x00" in _first_bytes(path):
        raise TableError(
            "the text is in another encoding, such as UTF-16;",
            file=path.name,
            advice="save it as UTF-8, or name the encoding.",
        )


def _is_utf8(path: Path) -> bool:
    """Return whether a whole file can be decoded."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with open_file(path, "rb") as file:
            while block := file.read(2**20):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _find_separator(path: Path, encoding: str) -> str:
    if ".tsv" in path.suffixes:
        return "\t"
    with open_file(path, "rt", encoding=encoding, newline="") as file:
        return find_separator(file.readline(N_SHOWN))


def _read_labels(column: pd.Series) -> pd.Series:
    """Convert the text of a target as pandas would, except codes such as 01."""
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
    """Convert text to numbers; None if a cell is a word, or if all are integers."""
    try:
        numbers = column.to_numpy(dtype=object, na_value=np.nan).astype(np.float64)
    except ValueError:
        return None
    # Python parses 1_000 as a number, and codes such as 01 as integers.
    odd = column.str.contains("_", regex=False).any()
    whole = np.all(np.floor(numbers) == numbers, where=np.isfinite(numbers))
    return None if odd or whole else numbers


def _check_lengths(
    path: Path, encoding: str, separator: str, n_columns: int, too_long: bool = False
) -> None:
    """Raise for the first row that is shorter, or longer, than the header."""
    with _open_rows(path, encoding, separator) as rows:
        for cells in rows:
            n_cells = len(cells)
            # Empty lines are skipped, as in pandas.
            if too_long and n_cells > n_columns:
                problem = f"more cells than the {n_columns} of the header"
            elif not too_long and 0 < n_cells < n_columns and any(cells):
                problem = f"the header {n_columns}"
            else:
                continue
            raise TableError(
                f"line {rows.line_num} has {n_cells} cells, {problem}.",
                file=path.name,
                line=rows.line_num,
            )


def _first_bytes(path: Path) -> bytes:
    with open_file(path, "rb") as file:
        return bytes(file.read(1000))


@contextmanager
def _open_rows(
    path: Path, encoding: str, separator: str, max_length: int | None = None
) -> Iterator[Any]:
    """Open a file for Python's reader, with cells of any length; up to one of all."""
    with _LONG_CELLS, open_file(path, "rt", encoding=encoding, newline="") as file:
        lines = file if max_length is None else _read_lines(file, max_length, path)
        yield csv.reader(lines, delimiter=separator, skipinitialspace=True)


def _read_lines(file: Any, max_length: int, path: Path) -> Iterator[str]:
    """Yield lines; raise instead of reading more characters than ``max_length``."""
    n_left = max_length
    while line := file.readline(n_left + 1):
        n_left -= len(line)
        if n_left < 0:
            raise TableError(
                f"the names of the columns have more than {max_length:,} characters;",
                file=path.name,
                advice="the first row must have the names, and lines must have ends.",
            )
        yield line


class _LongCells:
    """Raise the limit of cells, which all threads share, while any of them needs it."""

    def __init__(self) -> None:
        self._lock, self._n_inside, self._before = Lock(), 0, 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._n_inside:
                self._before = csv.field_size_limit(MAX_CELL)
            self._n_inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                csv.field_size_limit(self._before)


_LONG_CELLS = _LongCells()


def _read_names(path: Path, encoding: str, separator: str) -> list[str]:
    """Read the header by Python: pandas would rename columns of the same name."""
    with _open_rows(path, encoding, separator, MAX_HEADER) as rows:
        names = [name.removeprefix("\ufeff").strip() for name in next(rows, [])]
    names = [one_spelling(name) for name in names]
    if not names:
        raise TableError(
            "the file is empty;",
            file=path.name,
            advice="its first row must have the names of the columns.",
        )
    check_unique(names)
    return names
