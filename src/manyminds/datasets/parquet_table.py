"""Tables in Parquet files that models read column by column or batch by batch."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil

from manyminds.datasets.errors import TableError, first_line
from manyminds.utils.errors import (
    InputError,
    MissingFileError,
    MissingPackageError,
    Parameter,
)
from manyminds.utils.files import open_atomically

__all__ = ["ParquetTable"]

_BATCH_ROWS = 2**17


class ParquetTable:
    """Features in a Parquet file, or in a folder of them, that stay on disk.

    Forests, extra-trees and gradient boosting take it as ``X`` in ``fit`` and
    ``predict``. They fit the same model as to the table in memory, bit by bit: each
    column is read once, alone, and all that is kept of a cell is the number of its bin,
    one byte.

    Parameters
    ----------
    path : path
        A Parquet file, or a folder of Parquet files with the same columns, which are
        read in the order of their names.
    target : str, default=None
        Column that is no feature but the target; None if the file has none.
    columns : list of str, default=None
        The features, in this order; by default all columns but the target.
    max_memory : int, default=None
        Bytes that the bins of a table may take in memory. Larger ones are written to a
        temporary file, which is mapped into memory. By default half of the memory that
        is available.

    Attributes
    ----------
    columns : list of str
        Names of the features.
    shape : tuple of int
        Numbers of rows and of features.

    See Also
    --------
    manyminds.datasets.read_table : Read a table into memory.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import ParquetTable, load_dataset
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> iris = load_dataset("iris")
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "iris.parquet"
    ...     iris.X.assign(kind=iris.y).to_parquet(path)
    ...     table = ParquetTable(path, target="kind")
    ...     forest = RandomForestClassifier(random_state=0)
    ...     forest = forest.fit(table, table.read_target())
    ...     forest.score(table, table.read_target())
    1.0
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        target: str | None = None,
        *,
        columns: Iterable[str] | None = None,
        max_memory: int | None = None,
    ) -> None:
        self.path, self.target = Path(path), target
        self._dataset = _open(self.path)
        known = _list_columns(self._dataset.schema)
        if target is not None and target not in known:
            raise InputError(
                Parameter("target"), f" must be one of {known}; got {target!r}."
            )
        if columns is None:
            columns = [name for name in known if name != target]
        self.columns = list(columns)
        if unknown := [name for name in self.columns if name not in known]:
            raise InputError(
                Parameter("columns"), f" must be among {known}; got {unknown}."
            )
        if max_memory is None:
            max_memory = psutil.virtual_memory().available // 2
        self.max_memory = max_memory
        self.shape = self._dataset.count_rows(), len(self.columns)

    @classmethod
    def from_batches(
        cls,
        path: str | os.PathLike[str],
        batches: Iterable[Any] | Callable[[], Iterable[Any]],
        target: str | None = None,
        **options: Any,
    ) -> "ParquetTable":
        """Write batches of rows to a Parquet file, one at a time; return the table.

        Parameters
        ----------
        path : path
            File to write, whole or not at all.
        batches : iterable of DataFrame, or callable that returns one
            Dataframes of pandas or polars, or tables of pyarrow, with the same columns.
            The first one determines the dtypes.
        target, **options
            Those of the class.

        Returns
        -------
        table : ParquetTable
        """
        _import_pyarrow()
        _write(Path(path), iter(batches() if callable(batches) else batches))
        return cls(path, target, **options)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        n_rows, n_columns = self.shape
        name, features = self.path.name, "feature" if n_columns == 1 else "features"
        return f"ParquetTable({name!r}, {n_rows:,} rows, {n_columns} {features})"

    def read_target(self) -> pd.Series:
        """Read the target into memory."""
        if self.target is None:
            raise InputError(
                "The table has no target: name its column by ", Parameter("target"), "."
            )
        return self._dataset.to_table([self.target]).to_pandas()[self.target]

    def read_empty(self) -> pd.DataFrame:
        """Return the features without rows: their names and dtypes."""
        schema = self._dataset.schema
        return schema.empty_table().select(self.columns).to_pandas()

    def read_column(self, name: str) -> Any:
        """Read one feature into memory.

        Parameters
        ----------
        name : str

        Returns
        -------
        column : ndarray of float64 for numbers, otherwise Series
        """
        import pyarrow as pa

        kind = self._dataset.schema.field(name).type
        if not pa.types.is_floating(kind) and not pa.types.is_integer(kind):
            return self._dataset.to_table([name]).to_pandas()[name]
        column, first = np.empty(len(self)), 0
        for batch in self._scan([name], _BATCH_ROWS):
            values = batch.column(0).to_numpy(zero_copy_only=False)
            column[first : first + len(values)] = values
            first += len(values)
        pa.default_memory_pool().release_unused()  # or it stays with the process
        return column

    def iterate_frames(self, n_rows: int = _BATCH_ROWS) -> Iterator[pd.DataFrame]:
        """Yield the features of consecutive rows, ``n_rows`` of them at most."""
        for batch in self._scan(self.columns, n_rows):
            yield batch.to_pandas()

    def _scan(self, columns: list[str], n_rows: int) -> Iterator[Any]:
        """Yield batches of rows in their order, without reading ahead.

        The scanner of a data set keeps up to a whole file in memory, and is only for
        files that do not have the schema of the first.
        """
        from pyarrow.parquet import ParquetFile

        schema = self._dataset.schema
        for part in self._dataset.get_fragments():
            if part.physical_schema.equals(schema):
                with ParquetFile(part.path, pre_buffer=False) as file:
                    for batch in file.iter_batches(n_rows, columns=columns):
                        yield batch.select(columns)
            else:
                scanner = part.scanner(schema, columns=columns, batch_size=n_rows)
                yield from (batch for batch in scanner.to_batches() if batch.num_rows)


