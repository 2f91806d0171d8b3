"""Find a data set by its name, wherever it is to be had."""

import os
from os import PathLike

from manyminds.datasets.bundled import bundled_datasets, load_dataset
from manyminds.datasets.dataset import Dataset, DatasetNotFoundError, close_matches
from manyminds.datasets.folder import DataFolder
from manyminds.datasets.openml import OPENML, fetch_openml_dataset
from manyminds.utils.errors import Parameter, PythonHint

__all__ = ["VARIABLE", "find_dataset"]

VARIABLE = "MANYMINDS_DATA"


def find_dataset(
    name: str,
    folder: DataFolder | str | PathLike[str] | None = None,
    online: bool = True,
) -> Dataset:
    """Return the data set of a name from the first place that has it.

    The places are, in this order: the given folder; the folder that the environment
    variable ``MANYMINDS_DATA`` names; the bundled sets; and OpenML, for the names whose
    version ``OPENML`` pins.

    Parameters
    ----------
    name : str
        Name of the data set.
    folder : DataFolder or path, default=None
        Folder to look in first.
    online : bool, default=True
        Whether OpenML may be asked.

    Returns
    -------
    data : Dataset
        The set; ``source`` tells where it came from.

    Raises
    ------
    DatasetNotFoundError
        If no place has it. The error lists what was tried and how to mend it.

    Examples
    --------
    >>> from manyminds.datasets import find_dataset
    >>> find_dataset("tic-tac-toe", online=False).n_samples
    958
    """
    tried: list[str] = []
    known = {*bundled_datasets(), *OPENML}
    for place, data_folder in _folders(folder, tried):
        if name in data_folder:
            return data_folder.load(name)
        known.update(data_folder)
        tried.append(f"{place}: it has {len(data_folder)} sets, but not this one")
    if name in bundled_datasets():
        return load_dataset(name)
    tried.append("the bundled sets: not among them")
    if name in OPENML and online:
        try:
            return fetch_openml_dataset(name)
        except DatasetNotFoundError as error:
            tried.append(f"OpenML: {error.__cause__ or error}")
    elif name in OPENML:
        tried.append("OpenML: has it, but online=False forbids to ask")
    else:
        tried.append("OpenML: no version is pinned")
    raise DatasetNotFoundError(*_explain(name, tried, sorted(known)))


def _folders(
    folder: DataFolder | str | PathLike[str] | None, tried: list[str]
) -> list[tuple[str, DataFolder]]:
    """Open the folders to look in; only a wrong argument is an error."""
    folders = []
    if folder is not None:
        given = folder if isinstance(folder, DataFolder) else DataFolder(folder)
        folders.append(("the given folder", given))
    if path := os.environ.get(VARIABLE):
        try:
            folders.append((f"the folder of {VARIABLE}", DataFolder(path)))
        except FileNotFoundError:
            tried.append(f"the folder of {VARIABLE}: there is no INDEX.csv")
    elif folder is None:
        tried.append(f"a data folder: none is given, and {VARIABLE} is not set")
    return folders


def _explain(name: str, tried: list[str], known: list[str]) -> tuple[str, ...]:
    return (
        f"No data set called {name!r} was found. {close_matches(name, known)}Tried:\n"
        + "".join(f"- {one}\n" for one in tried)
        + "Name a folder that has it with ",
        Parameter("folder"),
        f" or the environment variable {VARIABLE}",
        PythonHint(
            ", download another version with fetch_openml_dataset(), or read a file "
            "with read_table()"
        ),
        ".",
    )
