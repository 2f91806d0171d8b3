"""The folder that is served: safe paths, tables and searches in it, and its trash."""

import json
import os
import re
import shutil
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from manyminds.datasets.reading import SUFFIXES
from manyminds.reports.search.folder import MARKERS, RESULT
from manyminds.serve.cache import BoundedCache, stamp
from manyminds.utils.errors import InputError, MissingFileError

__all__ = ["SearchEntry", "ServedFolder", "TableEntry", "TrashEntry"]

HIDDEN = ".manyminds"
MAX_DEPTH = 4  # folders within folders that are listed
MAX_FILES = 20_000  # that are looked at in one listing
MAX_ENTRIES = 1_000  # searches whose entries are cached
MAX_NAME = 120  # characters of a file name
SUFFIX = re.compile(
    rf"({'|'.join(re.escape(one) for one in SUFFIXES)})(\.gz)?$", re.IGNORECASE
)


@dataclass(frozen=True)
class TableEntry:
    """A file of a table: its path within the folder, its size and its time."""

    path: str
    n_bytes: int
    changed: float


@dataclass(frozen=True)
class SearchEntry:
    """A folder of a search.

    Parameters
    ----------
    path : str
        Within the folder.
    changed : float
        Seconds since the epoch.
    state : {"running", "done", "damaged"}
        As ``search.json`` has it; a search whose process has ended stays "running".
    content : dict
        Of ``search.json``, without its long lists.
    """

    path: str
    changed: float
    state: str
    content: dict[str, Any]


@dataclass(frozen=True)
class TrashEntry:
    """A search in the trash: its key there, where it was, and when it was deleted."""

    key: str
    path: str
    deleted: float


