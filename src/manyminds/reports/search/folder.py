"""The folder of a search: create it, check that its search can be resumed, read it."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from manyminds.reports.search.summary_types import SearchSummary
from manyminds.reports.shared.plain import from_plain, to_plain
from manyminds.utils.errors import (
    InputError,
    MissingFileError,
    Parameter,
    PythonHint,
    UserError,
)
from manyminds.utils.files import write_atomically

STUDY = "study.sqlite"
RESULT = "search.json"
MODEL = "model.skops"
REPORT = "report.html"
CARD = "model_card.md"
MARKERS = (STUDY, RESULT, MODEL)  # a folder with any of them holds a search
PARAMETERS = {  # of the identity, and what users call them
    "target": "target",
    "task": "task",
    "metric": "metric",
    "cv": "cv",
    "seed": "random_state",
    "group": "group",
    "time": "time",
    "fold": "fold",
    "weight": "weight",
    "exportable": "exportable",
}
ROW_COLUMNS = ("group", "time", "fold", "weight")
RESUME = (Parameter("resume"), PythonHint("=True"))


class SearchExistsError(UserError, FileExistsError):
    """A folder holds another search already."""


@dataclass(frozen=True)
class SearchIdentity:
    """What must be the same for a search to be resumed.

    Parameters
    ----------
    name : str
        Name of the data set.
    fingerprint : str
        Hash of its content.
    target, task, metric : str
    cv : int or None
        Number of folds; None chooses it by the number of rows.
    seed : int
    group, time, fold, weight : str or None, default=None
        Columns of groups, times, test folds and weights; part of the fingerprint.
    exportable : bool or None, default=None
        True if only models that can be exported are searched.
    """

    name: str
    fingerprint: str
    target: str
    task: str
    metric: str
    cv: int | None
    seed: int
    group: str | None = None
    time: str | None = None
    fold: str | None = None
    weight: str | None = None
    exportable: bool | None = None

    @property
    def row_columns(self) -> dict[str, str]:
        """Columns of groups, times, test folds and weights, where there are any."""
        every = {role: getattr(self, role) for role in ROW_COLUMNS}
        return {role: name for role, name in every.items() if name is not None}

    @property
    def study_name(self) -> str:
        """Name by which several machines find the same study in one database."""
        from manyminds.utils.hashing import make_key

        # Without them, a study has the name that earlier versions gave it.
        known = {k: v for k, v in asdict(self).items() if k not in ROW_COLUMNS}
        if self.exportable is None:
            del known["exportable"]
        return f"{self.name}-{make_key([known | self.row_columns])[:12]}"


def open_search_folder(
    folder: str | os.PathLike[str],
    identity: SearchIdentity,
    *,
    resume: bool = False,
    command: str = "",
    storage: str | None = None,
) -> Path:
    """Create the folder of a search, or check that its search can be resumed.

    Parameters
    ----------
    folder : path
    identity : SearchIdentity
    resume : bool, default=False
        Whether to resume the search in the folder.
    command : str, default=""
        Stored, to show how to resume it.
    storage : str or None, default=None
        Database of the trials, without its password; None means a file in the folder.

    Returns
    -------
    folder : Path

    Raises
    ------
    SearchExistsError
        If the folder holds a search and ``resume`` is False.
    MissingFileError
        If the folder holds no search and ``resume`` is True.
    InputError
        If its search has other data or settings.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(
            Parameter("out"), f" must be a folder; {str(folder)!r} is a file."
        )
    exists = any((folder / name).exists() for name in MARKERS)
    if exists and not resume:
        raise SearchExistsError(
            f"{folder} holds a search already: continue it with ",
            *RESUME,
            ", or name another folder with ",
            Parameter("out"),
            ".",
        )
    if resume:
        _check_same(folder, identity, storage, exists)
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "state": "running",
        "identity": asdict(identity),
        "command": command,
        "storage": storage,
    }
    write_atomically(folder / RESULT, _to_json(content))
    return folder


def discard_search(folder: str | os.PathLike[str]) -> None:
    """Remove the files of a search that ended before its first trial.

    Parameters
    ----------
    folder : path
        Created by `open_search_folder`; removed if nothing else is in it.
    """
    folder = Path(folder)
    for file in [folder / RESULT, *folder.glob(f"{STUDY}*")]:
        file.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def write_result(
    folder: str | os.PathLike[str], identity: SearchIdentity, summary: SearchSummary
) -> Path:
    """Write the summary that `read_search` reads; the search is finished."""
    folder = Path(folder)
    content = {
        "state": "done",
        "identity": asdict(identity),
        "command": summary.command,
        "storage": _read_result(folder).get("storage"),
        "summary": to_plain(summary),
    }
    write_atomically(folder / RESULT, _to_json(content))
    return folder / RESULT


def read_search(folder: str | os.PathLike[str]) -> SearchSummary:
    """Read the summary of a search from its folder.

    Parameters
    ----------
    folder : path
        Written by ``manyminds search``.

    Returns
    -------
    summary : SearchSummary

    Examples
    --------
    >>> from manyminds.reports import read_search
    >>> read_search("nowhere")
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.MissingFileError: There is no search in 'nowhere': it has no
    search.json.
    """
    content = _read_result(Path(folder))
    if content["state"] != "done":
        command = content.get("command")
        raise InputError(
            f"The search in {folder} is not finished. Continue it with ",
            *([f"{command} --resume"] if command else RESUME),
        )
    try:
        return from_plain(SearchSummary, content["summary"])
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{Path(folder) / RESULT} is damaged, or of another version."
        ) from error


def _check_same(
    folder: Path, identity: SearchIdentity, storage: str | None, exists: bool
) -> None:
    if not exists:
        raise MissingFileError(
            Parameter("resume"), f": there is no search in {str(folder)!r}."
        )
    content = _read_result(folder)
    if content.get("storage") != storage:
        place = content.get("storage") or f"{STUDY} in that folder"
        raise InputError(
            Parameter("resume"), f": the trials of {folder} are stored in {place}."
        )
    earlier = content["identity"]
    if earlier.get("fingerprint") != identity.fingerprint:
        raise InputError(
            Parameter("resume"),
            f": the search in {folder} used other data ({earlier.get('name')}): rows, "
            "columns or values differ.",
        )
    for name, parameter in PARAMETERS.items():
        now, before = getattr(identity, name), earlier.get(name)
        if now != before:
            raise InputError(
                Parameter("resume"),
                f": the search in {folder} used ",
                Parameter(parameter),
                f" {before}, not {now}.",
            )


def _read_result(folder: Path) -> dict[str, Any]:
    file = folder / RESULT
    if not file.is_file():
        raise MissingFileError(
            f"There is no search in {str(folder)!r}: it has no {RESULT}."
        )
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or not {"state", "identity"} <= set(content):
            raise InputError("no search")
    except ValueError as error:
        raise InputError(f"{file} is damaged, or not of a search.") from error
    return content


def _to_json(content: Mapping[str, Any]) -> bytes:
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()
