"""Run a study: ask for chains, try them, keep what came of them, until time is up."""

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manyminds.search.evaluation.evaluating import Evaluation, Evaluator, keep_finite
from manyminds.search.evaluation.workers import Workers
from manyminds.search.space.space import Chain
from manyminds.search.study.keeping import lock_study, open_predictions, try_again
from manyminds.search.study.processes import heed_interrupts, is_lost, name_owner
from manyminds.search.study.scheduling import (
    count_refit_seconds,
    count_seconds_to_finish,
    is_ahead,
    share_time,
)
from manyminds.search.study.strategy import Finished, first_chains, propose, safe_chains
from manyminds.utils.databases import complete_url

__all__ = ["SearchProgress", "Study", "Tried"]

BATCH = 8  # trials that are asked for together where the result is not to hang on time
WAIT = 0.25
SECONDS_FOR_A_FIRST = 120.0  # beyond the budget, lest a search come home with nothing


@dataclass(frozen=True)
class Tried:
    """A trial, as the study remembers it."""

    number: int
    state: str
    stage: str
    chain: Chain
    text: str
    score: float
    deviation: float
    criterion: float
    fold_scores: list[float]
    seconds: float
    fit_seconds: float
    at: float
    reason: str
    limit: float = np.inf  # seconds that it was given


