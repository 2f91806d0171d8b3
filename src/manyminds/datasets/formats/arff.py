"""Read tables in Weka's attribute-relation file format (ARFF)."""

import re
from collections.abc import Collection, Iterator
from csv import QUOTE_MINIMAL, QUOTE_NONE
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.columns import parse_number
from manyminds.datasets.errors import TableError
from manyminds.datasets.formats.delimited import read_cells

__all__ = ["Attribute", "read_arff", "read_header"]

QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
ATTRIBUTE = re.compile(rf"@attribute\s+({QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
CELL = re.compile(rf"\s*({QUOTED}|[^,\s'\"][^,]*|)\s*(?:,|$)")
PAIR = re.compile(rf"\s*(\d+)\s+({QUOTED}|[^,\s'\"][^,]*?)\s*(?:,|$)")
NUMBERS = ("numeric", "real", "integer")
TEXTS = ("string", "date")


@dataclass(frozen=True)
class Attribute:
    """A column as declared in the header; ``values`` only if it is nominal."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


def read_arff(
    text: str, missing_values: Collection[str] = ("?",), file: str = "ARFF"
) -> pd.DataFrame:
    """Parse the text of an ARFF file.

    Numbers become float64. Nominal columns become categories: all declared values,
    whether or not they occur, in the order of the declaration. Strings and dates stay
    text. Sparse rows are filled with 0 and with the first declared value.

    Parameters
    ----------
    text : str
        Content of the file.
    missing_values : collection of str, default=("?",)
        Markers of missing values; a quoted ``'?'`` is a value.
    file : str, default="ARFF"
        Name of the file, for error messages.

    Returns
    -------
    frame : DataFrame
        One column for each attribute.

    Examples
    --------
    >>> from manyminds.datasets.formats.arff import read_arff
    >>> frame = read_arff('''@relation toy
    ... @attribute size numeric
    ... @attribute 'the color' {red, 'dark blue', green}
    ... @data
    ... 1.5, red
    ... ?, 'dark blue'
    ... ''')
    >>> frame["size"].tolist()
    [1.5, nan]
    >>> frame["the color"].cat.categories.tolist()
    ['red', 'dark blue', 'green']
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    attributes, start = read_header(text, file)
    body = text[start:] if text.endswith("\n") else text[start:] + "\n"
    if "%" in body or "\n\n" in body or body.startswith("\n"):
        # pandas would take the sign anywhere in a row as the start of a comment.
        body = re.sub(r"^[ \t]*(?:%.*)?\n", "", body, flags=re.MULTILINE)
    columns = None
    if body.lstrip().startswith("{"):
        columns = _sparse_columns(body, attributes, missing_values, file)
    elif (quote := _only_quote(body, missing_values)) is not None:
        columns = _plain_columns(body, attributes, missing_values, quote)
    if columns is None:
        columns = _quoted_columns(body, attributes, missing_values, file)
    read = [_finish(*pair, file) for pair in zip(columns, attributes)]
    names = [attribute.name for attribute in attributes]
    frame = pd.DataFrame(dict(enumerate(read)))
    return frame.set_axis(names, axis=1)


def read_header(text: str, file: str = "ARFF") -> tuple[list[Attribute], int]:
    """Parse the declarations; return them and the position of the first row."""
    attributes, place, number = [], 0, 0
    while place < len(text):
        end = text.find("\n", place) + 1 or len(text)
        line, place, number = text[place:end].strip(), end, number + 1
        if line.lower().startswith("@attribute"):
            try:
                attributes.append(_parse_attribute(line))
            except ValueError as error:
                raise TableError(str(error), file=file, line=number) from None
        elif line.lower().startswith("@data"):
            if not attributes:
                raise TableError(
                    "no @attribute is declared before @data.", file=file, line=number
                )
            return attributes, place
    raise TableError("there is no @data line, so this is not ARFF.", file=file)


def _parse_attribute(line: str) -> Attribute:
    match = ATTRIBUTE.match(line)
    if match is None:
        raise ValueError(f"cannot read the declaration {line!r}.")
    name, declared = _unquote(match[1]), match[2].strip()
    if declared.startswith("{"):
        inside = declared[1 : declared.rfind("}")]
        if "}" not in declared:
            raise ValueError(f"the values of {name!r} have no closing brace.")
        values = [_unquote(cell).strip() for cell in _split(inside)]
        return Attribute(name, "nominal", tuple(dict.fromkeys(values)))
    kind = declared.split(maxsplit=1)[0].lower() if declared else ""
    if kind not in NUMBERS + TEXTS:
        raise ValueError(
            f"the attribute {name!r} is declared {declared!r}; it must be {{values}}, "
            f"{', '.join(NUMBERS + TEXTS)}."
        )
    return Attribute(name, "numeric" if kind in NUMBERS else "text")


def _unquote(cell: str) -> str:
    """Remove quotes, and the backslashes within them."""
    if len(cell) > 1 and cell[0] in "'\"" and cell[-1] == cell[0]:
        return re.sub(r"\\(.)", r"\1", cell[1:-1])
    return cell.strip()


def _split(row: str) -> Iterator[str]:
    """Split a row at its commas, but not at those within quotes."""
    place = 0
    while True:
        match = CELL.match(row, place)
        if match is None:
            raise ValueError(f"cannot read {row[place : place + 40]!r}")
        yield match[1]
        place = match.end()
        if not match[0].endswith(","):
            return


def _rows(body: str) -> list[str]:
    return [row for row in body.split("\n") if row.strip()]


def _only_quote(body: str, marks: Collection[str]) -> str | None:
    """Return the quote character of the rows; None if pandas cannot read them.

    It cannot read both quote characters in one file, escapes, or a quoted marker of
    missing values, which is a value like any other.
    """
    used = [sign for sign in "'\"\\" if sign in body]
    if len(used) > 1 or "\\" in used:
        return None
    quote = used[0] if used else ""
    return None if quote and any(quote + m + quote in body for m in marks) else quote


def _plain_columns(
    body: str, attributes: list[Attribute], marks: Collection[str], quote: str
) -> list[Any] | None:
    """Read rows by pandas; None if they differ in their number of cells."""
    first_row = body.partition("\n")[0]
    separator = "\t" if "," not in first_row and "\t" in first_row else ","
    n_columns, n_rows = len(attributes), body.count("\n")
    # pandas fills short rows silently, so the separators are counted.
    if body.count(separator) != n_rows * (n_columns - 1):
        return None
    numeric = [attribute.kind == "numeric" for attribute in attributes]
    try:
        frame = read_cells(
            BytesIO(body.encode()),
            n_columns,
            header=None,
            sep=separator,
            # Without a dtype for numbers, pandas is twice as fast.
            dtype={place: str for place in range(n_columns) if not numeric[place]},
            na_values=list(marks),
            quoting=QUOTE_MINIMAL if quote else QUOTE_NONE,
            quotechar=quote or '"',
            doublequote=False,
        )
    except (ValueError, pd.errors.ParserWarning):
        return None  # the slow way names the row and the attribute
    columns = [frame[place] for place in range(n_columns)]
    read = [column.dtype.kind in "iuf" for column in columns]
    wrong = len(frame) != n_rows or any(n and not r for n, r in zip(numeric, read))
    return None if wrong else columns


def _quoted_columns(
    body: str, attributes: list[Attribute], marks: Collection[str], file: str
) -> list[list[str | None]]:
    """Read rows cell by cell, with both quote characters."""
    columns: list[list[str | None]] = [[] for _ in attributes]
    for number, row in enumerate(_rows(body), start=1):
        try:
            cells = list(_split(row.strip()))
        except ValueError as error:
            problem = f"row {number} of the data: {error}."
            raise TableError(problem, file=file) from None
        if len(cells) != len(attributes) and "," not in row:
            cells = row.split("\t")
        if len(cells) != len(attributes):
            raise TableError(
                f"row {number} of the data has {len(cells)} cells; the header declares "
                f"{len(attributes)} attributes.",
                file=file,
            )
        for column, cell in zip(columns, cells):
            column.append(None if cell.strip() in marks else _unquote(cell))
    return columns


def _sparse_columns(
    body: str, attributes: list[Attribute], marks: Collection[str], file: str
) -> list[list[str | None]]:
    """Read rows of pairs ``{position value, ...}``; omitted cells are 0."""
    rows = _rows(body)
    zero = {"numeric": "0", "text": ""}
    columns: list[list[str | None]] = [
        [a.values[0] if a.kind == "nominal" else zero[a.kind]] * len(rows)
        for a in attributes
    ]
    for number, row in enumerate(rows):
        inside, place = row.strip().removeprefix("{").removesuffix("}").rstrip(), 0
        while place < len(inside):
            match = PAIR.match(inside, place)
            if match is None or int(match[1]) >= len(attributes):
                raise TableError(
                    f"row {number + 1} of the data: cannot read "
                    f"{inside[place : place + 40]!r}.",
                    file=file,
                )
            cell, place = match[2], match.end()
            columns[int(match[1])][number] = None if cell in marks else _unquote(cell)
    return columns


def _finish(column: Any, attribute: Attribute, file: str) -> pd.Series:
    """Convert a column to its declared dtype; raise if it has other values."""
    if attribute.kind == "numeric":
        return pd.Series(_as_numbers(column, attribute, file))
    if attribute.kind == "text":
        return pd.Series(column, dtype=object)
    cells = pd.Series(column, dtype="category")
    texts = [text.strip() for text in cells.cat.categories]
    place = {value: p for p, value in enumerate(attribute.values)}
    if unknown := [text for text in texts if text not in place]:
        raise TableError(
            f"the attribute {attribute.name!r} holds {unknown[0]!r}, which is not "
            f"among its declared values: {', '.join(attribute.values[:10])}.",
            file=file,
        )
    codes = np.array([place[text] for text in texts] + [-1])[cells.cat.codes.to_numpy()]
    categories = pd.Index(list(attribute.values))
    return pd.Series(pd.Categorical.from_codes(codes, categories))


def _as_numbers(column: Any, attribute: Attribute, file: str) -> Any:
    if not isinstance(column, list):
        return column.astype(np.float64)
    numbers = [np.nan if cell is None else parse_number(cell) for cell in column]
    if None in numbers:
        place = numbers.index(None)
        raise TableError(
            f"row {place + 1} of the data holds {column[place]!r} for the attribute "
            f"{attribute.name!r}, which is declared numeric.",
            file=file,
        )
    return np.array(numbers, dtype=np.float64)
