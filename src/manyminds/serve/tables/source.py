"""What a reference to a table means: a file of the folder, or a bundled set."""

from dataclasses import dataclass
from pathlib import Path

from manyminds.datasets import bundled_datasets
from manyminds.datasets.reading import SUFFIXES
from manyminds.serve.folder import SUFFIX, ServedFolder
from manyminds.serve.state import ServeState
from manyminds.utils.errors import InputError, MissingFileError

__all__ = ["BUNDLED", "TableSource", "find_source"]

BUNDLED = "bundled:"


@dataclass(frozen=True)
class TableSource:
    """A table that pages and commands can read.

    Parameters
    ----------
    ref : str
        As addresses name it: a path within the folder, or "bundled:wine".
    name : str
        As people call it.
    argument : str
        As the command line takes it.
    path : Path or None
        The file; None for a bundled set.
    """

    ref: str
    name: str
    argument: str
    path: Path | None

    @property
    def format(self) -> str:
        """Format of the file, or "bundled"."""
        if self.path is None:
            return "bundled"
        plain = self.path.name.lower().removesuffix(".gz")
        return SUFFIXES["." + plain.rpartition(".")[2]]

    @property
    def schema(self) -> Path | None:
        """File of the declarations about the table, which need not exist."""
        if self.path is None or self.format == "svmlight":
            return None
        stem = self.path.name.removesuffix(".gz").rpartition(".")[0]
        return self.path.with_name(f"{stem}.schema.json")

    @property
    def label(self) -> str:
        """Name of results: that of the file without suffixes."""
        return self.name if self.path is None else SUFFIX.sub("", self.path.name)


def find_source(state: ServeState, ref: str) -> TableSource:
    """Return the table that a reference means; raise if there is none.

    Parameters
    ----------
    state : ServeState
    ref : str

    Returns
    -------
    source : TableSource
    """
    return find_source_in(state.folder, ref)


def find_source_in(folder: ServedFolder, ref: str) -> TableSource:
    """Return the table that a reference means within a folder."""
    if ref.startswith(BUNDLED):
        name = ref.removeprefix(BUNDLED)
        if name not in bundled_datasets():
            raise MissingFileError(f"No bundled data set is called {name!r}.")
        return TableSource(ref, name, name, None)
    path = folder.find_file(ref)
    if not SUFFIX.search(path.name):
        raise InputError(f"{ref!r} is not a table.")
    return TableSource(folder.name_of(path), path.name, str(path), path)
