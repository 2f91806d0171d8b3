"""Turn whatever goes wrong while a file is read into one error that names the file."""

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import BadGzipFile
from pathlib import Path

from manyminds.utils.errors import InputError, UserError

__all__ = ["TableError", "first_line", "naming_file", "silencing_rust"]

MAX_TEXT = 300  # characters of another library's message that are worth showing


class TableError(InputError):
    """A file cannot be read as a table; the message names the file and the reason.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import TableError, read_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "cut.csv.gz"
    ...     _ = path.write_bytes(b"no gzip at all")
    ...     try:
    ...         read_table(path)
    ...     except TableError as error:
    ...         print(str(error)[:46])
    cut.csv.gz: the file is damaged or incomplete:
    """


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """Raise a TableError that names the file for whatever reading it raises.

    What the operating system says of the file, lack of memory and packages that are
    not installed are left as they are.
    """
    try:
        yield
    except (MemoryError, ImportError, TableError):
        raise
    except (EOFError, zlib.error, BadGzipFile) as error:
        raise TableError(
            f"{path.name}: the file is damaged or incomplete: it cannot be unpacked "
            f"({first_line(error)})."
        ) from error
    except OSError as error:
        if error.filename is not None:
            raise
        # Libraries for Parquet raise it for what is in a file, too.
        raise TableError(f"{path.name}: {first_line(error)}") from error
    except (ValueError, TypeError) as error:
        pieces = error.pieces if isinstance(error, UserError) else (str(error),)
        named = pieces[0].startswith(f"{path.name}:")
        raise TableError(*(() if named else (f"{path.name}: ",)), *pieces) from error
    except Exception as error:
        raise TableError(
            f"{path.name}: the file cannot be read, it may be damaged: "
            f"{type(error).__name__}: {first_line(error)}"
        ) from error
    except BaseException as error:
        # What libraries written in Rust raise where they did not expect to fail.
        if type(error).__name__ != "PanicException":
            raise
        raise TableError(
            f"{path.name}: the file is damaged: {first_line(error)}"
        ) from error


@contextmanager
def silencing_rust() -> Iterator[None]:
    """Keep the report that Rust writes to standard error when it panics off it.

    The panic itself is raised, and told in a sentence.
    """
    usual = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(usual, 2)
        os.close(usual)
        os.close(nowhere)


def first_line(error: BaseException) -> str:
    """Return the first line of a message, or what its type is called."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:MAX_TEXT].rstrip(".")
