"""Tables in Parquet files that models read column by column or batch by batch."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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
        read in the order of their names. Files of folders within it are read, too.
        Names of folders such as ``year=2020`` make a column: of numbers if all values
        are integers, else of categories.
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
        self._dataset, known = _open(self.path)
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
        if target is not None and target in self.columns:
            raise InputError(
                Parameter("columns"),
                f" must be features; got the target {target!r} among them.",
            )
        if max_memory is None:
            max_memory = psutil.virtual_memory().available // 2
        self.max_memory = max_memory
        self.shape = self._count_rows(), len(self.columns)

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
        return self._read_cells(self.target)

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
            return self._read_cells(name)
        column, first = np.empty(len(self)), 0
        for batch in self._scan([name], _BATCH_ROWS):
            values = batch.column(0).to_numpy(zero_copy_only=False)
            column[first : first + len(values)] = values
            first += len(values)
        pa.default_memory_pool().release_unused()  # or it stays with the process
        return column

    def read_levels(self, name: str) -> list[str] | None:
        """List the categories of a feature that occur, one batch at a time.

        Parameters
        ----------
        name : str

        Returns
        -------
        levels : list of str, or None
            Sorted; None for numbers and booleans, also where they are categories.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = self._dataset.schema.field(name).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            return None
        levels: set[str] = set()
        for batch in self._scan([name], _BATCH_ROWS):
            levels.update(pc.unique(batch.column(0)).to_pylist())
        return sorted(levels - {None})

    def iterate_frames(self, n_rows: int = _BATCH_ROWS) -> Iterator[pd.DataFrame]:
        """Yield the features of consecutive rows, ``n_rows`` of them at most."""
        for batch in self._scan(self.columns, n_rows):
            yield batch.to_pandas()

    def _read_cells(self, name: str) -> pd.Series:
        """Read a column of any type into memory."""
        import pyarrow as pa

        schema = pa.schema([self._dataset.schema.field(name)])
        batches = list(self._scan([name], _BATCH_ROWS))
        return pa.Table.from_batches(batches, schema).to_pandas()[name]

    def _count_rows(self) -> int:
        n_rows = 0
        for part in self._dataset.get_fragments():
            with self._reading(part.path):
                n_rows += part.count_rows()
        return n_rows

    def _scan(self, columns: list[str], n_rows: int) -> Iterator[Any]:
        """Yield batches of rows in their order; errors name the file."""
        for part in self._dataset.get_fragments():
            with self._reading(part.path):
                yield from self._scan_file(part, columns, n_rows)

    def _scan_file(self, part: Any, columns: list[str], n_rows: int) -> Iterator[Any]:
        """Yield batches of a file, without reading ahead.

        The scanner of a data set keeps up to a whole file in memory, and is only for
        files that do not have the schema of the first.
        """
        import pyarrow as pa
        import pyarrow.dataset as ds
        from pyarrow.parquet import ParquetFile

        whole = self._dataset.schema
        values = ds.get_partition_keys(part.partition_expression)
        inside = [field for field in whole if field.name not in values]
        stored = [name for name in columns if name not in values]
        if absent := set(stored).difference(part.physical_schema.names):
            raise KeyError(f"it has no column {min(absent)!r}")
        if not part.physical_schema.equals(pa.schema(inside)):
            scanner = part.scanner(whole, columns=columns, batch_size=n_rows)
            yield from (batch for batch in scanner.to_batches() if batch.num_rows)
            return
        schema = pa.schema([whole.field(name) for name in columns])
        with ParquetFile(part.path, pre_buffer=False) as file:
            n_left = file.metadata.num_rows
            for batch in file.iter_batches(n_rows, columns=stored):
                cells = [
                    _repeat(values[field.name], field.type, batch.num_rows)
                    if field.name in values
                    else batch.column(field.name)
                    for field in schema
                ]
                n_left -= batch.num_rows
                yield pa.record_batch(cells, schema=schema)
            if n_left:
                raise ValueError(f"{n_left:,} of its rows are missing")

    @contextmanager
    def _reading(self, file: str) -> Iterator[None]:
        """Raise an error of pyarrow as a TableError that names the file."""
        import pyarrow as pa

        try:
            yield
        except TableError:
            raise
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
            reason = error.args[0] if isinstance(error, KeyError) else first_line(error)
            raise TableError(
                "the file is damaged, or does not have the columns and dtypes of the "
                f"first: {reason}.",
                file=os.path.relpath(file, self.path.parent),
            ) from error


def _repeat(value: Any, kind: Any, n_rows: int) -> Any:
    """Return a column of one value, that of a folder's name."""
    import pyarrow as pa

    is_category = pa.types.is_dictionary(kind)
    plain = kind.value_type if is_category else kind
    column = pa.repeat(pa.scalar(value, plain), n_rows)
    return column.dictionary_encode() if is_category else column


def _import_pyarrow() -> None:
    """Raise an error that says what to install if pyarrow is missing."""
    try:
        import pyarrow.dataset  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            "ParquetTable needs pyarrow: `pip install pyarrow`."
        ) from error


def _open(path: Path) -> tuple[Any, list[str]]:
    """Open a file or a folder with pyarrow; return it, and the names of its columns."""
    _import_pyarrow()
    import pyarrow as pa
    import pyarrow.dataset as ds

    if not path.exists():
        raise MissingFileError(
            Parameter("path"),
            f" must be a file or a folder; there is none at {str(path)!r}.",
        )
    files = _list_files(path)
    if not files:
        raise InputError(Parameter("path"), f": no .parquet files in {str(path)!r}.")
    try:
        found = ds.dataset(files, format="parquet", **_describe_folders(path, files))
        return found, _list_columns(found.schema)
    except (OSError, pa.ArrowException, ValueError) as error:
        raise TableError(
            f"the file is damaged, or is not Parquet: {first_line(error)}.",
            file=os.path.relpath(files[0], path.parent),
        ) from error


def _list_files(path: Path) -> list[str]:
    """List a file, or those of a folder, without hidden and temporary ones."""
    if not path.is_dir():
        return [str(path)]
    files = [file.relative_to(path) for file in path.rglob("*.parquet")]
    return sorted(
        str(path / file)
        for file in files
        if not any(name.startswith((".", "_")) for name in file.parts)
    )


def _describe_folders(path: Path, files: list[str]) -> dict[str, Any]:
    """Return how pyarrow reads columns from names of folders, such as year=2020."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    if not path.is_dir() or all(Path(file).parent == path for file in files):
        return {}
    base = {"partition_base_dir": str(path)}
    found = ds.dataset(files, format="parquet", partitioning="hive", **base)
    first = next(found.get_fragments())
    category = pa.dictionary(pa.int32(), pa.string())
    names = ds.get_partition_keys(first.partition_expression)
    fields = [
        pa.field(one.name, category if pa.types.is_string(one.type) else one.type)
        for one in found.partitioning.schema  # in the order of the folders
        if one.name in names
    ]
    if not fields:
        return {}
    by_name = ds.partitioning(pa.schema(fields), flavor="hive", dictionaries="infer")
    return {"partitioning": by_name, **base}


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