class ServedFolder:
    """A folder whose paths never lead out of it.

    Parameters
    ----------
    root : path
        Must exist.

    Attributes
    ----------
    root : Path
        Without symbolic links.
    hidden : Path
        Folder of jobs, trash, caches and the log.
    """

    def __init__(self, root: str | PathLike[str]) -> None:
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise MissingFileError(f"There is no folder {str(root)!r}.")
        self.hidden = self.root / HIDDEN
        self._entries = BoundedCache(MAX_ENTRIES)

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.root.name or str(self.root)

    @property
    def log(self) -> Path:
        """File of the tracebacks."""
        return self.hidden / "serve.log"

    @property
    def trash(self) -> Path:
        """Folder of deleted searches."""
        return self.hidden / "trash"

    def make_hidden(self, *parts: str) -> Path:
        """Return a folder for our own files; create it if it does not exist."""
        place = self.hidden.joinpath(*parts)
        place.mkdir(parents=True, exist_ok=True)
        ignored = self.hidden / ".gitignore"
        if not ignored.exists():
            ignored.write_text("*\n")
        return place

    # ------------------------------------------------------------ paths

    def resolve(self, path: str) -> Path:
        """Return a path within the folder; raise if it leads out of it.

        Parameters
        ----------
        path : str
            Relative to the folder; symbolic links are followed.

        Returns
        -------
        path : Path
            It need not exist.

        Raises
        ------
        MissingFileError
            If it leads out of the folder, or to our own files. The message is that of
            a file that does not exist.
        """
        parts = re.split(r"[/\\]", path)
        refused = "\0" in path or not path or ".." in parts or Path(path).is_absolute()
        if not refused:
            try:
                found = (self.root / path).resolve()
                found.exists()  # raises if the name is too long
            except (OSError, RuntimeError):  # of a loop of links
                refused = True
        if refused or not self._holds(found):
            raise MissingFileError(f"There is no {path!r} in this folder.")
        return found

    def name_of(self, path: Path) -> str:
        """Return a path as this folder names it."""
        return path.relative_to(self.root).as_posix()

    def find_file(self, path: str) -> Path:
        """Return a file within the folder; raise if there is none."""
        found = self.resolve(path)
        if not found.is_file():
            raise MissingFileError(f"There is no file {path!r} in this folder.")
        return found

    def find_search(self, path: str) -> Path:
        """Return the folder of a search; raise if there is none."""
        found = self.resolve(path)
        if found == self.root or not _is_search(found):
            raise MissingFileError(f"There is no search {path!r} in this folder.")
        return found

    def make_free_path(self, name: str, taken: Collection[str] = ()) -> Path:
        """Return a path in the folder that is not taken: numbered if need be."""
        name = clean_name(name)
        match = SUFFIX.search(name)
        suffix = match[0] if match else ""
        stem = name.removesuffix(suffix)
        for number in range(1, 10_000):
            tail = "" if number == 1 else f"-{number}"
            path = self.root / f"{stem}{tail}{suffix}"
            is_free = not path.exists() and not path.is_symlink()
            if is_free and path.name not in taken:
                return path
        raise InputError(f"There are too many files called {name!r}.")

    def _holds(self, path: Path) -> bool:
        inside = path.is_relative_to(self.root)
        return inside and not path.is_relative_to(self.hidden)

    # ------------------------------------------------------------ listings

    def list_tables(self) -> list[TableEntry]:
        """List the files of tables, the newest first."""
        found = []
        for place, _, files in self._walk():
            for name in files:
                path = place / name
                if not SUFFIX.search(name) or not self._holds(path.resolve()):
                    continue
                status = path.stat()
                found.append(
                    TableEntry(self.name_of(path), status.st_size, status.st_mtime)
                )
        return sorted(found, key=lambda one: -one.changed)

    def list_searches(self) -> list[SearchEntry]:
        """List the folders of searches, the newest first."""
        found = [
            self.read_entry(place) for place, is_search, _ in self._walk() if is_search
        ]
        return sorted(found, key=lambda one: -one.changed)

    def _walk(self) -> Iterator[tuple[Path, bool, list[str]]]:
        """Yield folders, whether they hold a search, and their files of tables."""
        n_files = 0
        for top, folders, files in os.walk(self.root):
            place = Path(top)
            depth = len(place.relative_to(self.root).parts)
            is_search = place != self.root and _is_search(place)
            shown = [one for one in sorted(folders) if not one.startswith(".")]
            folders[:] = [] if is_search or depth >= MAX_DEPTH else shown
            n_files += len(files)
            yield place, is_search, [] if is_search else files
            if n_files > MAX_FILES:
                return

    def read_entry(self, place: Path) -> SearchEntry:
        """Return the entry of a folder of a search; entries are cached."""
        file = place / RESULT
        return self._entries.get(stamp(file), lambda: self._read_entry(place, file))

    def _read_entry(self, place: Path, file: Path) -> SearchEntry:
        path = self.name_of(place)
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            summary = content.get("summary", {})
            short = {k: v for k, v in summary.items() if not isinstance(v, list)}
            changed, state = file.stat().st_mtime, str(content["state"])
            return SearchEntry(path, changed, state, content | {"summary": short})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return SearchEntry(path, place.stat().st_mtime, "damaged", {})

    # ------------------------------------------------------------ trash

    def delete_search(self, path: str) -> TrashEntry:
        """Move a search to the trash; return its entry there."""
        place = self.find_search(path)
        now = int(time.time() * 1000)
        entry = TrashEntry(f"{now:x}", self.name_of(place), now / 1000)
        box = self.make_hidden("trash", entry.key)
        (box / "path.json").write_text(json.dumps({"path": entry.path}))
        shutil.move(place, box / "search")
        return entry

    def list_trash(self) -> list[TrashEntry]:
        """List the searches in the trash, the latest deleted first."""
        found = []
        for box in self.trash.iterdir() if self.trash.is_dir() else []:
            try:
                path = json.loads((box / "path.json").read_text())["path"]
                found.append(TrashEntry(box.name, path, int(box.name, 16) / 1000))
            except (OSError, ValueError, KeyError):
                continue
        return sorted(found, key=lambda one: -one.deleted)

    def restore_search(self, key: str) -> str:
        """Move a search back from the trash; return its path."""
        entries = {one.key: one for one in self.list_trash()}
        if key not in entries:
            raise MissingFileError("There is no such search in the trash.")
        target = self.resolve(entries[key].path)
        if target.exists():
            target = self.make_free_path(target.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(self.trash / key / "search", target)
        shutil.rmtree(self.trash / key)
        return self.name_of(target)


def clean_name(name: str) -> str:
    """Return a file name that is safe in any folder: no path, no hidden file.

    Examples
    --------
    >>> from manyminds.serve.folder import clean_name
    >>> clean_name("../../etc/pass wd.csv"), clean_name("..")
    ('pass wd.csv', 'table')
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r'[\x00-\x1f\x7f<>:"|?*]', "_", last).strip(" .")
    match = SUFFIX.search(plain)
    suffix = match[0] if match else ""
    stem = plain.removesuffix(suffix)[: MAX_NAME - len(suffix)].strip(" .")
    return (stem or "table") + suffix


def _is_search(place: Path) -> bool:
    return any((place / marker).is_file() for marker in MARKERS)
