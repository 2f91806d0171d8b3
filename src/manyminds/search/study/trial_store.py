"""The store of a study's trials: Optuna's storage, claims and requeued trials."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.fold_scores import keep_finite
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import PipelineSpec, Space
from manyminds.search.study.description import MINUTES, check_same
from manyminds.search.study.prediction_store import open_prediction_store
from manyminds.search.study.storage import explain_storage, lock_study, retry
from manyminds.search.study.trial_record import (
    CLAIM,
    INPUTS,
    RESULT,
    Snapshot,
    TrialRecord,
    read_record,
)
from manyminds.utils.databases import (
    RelaxedConnection,
    StoreError,
    complete_url,
    hide_password,
    locate_file,
    stay_connected,
)
from manyminds.utils.leases import is_alive, is_local, name_owner

__all__ = ["Claim", "TrialStore", "read_minutes"]

FORMAT = 3  # of what is stored with trials; 2 had no samples of rows
ABOUT = "about"  # attribute of a study by which it is recognized
FIXED = "fixed_params"  # attribute of Optuna: what was enqueued
MAX_FOLDS = 1_000  # that are told apart in steps reported to Optuna
CLAIM_TIME = timedelta(minutes=1)  # that may pass between asking Optuna and a claim
FOREIGN_TIME = timedelta(days=1)  # after which a trial of another machine is orphaned
BUSY_SECONDS = 60  # to wait for a database that is locked


@dataclass(frozen=True)
class Claim:
    """A trial that this process runs.

    Parameters
    ----------
    number : int
    pipeline : dict
    text : str
        The pipeline in one line.
    trial : optuna.trial.Trial
    level : int, default=0
        Number of the sample of rows.
    """

    number: int
    pipeline: PipelineSpec
    text: str
    trial: Any
    level: int = 0


class TrialStore:
    """The trials of a study in memory or in a database that processes share.

    Parameters
    ----------
    url : str or None
        Of the database, or the name of a SQLite file; None: the study is stored in
        memory, and ends with the process.
    name : str
        Of the study in it.
    seed : int
        Of Optuna's sampler.
    space : Space
        Restricted to the problem.
    problem : Problem

    Attributes
    ----------
    study : optuna.study.Study
    predictions : PredictionStore
        Out-of-fold predictions of complete trials.
    n_before : int
        Trials that the study had when it was opened.
    """

    def __init__(
        self, url: str | None, name: str, seed: int, space: Space, problem: Problem
    ) -> None:
        self.url, self.name = url, name
        self.space, self.problem = space, problem
        self.predictions = open_prediction_store(url, name)
        self._storage = _open_storage(url)
        self.study = _open_study(self._storage, name, seed)
        self.n_before = len(self.study.get_trials(deepcopy=False))
        self._owner = name_owner()

    # ------------------------------------------------------------ queries

    def read(self) -> Snapshot:
        """Return all trials that have been claimed, and how many are waiting."""
        trials = self.study.get_trials(deepcopy=False)
        records = [read_record(one) for one in trials if CLAIM in one.user_attrs]
        return Snapshot(
            [one for one in records if one.state != "duplicate" and not one.inputs],
            sum(one.state.name == "WAITING" for one in trials),
            [one for one in records if one.inputs],
        )

    def lock(self) -> AbstractContextManager[bool]:
        """Return a context that locks out other processes of this machine."""
        return lock_study(self.url)

    # ------------------------------------------------------------ commands

    def begin(self, about: Mapping[str, Any], initial: Iterable[PipelineSpec]) -> None:
        """Queue the initial pipelines of a new study, or resume a stored one.

        Parameters
        ----------
        about : mapping
            What distinguishes this study from others, as plain values.
        initial : iterable of dict

        Raises
        ------
        ValueError
            If the stored study was made with other data or settings.
        """
        about = {"format": FORMAT, **about}
        with self.lock() as is_locked:
            stored = self.study.user_attrs.get(ABOUT)
            if stored is None:
                self._enqueue_new(initial)
                self.study.set_user_attr(ABOUT, about)  # last: all is queued
                return
            check_same(self.name, stored, about)
            self._requeue_orphans(is_locked)

    def enqueue(self, fixed: Mapping[str, Any], stage: str, level: int = 0) -> None:
        """Queue a pipeline, or a part of one that Optuna's sampler completes."""
        attributes: dict[str, Any] = {"stage": stage, "level": level}
        if "rows" in fixed:  # not a hyperparameter of Optuna's sampler
            attributes["rows"] = fixed["rows"]
        named = {name: value for name, value in fixed.items() if name != "rows"}
        self.study.enqueue_trial(named, attributes)

    def claim(self, stage: str) -> Claim:
        """Claim the next trial of the queue for this process.

        Parameters
        ----------
        stage : str
            Of the trial, unless it was queued with one.
        """
        trial = self.study.ask()
        pipeline = self.space.suggest(trial, self.problem)
        if "rows" in trial.user_attrs:
            pipeline["rows"] = trial.user_attrs["rows"]
        text = self.space.describe(pipeline, self.problem)
        stage = trial.user_attrs.get("stage", stage)
        level = trial.user_attrs.get("level", 0)
        claim = {
            "pipeline": pipeline, "text": text, "stage": stage, "owner": self._owner,
            "level": level,
        }  # fmt: skip
        trial.set_user_attr(CLAIM, claim)
        return Claim(trial.number, pipeline, text, trial, level)

    def change(self, claim: Claim, pipeline: PipelineSpec) -> Claim:
        """Change the pipeline of a claimed trial: it takes fewer rows."""
        text = self.space.describe(pipeline, self.problem)
        stored = claim.trial.user_attrs[CLAIM]
        claim.trial.set_user_attr(CLAIM, {**stored, "pipeline": pipeline, "text": text})
        return replace(claim, pipeline=pipeline, text=text)

    def discard(self, claim: Claim) -> None:
        """End a trial whose pipeline has been evaluated already."""
        from optuna.trial import TrialState

        claim.trial.set_user_attr(RESULT, {"state": "duplicate"})
        # Not as pruned, which the sampler would take for the worst of all.
        self.study.tell(claim.trial, state=TrialState.FAIL)

    def report(
        self,
        claim: Claim,
        evaluation: Evaluation,
        *,
        alpha: float,
        at: float,
        limit: float,
    ) -> None:
        """Store the result of a trial, unless another process has done so.

        Parameters
        ----------
        claim : Claim
        evaluation : Evaluation
        alpha : float
            The criterion is the score less so many standard deviations over folds.
        at : float
            Second of the run.
        limit : float
            Seconds that the trial was allowed.
        """
        result = _describe_result(evaluation, at)
        if evaluation.state == "slow":
            result["limit"] = limit
        try:
            claim.trial.set_user_attr(RESULT, result)
            self._finish(claim, evaluation, alpha)
        except RuntimeError:
            # Two processes may claim the same trial of a SQLite file; one is enough.
            trials = self.study.get_trials(deepcopy=False)
            if not trials[claim.number].state.is_finished():
                raise

    def add_stacked(
        self, pipeline: PipelineSpec, evaluation: Evaluation, *, alpha: float, at: float
    ) -> int:
        """Add the trial of a pipeline that reads the predictions of other trials.

        It has no parameters of Optuna's, whose sampler does not learn from it.

        Parameters
        ----------
        pipeline : dict
            With the numbers of the other trials as ``"inputs"``.
        evaluation : Evaluation
            Complete.
        alpha, at : float
            As for `report`.

        Returns
        -------
        number : int
            Of the trial.
        """
        from optuna.trial import create_trial

        n_inputs = len(pipeline[INPUTS])
        text = self.space.describe(pipeline, self.problem)
        claim = {
            "pipeline": pipeline, "stage": "stack", "owner": self._owner,
            "text": f"predictions of {n_inputs} pipelines > {text}",
        }  # fmt: skip
        result = _describe_result(evaluation, at)
        trial = create_trial(
            value=_compute_criterion(evaluation, alpha),
            user_attrs={CLAIM: claim, RESULT: result},
        )
        study = self._storage.get_study_id_from_name(self.name)
        place = self._storage.create_new_trial(study, template_trial=trial)
        number = int(self._storage.get_trial_number_from_id(place))
        self.predictions.write(number, evaluation)  # without them, it is no candidate
        return number

    def requeue(
        self,
        records: Sequence[TrialRecord],
        decided: Sequence[tuple[PipelineSpec, int]],
    ) -> None:
        """Queue the pipelines of trials again, unless they are decided or queued.

        Parameters
        ----------
        records : sequence of TrialRecord
        decided : sequence of (dict, int)
            Pipelines with the level on which they are.
        """
        from optuna.trial import TrialState

        waiting = self.study.get_trials(deepcopy=False, states=(TrialState.WAITING,))
        queued = [(_read_fixed(one), one.user_attrs.get("level", 0)) for one in waiting]
        for one in records:
            if one.key not in decided and one.key not in queued:
                self.enqueue(one.pipeline, one.stage, one.level)
                queued.append(one.key)

    def close(self) -> None:
        """Close the database."""
        self.predictions.close()
        if self.url is not None:
            self._storage.remove_session()
            self._storage.engine.dispose()

    # ------------------------------------------------------------ steps

    def _enqueue_new(self, initial: Iterable[PipelineSpec]) -> None:
        """Queue the pipelines that are not: a killed process may have begun."""
        trials = self.study.get_trials(deepcopy=False)
        queued = [one.system_attrs.get(FIXED) for one in trials]
        for pipeline in initial:
            if pipeline not in queued:
                self.enqueue(pipeline, "base")

    def _requeue_orphans(self, is_locked: bool) -> None:
        """Queue the pipelines of orphaned trials, and of those that had no time."""
        from optuna.trial import TrialState

        running = self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,))
        for trial in running:
            if self._is_orphaned(trial, is_locked):
                self.study.tell(trial.number, state=TrialState.FAIL)
                if CLAIM not in trial.user_attrs and FIXED in trial.system_attrs:
                    stage = trial.user_attrs.get("stage", "base")
                    level = trial.user_attrs.get("level", 0)
                    self.enqueue(_read_fixed(trial), stage, level)
        stored = self.read()
        decided = [one.key for one in stored.records if not one.is_undecided(np.inf)]
        # Those on growing samples are proposed again, if there is time for them.
        samples = [one for one in stored.select("unfinished") if one.level == 0]
        self.requeue(samples, decided)

    def _is_orphaned(self, trial: Any, is_locked: bool) -> bool:
        """Return whether the process of a running trial has ended.

        A trial without a claim is being claimed now, which the lock excludes, or its
        process was killed before.
        """
        claim = trial.user_attrs.get(CLAIM)
        age = datetime.now() - (trial.datetime_start or datetime.now())
        if claim is None:
            return is_locked or age > CLAIM_TIME
        if claim["owner"] == self._owner:
            return True  # of an earlier search: this one has not claimed a trial yet
        if not is_local(claim["owner"]):
            return age > FOREIGN_TIME
        return not is_alive(claim["owner"])

    def _finish(self, claim: Claim, evaluation: Evaluation, alpha: float) -> None:
        """End a trial; write predictions first, so that every score has them."""
        from optuna.trial import TrialState

        scores = keep_finite(evaluation.fold_scores)
        if evaluation.state == "complete":
            self.predictions.write(claim.number, evaluation)
            self.study.tell(claim.trial, _compute_criterion(evaluation, alpha))
        elif evaluation.state in ("sampled", "pruned", "slow") and scores:
            # Of pruned trials, Optuna prefers those of a later step.
            step = MAX_FOLDS * claim.level + min(len(scores), MAX_FOLDS - 1)
            claim.trial.report(evaluation.score, step)
            self.study.tell(claim.trial, state=TrialState.PRUNED)
        else:
            self.study.tell(claim.trial, state=TrialState.FAIL)


