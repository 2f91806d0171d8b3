"""The folder of a search: what it holds, whose it is, and how it is read again."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset
from manyminds.reports.comparison.parts import to_plain
from manyminds.reports.search.page import render_search_page
from manyminds.reports.search.parts import (
    HonestFacts,
    SearchDetails,
    SearchSummary,
)
from manyminds.utils.files import write_atomically

STUDY = "study.sqlite"
RESULT = "search.json"
MODEL = "model.skops"
TELLING = (STUDY, RESULT, MODEL)  # any of them tells that a folder holds a search
WORDS = {
    "fingerprint": "data",
    "target": "--target",
    "task": "--task",
    "metric": "--metric",
    "cv": "--cv",
    "seed": "--seed",
}


@dataclass(frozen=True)
class SearchIdentity:
    """What must be the same for a search to go on.

    Parameters
    ----------
    name : str
        Of the data set.
    fingerprint : str
        Of its content.
    target, task, metric : str
    cv : int or None
        Number of folds; None for one that suits the rows.
    seed : int
    """

    name: str
    fingerprint: str
    target: str
    task: str
    metric: str
    cv: int | None
    seed: int

    @property
    def study_name(self) -> str:
        """A name by which several machines find the same study in one database."""
        from manyminds.utils.hashing import make_key

        return f"{self.name}-{make_key([asdict(self)])[:12]}"


def open_search_folder(
    folder: str | os.PathLike[str],
    identity: SearchIdentity,
    *,
    resume: bool = False,
    command: str = "",
    storage: str | None = None,
) -> Path:
    """Make the folder of a search, or check that its search can go on.

    Parameters
    ----------
    folder : path
    identity : SearchIdentity
    resume : bool, default=False
        Whether a search that is there is to go on.
    command : str, default=""
        Kept, to say how to go on.
    storage : str or None, default=None
        Database of the trials, without its password; None: a file in the folder.

    Returns
    -------
    folder : Path

    Raises
    ------
    FileExistsError
        If there is a search, and it is not to go on.
    FileNotFoundError
        If there is none that could.
    ValueError
        If it was made with other data or settings.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"--out takes a folder; {str(folder)!r} is a file.")
    there = any((folder / name).exists() for name in TELLING)
    if there and not resume:
        raise FileExistsError(
            f"{folder} holds a search already: go on with it by --resume, or name "
            "another folder by --out."
        )
    if resume:
        _check_same(folder, identity, storage, there)
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


def write_search(
    folder: str | os.PathLike[str],
    search: Any,
    data: Dataset,
    identity: SearchIdentity,
    summary: SearchSummary,
    details: SearchDetails | None,
) -> list[Path]:
    """Write model, tables, result and page, each whole or not at all.

    Parameters
    ----------
    folder : path
        Made by `open_search_folder`.
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset
    identity : SearchIdentity
    summary : SearchSummary
    details : SearchDetails or None
        None for no page.

    Returns
    -------
    paths : list of Path
    """
    written = [write_model(folder, search, data, identity, summary.command)]
    written += write_tables(folder, search, data)
    written.append(write_result(folder, identity, summary))
    if details is not None:
        written.append(write_page(folder, summary, details))
    return written


def discard_search(folder: str | os.PathLike[str]) -> None:
    """Remove what a search has written that ended before its first trial did.

    Parameters
    ----------
    folder : path
        Made by `open_search_folder`; it goes as well if nothing else is in it.
    """
    folder = Path(folder)
    for file in [folder / RESULT, *folder.glob(f"{STUDY}*")]:
        file.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def write_model(
    folder: str | os.PathLike[str],
    search: Any,
    data: Dataset,
    identity: SearchIdentity,
    command: str,
) -> Path:
    """Write the model of a search, and check that the file can be used.

    Nothing is needed but the model, so that no failure in judging or reporting can
    lose it.

    Parameters
    ----------
    folder, search, data, identity
        See `write_search`.
    command : str
        The command that made it.

    Returns
    -------
    path : Path

    Raises
    ------
    ModelFileError
        If the file cannot be loaded, or predicts other values than the model.
    """
    from manyminds.persistence.model_file import check_model, save_model

    honest = search.honest_score_
    members = search.weights_ if search.committee_ is not None else []
    about = {
        "metric": search.metric_,
        "honest_score": {
            one.name: getattr(honest, one.name, None) for one in fields(HonestFacts)
        },
        "best": str(search.leaderboard_["pipeline"].iloc[0]),
        "members": [{"chain": chain, "weight": share} for chain, share in members],
        "command": command,
    }
    path = Path(folder) / MODEL
    save_model(path, search.model_, data, about=to_plain(about), target=identity.target)
    check_model(path, search.model_, data)
    return path


