"""Write predictions to a file batch by batch, as CSV or Parquet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pandas as pd

from manyminds.utils.errors import MissingPackageError
from manyminds.utils.files import open_atomically

__all__ = ["open_predictions"]

Write = Callable[[pd.DataFrame], None]


@contextmanager
def open_predictions(path: Path | None) -> Iterator[Write]:
    """Open a file for batches of predictions, which is there whole or not at all.

    Parameters
    ----------
    path : Path or None
        Parquet if it ends in ``.parquet``, else CSV; None: nothing is written.

    Yields
    ------
    write : callable
        Takes the predictions of a batch, always with the same columns.
    """
    if path is None:
        yield lambda frame: None
    elif path.suffix.lower() == ".parquet":
        _import_pyarrow()
        with open_atomically(path) as file:
            writer = _ParquetRows(file)
            try:
                yield writer.write
            finally:  # after an error, too: the writer needs the open file
                writer.close()
    else:
        with open_atomically(path) as file:
            yield _CsvRows(file).write


class _CsvRows:
    """Write batches as CSV, with one header."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._has_header = file, False

    def write(self, frame: pd.DataFrame) -> None:
        text = frame.to_csv(index=False, header=not self._has_header)
        self._file.write(text.encode())
        self._has_header = True


class _ParquetRows:
    """Write batches as Parquet, with the dtypes of the first."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._writer: Any = None

    def write(self, frame: pd.DataFrame) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = None if self._writer is None else self._writer.schema
        table = pa.Table.from_pandas(frame, schema, preserve_index=False)
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def _import_pyarrow() -> None:
    """Raise an error that says what to install if pyarrow is missing."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            "Writing Parquet needs pyarrow: `pip install pyarrow`."
        ) from error
