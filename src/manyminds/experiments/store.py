"""The contract that every store of records keeps."""

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from manyminds.experiments.record import PlanState, Record, Slot


@runtime_checkable
class Store(Protocol):
    """A place where records are kept, safe from crashes and from other runners.

    Every method is a whole: when it returns, what it wrote survives the death of the
    process; when it raises, nothing of it was written. Several processes may use one
    store at the same time. ``manyminds.testing.store_checks`` holds a store to all of
    this.
    """

    def put(self, records: Iterable[Record]) -> None:
        """Keep records. Of a key that is there already, the first record stays."""

    def get(self, keys: Iterable[str]) -> dict[str, Record]:
        """Return the records of those of the keys that have one."""

    def find(
        self,
        *,
        plan: str | None = None,
        dataset: str | None = None,
        method: str | None = None,
    ) -> list[Record]:
        """List records, of a plan under its own names, in the order of its folds."""

    def delete(self, keys: Iterable[str]) -> int:
        """Forget the records of these keys, and tell how many there were."""

    def enrol(self, plan: str, slots: Iterable[Slot]) -> None:
        """Note the places of a plan on some data sets, in place of earlier notes."""

    def plans(self) -> list[PlanState]:
        """Tell of each plan how many folds it has and how many are recorded."""

    def claim(self, keys: Iterable[str], owner: str, seconds: float) -> list[str]:
        """Reserve folds to work on, and tell which of them were free.

        A fold is free when it has no record and nobody holds it; a claim that was not
        renewed for its number of seconds holds no longer.
        """

    def renew(self, owner: str, seconds: float) -> None:
        """Let all claims of the owner hold for so many seconds from now on."""

    def release(self, owner: str) -> None:
        """Return up all claims of the owner."""

    def owners(self, keys: Iterable[str]) -> dict[str, str]:
        """Tell who holds which of the keys."""

    def close(self) -> None:
        """Let go of connections and files."""


def open_store(url: str = "sqlite:///manyminds.sqlite") -> Store:
    """Open a store of records, and make it where it does not exist.

    Parameters
    ----------
    url : str, default="sqlite:///manyminds.sqlite"
        ``sqlite:///file.sqlite`` or simply the name of a file for SQLite;
        ``postgresql://user:password@host:port/database`` for PostgreSQL, which needs
        the package pg8000.

    Returns
    -------
    store : Store

    Examples
    --------
    >>> import tempfile, os
    >>> from manyminds.experiments import open_store
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = open_store(os.path.join(folder.name, "records.sqlite"))
    >>> store.find()
    []
    >>> store.close()
    >>> folder.cleanup()
    """
    from manyminds.experiments.sql_store import SqlStore

    return SqlStore(url)
