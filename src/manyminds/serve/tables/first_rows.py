"""The first rows of a large file, as a small file of the same format."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from manyminds.serve.cache import stamp
from manyminds.serve.state import ServeState
from manyminds.serve.tables.source import TableSource
from manyminds.utils.errors import InputError, MissingPackageError

__all__ = ["MAX_WHOLE", "cut_first_rows", "needs_cut"]

MAX_WHOLE = 100_000_000  # bytes of a file that is read at once
N_ROWS = 2_000
MAX_BYTES = 32_000_000  # that are read for them
N_KEPT = 8  # small files that are kept
SUFFIXES = {"arff": ".arff", "svmlight": ".svm", "xlsx": ".xlsx"}


def needs_cut(source: TableSource) -> bool:
    """Return whether a file is too large to be read at once in its format."""
    if source.path is None or source.format not in SUFFIXES:
        return False
    return source.path.stat().st_size > MAX_WHOLE


def cut_first_rows(state: ServeState, source: TableSource) -> Path:
    """Return a file of the same format that has the first rows; it is cached.

    Parameters
    ----------
    state : ServeState
    source : TableSource
        An ARFF, LibSVM or XLSX file.

    Returns
    -------
    path : Path
    """
    path, suffix = source.path, SUFFIXES[source.format]
    assert path is not None
    folder = state.folder.make_hidden("cache")
    name = hashlib.sha256(repr(("first", stamp(path))).encode()).hexdigest()[:24]
    cut = folder / f"first-{name}{suffix}"
    if cut.exists():
        os.utime(cut)
        return cut
    part = folder / f"first-{name}.{os.getpid()}.part"
    try:
        if source.format == "xlsx":
            _cut_sheet(path, part)
        else:
            _cut_text(path, part, is_arff=source.format == "arff")
        os.replace(part, cut)
    finally:
        part.unlink(missing_ok=True)
    kept = sorted(folder.glob("first-*.*"), key=lambda one: -one.stat().st_mtime)
    for old in kept[N_KEPT:]:
        old.unlink(missing_ok=True)
    return cut


def _cut_text(path: Path, part: Path, *, is_arff: bool) -> None:
    opened: Any = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opened(path, "rb") as file, open(part, "wb") as cut:
            lines = _list_lines(file, path.name)
            if is_arff:
                for line in lines:
                    cut.write(line)
                    if line.strip().lower().startswith(b"@data"):
                        break
            cut.writelines(islice(lines, N_ROWS))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path.name} is damaged.") from error


def _list_lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield whole lines until enough is read; raise if there is none."""
    n_bytes = 0
    while line := file.readline(MAX_BYTES):
        n_bytes += len(line)
        if n_bytes > MAX_BYTES:
            if n_bytes == len(line):
                raise InputError(f"The lines of {name} are too long for a preview.")
            return
        yield line


def _cut_sheet(path: Path, part: Path) -> None:
    try:
        from openpyxl import Workbook, load_workbook
    except ImportError as error:
        raise MissingPackageError(
            "Reading XLSX needs openpyxl: `pip install 'manyminds[xlsx]'`."
        ) from error
    with path.open("rb") as file:
        try:
            book = load_workbook(file, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()
            rows = list(islice(sheet.iter_rows(values_only=True), N_ROWS + 1))
            book.close()
        except Exception as error:
            raise InputError(f"{path.name} is damaged, or is not XLSX.") from error
    small = Workbook(write_only=True)
    made = small.create_sheet()
    for row in rows:
        made.append(row)
    small.save(part)
