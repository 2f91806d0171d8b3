"""The contract of a store of records."""

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from manyminds.experiments.record import PlanState, Record, Slot


@runtime_checkable
class Store(Protocol):
    """A store of records, safe from crashes and from concurrent runs.

    Every method is atomic: when it returns, what it wrote survives the death of the
    process; when it raises, nothing of it was written. Several processes may use one
    store at the same time. ``manyminds.testing.store_checks`` holds a store to all of
    this.
    """

    def put(self, records: Iterable[Record]) -> None:
        """Store records. Of a key that exists already, the first record stays."""

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
        """Delete the records of these keys; return how many there were."""

    def enroll(self, plan: str, slots: Iterable[Slot]) -> None:
        """Register the slots of a plan on some data sets; they replace earlier ones."""

    def plans(self) -> list[PlanState]:
        """Return of each plan how many folds it has and how many are recorded."""

    def claim(self, keys: Iterable[str], owner: str, seconds: float) -> list[str]:
        """Reserve folds to compute; return those that were free.

        A fold is free when it has no record and nobody holds it; a claim that was not
        renewed for its number of seconds holds no longer.
        """

    def renew(self, owner: str, seconds: float) -> None:
        """Extend all claims of the owner to so many seconds from now."""

    def release(self, owner: str) -> None:
        """Release all claims of the owner."""

    def owners(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the owners of the keys that are claimed."""

    def close(self) -> None:
        """Close connections and files."""


def open_store(url: str = "sqlite:///manyminds.sqlite") -> Store:
    """Open a store of records, and create it if it does not exist.

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
