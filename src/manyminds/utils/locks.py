"""Lock a file against other processes of this machine."""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import IO

from manyminds.utils.errors import UserError

fcntl: ModuleType | None
msvcrt: ModuleType | None
try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None
try:
    import msvcrt
except ImportError:  # on all other systems
    msvcrt = None

__all__ = ["LockError", "lock_file"]

POLL_SECONDS = 0.05  # on Windows, which waits for ten seconds at most
# What a file system without locks answers, as some network folders are.
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


class LockError(UserError, OSError):
    """A file cannot be locked where it is."""


@contextmanager
def lock_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a lock on a file, which is made if there is none; wait for it if need be.

    The lock ends with the process, however that ends. The file stays: removing it would
    let two processes hold locks on two files of one name.

    Parameters
    ----------
    path : path

    Raises
    ------
    LockError
        If its file system has no locks.

    Examples
    --------
    >>> import os, tempfile
    >>> from manyminds.utils.locks import lock_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with lock_file(os.path.join(folder, "study.lock")):
    ...         os.listdir(folder)
    ['study.lock']
    """
    with open(path, "a+b") as file:
        try:
            _lock(file)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            raise LockError(
                f"{path} cannot be locked: its file system has no locks, as some "
                "network folders. Put the store on a disk of this machine, or in "
                "PostgreSQL."
            ) from error
        try:
            yield
        finally:
            _unlock(file)


def _lock(file: IO[bytes]) -> None:
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX)
    elif msvcrt is not None:
        _lock_on_windows(file)


def _lock_on_windows(file: IO[bytes]) -> None:
    """Lock the first byte of a file, which need not exist."""
    assert msvcrt is not None
    while True:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            return
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EDEADLK):  # held by another
                raise
            time.sleep(POLL_SECONDS)


def _unlock(file: IO[bytes]) -> None:
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_UN)
    elif msvcrt is not None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
