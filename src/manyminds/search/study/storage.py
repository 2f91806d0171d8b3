"""The database of a study: lock it, retry what may pass, explain what fails."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from manyminds.utils.databases import (
    StoreError,
    complete_url,
    explain_failures,
    hide_password,
    locate_file,
)
from manyminds.utils.locks import LockError, lock_file

__all__ = ["explain_storage", "lock_study", "retry"]

# Errors of SQLite that no second attempt avoids.
PERMANENT = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOTADB)
FIRST_WAIT = 0.3  # seconds before the second attempt; each later wait is twice as long

Made = TypeVar("Made")


def retry(make: Callable[[], Made], n_attempts: int = 6) -> Made:
    """Call a function again if the database refuses it.

    Processes that start together on an empty database find that a table is missing, and
    all create it; all but one are refused, and find it the next time.
    """
    for attempt in range(n_attempts - 1):
        try:
            return make()
        except DBAPIError as error:
            if _is_permanent(error):
                raise
            time.sleep(FIRST_WAIT * 2**attempt)
    return make()


def _is_permanent(error: DBAPIError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code is not None and (code & 0xFF) in PERMANENT  # without extended codes


@contextmanager
def lock_study(url: str | None) -> Iterator[bool]:
    """Lock out other processes of this machine while a trial is claimed.

    Optuna lets two processes claim the same trial of a SQLite file, which cannot lock a
    row; a database with a server can, and needs no lock here. The lock ends with the
    process, however that ends.

    Yields
    ------
    is_locked : bool
        Whether other processes are locked out.
    """
    complete = None if url is None else complete_url(url)
    if complete is None or complete.get_backend_name() != "sqlite":
        yield False
        return
    with ExitStack() as lock:
        with explain_failures(complete):
            try:
                lock.enter_context(lock_file(f"{locate_file(complete)}.lock"))
            except LockError as error:
                raise StoreError(*error.pieces) from error
        yield True


@contextmanager
def explain_storage(url: str | None) -> Iterator[None]:
    """Turn errors of Optuna and SQLAlchemy about the storage into one sentence.

    Parameters
    ----------
    url : str or None
        Of the study's database; None for memory, which does not fail.
    """
    if url is None:
        yield
        return
    from optuna.exceptions import StorageInternalError

    with explain_failures(complete_url(url)):
        try:
            yield
        except StorageInternalError as error:  # of Optuna; the database's is within
            cause = error.__cause__ or error.__context__
            raise (
                cause
                if isinstance(cause, SQLAlchemyError)
                else StoreError(f"The storage {hide_password(url)} failed: {error}")
            ) from error
