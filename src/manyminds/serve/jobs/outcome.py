"""What came of a job whose process has ended."""

import json
import re
import time
from pathlib import Path

from manyminds.reports.search.folder import RESULT
from manyminds.serve.jobs.job import Job
from manyminds.serve.wording import rename_options

__all__ = ["judge_outcome", "read_notes"]

INVALID = re.compile(r"^Invalid value for (.+?)'?: ")
MAX_LOG = 200_000  # bytes of the log that are read, from its end
STOPPED = "It was stopped before there was a result."
VANISHED = "Its process ended without a word; the machine may have run out of memory."


def judge_outcome(job: Job, root: Path, home: Path) -> Job:
    """Return a job whose process has ended as done, canceled or failed.

    Parameters
    ----------
    job : Job
    root : Path
        The served folder.
    home : Path
        Folder of the job, with its output and its log.

    Returns
    -------
    job : Job
    """
    if job.kind == "search":
        done = _has_result(job, root)
    elif job.kind == "predict":
        done = Path(job.words[job.words.index("--out") + 1]).is_file()
    else:
        done = _has_output(home)
    ended = time.time()
    if done:
        return job.change(state="done", ended=ended)
    notes = read_notes(home / "log.txt")
    errors = _list_errors(notes)
    reason = VANISHED
    if errors:
        reason = errors[-1]
    elif job.is_stopped:
        reason = STOPPED
    elif notes:
        reason = f"Its process ended early: {notes[-1]}"
    state = "canceled" if job.is_stopped and not errors else "failed"
    return job.change(state=state, ended=ended, reason=reason)


def read_notes(log: Path) -> list[str]:
    """Return the sentences that a command has printed, with fields for options."""
    try:
        with open(log, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - MAX_LOG))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return []
    lines = [line.strip() for line in text.splitlines()]
    return [rename_options(line) for line in lines if line]


def _list_errors(notes: list[str]) -> list[str]:
    """Return the errors of a command; those of its arguments are in a frame."""
    found = []
    for one in notes:
        if one.startswith("Error: "):
            found.append(one.removeprefix("Error: "))
        elif one.startswith("│"):
            found.append(rename_options(one.strip("│ ").replace("'--", "--", 1)))
    return [INVALID.sub(r"\1: ", one) for one in found]


def _has_result(job: Job, root: Path) -> bool:
    """Return whether a search has written its result since it was started."""
    file = root / job.place / RESULT
    try:
        content = json.loads(file.read_text("utf-8"))
        return content["state"] == "done" and file.stat().st_mtime >= job.started
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _has_output(home: Path) -> bool:
    try:
        json.loads((home / "output.json").read_text("utf-8"))
        return True
    except (OSError, ValueError):
        return False