@dataclass(frozen=True)
class SearchProgress:
    """How far a search is.

    Parameters
    ----------
    n_done : int
        Trials of this run that have ended.
    n_trials : int or None
        Trials that this run may make.
    seconds, budget : float
        Spent and given.
    best : float
        Score of the best chain so far; NaN before the first.
    latest : str
        What was tried last.
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


@dataclass
class Study:
    """A search in a database, which several processes may work on.

    Parameters
    ----------
    evaluator : Evaluator
    url : str or None
        Of the database, or the name of a SQLite file; None: the study is kept in
        memory, and ends with the process.
    name : str
        Of the study in it.
    seed : int
    alpha : float
        What the standard deviation over folds counts against the score.
    about : dict
        What tells this study from others: a study with another content is refused.
    on_progress : callable or None
        Gets a `SearchProgress` after each trial.
    """

    evaluator: Evaluator
    url: str | None
    name: str
    seed: int
    alpha: float = 0.0
    about: dict[str, Any] = field(default_factory=dict)
    on_progress: Callable[[SearchProgress], None] | None = None

    def __post_init__(self) -> None:
        self.store = open_predictions(self.url, self.name)
        self.study = self._open()
        self._owner = name_owner()
        self._limit, self._limits = np.inf, {}
        self._safe = safe_chains(self.evaluator.space, self.evaluator.problem)
        self._owed: set[int] = set()
        self._rng = np.random.default_rng([self.seed, len(self.study.trials)])
        self._begin_or_resume()

    # ------------------------------------------------------------ running

    def run(
        self,
        seconds: float,
        n_trials: int | None,
        n_workers: int,
        reserve: float = np.inf,
    ) -> None:
        """Try chains until the time or the number of trials is used up.

        Ctrl-C ends the run in the same way; what was finished is kept.

        Parameters
        ----------
        seconds : float
            May be infinite if ``n_trials`` is given.
        n_trials : int or None
        n_workers : int
            Processes.
        reserve : float, default=inf
            Seconds that the caller has for fitting what is chosen: what this takes
            beyond them is left over of ``seconds``.
        """
        self._start, self._budget, self._n_trials = time.monotonic(), seconds, n_trials
        self._reserve = reserve
        self._n_begun = self._n_done = 0
        self._has_something = bool(self.tried("complete"))
        self._best = max((one.score for one in self.tried("complete")), default=np.nan)
        self._limit = share_time(seconds, n_workers)
        slow = self.tried("slow")
        self._owed = {one.number for one in slow if one.chain in self._safe}
        self._queue_again([one for one in slow if self._is_open(one)])
        running: dict[int, Any] = {}
        try:
            with (
                heed_interrupts() as self._interrupted,
                Workers(self.evaluator, n_workers) as workers,
            ):
                if np.isfinite(seconds):
                    self._run_by_clock(workers, running)
                else:
                    self._run_by_number(workers, running)
        except KeyboardInterrupt:
            pass
        finally:
            for trial in running.values():
                self._tell(trial, Evaluation("unfinished", reason="out of time"))

    def _run_by_clock(self, workers: Workers, running: dict[int, Any]) -> None:
        """Try chains until time is up; a first one may take longer."""
        while self._goes_on and (self._more or running):
            self._check_interrupt()
            while self._more and workers.n_free and self._goes_on:
                self._begin(workers, running)
            for number, found in workers.finished(WAIT):
                if self._may_go_on(running[number], found):
                    self._go_on(workers, running[number], found)
                else:
                    self._end(running, number, found)
        workers.abandon()

    def _run_by_number(self, workers: Workers, running: dict[int, Any]) -> None:
        """Ask for trials in batches, so that chains do not hang on who is first."""
        while self._more:
            batch = [self._ask() for _ in range(min(BATCH, self._n_missing))]
            rival, waiting, n_ended = self._rival(), list(batch), 0
            running |= {trial.number: trial for trial, _ in batch}
            while n_ended < len(batch):
                self._check_interrupt()
                while waiting and workers.n_free:
                    trial, chain = waiting.pop(0)
                    known = [] if chain in self._safe else rival
                    workers.start(trial.number, chain, known, np.inf)
                for number, found in workers.finished(WAIT):
                    self._end(running, number, found)
                    n_ended += 1

    def _check_interrupt(self) -> None:
        if self._interrupted.is_set():
            raise KeyboardInterrupt

    def _begin(self, workers: Workers, running: dict[int, Any]) -> None:
        trial, chain = self._ask()
        running[trial.number] = trial
        limit = self._limit
        if self._left > 0 and self._has_something:
            limit = min(limit, max(0.5, self._left))
        if chain in self._safe:  # its first fold is waited for
            limit = max(limit, self._left)
        self._limits[trial.number] = limit
        workers.start(trial.number, chain, self._rival_of(chain), limit)

    def _may_go_on(self, trial: Any, found: Evaluation) -> bool:
        """Check whether a chain is worth more time than its share, and has it.

        One that is ahead of the incumbent is, and one that always gets a score.
        """
        if found.state != "slow" or not found.fold_scores:
            return False
        left = self._left
        if not self._has_something:  # better late than with nothing
            left += SECONDS_FOR_A_FIRST
        n_folds = len(self.evaluator.folds)
        if count_seconds_to_finish(found, n_folds, self._reserve) > left:
            return False
        is_safe = trial.user_attrs["asked"]["chain"] in self._safe
        return is_safe or is_ahead(found.fold_scores, self._rival())

    def _go_on(self, workers: Workers, trial: Any, found: Evaluation) -> None:
        """Let a slow chain try another fold; then it is decided again."""
        chain = trial.user_attrs["asked"]["chain"]
        one_fold = found.seconds / len(found.fold_scores)
        limit = max(self._limit, one_fold)
        workers.start(trial.number, chain, self._rival_of(chain), limit, found)

    def _end(self, running: dict[int, Any], number: int, found: Evaluation) -> None:
        trial = running.pop(number)
        self._tell(trial, found)
        self._n_done += 1
        if found.state == "complete":
            self._has_something = True
            self._best = float(np.fmax(self._best, found.score))
        if self.on_progress is not None:
            latest, best = trial.user_attrs["asked"]["text"], self._best
            spent = time.monotonic() - self._start
            self.on_progress(
                SearchProgress(
                    self._n_done, self._n_trials, spent, self._budget, best, latest
                )
            )

    @property
    def _goes_on(self) -> bool:
        """Whether there is time, or nothing yet to come home with."""
        return self._left > 0 or not (
            self._has_something or self._left < -SECONDS_FOR_A_FIRST
        )

    @property
    def _left(self) -> float:
        """Seconds of the search, less those that fitting the best chain takes of it."""
        best = self._incumbent()
        fit_seconds = 0.0 if best is None else best.fit_seconds
        refit = count_refit_seconds(fit_seconds, len(self.evaluator.folds))
        spent = time.monotonic() - self._start
        return self._budget - spent - max(0.0, refit - self._reserve)

    @property
    def _n_missing(self) -> int:
        return BATCH if self._n_trials is None else self._n_trials - self._n_begun

    @property
    def _more(self) -> bool:
        return self._n_missing > 0

    # ------------------------------------------------------------ one trial

    def _ask(self) -> tuple[Any, Chain]:
        """Ask the study for a trial, and the trial for its chain."""
        self._n_begun += 1
        with lock_study(self.url):
            for _ in range(5):
                trial, chain, is_known = self._take_trial()
                if not is_known:
                    break
                self._leave_known(trial)
            else:  # a space so small that all has been tried
                trial, chain, _ = self._take_trial()
        return trial, chain

    def _take_trial(self) -> tuple[Any, Chain, bool]:
        """Take a trial, and tell whether its chain is known already."""
        tried = self.tried()
        known = [one.chain for one in tried if not self._is_open(one)]
        stage = self._suggest_next(tried, known)
        trial = self.study.ask()
        chain = self.evaluator.space.suggest(trial, self.evaluator.problem)
        # In one piece, since every piece is written by itself.
        asked = {
            "chain": chain,
            "text": self.evaluator.space.describe(chain, self.evaluator.problem),
            "stage": trial.user_attrs.get("stage", stage),
            "owner": self._owner,
        }
        trial.set_user_attr("asked", asked)
        return trial, chain, chain in known

    def _leave_known(self, trial: Any) -> None:
        from optuna.trial import TrialState

        trial.set_user_attr("told", {"outcome": "known"})
        self.study.tell(trial, state=TrialState.PRUNED)

    def _suggest_next(self, tried: list[Tried], known: list[Chain]) -> str:
        """Queue the next proposal, unless something is queued; name its stage."""
        if self._n_waiting:
            return "base"
        finished = [
            Finished(one.chain, one.criterion, one.seconds)
            for one in tried
            if one.state == "complete"
        ]
        space, problem = self.evaluator.space, self.evaluator.problem
        proposal = propose(finished, known, space, problem, self._limit, self._rng)
        # What is not fixed here, Optuna's sampler completes.
        self.study.enqueue_trial(proposal.fixed, {"stage": proposal.stage})
        return proposal.stage

    def _tell(self, trial: Any, found: Evaluation) -> None:
        """Keep what came of a trial."""
        try:
            self._write_down(trial, found)
        except RuntimeError as error:
            # Two processes may get the same trial of a SQLite file; one is enough.
            if "finished" not in str(error):
                raise

    def _write_down(self, trial: Any, found: Evaluation) -> None:
        """Write predictions first, so that every score has them."""
        from optuna.trial import TrialState

        told = {
            "outcome": found.state,
            "fold_scores": found.fold_scores,
            "score": found.score,
            "seconds": found.seconds,
            "fit_seconds": found.fit_seconds,
            "at": time.monotonic() - self._start,
            "reason": found.reason,
        }
        if found.state == "slow":
            told["limit"] = self._limits.get(trial.number, self._limit)
        trial.set_user_attr("told", told)
        scores = keep_finite(found.fold_scores)
        if found.state == "complete":
            self.store.write(trial.number, found)
            self.study.tell(
                trial, found.score - self.alpha * float(np.std(scores or 0.0))
            )
            return
        if found.state in ("stopped", "slow") and scores:
            trial.report(found.score, len(scores))
            self.study.tell(trial, state=TrialState.PRUNED)
            return
        self.study.tell(trial, state=TrialState.FAIL)

    def _incumbent(self) -> Tried | None:
        """Return the best chain when the trials were last read."""
        return max(self._complete, key=lambda one: one.criterion, default=None)

    def _rival(self) -> list[float]:
        """Return the scores, fold by fold, of the incumbent."""
        best = self._incumbent()
        return best.fold_scores if best else []

    def _rival_of(self, chain: Chain) -> list[float]:
        """Return the scores that a chain is pruned by: none, if it always gets one."""
        return [] if chain in self._safe else self._rival()

    # ------------------------------------------------------------ what is known

    def tried(self, state: str | None = None) -> list[Tried]:
        """List the trials, all or those of a state, in their order."""
        trials = self.study.get_trials(deepcopy=False)
        self._n_waiting = sum(trial.state.name == "WAITING" for trial in trials)
        tried = [_read_trial(one) for one in trials if "asked" in one.user_attrs]
        self._complete = [one for one in tried if one.state == "complete"]
        if state is not None:
            return [one for one in tried if one.state == state]
        return [one for one in tried if one.state != "known"]

    def close(self) -> None:
        """Let the database go."""
        self.store.close()
        if self.url is not None:
            self._storage.remove_session()
            self._storage.engine.dispose()

    # ------------------------------------------------------------ beginning

    def _open(self) -> Any:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():
            # Conditional parameters need groups, which Optuna calls experimental.
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(
                seed=self.seed, multivariate=True, group=True
            )
        self._storage: Any = optuna.storages.InMemoryStorage()
        if self.url is not None:
            url = complete_url(self.url).render_as_string(hide_password=False)
            options = {"connect_args": {"timeout": 60}}
            self._storage = try_again(
                lambda: optuna.storages.RDBStorage(url, engine_kwargs=options)
            )
        return optuna.create_study(
            storage=self._storage,
            study_name=self.name,
            sampler=sampler,
            direction="maximize",
            load_if_exists=True,
        )

    def _begin_or_resume(self) -> None:
        """Queue the first chains of a new study; check and tidy up a known one."""
        with lock_study(self.url) as alone:
            kept = self.study.user_attrs.get("about")
            if kept is None:
                self._queue_first_chains()
                self.study.set_user_attr("about", self.about)  # last: all is queued
                return
            for key, value in self.about.items():
                if kept.get(key) != value:
                    another = f"another {key}: {kept.get(key)!r}, not {value!r}"
                    if key == "data":
                        another = "other rows, weights, folds or random_state"
                    raise ValueError(
                        f"The study {self.name!r} was made with {another}. Name "
                        "another study or storage."
                    )
            self._take_up_lost_trials(alone)

    def _queue_first_chains(self) -> None:
        """Queue the first chains that are not: a killed process may have begun."""
        trials = self.study.get_trials(deepcopy=False)
        queued = [one.system_attrs.get("fixed_params") for one in trials]
        for chain in first_chains(self.evaluator.space, self.evaluator.problem):
            if chain not in queued:
                self.study.enqueue_trial(chain, {"stage": "base"})

    def _take_up_lost_trials(self, alone: bool) -> None:
        """Queue the chains again of trials whose process is gone, or had no time."""
        from optuna.trial import TrialState

        running = self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,))
        for trial in running:
            if is_lost(trial, alone):
                self.study.tell(trial.number, state=TrialState.FAIL)
                if "asked" not in trial.user_attrs and "fixed_params" in (
                    trial.system_attrs
                ):  # killed before it was known whose it is
                    self.study.enqueue_trial(
                        trial.system_attrs["fixed_params"],
                        {"stage": trial.user_attrs.get("stage", "base")},
                    )
        self._queue_again(self.tried("unfinished"))

    def _queue_again(self, trials: Sequence[Tried]) -> None:
        """Queue the chains of trials once more, unless they are known or queued."""
        from optuna.trial import TrialState

        waiting = self.study.get_trials(deepcopy=False, states=(TrialState.WAITING,))
        queued = [one.system_attrs.get("fixed_params") for one in waiting]
        known = [one.chain for one in self.tried() if not self._is_open(one)]
        for one in trials:
            if one.chain not in known and one.chain not in queued:
                self.study.enqueue_trial(one.chain, {"stage": one.stage})
                queued.append(one.chain)

    def _is_open(self, one: Tried) -> bool:
        """Return whether a trial left its chain undecided: it had too little time."""
        had_less = one.limit < self._limit
        is_slow = one.state == "slow" and (had_less or one.number in self._owed)
        return one.state == "unfinished" or is_slow


def _read_trial(trial: Any) -> Tried:
    """Read what a study remembers of a trial."""
    asked, told = trial.user_attrs["asked"], trial.user_attrs.get("told", {})
    scores = keep_finite(told.get("fold_scores", []))
    lost = "unfinished" if trial.state.name == "FAIL" else "running"
    outcome = told.get("outcome", lost)
    if outcome == "complete" and trial.value is None:  # killed while it was written
        outcome = lost
    return Tried(
        number=trial.number,
        state=outcome,
        stage=asked["stage"],
        chain=asked["chain"],
        text=asked["text"],
        score=float(told.get("score", np.mean(scores) if scores else np.nan)),
        deviation=float(np.std(scores)) if scores else np.nan,
        criterion=float(trial.value) if outcome == "complete" else np.nan,
        fold_scores=told.get("fold_scores", []),
        seconds=told.get("seconds", 0.0),
        fit_seconds=told.get("fit_seconds", 0.0),
        at=told.get("at", np.nan),
        reason=told.get("reason", ""),
        limit=told.get("limit", np.inf),
    )
