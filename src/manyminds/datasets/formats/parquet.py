"""Read tables in Parquet's format, by pyarrow or polars, whichever is installed."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from manyminds.datasets.errors import (
    TableError,
    first_line,
    refuse_expansion,
    silence_stderr,
)
from manyminds.utils.errors import MissingPackageError

__all__ = ["iterate_parquet", "read_parquet"]

CELL = 8  # bytes of a number


def read_parquet(path: Path) -> Any:
    """Read a Parquet file.

    Parameters
    ----------
    path : Path
        File to read.

    Returns
    -------
    frame : DataFrame of pandas, or of polars if pyarrow is not installed
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        try:
            import polars
        except ImportError as error:
            raise MissingPackageError(
                "Reading Parquet needs pyarrow or polars: `pip install pyarrow`."
            ) from error
        read: Any = polars.read_parquet
        silenced: Any = silence_stderr()
    else:
        read, silenced = partial(_read_by_pyarrow, path), nullcontext()
    # Errors of opening the file are the operating system's, and stay as they are.
    with path.open("rb") as file, silenced, _name_file(path):
        return read(file)


def iterate_parquet(path: Path, n_rows: int) -> Iterator[Any]:
    """Read a Parquet file, ``n_rows`` rows at a time; without pyarrow, all at once.

    Parameters
    ----------
    path : Path
        File to read.
    n_rows : int

    Yields
    ------
    frame : DataFrame
        Consecutive rows.
    """
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        yield read_parquet(path)
        return
    with path.open("rb") as opened, _name_file(path):
        file = ParquetFile(opened, pre_buffer=False)  # or it is in memory at once
        described = file.metadata
        n_at_once = min(n_rows, described.num_rows)
        refuse_expansion(path, CELL * n_at_once * described.num_columns)
        if not described.num_rows:
            yield file.read().to_pandas()
        for batch in file.iter_batches(n_rows):
            yield batch.to_pandas()


@contextmanager
def _name_file(path: Path) -> Iterator[None]:
    """Convert what goes wrong with the content of a file to an error with its name."""
    try:
        yield
    except (MemoryError, TableError, GeneratorExit):
        raise
    except Exception as error:
        raise TableError(
            f"the file is damaged, or is not Parquet: {first_line(error)}.",
            file=path.name,
        ) from error


def _read_by_pyarrow(path: Path, file: Any) -> pd.DataFrame:
    """Read a file, unless a few bytes of it stand for a huge number of cells."""
    from pyarrow.parquet import read_metadata

    described = read_metadata(file)
    refuse_expansion(path, CELL * described.num_rows * described.num_columns)
    file.seek(0)
    return pd.read_parquet(file, engine="pyarrow")
