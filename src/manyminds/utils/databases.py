"""Databases: read URLs, hide passwords, open engines, explain failures."""

import logging
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    ProgrammingError,
)

from manyminds.utils.errors import MissingPackageError, UserError

__all__ = [
    "DATABASES",
    "RelaxedConnection",
    "StoreError",
    "check_is_there",
    "complete_url",
    "explain_failures",
    "explain_opening",
    "hide_password",
    "locate_file",
    "make_engine",
    "stay_connected",
]

DATABASES = ("sqlite", "postgresql")
HOW = "sqlite:///file or postgresql://user:password@host:port/database"
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")  # a single letter is a Windows drive
# Schemes of other databases, which are not names of files.
OTHERS = ("postgres", "mysql", "mariadb", "oracle", "mssql", "http", "https")
# User and password, up to the last @: a password may contain any character.
LOGIN = re.compile(r"^([^:/]+:/+)([^:/@]*):.*@", re.DOTALL)
SECRET = re.compile(
    r"([?&;][^=&;]*(?:pass|pwd|secret|token)[^=&;]*=)[^&;]*", re.IGNORECASE
)
MIN_FREE_BYTES = 1_000_000  # a disk with less counts as full
LOCK_TIMEOUT_SECONDS = 60
LOCK_POLL_SECONDS = 0.01
RESTART_SECONDS = 60.0  # for a server that is restarted
CONNECT_POLL_SECONDS = 0.5


class StoreError(UserError, OSError):
    """A store cannot be opened or written, or is of a version that we cannot read."""


def hide_password(url: str | URL) -> str:
    """Replace the passwords of a URL by stars, for printing and storing.

    Parameters
    ----------
    url : str or URL
        Text that is not a URL is returned unchanged.

    Returns
    -------
    shown : str

    Examples
    --------
    >>> from manyminds.utils.databases import hide_password
    >>> hide_password("postgresql://bob:secret@host/runs?sslpassword=more")
    'postgresql://bob:***@host/runs?sslpassword=***'
    >>> hide_password("runs.sqlite")
    'runs.sqlite'
    """
    if isinstance(url, URL):
        url = url.render_as_string(hide_password=False)
    address, mark, query = url.partition("?")
    if "@" not in address:  # a password with a question mark, or none
        address, mark, query = url, "", ""
    shown = LOGIN.sub(r"\1\2:***@", address) + mark + query
    return SECRET.sub(r"\1***", shown)


def complete_url(url: str) -> URL:
    """Parse a URL; any other text is the name of a SQLite file.

    Parameters
    ----------
    url : str

    Returns
    -------
    complete : URL
        Includes the driver.

    Raises
    ------
    StoreError
        If it looks like a URL and is not one of SQLite or PostgreSQL. The message does
        not repeat the text: of a malformed URL, any part may be a password.
    """
    if "://" not in url:
        _check_is_file(url)
        return URL.create("sqlite", database=str(Path(url).expanduser()))
    scheme = url.partition(":")[0]
    try:
        complete = make_url(url)
        backend = complete.get_backend_name()
    except (ArgumentError, ValueError):
        raise StoreError(
            f"{scheme}://... is not the URL of a store; it takes {HOW}."
        ) from None
    if backend not in DATABASES:
        raise StoreError(
            f"A store is a database of SQLite (sqlite:///file) or PostgreSQL "
            f"(postgresql://...); got {backend!r}."
        )
    if complete.drivername == "postgresql":
        return complete.set(drivername="postgresql+pg8000")
    if complete.database not in (None, "", ":memory:"):
        file = Path(str(complete.database)).expanduser()
        return complete.set(database=str(file))
    return complete


def _check_is_file(name: str) -> None:
    """Reject text that looks like a URL, such as postgresql:/host."""
    found = SCHEME.match(name)
    if found is None:
        return
    scheme = found[1]
    is_known = scheme.split("+")[0].lower() in (*DATABASES, *OTHERS)
    if is_known or name[found.end() :].startswith("/"):
        raise StoreError(
            f"{scheme}:... is not the URL of a store, nor the name of a file: two "
            f"slashes follow the colon, as in {HOW}."
        )


def make_engine(url: URL) -> Engine:
    """Return an engine; readers of a SQLite file do not wait for writers.

    Parameters
    ----------
    url : URL
        See `complete_url`.

    Returns
    -------
    engine : Engine
    """
    if url.get_backend_name() != "sqlite":
        return _make_postgresql_engine(url)
    if url.database in (None, "", ":memory:"):
        raise StoreError("A store outlives its process: name a file for SQLite.")
    locate_file(url).parent.mkdir(parents=True, exist_ok=True)
    engine = sql.create_engine(url, connect_args={"timeout": LOCK_TIMEOUT_SECONDS})
    sql.event.listen(engine, "connect", _set_up_sqlite)
    sql.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_postgresql_engine(url: URL) -> Engine:
    try:
        return sql.create_engine(url, pool_pre_ping=True)
    except ImportError as error:
        raise MissingPackageError(
            f"A store in PostgreSQL needs the package {error.name}: "
            "pip install 'manyminds[postgresql]'."
        ) from error


def stay_connected(engine: Engine) -> None:
    """Let an engine that has been connected wait for a server that is restarted.

    New connections are tried for a minute. A transaction that the restart cuts off
    fails all the same.

    Parameters
    ----------
    engine : Engine
        Of any database; nothing is done for SQLite, which has no server.
    """
    if engine.dialect.name == "sqlite":
        return
    sql.event.listen(engine, "do_connect", _connect_patiently)
    pool = type(engine.pool)
    logger = logging.getLogger(f"{pool.__module__}.{pool.__name__}")
    logger.addFilter(_is_of_interest)  # once, as the same function