def _describe_result(evaluation: Evaluation, at: float) -> dict[str, Any]:
    """Return what is stored of an evaluation, as plain values."""
    return {
        "state": evaluation.state,
        "fold_scores": evaluation.fold_scores,
        "score": evaluation.score,
        "seconds": evaluation.seconds,
        "fit_seconds": evaluation.fit_seconds,
        "predict_seconds": evaluation.predict_seconds,
        "temperature": evaluation.temperature,
        "at": at,
        "reason": evaluation.reason,
    }


def _compute_criterion(evaluation: Evaluation, alpha: float) -> float:
    scores = keep_finite(evaluation.fold_scores)
    return evaluation.score - alpha * float(np.std(scores or 0.0))


def read_minutes(url: str | None, name: str) -> int | None:
    """Return the minutes for which the folds of a stored study were drawn.

    A search that continues it draws the same, whatever its own budget is.

    Parameters
    ----------
    url : str or None
        As for `TrialStore`.
    name : str

    Returns
    -------
    minutes : int or None
        None if there is no such study yet.
    """
    if url is None or not _may_exist(url):
        return None
    with explain_storage(url):
        storage = _open_storage(url)
        try:
            study = storage.get_study_id_from_name(name)
            about = storage.get_study_user_attrs(study).get(ABOUT)
            return None if about is None else about.get(MINUTES, 1)
        except KeyError:
            return None
        finally:
            storage.remove_session()
            storage.engine.dispose()


