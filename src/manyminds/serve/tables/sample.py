"""A sample of a table as a data set: all rows, or evenly spaced blocks of many."""

import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import pandas as pd

from manyminds.datasets import Dataset, from_frame, load_dataset, read_table
from manyminds.serve.state import ServeState
from manyminds.serve.tables.declarations import read_declared
from manyminds.serve.tables.first_rows import cut_first_rows, needs_cut
from manyminds.serve.tables.rows import ParquetRows, TextTable, open_rows
from manyminds.serve.tables.source import TableSource
from manyminds.serve.wording import describe_message
from manyminds.utils.errors import InputWarning

__all__ = ["TableSample", "read_sample"]

MAX_ROWS = 20_000
MAX_CELLS = 4_000_000  # of wide tables, fewer rows
_warning_lock = Lock()  # warnings are caught for the whole process


@dataclass(frozen=True, eq=False)
class TableSample:
    """A sample of a table.

    Parameters
    ----------
    data : Dataset
    n_rows : int
        Of the whole table.
    notes : tuple of str
        Warnings of reading it.
    is_start : bool, default=False
        Whether the sample is the start of a file whose rows are not counted.
    """

    data: Dataset
    n_rows: int
    notes: tuple[str, ...]
    is_start: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the sample has all rows; some may lack a target."""
        return self.n_rows <= MAX_ROWS and not self.is_start


def read_sample(
    state: ServeState, source: TableSource, target: str | None, task: str | None = None
) -> TableSample:
    """Read a sample of a table with its target.

    Parameters
    ----------
    state : ServeState
    source : TableSource
    target : str or None
        Name of the column to predict; None for a bundled set.
    task : str or None, default=None
        None infers it.

    Returns
    -------
    sample : TableSample
    """
    if source.path is None:
        data = load_dataset(source.name)
        return TableSample(data, data.n_samples, ())
    options: dict[str, Any] = {"name": source.label, "drop_missing_target": True}
    if source.format != "svmlight":
        options |= {"target": target, "schema": read_declared(source.schema) or {}}
    options |= {"task": task}
    notes: list[str] = []
    with _warning_lock, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", InputWarning)
        data, n_rows = _read(state, source, options)
        notes = [describe_message(one.message) for one in caught]
    is_start = needs_cut(source)
    return TableSample(data, n_rows, tuple(dict.fromkeys(notes)), is_start)


def _read(
    state: ServeState, source: TableSource, options: dict[str, Any]
) -> tuple[Dataset, int]:
    assert source.path is not None
    if source.format == "text":
        rows = open_rows(state, source)
        assert isinstance(rows, TextTable)
        limit = min(MAX_ROWS, MAX_CELLS // max(1, len(rows.names)))
        if rows.n_rows > limit:
            return _read_blocks(state, rows, limit, options), rows.n_rows
    elif source.format == "parquet":
        rows = open_rows(state, source)
        if isinstance(rows, ParquetRows) and rows.n_rows > MAX_ROWS:
            frame = pd.concat(_spread(rows), ignore_index=True)
            return from_frame(frame, **options), rows.n_rows
    path = cut_first_rows(state, source) if needs_cut(source) else source.path
    data = read_table(path, **options)
    return data, data.n_samples


def _read_blocks(
    state: ServeState, rows: TextTable, limit: int, options: dict[str, Any]
) -> Dataset:
    """Write a sample of a text file to a file of its own, and read that."""
    text = rows.text
    folder = state.folder.make_hidden("cache")
    with tempfile.TemporaryDirectory(dir=folder) as place:
        file = Path(place) / "sample.txt"
        with open(file, "wb") as sample:
            with open(text.path, "rb") as whole:
                sample.write(whole.read(int(text.places[0])))
            for block in text.read_blocks(limit):
                sample.write(block)
        return read_table(file, separator=text.separator, **options)


def _spread(rows: ParquetRows, n_pieces: int = 20) -> Iterator[pd.DataFrame]:
    size = MAX_ROWS // n_pieces
    for piece in range(n_pieces):
        start = piece * (rows.n_rows - size) // (n_pieces - 1)
        yield from rows.read_frames(start, size)
