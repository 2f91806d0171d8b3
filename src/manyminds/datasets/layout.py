"""How cells are written in a text file: separator, decimal mark and encoding."""

import codecs
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.columns import warn_the_caller
from manyminds.utils.errors import ParameterError

__all__ = ["TextLayout", "find_separator", "read_decimal_commas"]

SEPARATORS = (",", ";", "\t")
# Numbers whose decimal mark is a comma; points stand between groups of three digits.
COMMA_NUMBER = re.compile(
    r"[+-]?(?:(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?"
)
FEW = 5  # names shown in a message


@dataclass(frozen=True)
class TextLayout:
    """Declare what a text file does not tell by itself; None stands for finding it.

    Parameters
    ----------
    separator : str or None, default=None
        One character that stands between cells.
    decimal : {".", ","} or None, default=None
        Decimal mark.
    encoding : str or None, default=None
        Name of an encoding that Python knows, such as "utf-8" or "cp1250".
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.separator == r"\t":  # as people write it in a shell
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
        """Raise if something is declared for a format that needs no declaration."""
        for name, value in vars(self).items():
            if value is not None:
                raise ValueError(
                    f"{name} is for text files such as .csv; got {value!r} for a file "
                    f"of {format_}."
                )


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
    >>> from manyminds.datasets.layout import find_separator
    >>> find_separator('"length, width";color;class')
    ';'
    """
    bare = re.sub(r'"[^"]*"', "", header)
    return max(SEPARATORS, key=bare.count)


def read_decimal_commas(
    frame: pd.DataFrame, layout: TextLayout, separator: str, as_text: Any
) -> pd.DataFrame:
    """Turn columns of text that are all numbers with decimal commas into numbers.

    Commas are decimal marks where the separator is another character, or where that is
    declared; with commas between cells, "1,234" may as well be a thousand.

    Parameters
    ----------
    frame : DataFrame
        As it was read with decimal points.
    layout : TextLayout
        What is declared.
    separator : str
        What stands between cells.
    as_text : collection
        Columns that are to stay text.

    Returns
    -------
    frame : DataFrame
        Those columns changed, all others as they were.
    """
    if layout.decimal == ".":
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
    if layout.decimal is None and separator == ",":
        _warn_of_commas(list(found))
        return frame
    if layout.decimal is None and found:
        _warn_of_points(frame, list(found))
    return _replace(frame, found) if found else frame


def _check_encoding(name: str) -> None:
    try:
        known = codecs.lookup(name)
    except (LookupError, ValueError):
        known = None
    # Python also calls things encodings that turn no bytes into text, such as hex.
    if known is None or not getattr(known, "_is_text_encoding", True):
        takes = "one that Python knows, such as utf-8, cp1250 or latin-1"
        raise ParameterError("encoding", name, takes)


def _numbers_with_commas(column: pd.Series) -> np.ndarray | None:
    """Read a column as numbers with decimal commas; None if some cell is not one."""
    first = column.first_valid_index()
    if first is None or COMMA_NUMBER.fullmatch(str(column[first]).strip()) is None:
        return None  # most columns of text are done with here
    codes, values = pd.factorize(column)
    texts = [value.strip() if isinstance(value, str) else "" for value in values]
    if not any("," in text for text in texts):
        return None
    if not all(COMMA_NUMBER.fullmatch(text) for text in texts):
        return None
    numbers = [float(text.replace(".", "").replace(",", ".")) for text in texts]
    return np.array([*numbers, np.nan])[codes]


def _replace(frame: pd.DataFrame, found: dict[Any, np.ndarray]) -> pd.DataFrame:
    columns = {
        name: pd.Series(found[name], frame.index) if name in found else frame[name]
        for name in frame.columns
    }
    return pd.DataFrame(columns, index=frame.index, columns=frame.columns)


def _warn_of_commas(names: list[Any]) -> None:
    if names:
        warn_the_caller(
            f"{_name(names)} numbers with commas within quotes. They are read as "
            "categories; declare decimal=',' if the comma is the decimal mark, or take "
            "out the commas between thousands."
        )


def _warn_of_points(frame: pd.DataFrame, found: list[Any]) -> None:
    numbers = frame.select_dtypes("float").drop(columns=found, errors="ignore")
    points = [name for name in numbers if (numbers[name].dropna() % 1 != 0).any()]
    if points:
        warn_the_caller(
            f"{_name(found)} decimal commas, but {_name(points, start=False)} decimal "
            "points. Declare decimal=',' if the points stand between thousands."
        )


def _name(names: list[Any], start: bool = True) -> str:
    shown = ", ".join(repr(name) for name in names[:FEW])
    shown += f" and {len(names) - FEW} more" if len(names) > FEW else ""
    word = "Columns" if len(names) > 1 else "Column"
    verb = "hold" if len(names) > 1 else "holds"
    return f"{word if start else word.lower()} {shown} {verb}"