def _may_exist(url: str) -> bool:
    """Return whether a database may have a study: a server, or a file that exists."""
    complete = complete_url(url)
    is_file = complete.get_backend_name() == "sqlite"
    return not is_file or Path(locate_file(complete)).exists()


def _open_storage(url: str | None) -> Any:
    """Open Optuna's storage; None for memory."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    if url is None:
        return optuna.storages.InMemoryStorage()
    complete = complete_url(url)
    connecting: dict[str, Any] = {"timeout": BUSY_SECONDS}
    if complete.get_backend_name() == "sqlite":
        # Optuna commits some thirty times per trial.
        connecting["factory"] = RelaxedConnection
    options = {"connect_args": connecting, "pool_pre_ping": True}
    address = complete.render_as_string(hide_password=False)
    try:
        storage = retry(
            lambda: optuna.storages.RDBStorage(address, engine_kwargs=options)
        )
    except RuntimeError as error:  # of tables of another version of Optuna
        raise StoreError(
            f"The study in {hide_password(url)} was stored by another version of "
            "Optuna. Name another study or storage."
        ) from error
    stay_connected(storage.engine)
    return storage


def _open_study(storage: Any, name: str, seed: int) -> Any:
    """Create the study of Optuna, or load it."""
    import optuna

    with warnings.catch_warnings():
        # Conditional parameters need groups, which Optuna calls experimental.
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True)
    return optuna.create_study(
        storage=storage,
        study_name=name,
        sampler=sampler,
        direction="maximize",
        load_if_exists=True,
    )


def _read_fixed(trial: Any) -> PipelineSpec:
    """Return the pipeline, or the part of one, that a trial was queued with."""
    fixed = dict(trial.system_attrs.get(FIXED, {}))
    rows = trial.user_attrs.get("rows")
    return fixed if rows is None else {**fixed, "rows": rows}
