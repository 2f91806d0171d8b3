"""What a study stores of a trial, and the progress that a search reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.search.evaluation.fold_scores import keep_finite
from manyminds.search.space.space import PipelineSpec

__all__ = ["INPUTS", "SearchProgress", "Snapshot", "TrialRecord", "read_record"]

# Keys of the two attributes that Optuna stores with a trial: who runs which pipeline,
# and what came of it. Each is written in one piece.
CLAIM, RESULT = "claim", "result"
INPUTS = "inputs"  # key of a pipeline that also reads the predictions of others


@dataclass(frozen=True)
class TrialRecord:
    """A trial as the study stores it.

    Parameters
    ----------
    number : int
    state : {"complete", "sampled", "pruned", "slow", "failed", "unfinished", \
"running", "duplicate"}
        A sampled pipeline went through all folds of a sample of the rows.
    stage : str
        Which kind of proposal it was.
    pipeline : dict
    text : str
        The pipeline in one line.
    score : float
        Of the pooled predictions of the folds that were done.
    std : float
        Standard deviation of the scores of single folds; NaN for one fold.
    criterion : float
        By which complete pipelines are ranked; NaN for others.
    fold_scores : list of float
    seconds, fit_seconds : float
        Of all folds, and of the fit in one fold on average.
    at : float
        Second of the run in which it ended.
    reason : str
        Why it failed.
    limit : float, default=inf
        Seconds that it was allowed.
    predict_seconds : float, default=0.0
        To predict one row, on average.
    temperature : float, default=1.0
        By which its probabilities are scaled.
    level : int, default=0
        Number of the sample of rows, the smallest first; the last has all rows.
    """

    number: int
    state: str
    stage: str
    pipeline: PipelineSpec
    text: str
    score: float
    std: float
    criterion: float
    fold_scores: list[float]
    seconds: float
    fit_seconds: float
    at: float
    reason: str
    limit: float = np.inf
    predict_seconds: float = 0.0
    temperature: float = 1.0
    level: int = 0

    @property
    def inputs(self) -> tuple[int, ...]:
        """Numbers of the trials whose predictions the pipeline reads as columns."""
        return tuple(self.pipeline.get(INPUTS, ()))

    @property
    def key(self) -> tuple[PipelineSpec, int]:
        """The pipeline and the level: what a trial evaluates."""
        return self.pipeline, self.level

    def is_undecided(self, limit: float) -> bool:
        """Return whether the pipeline deserves another trial of ``limit`` seconds."""
        had_less = self.state == "slow" and self.limit < limit
        return self.state == "unfinished" or had_less


@dataclass(frozen=True)
class Snapshot:
    """The trials of a study at one moment.

    Parameters
    ----------
    records : sequence of TrialRecord
        All trials but duplicates, in their order.
    n_waiting : int
        Trials in the queue.
    stacked : sequence of TrialRecord, default=()
        Pipelines that also read the predictions of others; not among the records.
    """

    records: Sequence[TrialRecord]
    n_waiting: int = 0
    stacked: Sequence[TrialRecord] = ()

    def select(self, state: str) -> list[TrialRecord]:
        """Return the trials of a state."""
        return [one for one in self.records if one.state == state]

    def list_stacked(self, inputs: Sequence[int]) -> list[TrialRecord]:
        """Return the trials that read the predictions of just these others."""
        return [one for one in self.stacked if one.inputs == tuple(inputs)]

    @property
    def incumbent(self) -> TrialRecord | None:
        """The best pipeline that went through all folds, if there is one."""
        complete = self.select("complete")
        return max(complete, key=lambda one: one.criterion, default=None)

    def find_incumbent(self, level: int) -> TrialRecord | None:
        """Return the best pipeline on a sample of the rows, if there is one."""
        here = [one for one in self.select("sampled") if one.level == level]
        return max(here, key=lambda one: one.score, default=None)


@dataclass(frozen=True)
class SearchProgress:
    """The progress of a search.

    Parameters
    ----------
    n_done : int
        Trials of this run that have ended.
    n_trials : int or None
        Trials that this run may make.
    seconds, budget : float
        Spent and allowed.
    best : float
        Score of the incumbent; NaN before the first.
    latest : str
        The pipeline of the latest trial.
    is_compiling : bool, default=False
        Whether kernels are being compiled, once after an installation, before the
        clock of the search starts.
    """

    n_done: int
    n_trials: int | None
    seconds: float
    budget: float
    best: float
    latest: str
    is_compiling: bool = False


def read_record(trial: Any) -> TrialRecord:
    """Return the record of a trial of Optuna that has been claimed."""
    claim, result = trial.user_attrs[CLAIM], trial.user_attrs.get(RESULT, {})
    scores = keep_finite(result.get("fold_scores", []))
    without_result = "unfinished" if trial.state.name == "FAIL" else "running"
    state = result.get("state", without_result)
    if state == "complete" and trial.value is None:  # killed while it was written
        state = without_result
    return TrialRecord(
        number=trial.number,
        state=state,
        stage=claim["stage"],
        pipeline=_read_pipeline(claim["pipeline"]),
        text=claim["text"],
        score=float(result.get("score", np.mean(scores) if scores else np.nan)),
        std=float(np.std(scores)) if len(scores) > 1 else np.nan,
        criterion=float(trial.value) if state == "complete" else np.nan,
        fold_scores=result.get("fold_scores", []),
        seconds=result.get("seconds", 0.0),
        fit_seconds=result.get("fit_seconds", 0.0),
        at=result.get("at", np.nan),
        reason=result.get("reason", ""),
        limit=result.get("limit", np.inf),
        predict_seconds=result.get("predict_seconds", 0.0),
        temperature=result.get("temperature", 1.0),
        level=claim.get("level", 0),
    )


def _read_pipeline(stored: PipelineSpec) -> PipelineSpec:
    """Return a pipeline of values that can be keys of a dictionary."""
    if INPUTS not in stored:
        return stored
    return {**stored, INPUTS: tuple(stored[INPUTS])}
