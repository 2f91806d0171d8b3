"""Write files whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from manyminds.utils.errors import MissingFileError, UserError, WriteError

__all__ = ["open_atomically", "write_atomically"]


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole or not at all: nobody ever reads half of it.

    Parameters
    ----------
    path : str or path
        Where to; what is there is replaced.
    content : bytes

    Examples
    --------
    >>> import os, tempfile
    >>> from manyminds.utils.files import write_atomically
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(os.path.join(folder, "page.html"), b"<p>")
    ...     os.listdir(folder)
    ['page.html']
    """
    with open_atomically(path) as file:
        file.write(content)


@contextmanager
def open_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file to write piece by piece, which is there whole or not at all.

    Parameters
    ----------
    path : str or path
        Where to; what is there is replaced when the block ends without an error.

    Examples
    --------
    >>> import os, tempfile
    >>> from manyminds.utils.files import open_atomically
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open_atomically(os.path.join(folder, "rows.csv")) as file:
    ...         _ = file.write(b"a,b")
    ...         before = [name[0] for name in os.listdir(folder)]
    ...     before, os.listdir(folder)
    (['.'], ['rows.csv'])
    """
    path = Path(path)
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        file = temporary.open("xb")  # with the rights of any new file
    except FileNotFoundError as error:
        raise MissingFileError(
            f"{path} cannot be written: there is no folder {path.parent}."
        ) from error
    except OSError as error:  # as of a folder where this user may not write
        raise _name_target(path, error) from error
    try:
        with file:
            yield file
        _sync(temporary, os.O_RDWR)  # or a crash of the machine leaves an empty file
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(FileNotFoundError):  # its folder may be gone
            temporary.unlink()
        names = (None, str(temporary))
        of_file = isinstance(error, OSError) and error.filename in names
        if of_file and not isinstance(error, UserError):  # as of a full disk
            raise _name_target(path, error) from error
        raise
    with suppress(OSError):  # Windows does not open folders
        _sync(path.parent, os.O_RDONLY)


def _name_target(path: Path, error: BaseException) -> WriteError:
    """Return an error of the file to write, not of its temporary file."""
    reason = getattr(error, "strerror", None) or error
    return WriteError(f"{path} cannot be written: {reason}.")


def _sync(path: Path, flags: int) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
