"""Rows of a large text file by their number, without reading all of it."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from manyminds.datasets.formats.text_format import find_separator
from manyminds.utils.errors import InputError

__all__ = ["TextRows", "index_rows"]

BLOCK = 1 << 23  # bytes that are scanned at once
STEP = 1_000  # rows from one known place to the next
STEP_CELLS = 500_000  # of rows with very many cells, fewer rows
N_HEADER = 1 << 24  # bytes within which the header must end
NEWLINE, RETURN, QUOTE = 10, 13, 34


@dataclass(frozen=True, eq=False)
class TextRows:
    """A text file and the places of some of its rows.

    Parameters
    ----------
    path : Path
        Not compressed.
    encoding, separator : str
    names : list of str
        Of the columns.
    places : ndarray of int
        Bytes at which rows 0, ``step``, ``2 * step`` and so on begin.
    step : int
    n_rows : int or None
        None if only the start of the file is known.
    """

    path: Path
    encoding: str
    separator: str
    names: list[str]
    places: np.ndarray
    step: int
    n_rows: int | None

    def read(self, start: int, n_rows: int) -> list[list[str]]:
        """Return the cells of some rows, the first row having the number 0."""
        if self.n_rows is not None and start >= self.n_rows:
            return []
        known = min(start // self.step, len(self.places) - 1)
        with open(self.path, "rb") as file:
            file.seek(int(self.places[known]))
            text = io.TextIOWrapper(file, self.encoding, errors="replace", newline="")
            first = start - known * self.step
            rows = _parse(text, self.separator)
            return list(islice(rows, first, first + n_rows))

    def read_blocks(self, n_rows: int) -> Iterator[bytes]:
        """Yield lines of about ``n_rows`` rows, evenly spaced over the file."""
        if self.n_rows is None or self.n_rows <= n_rows:
            with open(self.path, "rb") as file:
                file.seek(int(self.places[0]))
                yield from iter(lambda: file.read(BLOCK), b"")
            return
        wanted = max(1, n_rows // self.step)
        spread = np.linspace(0, len(self.places) - 2, wanted).astype(int)
        with open(self.path, "rb") as file:
            for place in np.unique(spread):
                file.seek(int(self.places[place]))
                yield file.read(int(self.places[place + 1] - self.places[place]))


def index_rows(path: Path, separator: str | None = None, *, scan: bool) -> TextRows:
    """Find the header of a text file and, if wanted, the places of its rows.

    Parameters
    ----------
    path : Path
        Not compressed.
    separator : str, default=None
        None infers it.
    scan : bool
        Whether to read the whole file; if not, the number of rows stays unknown.

    Returns
    -------
    rows : TextRows
    """
    encoding, header, start = _read_header(path)
    separator = separator or find_separator(header.partition("\n")[0])
    names = [name.strip() for name in next(_parse(io.StringIO(header), separator), [])]
    step = max(1, min(STEP, STEP_CELLS // max(1, len(names))))
    places, n_rows = np.array([start]), None
    if scan:
        places, n_rows = _scan(path, start, step)
    return TextRows(path, encoding, separator, names, places, step, n_rows)


def _parse(text: io.TextIOBase, separator: str) -> Iterator[list[str]]:
    """Yield the cells of rows; empty lines are skipped, as readers of tables do."""
    try:
        for cells in csv.reader(text, delimiter=separator, skipinitialspace=True):
            if cells:
                yield cells
    except csv.Error as error:
        raise InputError(f"The text cannot be split into cells: {error}.") from error


def _read_header(path: Path) -> tuple[str, str, int]:
    """Return the encoding, the header, and the byte at which the rows begin."""
    with open(path, "rb") as file:
        first = file.read(N_HEADER)
    mark = 3 if first.startswith(b"\xef\xbb\xbf") else 0
    end, is_quoted = mark, False
    while True:
        line_end = first.find(b"\n", end)
        line = first[end:] if line_end < 0 else first[end : line_end + 1]
        is_quoted ^= line.count(b'"') % 2 == 1
        end += len(line)
        if line_end < 0 or (not is_quoted and first[mark:end].strip()):
            break
    try:
        first[: max(end, 100_000)].decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError as error:
        is_cut = error.end >= min(len(first), max(end, 100_000)) - 3
        encoding = "utf-8" if is_cut else "latin-1"
    header = first[mark:end].decode(encoding, "replace").lstrip("\r\n")
    return encoding, header.replace("\r\n", "\n"), end


def _scan(path: Path, start: int, step: int) -> tuple[np.ndarray, int]:
    """Return the places of every ``step``-th row, of the end, and the number of rows.

    A line ends within a quoted cell if the number of quotes before it is odd.
    """
    places, n_rows, n_quotes = [], 0, 0
    before, at = NEWLINE, start
    with open(path, "rb") as file:
        file.seek(start)
        while block := file.read(BLOCK):
            data = np.frombuffer(block, dtype=np.uint8)
            starts, n_quotes = _find_starts(data, before, n_quotes)
            first = -n_rows % step  # of the rows that are known by place
            places.append(at + starts[first::step])
            n_rows += len(starts)
            before, at = int(data[-1]), at + len(data)
    found = np.concatenate(places) if places else np.empty(0, dtype=np.int64)
    found = np.append(found, at).astype(np.int64)
    return (found if n_rows else np.array([start, start])), n_rows


def _find_starts(
    data: np.ndarray, before: int, n_quotes: int
) -> tuple[np.ndarray, int]:
    """Return where rows begin in a block, and the number of quotes until its end."""
    ends = np.flatnonzero(data == NEWLINE)
    quotes = np.flatnonzero(data == QUOTE)
    is_outside = np.ones(len(ends), dtype=bool)
    if len(quotes) or n_quotes % 2:
        is_outside = (np.searchsorted(quotes, ends) + n_quotes) % 2 == 0
    starts = ends[is_outside] + 1
    if before == NEWLINE and n_quotes % 2 == 0:
        starts = np.insert(starts, 0, 0)
    starts = starts[starts < len(data)]
    is_empty = (data[starts] == NEWLINE) | (data[starts] == RETURN)
    return starts[~is_empty], n_quotes + len(quotes)
