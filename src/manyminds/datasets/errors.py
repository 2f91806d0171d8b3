"""Errors of readers: whatever goes wrong with a file is one type that names it."""

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import BadGzipFile
from pathlib import Path

from manyminds.utils.errors import InputError, UserError
from manyminds.utils.text import printable

__all__ = [
    "TableError",
    "convert_errors",
    "first_line",
    "refuse_expansion",
    "silence_stderr",
]

MAX_TEXT = 300  # characters of another library's message that are worth showing
# A small file may expand to this size; a larger one to this multiple of its own size.
# Tables of numbers and text compress to a tenth, files made to fill the memory to less
# than a hundredth.
MAX_FREE_BYTES = 1_000_000_000
MAX_RATIO = 200
MAX_PIECE = 1_000  # characters of a piece of a message; names of columns can be long


class TableError(InputError):
    """Raise when a file cannot be read as a table.

    The message consists of the file, the problem and the advice. It is one line: ends
    of lines and other control characters in names are escaped, long names cut off.

    Parameters
    ----------
    *problem : str, Parameter or PythonHint
        What is wrong, in pieces.
    file : str or None, default=None
        Name of the file, without its folder.
    line : int or None, default=None
        Line of the file, from 1, where the problem is; None if it is unknown.
    advice : str, default=""
        What the user can do about it, as a sentence.

    Attributes
    ----------
    problem, file, line, advice
        As passed in.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import TableError, read_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "short.csv"
    ...     _ = path.write_text("a,b,target\\n1,2,x\\n3\\n")
    ...     try:
    ...         read_table(path)
    ...     except TableError as error:
    ...         print(error)
    ...         print(error.file, error.line)
    short.csv: line 3 has 1 cells, the header 3.
    short.csv 3
    """

    def __init__(
        self,
        *problem: str,
        file: str | None = None,
        line: int | None = None,
        advice: str = "",
    ) -> None:
        start = () if file is None else (f"{file}: ",)
        end = (f" {advice}",) if advice else ()
        super().__init__(*map(_one_line, (*start, *problem, *end)))
        self.problem = "".join(problem)
        self.file, self.line, self.advice = file, line, advice


@contextmanager
def convert_errors(path: Path) -> Iterator[None]:
    """Convert the errors of readers into a TableError that names the file.

    Errors of the operating system, lack of memory and packages that are not installed
    pass unchanged.
    """
    try:
        yield
    except (MemoryError, ImportError, TableError):
        raise
    except (EOFError, zlib.error, BadGzipFile) as error:
        raise TableError(
            "the file is damaged or incomplete: it cannot be unpacked "
            f"({first_line(error)}).",
            file=path.name,
        ) from error
    except OSError as error:
        if error.filename is not None:
            raise
        # Libraries for Parquet also raise it for the content of a file.
        raise TableError(first_line(error), file=path.name) from error
    except (ValueError, TypeError) as error:
        pieces = error.pieces if isinstance(error, UserError) else (str(error),)
        raise TableError(*pieces, file=path.name) from error
    except Exception as error:
        problem = f"the file cannot be read, it may be damaged: {type(error).__name__}"
        raise TableError(f"{problem}: {first_line(error)}", file=path.name) from error
    except BaseException as error:
        # Libraries written in Rust raise it for failures they did not expect.
        if type(error).__name__ != "PanicException":
            raise
        problem = f"the file is damaged: {first_line(error)}"
        raise TableError(problem, file=path.name) from error


@contextmanager
def silence_stderr() -> Iterator[None]:
    """Discard what is written to standard error, such as Rust's report of a panic.

    The panic itself is raised as an exception.
    """
    stderr = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(null)


def refuse_expansion(path: Path, n_expanded: int) -> None:
    """Raise if a file expands to far more than its size, as no table does.

    Parameters
    ----------
    path : Path
        The file.
    n_expanded : int
        Bytes of its content, as far as they are known.
    """
    n_bytes = path.stat().st_size
    if n_expanded > max(MAX_FREE_BYTES, MAX_RATIO * n_bytes):
        raise TableError(
            f"the file has {n_bytes:,} bytes and would expand to {n_expanded:,} bytes "
            "or more.",
            file=path.name,
            advice="If that is meant, save it as .csv without compression.",
        )


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, or the name of its type."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:MAX_TEXT].rstrip(".")


def _one_line(piece: str) -> str:
    """Escape and shorten a piece of a message, unless it names a parameter."""
    if type(piece) is not str:
        return piece
    text = printable(piece.rstrip("\n"))
    return text if len(text) <= MAX_PIECE else f"{text[:MAX_PIECE]}..."
