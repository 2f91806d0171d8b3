"""URLs of databases: read them, and show them without their passwords."""

import re
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from manyminds.utils.errors import UserError

__all__ = ["DATABASES", "StoreError", "complete_url", "hide_password"]

DATABASES = ("sqlite", "postgresql")
HOW = "sqlite:///file or postgresql://user:password@host:port/database"
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")  # a single letter is a Windows drive
# Other names that people give to databases, which are no names of files.
OTHERS = ("postgres", "mysql", "mariadb", "oracle", "mssql", "http", "https")
# What stands before the host, up to the last @: a password may hold any sign.
LOGIN = re.compile(r"^([^:/]+:/+)([^:/@]*):.*@", re.DOTALL)
SECRET = re.compile(
    r"([?&;][^=&;]*(?:pass|pwd|secret|token)[^=&;]*=)[^&;]*", re.IGNORECASE
)


class StoreError(UserError, OSError):
    """A store cannot be opened or written, or is of a version that we cannot read."""


def hide_password(url: str | URL) -> str:
    """Put stars for the passwords of a URL, which is printed and kept.

    Parameters
    ----------
    url : str or URL
        A text that is no URL comes back as it is.

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
    """Read a URL; a text that is none is the name of a SQLite file.

    Parameters
    ----------
    url : str

    Returns
    -------
    complete : URL
        With the driver that we use.

    Raises
    ------
    StoreError
        If it is meant as a URL and is not one of SQLite or PostgreSQL. The text is not
        repeated: where it is malformed, nobody can tell what in it is a password.
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
            f"A store is kept in SQLite (sqlite:///file) or PostgreSQL "
            f"(postgresql://...); got {backend!r}."
        )
    if complete.drivername == "postgresql":
        return complete.set(drivername="postgresql+pg8000")
    if complete.database not in (None, "", ":memory:"):
        file = Path(str(complete.database)).expanduser()
        return complete.set(database=str(file))
    return complete


def _check_is_file(name: str) -> None:
    """Refuse what is meant as a URL, as postgresql:/host is."""
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
