"""How far a search is: trials, incumbent, what is running, what has failed."""

import math
import time
from dataclasses import dataclass, field
from typing import Any

from manyminds.reports.search.folder import STUDY
from manyminds.search.choice.results import make_leaderboard
from manyminds.search.evaluation.label_metrics import make_scorer
from manyminds.search.study.trial_reader import StoredTrials, read_trials
from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.job import Job
from manyminds.utils.errors import InputError, UserError
from manyminds.utils.leases import is_alive

__all__ = ["LiveRow", "LiveSearch", "TrialFailure", "check_idle", "read_progress"]

MAX_ROWS = 15  # of the leaderboard
MAX_FAILURES = 50
UNUSABLE = ("failed", "slow")


@dataclass(frozen=True)
class LiveRow:
    """A pipeline of the leaderboard."""

    rank: int
    pipeline: str
    score: float
    low: float
    high: float
    seconds: float


@dataclass(frozen=True)
class TrialFailure:
    """A trial that failed, and why."""

    trial: int
    pipeline: str
    reason: str


@dataclass(frozen=True)
class LiveSearch:
    """How far a search is.

    Parameters
    ----------
    state : {"queued", "running", "finishing", "done", "failed", "canceled", \
"interrupted"}
        A search is interrupted if its process has ended without a result.
    metric : str
    n_done : int
        Trials that have ended.
    counts : dict of str to int
        Trials in each state.
    best : float
        Score of the incumbent; NaN before the first.
    left : float or None
        Seconds of the budget that are left.
    share : float or None
        Of the budget that is spent.
    curve : list of (int, float, str)
        Trial, score of the incumbent from then on, and its pipeline.
    leaderboard : list of LiveRow
    running : list of str
        Pipelines that are being evaluated.
    failures : list of TrialFailure
        The latest first.
    """

    state: str
    metric: str = ""
    n_done: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    best: float = math.nan
    left: float | None = None
    share: float | None = None
    curve: list[tuple[int, float, str]] = field(default_factory=list)
    leaderboard: list[LiveRow] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    failures: list[TrialFailure] = field(default_factory=list)

    @property
    def is_active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("queued", "running", "finishing")


def read_progress(folder: ServedFolder, place: str, job: Job | None) -> LiveSearch:
    """Read how far a search is, from its folder and its job.

    Parameters
    ----------
    folder : ServedFolder
    place : str
        Folder of the search, which need not exist yet.
    job : Job or None
        None for a search that was started from a shell.

    Returns
    -------
    live : LiveSearch
    """
    path = folder.resolve(place)
    trials = read_trials(path / STUDY)
    content = folder.read_entry(path).content if path.is_dir() else {}
    identity = content.get("identity", {})
    left, share = _read_clock(job)
    values: dict[str, Any] = {"left": left, "share": share}
    state = _judge(content, job, trials)
    is_ending = left == 0.0 or (job is not None and job.is_stopped)
    if state == "running" and is_ending:
        values = {"left": None, "share": None, "state": "finishing"}
    values.setdefault("state", state)
    if identity and trials:
        values |= _describe(trials, identity, is_running=state == "running")
    return LiveSearch(**values)


def check_idle(folder: ServedFolder, place: str, job: Job | None) -> None:
    """Raise if a search runs or waits, here or in a shell.

    Parameters
    ----------
    folder : ServedFolder
    place : str
        Folder of the search.
    job : Job or None
        Its latest job, if there is one.
    """
    if read_progress(folder, place, job).is_active:
        raise InputError("The search is still running: stop it first.")


def _judge(content: dict[str, Any], job: Job | None, trials: StoredTrials) -> str:
    if job is not None and job.is_active:
        return "queued" if job.state == "queued" else "running"
    if content.get("state") == "done":
        return "done"
    if job is not None and job.state in ("failed", "canceled"):
        return job.state
    running = [trials.owners[one.number] for one in trials if one.state == "running"]
    return "running" if any(map(is_alive, running)) else "interrupted"


def _read_clock(job: Job | None) -> tuple[float | None, float | None]:
    """Return the seconds that are left, and the share that is spent."""
    if job is None or job.seconds is None or job.state != "running":
        return None, None
    spent = time.time() - job.started
    return max(0.0, job.seconds - spent), min(1.0, spent / job.seconds)


def _describe(
    trials: StoredTrials, identity: dict[str, Any], *, is_running: bool
) -> dict[str, Any]:
    counts: dict[str, int] = {}
    for one in trials:
        counts[one.state] = counts.get(one.state, 0) + 1
    running = [
        one.text
        for one in trials
        if is_running and one.state == "running" and is_alive(trials.owners[one.number])
    ]
    failures = [
        TrialFailure(one.number, one.text, one.reason or one.state)
        for one in reversed(trials)
        if one.state in UNUSABLE
    ]
    metric, task = str(identity.get("metric")), str(identity.get("task"))
    found: dict[str, Any] = {
        "metric": metric,
        "n_done": len(trials) - counts.get("running", 0),
        "counts": counts,
        "running": running,
        "failures": failures[:MAX_FAILURES],
    }
    try:
        measure = make_scorer(metric, task)
    except (UserError, ValueError):
        return found
    return found | _rank(trials, measure)


def _rank(trials: StoredTrials, measure: Any) -> dict[str, Any]:
    """Return the leaderboard, the incumbent and its curve."""
    board = make_leaderboard(trials, measure).head(MAX_ROWS)
    rows = [
        LiveRow(
            int(row["rank"]), str(row["pipeline"]), float(row["score"]),
            float(row["low"]), float(row["high"]), float(row["seconds"]),
        )
        for row in board.to_dict("records")
    ]  # fmt: skip
    curve, highest = [], -math.inf
    for number, one in enumerate(trials, start=1):
        if one.state == "complete" and one.criterion > highest:
            highest = one.criterion
            curve.append((number, float(measure.show(one.score)), one.text))
    if curve:
        curve.append((len(trials), curve[-1][1], curve[-1][2]))
    best = rows[0].score if rows else math.nan
    return {"leaderboard": rows, "curve": curve, "best": best}
