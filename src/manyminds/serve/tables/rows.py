"""Rows of a table in any format, page by page."""

import gzip
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pandas as pd
from scipy.sparse import issparse

from manyminds.datasets import load_dataset, read_features
from manyminds.serve.cache import stamp
from manyminds.serve.state import ServeState
from manyminds.serve.tables.first_rows import cut_first_rows, needs_cut
from manyminds.serve.tables.source import TableSource
from manyminds.serve.tables.text_rows import TextRows, index_rows
from manyminds.utils.errors import InputError

__all__ = ["FrameRows", "Rows", "TextTable", "open_rows"]

BLOCK = 1 << 20
LONG_NUMBER = re.compile(r"[+-]?\d{1,6}\.\d{9,}")  # digits that nobody reads
MAX_CELL = 300  # characters that a page shows of a cell
N_UNPACKED = 8  # gzipped files that are kept unpacked
MAX_SPARSE = 200  # columns of a sparse table that are shown


class Rows(Protocol):
    """Rows of a table by their number."""

    @property
    def names(self) -> list[str]:
        """Names of the columns."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""

    @property
    def is_start(self) -> bool:
        """Whether the file has more rows, which are not counted."""

    def read(self, start: int, n_rows: int, columns: slice) -> list[list[str]]:
        """Return cells as text; those of missing values are empty."""


@dataclass(frozen=True, eq=False)
class TextTable:
    """Rows of a text file, whose places are known."""

    text: TextRows
    is_start: bool = False

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return self.text.names

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.text.n_rows or 0

    def read(self, start: int, n_rows: int, columns: slice) -> list[list[str]]:
        """Return cells as text; those of missing values are empty."""
        rows = self.text.read(start, n_rows)
        return [[_shorten(cell) for cell in row[columns]] for row in rows]


@dataclass(frozen=True, eq=False)
class FrameRows:
    """Rows of a table that is small enough for memory, or its first rows."""

    frame: pd.DataFrame
    is_start: bool = False

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [str(name) for name in self.frame.columns]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.frame)

    def read(self, start: int, n_rows: int, columns: slice) -> list[list[str]]:
        """Return cells as text; those of missing values are empty."""
        piece = self.frame.iloc[start : start + n_rows, columns]
        return _format_cells(piece)


class ParquetRows:
    """Rows of a Parquet file, read by its row groups."""

    is_start = False

    def __init__(self, path: Path) -> None:
        from pyarrow.parquet import ParquetFile

        self.file = ParquetFile(path)
        self.names = list(self.file.schema_arrow.names)
        found = self.file.metadata
        self.sizes = [found.row_group(k).num_rows for k in range(found.num_row_groups)]
        self.n_rows = int(found.num_rows)

    def read(self, start: int, n_rows: int, columns: slice) -> list[list[str]]:
        """Return cells as text; those of missing values are empty."""
        names = self.names[columns]
        pieces = [_format_cells(one) for one in self.read_frames(start, n_rows, names)]
        return [row for piece in pieces for row in piece]

    def read_frames(
        self, start: int, n_rows: int, names: list[str] | None = None
    ) -> Iterator[pd.DataFrame]:
        """Yield some rows, in pieces."""
        first = 0
        for group, size in enumerate(self.sizes):
            low, high = max(start - first, 0), min(start + n_rows - first, size)
            if low < high:
                table = self.file.read_row_group(group, columns=names)
                yield table.slice(low, high - low).to_pandas()
            first += size


def open_rows(state: ServeState, source: TableSource) -> Rows:
    """Return the rows of a table; opened tables are cached.

    Parameters
    ----------
    state : ServeState
    source : TableSource

    Returns
    -------
    rows : Rows
    """
    key = ("rows", source.ref, *(stamp(source.path) if source.path else ()))
    return state.tables.get(key, lambda: _open(state, source))


def _open(state: ServeState, source: TableSource) -> Rows:
    path = source.path
    if path is None:
        return FrameRows(_join_target(load_dataset(source.name)))
    if source.format == "text":
        separator = "\t" if ".tsv" in path.name.lower() else None
        plain = path if path.suffix.lower() != ".gz" else _unpack(state, path)
        return TextTable(index_rows(plain, separator, scan=True))
    if source.format == "parquet":
        try:
            return ParquetRows(path)
        except ImportError:
            pass  # polars reads it whole, below
    if needs_cut(source):
        return FrameRows(_read_whole(cut_first_rows(state, source)), is_start=True)
    return FrameRows(_read_whole(path))


def _read_whole(path: Path) -> pd.DataFrame:
    found = read_features(path)
    if not issparse(found):
        return found
    shown = found[:, :MAX_SPARSE]
    names = [f"x{place}" for place in range(shown.shape[1])]
    return pd.DataFrame.sparse.from_spmatrix(shown, columns=names)


def _join_target(data: Any) -> pd.DataFrame:
    target = data.target_name
    if target in data.X:
        target += "_"
    return data.X.assign(**{target: data.y})


def _unpack(state: ServeState, path: Path) -> Path:
    """Unpack a gzipped file into the cache on disk, unless it is there."""
    folder = state.folder.make_hidden("cache")
    name = hashlib.sha256(repr(stamp(path)).encode()).hexdigest()[:24]
    unpacked = folder / f"{name}.txt"
    if unpacked.exists():
        os.utime(unpacked)
        return unpacked
    part = folder / f"{name}.{os.getpid()}.part"
    try:
        _copy_unpacked(path, part, state.upload_limit)
        os.replace(part, unpacked)
    finally:
        part.unlink(missing_ok=True)
    kept = sorted(folder.glob("*.txt"), key=lambda one: -one.stat().st_mtime)
    for old in kept[N_UNPACKED:]:
        old.unlink(missing_ok=True)
    return unpacked


def _copy_unpacked(path: Path, part: Path, limit: int) -> None:
    n_bytes = 0
    try:
        with gzip.open(path, "rb") as source, open(part, "wb") as target:
            while block := source.read(BLOCK):
                n_bytes += len(block)
                if n_bytes > limit:
                    raise InputError(f"{path.name} unpacks to too much for a preview.")
                target.write(block)
    except EOFError as error:
        raise InputError(f"{path.name} is damaged.") from error


def _format_cells(frame: pd.DataFrame) -> list[list[str]]:
    missing = frame.isna().to_numpy()
    values = frame.astype(object).to_numpy()
    return [
        ["" if gone else _shorten(cell) for cell, gone in zip(row, holes)]
        for row, holes in zip(values, missing)
    ]


def _shorten(cell: Any) -> str:
    text = f"{cell:.6g}" if isinstance(cell, float) else str(cell)
    if LONG_NUMBER.fullmatch(text):
        text = f"{float(text):.8g}"
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"