def _is_of_interest(entry: logging.LogRecord) -> bool:
    """Leave out that a lost connection could not be closed: a new one replaces it."""
    return not str(entry.msg).startswith("Exception terminating connection")


def _connect_patiently(dialect: Any, _: Any, words: Any, options: Any) -> Any:
    latest = time.monotonic() + RESTART_SECONDS
    while True:
        try:
            return dialect.connect(*words, **options)
        except (dialect.loaded_dbapi.Error, OSError):
            if time.monotonic() > latest:
                raise
            time.sleep(CONNECT_POLL_SECONDS)


def _set_up_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, below
    _write_ahead(connection)
    _relax(connection)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers not wait for writers.

    While several connections change a new file to this mode, SQLite refuses all but
    one at once, without the timeout of the connection: the others try again.
    """
    latest = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            # Without what an extended code says more.
            is_busy = (error.sqlite_errorcode & 0xFF) == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > latest:
                raise
        time.sleep(LOCK_POLL_SECONDS)


def _relax(connection: sqlite3.Connection) -> None:
    """Let commits not wait for the disk, where the file stays whole without.

    With a write-ahead log, what a killed process had committed is safe; only a power
    failure could take the last moments, never the file. Some file systems have no such
    log: there nothing is changed.
    """
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if mode == "wal":
        connection.execute("PRAGMA synchronous=NORMAL")


class RelaxedConnection(sqlite3.Connection):
    """A connection to a SQLite file whose commits do not wait for the disk.

    For engines that others make, as ``connect_args={"factory": RelaxedConnection}``: a
    file that `make_engine` has opened before has a write-ahead log.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _relax(self)


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later would fail when another process
    # wrote in between; IMMEDIATE makes it wait for the lock instead.
    reads_only = connection.get_execution_options().get("reads_only", False)
    connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")


@contextmanager
def explain_failures(url: URL) -> Iterator[None]:
    """Raise a readable StoreError for a full disk, a lost folder or a lost server.

    Parameters
    ----------
    url : URL
        URL of the database, for the message.
    """
    try:
        yield
    except StoreError:
        raise
    except (DatabaseError, InterfaceError, OSError) as error:
        if isinstance(error, (DataError, IntegrityError, ProgrammingError)):
            raise  # an error of ours, not of the database
        raise StoreError(_explain(url, error)) from error


def explain_opening(url: URL, error: Exception) -> str:
    """Return a sentence on why a store cannot be opened.

    Parameters
    ----------
    url : URL
    error : Exception
        Of SQLAlchemy, or of the operating system.

    Returns
    -------
    sentence : str
    """
    reason = cause = _find_reason(error)
    if url.get_backend_name() == "sqlite":
        cause = _find_cause(locate_file(url).absolute(), reason)
        cause = f"{cause} ({reason})" if cause else reason
    return f"The store {hide_password(url)} cannot be opened: {cause}."


def locate_file(url: URL) -> Path:
    """Return the file of a SQLite database, which may itself be named by a URI.

    Parameters
    ----------
    url : URL
        See `complete_url`.

    Returns
    -------
    file : Path
    """
    database = str(url.database)
    if database.startswith("file:"):
        return Path(unquote(urlsplit(database).path))
    return Path(database)


def check_is_there(url: URL) -> None:
    """Check that the file of an open SQLite database has not been removed.

    SQLite would go on writing to it, and all would be lost in the end.

    Parameters
    ----------
    url : URL
        Of a database that has been opened.

    Raises
    ------
    StoreError
        If there is no such file.
    """
    if url.get_backend_name() != "sqlite":
        return
    file = locate_file(url).absolute()
    if not file.exists():
        gone = file if file.parent.is_dir() else file.parent
        raise StoreError(f"{gone} is gone, and with it the records of {file.name}.")


def _explain(url: URL, error: Exception) -> str:
    reason = _find_reason(error)
    failed = "cannot be opened or written"
    if url.get_backend_name() != "sqlite":
        return f"The store {hide_password(url)} {failed}: {reason}."
    file = locate_file(url).absolute()
    if not file.parent.is_dir():
        return f"The folder {file.parent} is gone, and with it the store {file.name}."
    why = _find_cause(file, reason) or "the disk may be full, or the file damaged"
    return f"The store {file} {failed}: {why} ({reason}). Its records are unchanged."


def _find_reason(error: Exception) -> str:
    """Return the words of the database, without the statement that failed."""
    reason = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
    first = reason.args[0] if getattr(reason, "args", None) else None
    if isinstance(first, dict):  # pg8000 has the fields of PostgreSQL's message
        reason = first.get("M", first)
    return str(reason).rstrip(".")


def _find_cause(file: Path, reason: str) -> str:
    """Return why a file cannot be written; nothing if it is not known."""
    free = MIN_FREE_BYTES
    with suppress(OSError):
        free = shutil.disk_usage(file.parent).free
    if free < MIN_FREE_BYTES or "full" in reason or "No space" in reason:
        return f"the disk that holds {file.parent} is full"
    place = file if file.exists() else file.parent
    if "readonly" in reason or not os.access(place, os.W_OK):
        return "the file or its folder is read-only"
    return ""