def _import_pyarrow() -> None:
    """Raise an error that says what to install if pyarrow is missing."""
    try:
        import pyarrow.dataset  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            "ParquetTable needs pyarrow: `pip install pyarrow`."
        ) from error


def _open(path: Path) -> Any:
    """Open a file or a folder with pyarrow."""
    _import_pyarrow()
    import pyarrow as pa
    import pyarrow.dataset as ds

    if not path.exists():
        raise MissingFileError(
            Parameter("path"),
            f" must be a file or a folder; there is none at {str(path)!r}.",
        )
    files = [str(path)]
    if path.is_dir():
        files = sorted(str(file) for file in path.glob("*.parquet"))
    if not files:
        raise InputError(Parameter("path"), f": no .parquet files in {str(path)!r}.")
    try:
        return ds.dataset(files, format="parquet")
    except (OSError, pa.ArrowException) as error:
        raise TableError(
            f"the file is damaged, or is not Parquet: {first_line(error)}.",
            file=path.name,
        ) from error


def _list_columns(schema: Any) -> list[str]:
    """Return the names of all columns but those of pandas' index."""
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in schema.names if name not in index]


def _write(path: Path, batches: Iterator[Any]) -> None:
    """Write batches to a file, with the dtypes of the first."""
    import pyarrow.parquet as pq

    first = next(batches, None)
    if first is None:
        raise InputError(Parameter("batches"), " must yield a table; got none.")
    table = _read_batch(first, None, 0)
    with (
        open_atomically(path) as file,
        pq.ParquetWriter(file, table.schema) as writer,
    ):
        writer.write_table(table)
        for number, batch in enumerate(batches, start=1):
            writer.write_table(_read_batch(batch, table.schema, number))


def _read_batch(batch: Any, schema: Any, number: int) -> Any:
    """Return a batch as a table of pyarrow, in the schema of the first one."""
    import pyarrow as pa

    try:
        if isinstance(batch, pd.DataFrame):
            table = pa.Table.from_pandas(batch, preserve_index=False)
        elif hasattr(batch, "to_arrow"):
            table = batch.to_arrow()
        else:
            table = pa.table(batch)
        if schema is None:
            schema = pa.schema([_widen(field) for field in table.schema])
        return table.select(schema.names).cast(schema)
    except (pa.ArrowException, KeyError, TypeError) as error:
        raise InputError(
            Parameter("batches"),
            f": batch {number} does not have the columns and dtypes of the first: "
            f"{first_line(error)}.",
        ) from error


def _widen(field: Any) -> Any:
    """Return a field whose categories are numbered by as many bits in all batches."""
    import pyarrow as pa

    if not pa.types.is_dictionary(field.type):
        return field
    kind = pa.dictionary(pa.int32(), field.type.value_type, field.type.ordered)
    return pa.field(field.name, kind)
