"""Write files whole or not at all."""

import os
import tempfile
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
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except FileNotFoundError as error:
        raise MissingFileError(
            f"{path} cannot be written: there is no folder {path.parent}."
        ) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(temporary, 0o666 & ~_current_umask())
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(FileNotFoundError):  # its folder may be gone
            os.unlink(temporary)
        of_file = isinstance(error, OSError) and error.filename in (None, temporary)
        if of_file and not isinstance(error, UserError):  # as of a full disk
            reason = getattr(error, "strerror", None) or error
            raise WriteError(f"{path} cannot be written: {reason}.") from error
        raise


def _current_umask() -> int:
    # There is no other way to ask than to set it; temporary files are for the owner
    # alone, a report is for whoever may read what its owner writes.
    mask = os.umask(0)
    os.umask(mask)
    return mask
