"""A bounded cache of what is expensive to read: tables, summaries, models, pages."""

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Any

__all__ = ["BoundedCache", "stamp"]


class BoundedCache:
    """Keep the entries that were used last; safe for threads.

    Two threads that miss the same key at the same time compute it once.

    Parameters
    ----------
    max_entries : int
        Number of entries; the one that was not used for longest is dropped.

    Examples
    --------
    >>> from manyminds.serve.cache import BoundedCache
    >>> cache = BoundedCache(max_entries=1)
    >>> cache.get("a", lambda: 1), cache.get("a", lambda: 2), cache.get("b", lambda: 3)
    (1, 1, 3)
    >>> len(cache)
    1
    """

    def __init__(self, max_entries: int) -> None:
        self.max_entries = max_entries
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Hashable) -> bool:
        """Return whether there is an entry, or one is being computed."""
        return key in self._entries

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the entry of a key; ``make`` computes it if there is none.

        Parameters
        ----------
        key : hashable
            With the `stamp` of each file that the entry is made of.
        make : callable
            Called without arguments. If it raises, nothing is stored.

        Returns
        -------
        value : object
        """
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self.max_entries:
                self._entries.popitem(last=False)
        with entry.lock:
            if not entry.is_made:
                try:
                    entry.value, entry.is_made = make(), True
                except BaseException:
                    with self._lock:
                        self._entries.pop(key, None)
                    raise
        return entry.value


class _Entry:
    def __init__(self) -> None:
        self.lock, self.is_made = Lock(), False
        self.value: Any = None


def stamp(*paths: str | os.PathLike[str]) -> tuple[Any, ...]:
    """Return what changes whenever one of some files changes: path, time and size.

    Parameters
    ----------
    *paths : path
        Of files that need not exist.

    Returns
    -------
    stamp : tuple
        Hashable.
    """
    found = []
    for path in paths:
        try:
            status = Path(path).stat()
            found.append((str(path), status.st_mtime_ns, status.st_size))
        except OSError:
            found.append((str(path), 0, -1))
    return tuple(found)
