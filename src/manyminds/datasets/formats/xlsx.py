"""Read tables in the format of spreadsheets (XLSX), by openpyxl."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import pandas as pd

from manyminds.datasets.errors import TableError, first_line, refuse_expansion
from manyminds.datasets.names import check_unique
from manyminds.utils.errors import MissingPackageError
from manyminds.utils.text import one_spelling

__all__ = ["read_xlsx"]

XML_COST = 5  # bytes of memory for a byte of the file's text, roughly


def read_xlsx(path: Path) -> pd.DataFrame:
    """Read the first sheet of a spreadsheet, whose first row has names of columns.

    Formulas have the values that were computed when the file was saved. Empty rows and
    unnamed columns without values are left out.

    Parameters
    ----------
    path : Path
        File to read.

    Returns
    -------
    frame : DataFrame
        Columns of numbers, booleans, dates and text.
    """
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise MissingPackageError(
            "Reading XLSX needs openpyxl: `pip install 'manyminds[xlsx]'`."
        ) from error
    with path.open("rb") as file:
        try:
            with ZipFile(file) as archive:  # reads no more than is declared
                parts = archive.infolist()
            # As many bytes as a part is said to have are allocated before it is read.
            if sum(part.compress_size for part in parts) > path.stat().st_size:
                raise BadZipFile("parts are longer than the file")
            refuse_expansion(path, XML_COST * sum(part.file_size for part in parts))
            book = load_workbook(file, read_only=True, data_only=True)
            rows = list(_list_rows(book.worksheets[0]))
            book.close()
        except (MemoryError, TableError):
            raise
        except Exception as error:
            # These speak of the inside of openpyxl, not of the file.
            is_inner = isinstance(error, TypeError | AttributeError)
            reason = "a part is missing" if is_inner else first_line(error)
            raise TableError(
                f"the file is damaged, or is not XLSX: {reason}.", file=path.name
            ) from error
    if not rows:
        raise TableError(
            "the first sheet is empty;",
            file=path.name,
            advice="its first row must have the names of the columns.",
        )
    return _make_frame(rows, path.name)


def _list_rows(sheet: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows that have a value, whatever size the file declares."""
    sheet.reset_dimensions()
    for row in sheet.iter_rows(values_only=True):
        if any(cell is not None for cell in row):
            yield row


def _make_frame(rows: list[tuple[Any, ...]], file: str) -> pd.DataFrame:
    width = max(len(row) for row in rows)
    filled = [row + (None,) * (width - len(row)) for row in rows]
    columns: list[pd.Series] = []
    names: list[str] = []
    for name, *cells in zip(*filled):
        text = "" if name is None else one_spelling(str(name).strip())
        if not text and all(cell is None for cell in cells):
            continue
        if not text:
            raise TableError(
                f"column {len(names) + 1} has values, but no name in the first row.",
                file=file,
                line=1,
            )
        names.append(text)
        columns.append(pd.Series(cells, dtype=object).infer_objects())
    check_unique(names)
    return pd.DataFrame(dict(enumerate(columns))).set_axis(names, axis=1)