def write_tables(
    folder: str | os.PathLike[str], search: Any, data: Dataset
) -> list[Path]:
    """Write leaderboard, trace, selection, importance and predictions as CSV."""
    folder = Path(folder)
    tables = {
        "leaderboard.csv": search.leaderboard_,
        "trace.csv": search.trace_,
        "selection.csv": search.selection_,
        "importance.csv": search.importance_,
        "predictions.csv": list_predictions(search, data),
    }
    for name, table in tables.items():
        write_atomically(folder / name, table.to_csv(index=False).encode())
    return [folder / name for name in tables]


def write_page(
    folder: str | os.PathLike[str], summary: SearchSummary, details: SearchDetails
) -> Path:
    """Write the report."""
    page = render_search_page(summary, details, folder=str(folder))
    path = Path(folder) / "report.html"
    write_atomically(path, page.encode())
    return path


def write_result(
    folder: str | os.PathLike[str], identity: SearchIdentity, summary: SearchSummary
) -> Path:
    """Write what `read_search` reads: the search is done."""
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
    """Read what a search found from its folder.

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
    FileNotFoundError: There is no search in 'nowhere': no search.json is there.
    """
    content = _read_result(Path(folder))
    if content["state"] != "done":
        raise ValueError(
            f"The search in {folder} has not been finished. It goes on by: "
            f"{content['command']} --resume"
        )
    try:
        return _from_plain(SearchSummary, content["summary"])
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"{Path(folder) / RESULT} is damaged, or of another version."
        ) from error


def list_predictions(search: Any, data: Dataset) -> pd.DataFrame:
    """List what was predicted out of fold, a row for each row of the table.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset

    Returns
    -------
    predictions : DataFrame
        ``row`` from 1, ``target``, ``prediction``, ``probability <class>`` for each
        class, ``fold`` from 1.
    """
    made = search.oof_predictions_
    fold = np.zeros(data.n_samples, dtype=np.int64)
    for number, (_, test) in enumerate(search.folds_, start=1):
        fold[test] = number
    columns: dict[str, Any] = {"row": np.arange(1, data.n_samples + 1)}
    columns["target"] = np.asarray(data.y)
    if data.task == "classification":
        columns["prediction"] = search.classes_[made.argmax(axis=1)]
        for place, label in enumerate(search.classes_):
            columns[f"probability {label}"] = made[:, place]
    else:
        columns["prediction"] = made
    return pd.DataFrame(columns | {"fold": fold})


def _check_same(
    folder: Path, identity: SearchIdentity, storage: str | None, there: bool
) -> None:
    if not there:
        raise FileNotFoundError(
            f"--resume: there is no search in {str(folder)!r} that could go on."
        )
    content = _read_result(folder)
    if content.get("storage") != storage:
        place = content.get("storage") or f"{STUDY} in it, without --storage"
        raise ValueError(f"--resume: the trials of {folder} are kept in {place}.")
    kept = content["identity"]
    for name, word in WORDS.items():
        now, before = getattr(identity, name), kept.get(name)
        if now == before:
            continue
        if name == "fingerprint":
            raise ValueError(
                f"--resume: the search in {folder} was made with other data "
                f"({kept.get('name')}): rows, columns or values differ."
            )
        raise ValueError(
            f"--resume: the search in {folder} was made with {word} {before}, not "
            f"{now}."
        )


def _read_result(folder: Path) -> dict[str, Any]:
    file = folder / RESULT
    if not file.is_file():
        raise FileNotFoundError(
            f"There is no search in {str(folder)!r}: no {RESULT} is there."
        )
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or not {"state", "identity"} <= set(content):
            raise ValueError("no search")
    except ValueError as error:
        raise ValueError(f"{file} is damaged, or not of a search.") from error
    return content


def _to_json(content: Mapping[str, Any]) -> bytes:
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()


def _from_plain(kind: Any, value: Any) -> Any:
    """Make a dataclass again of what `to_plain` has made of it."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        given = {
            f.name: _from_plain(hints[f.name], value[f.name]) for f in fields(kind)
        }
        return kind(**given)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
        return tuple(_from_plain(one, part) for one, part in zip(kinds, value))
    if origin is dict:
        return {key: _from_plain(inner[1], part) for key, part in value.items()}
    if origin in (Union, UnionType):
        return None if value is None else _from_plain(inner[0], value)
    return float("nan") if kind is float and value is None else value
