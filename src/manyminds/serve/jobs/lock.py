"""A lock between servers of one folder, which ends with its process."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike

__all__ = ["hold_lock"]


@contextmanager
def hold_lock(path: str | PathLike[str], timeout: float = 20.0) -> Iterator[None]:
    """Wait until no other process or thread holds the lock, and hold it.

    It is the lock of an empty SQLite database: that works on all systems, and the
    operating system releases it however the process ends.

    Parameters
    ----------
    path : path
        File of the lock.
    timeout : float, default=20.0
        Seconds to wait.

    Raises
    ------
    sqlite3.OperationalError
        If the lock was not free in time.
    """
    connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        connection.close()
