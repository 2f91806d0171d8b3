"""Format of a text file: separator, decimal mark, encoding and compression."""

import codecs
import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.blank_cells import MAX_SHARE_OF_BLANKS, is_blank
from manyminds.datasets.column_notes import warn_of_blanks
from manyminds.datasets.columns import Cells
from manyminds.datasets.errors import MAX_FREE_BYTES, refuse_expansion
from manyminds.datasets.names import list_some
from manyminds.utils.errors import ParameterError, warn_caller

__all__ = [
    "TextFormat",
    "check_expansion",
    "find_separator",
    "open_file",
    "read_decimal_commas",
    "read_text",
]

CHUNK = 1 << 24  # bytes that are unpacked at once
MAX_DEFLATE = 1_032  # the most that the method of gzip compresses
SEPARATORS = (",", ";", "\t")
# Numbers with a decimal comma; points separate groups of three digits.
COMMA_NUMBER = re.compile(
    r"[+-]?(?:(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?"
)


@dataclass(frozen=True)
class TextFormat:
    """Declare how a text file is written; None means to detect it.

    Parameters
    ----------
    separator : str or None, default=None
        One character, which separates the cells of a row.
    decimal : {".", ","} or None, default=None
        Decimal mark.
    encoding : str or None, default=None
        Name of an encoding that Python knows, such as "utf-8" or "cp1250".
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.separator == r"\t":  # as typed in a shell
            object.__setattr__(self, "separator", "\t")
        if self.separator is not None and len(self.separator) != 1:
            raise ParameterError("separator", self.separator, "one character")
        if self.separator is not None and self.separator in '"\n\r':
            takes = "neither a quote nor the end of a line"
            raise ParameterError("separator", self.separator, takes)
        if self.decimal not in (None, ".", ","):
            raise ParameterError("decimal", self.decimal, "'.' or ','")
        if self.separator is not None and self.separator == self.decimal:
            takes = "another character than the separator"
            raise ParameterError("decimal", self.decimal, takes)
        if self.encoding is not None:
            _check_encoding(self.encoding)

    def refuse_all(self, format_: str) -> None:
        """Raise if an option is set for a file format that does not take it."""
        for name, value in vars(self).items():
            if value is not None:
                raise ValueError(
                    f"{name} is for text files such as .csv; got {value!r} for a file "
                    f"in the format {format_}."
                )


def check_expansion(path: Path) -> None:
    """Raise if a gzipped file expands to far more than its size.

    Parameters
    ----------
    path : Path
        File; one that is not gzipped, or too small to expand to much, is not read.
    """
    is_gzipped = path.name.endswith(".gz")
    if not is_gzipped or path.stat().st_size * MAX_DEFLATE < MAX_FREE_BYTES:
        return
    n_expanded = 0
    with gzip.open(path) as file:
        while content := file.read(CHUNK):
            n_expanded += len(content)
            refuse_expansion(path, n_expanded)


def open_file(path: Path, mode: str, **options: Any) -> Any:
    """Open a file, and decompress it if its name ends in ``.gz``."""
    opener: Any = gzip.open if path.name.endswith(".gz") else open
    return opener(path, mode, **options)


def read_text(path: Path, encoding: str | None = None) -> str:
    """Read all text of a file; by default UTF-8, or Latin-1 if it is not."""
    with open_file(path, "rb") as file:
        content = file.read()
    if encoding is not None:
        return content.decode(encoding).removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def find_separator(header: str) -> str:
    """Return the separator that occurs most often in a header, outside quotes.

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
    >>> from manyminds.datasets.formats.text_format import find_separator
    >>> find_separator('"length, width";color;class')
    ';'
    """
    bare = re.sub(r'"[^"]*"', "", header)
    return max(SEPARATORS, key=bare.count)


def read_decimal_commas(
    frame: pd.DataFrame, text_format: TextFormat, separator: str, as_text: Any
) -> pd.DataFrame:
    """Convert columns of text that are all numbers with decimal commas.

    Commas are decimal marks if the separator is another character, or if that is
    declared; in a comma-separated file, "1,234" may also be a thousand.

    Parameters
    ----------
    frame : DataFrame
        Table, read with decimal points.
    text_format : TextFormat
        Declared decimal mark.
    separator : str
        Separator of the cells.
    as_text : collection
        Columns that stay text.

    Returns
    -------
    frame : DataFrame
        Table with these columns converted to float64, all others unchanged.
    """
    if text_format.decimal == ".":
        return frame
    texts = [
        name
        for name, dtype in frame.dtypes.items()
        if name not in as_text and not pd.api.types.is_numeric_dtype(dtype)
    ]
    found = {}
    for name in texts:
        numbers = _numbers_with_commas(frame[name])
        if numbers is not None:
            found[name] = numbers
    if text_format.decimal is None and separator == ",":
        _warn_of_commas(list(found))
        return frame
    if text_format.decimal is None and found:
        _warn_of_points(frame, list(found))
    for name, numbers in found.items():
        if (np.isnan(numbers) & frame[name].notna().to_numpy()).any():
            warn_of_blanks(name, "numbers", Cells.of(frame[name]).count_texts())
    return _replace(frame, found) if found else frame


def _check_encoding(name: str) -> None:
    try:
        known = codecs.lookup(name)
    except (LookupError, ValueError):
        known = None
    # Python also has codecs that do not decode bytes to text, such as hex.
    if known is None or not getattr(known, "_is_text_encoding", True):
        takes = "one that Python knows, such as utf-8, cp1250 or latin-1"
        raise ParameterError("encoding", name, takes)


def _numbers_with_commas(column: pd.Series) -> np.ndarray | None:
    """Parse a column as numbers with decimal commas; None if a cell is not one.

    Dashes, dots and question marks in up to half of the cells are missing values.
    """
    first = column.first_valid_index()
    if first is None or not _may_be_number(str(column[first]).strip()):
        return None  # the usual column of text ends here
    codes, values = pd.factorize(column)
    texts = [value.strip() if isinstance(value, str) else "" for value in values]
    if not any("," in text for text in texts):
        return None
    if not all(map(_may_be_number, texts)):
        return None
    blank = np.array([*map(is_blank, texts), False])[codes]
    if blank.sum() > MAX_SHARE_OF_BLANKS * (codes >= 0).sum():
        return None
    plain = ["nan" if is_blank(text) else text.replace(".", "") for text in texts]
    numbers = [float(text.replace(",", ".")) for text in plain]
    return np.array([*numbers, np.nan])[codes]


def _may_be_number(text: str) -> bool:
    return COMMA_NUMBER.fullmatch(text) is not None or is_blank(text)


def _replace(frame: pd.DataFrame, found: dict[Any, np.ndarray]) -> pd.DataFrame:
    columns = {
        name: pd.Series(found[name], frame.index) if name in found else frame[name]
        for name in frame.columns
    }
    return pd.DataFrame(columns, index=frame.index, columns=frame.columns)


def _warn_of_commas(names: list[Any]) -> None:
    if names:
        warn_caller(
            f"{_name(names)} numbers with commas within quotes. They are read as "
            "categories; set decimal=',' if the comma is the decimal mark, or remove "
            "the commas between thousands."
        )


def _warn_of_points(frame: pd.DataFrame, found: list[Any]) -> None:
    numbers = frame.select_dtypes("float").drop(columns=found, errors="ignore")
    points = [name for name in numbers if (numbers[name].dropna() % 1 != 0).any()]
    if points:
        warn_caller(
            f"{_name(found)} decimal commas, but {_name(points, start=False)} decimal "
            "points. Set decimal=',' if the points separate thousands."
        )


def _name(names: list[Any], start: bool = True) -> str:
    word = "Columns" if len(names) > 1 else "Column"
    verb = "hold" if len(names) > 1 else "holds"
    return f"{word if start else word.lower()} {list_some(names)} {verb}"
