"""Look up a data set by name in folders, the bundled sets and OpenML."""

import os
from os import PathLike

from manyminds.datasets.bundled import bundled_datasets, load_dataset
from manyminds.datasets.dataset import Dataset, DatasetNotFoundError
from manyminds.datasets.folder import DataFolder
from manyminds.datasets.names import suggest_close
from manyminds.datasets.openml import OPENML, fetch_openml_dataset
from manyminds.utils.errors import Parameter, PythonHint

__all__ = ["DATA_VARIABLE", "find_dataset"]

DATA_VARIABLE = "MANYMINDS_DATA"


def find_dataset(
    name: str,
    folder: DataFolder | str | PathLike[str] | None = None,
    online: bool = True,
) -> Dataset:
    """Return the data set of a name from the first source that has it.

    The sources are, in this order: ``folder``; the folder in the environment variable
    ``MANYMINDS_DATA``; the bundled sets; and OpenML, for the names whose version is
    pinned in ``OPENML``.

    Parameters
    ----------
    name : str
        Name of the data set.
    folder : DataFolder or path, default=None
        First folder to search.
    online : bool, default=True
        Whether to query OpenML.

    Returns
    -------
    data : Dataset
        The set; its ``source`` is where it was found.

    Raises
    ------
    DatasetNotFoundError
        If no source has it. The message lists the sources and what to do.

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
        tried.append("OpenML: has it, but online=False")
    else:
        tried.append("OpenML: no version is pinned")
    raise DatasetNotFoundError(*_explain(name, tried, sorted(known)), name=name)


def _folders(
    folder: DataFolder | str | PathLike[str] | None, tried: list[str]
) -> list[tuple[str, DataFolder]]:
    """Open the folders to search; only an invalid argument is an error."""
    folders = []
    if folder is not None:
        given = folder if isinstance(folder, DataFolder) else DataFolder(folder)
        folders.append(("the given folder", given))
    if path := os.environ.get(DATA_VARIABLE):
        try:
            folders.append((f"the folder of {DATA_VARIABLE}", DataFolder(path)))
        except FileNotFoundError:
            tried.append(f"the folder of {DATA_VARIABLE}: there is no INDEX.csv")
    elif folder is None:
        tried.append(f"a data folder: folder is None, and {DATA_VARIABLE} is not set")
    return folders


def _explain(name: str, tried: list[str], known: list[str]) -> tuple[str, ...]:
    return (
        f"No data set called {name!r} was found. {suggest_close(name, known)}Tried:\n"
        + "".join(f"- {one}\n" for one in tried)
        + "Name a folder that has it with ",
        Parameter("folder"),
        f" or the environment variable {DATA_VARIABLE}",
        PythonHint(
            ", download another version with fetch_openml_dataset(), or read a file "
            "with read_table()"
        ),
        ".",
    )
