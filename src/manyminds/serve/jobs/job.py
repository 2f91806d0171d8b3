"""A job: one run of the command line, described by files in a folder of its own."""

import json
import secrets
import time
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from manyminds.utils.errors import MissingFileError
from manyminds.utils.files import write_atomically

__all__ = ["ACTIVE", "Job", "list_jobs", "make_id", "read_job", "write_job"]

ACTIVE = ("queued", "starting", "running")


@dataclass(frozen=True)
class Job:
    """One run of the command line.

    Parameters
    ----------
    id : str
        Sorts by time.
    kind : {"search", "analyze", "predict", "select", "compare"}
    words : tuple of str
        After ``manyminds``.
    title : str
        What a person calls it.
    place : str, default=""
        Folder of the results within the served folder.
    table : str, default=""
        Reference of the table.
    state : {"queued", "starting", "running", "done", "failed", "canceled"}
    created, started, ended : float
        Seconds since the epoch; 0 if not yet.
    owner : str, default=""
        The process, as `manyminds.utils.leases.name_owner` names it.
    is_stopped : bool, default=False
        Whether a person has asked it to end early.
    seconds : float or None, default=None
        Budget.
    reason : str, default=""
        Why it failed, in one sentence.
    details : dict, default=None
        Whatever the page that started it needs.
    """

    id: str
    kind: str
    words: tuple[str, ...]
    title: str
    place: str = ""
    table: str = ""
    state: str = "queued"
    created: float = 0.0
    started: float = 0.0
    ended: float = 0.0
    owner: str = ""
    is_stopped: bool = False
    seconds: float | None = None
    reason: str = ""
    details: dict[str, Any] | None = None

    @property
    def is_active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ACTIVE

    def change(self, **values: Any) -> "Job":
        """Return the job with other values."""
        return replace(self, **values)


def make_id() -> str:
    """Return a new name of a job; names sort by time."""
    return f"{int(time.time() * 1000):011x}-{secrets.token_hex(3)}"


def write_job(folder: Path, job: Job) -> None:
    """Write a job into its folder, whole or not at all."""
    (folder / job.id).mkdir(parents=True, exist_ok=True)
    content = json.dumps(asdict(job), indent=1, ensure_ascii=False)
    write_atomically(folder / job.id / "job.json", content.encode())


def read_job(folder: Path, name: str) -> Job:
    """Read a job from its folder.

    Raises
    ------
    MissingFileError
        If there is no such job.
    """
    try:
        if not name.replace("-", "").isalnum():
            raise ValueError("not a name of ours")
        content = json.loads((folder / name / "job.json").read_text("utf-8"))
        known = {one.name for one in fields(Job)}
        given = {key: value for key, value in content.items() if key in known}
        return Job(**{**given, "words": tuple(given["words"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MissingFileError(f"There is no job {name!r}.") from error


def list_jobs(folder: Path) -> list[Job]:
    """Read all jobs, the oldest first; damaged ones are left out."""
    found = []
    for place in sorted(folder.iterdir()) if folder.is_dir() else []:
        try:
            if place.is_dir():
                found.append(read_job(folder, place.name))
        except MissingFileError:
            continue
    return found
