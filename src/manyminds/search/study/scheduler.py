"""The scheduler of a study: which pipeline next, against which incumbent, how long."""

from collections.abc import Callable
from functools import partial

import numpy as np

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.fold_scores import is_ahead
from manyminds.search.evaluation.workers import Workers
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.clock import SearchClock, estimate_refit_seconds
from manyminds.search.study.cost_model import (
    CostModel,
    Measured,
    measure_records,
    without_rows,
)
from manyminds.search.study.halving import PATIENCE, ROW_SHARES, Halving, TimeLeft
from manyminds.search.study.interrupts import watch_interrupts
from manyminds.search.study.proposals import (
    Finished,
    Proposal,
    list_initial_pipelines,
    list_protected_pipelines,
    propose,
)
from manyminds.search.study.trial_record import SearchProgress, Snapshot, TrialRecord
from manyminds.search.study.trial_store import Claim, TrialStore

__all__ = ["Scheduler"]

BATCH = 8  # trials claimed together where the result must not depend on time
POLL_SECONDS = 0.25  # to wait for a worker before the clock is read again
N_LIKELY = 4  # members of a committee, for whose fits to all rows time is left
MAX_DUPLICATES = 5  # proposals that may be known already, before one is run again
MIN_ROWS = 100  # of a table, to which a pipeline that is too slow for all is fitted


class Scheduler:
    """Claim trials, let workers evaluate them, and report the results to the store.

    Parameters
    ----------
    store : TrialStore
        Begun.
    evaluator : Evaluator
    seed : int
        Of proposals.
    alpha : float, default=0.0
        Pipelines are ranked by their score less ``alpha`` standard deviations over
        folds.
    on_progress : callable or None, default=None
        Called with a `SearchProgress` after each trial.

    Attributes
    ----------
    protected : list of dict
        Pipelines that are neither pruned nor dropped as slow.
    is_interrupted : bool
        Whether the last run was ended by Ctrl-C or another signal.
    """

    def __init__(
        self,
        store: TrialStore,
        evaluator: Evaluator,
        seed: int,
        alpha: float = 0.0,
        on_progress: Callable[[SearchProgress], None] | None = None,
    ) -> None:
        self.store, self.evaluator = store, evaluator
        self.alpha, self.on_progress = alpha, on_progress
        self._rng = np.random.default_rng([seed, store.n_before])
        self.protected = list_protected_pipelines(evaluator.space, evaluator.problem)
        self.is_interrupted = False
        self._halving: Halving | None = None
        if evaluator.levels.top:
            initial = list_initial_pipelines(evaluator.space, evaluator.problem)
            n_rows, n_folds = evaluator.levels.n_rows, len(evaluator.folds)
            self._halving = Halving(n_rows, n_folds, self.protected, initial)

    def run(self, clock: SearchClock, n_trials: int | None, workers: Workers) -> None:
        """Evaluate pipelines until the time or the number of trials is used up.

        Ctrl-C ends the run in the same way; what was finished is stored.

        Parameters
        ----------
        clock : SearchClock
            Its budget may be infinite if ``n_trials`` is given.
        n_trials : int or None
        workers : Workers
            Entered and closed here.
        """
        self._clock, self._n_trials = clock, n_trials
        self._n_begun = self._n_done = 0
        self._limits: dict[int, float] = {}
        self._running: dict[int, Claim] = {}
        self._seen = self.store.read()
        complete = self._seen.select("complete")
        self._best = max((one.score for one in complete), default=np.nan)
        try:
            with (
                watch_interrupts() as self._interrupted,
                workers,
            ):
                clock.share_among(workers.n_workers)
                self._requeue_slow()
                if np.isfinite(clock.budget):
                    self._run_by_clock(workers)
                else:
                    self._run_by_number(workers)
        except KeyboardInterrupt:
            self.is_interrupted = True
        finally:
            for claim in self._running.values():
                self._report(claim, Evaluation("unfinished", reason="out of time"))

    # ------------------------------------------------------------ the two loops

    def _run_by_clock(self, workers: Workers) -> None:
        """Evaluate pipelines until the time is used up; a first one may take longer."""
        while self._has_time and (self._n_missing > 0 or self._running):
            self._raise_interrupt()
            while self._n_missing > 0 and workers.n_free and self._has_time:
                if not self._start(workers):
                    break
            if not self._running:  # nothing is left that could be finished
                break
            for number, evaluation in workers.finished(POLL_SECONDS):
                claim = self._running[number]
                if self._should_continue(claim, evaluation):
                    self._continue(workers, claim, evaluation)
                elif share := self._find_fewer_rows(claim, evaluation):
                    fewer = {**claim.pipeline, "rows": share}
                    self._begin(workers, self.store.change(claim, fewer))
                else:
                    self._end(claim, evaluation)
        workers.abandon()

    def _run_by_number(self, workers: Workers) -> None:
        """Claim trials in batches, so that pipelines do not depend on who is first."""
        while self._n_missing > 0:
            claims = [self._claim() for _ in range(min(BATCH, self._n_missing))]
            batch = [claim for claim in claims if claim is not None]
            incumbent = self._get_incumbent_scores(self._top)
            waiting, n_ended = list(batch), 0
            self._running |= {claim.number: claim for claim in batch}
            while n_ended < len(batch):
                self._raise_interrupt()
                while waiting and workers.n_free:
                    claim = waiting.pop(0)
                    known = [] if self._is_protected(claim.pipeline) else incumbent
                    workers.start(claim.number, claim.pipeline, known, np.inf)
                for number, evaluation in workers.finished(POLL_SECONDS):
                    self._end(self._running[number], evaluation)
                    n_ended += 1

    # ------------------------------------------------------------ one trial

    def _claim(self) -> Claim | None:
        """Claim a trial whose pipeline is not known, if the space is large enough.

        None if nothing could be finished in the time left.
        """
        self._n_begun += 1
        with self.store.lock():
            for attempt in range(MAX_DUPLICATES + 1):
                self._seen = self.store.read()
                known = self._list_decided(self._seen)
                stage = self._enqueue_next(self._seen, known)
                if stage is None:
                    self._n_begun -= 1
                    return None
                claim = self.store.claim(stage)
                is_known = (claim.pipeline, claim.level) in known
                if not is_known or attempt == MAX_DUPLICATES:
                    return claim
                self.store.discard(claim)
        return None

    def _enqueue_next(
        self, seen: Snapshot, known: list[tuple[PipelineSpec, int]]
    ) -> str | None:
        """Queue the next proposal unless the queue has one; return its stage."""
        if seen.n_waiting:
            return "base"
        make: Callable[[], Proposal | None]
        make = partial(self._propose, seen, [pipeline for pipeline, _ in known])
        proposal: Proposal | None
        halving = self._halving
        if halving is None:
            proposal = make()
        else:
            if self._n_trials is not None and self._n_begun > self._n_trials:
                halving, make = self._plan_last(halving, seen), _propose_nothing
            decided = [one for one in seen.records if not self._is_undecided(one)]
            cost = CostModel(self.evaluator.space, self._measure(seen))
            proposal = halving.choose(decided, cost, self._time_left, make)
        if proposal is None:
            return None
        self.store.enqueue(proposal.fixed, proposal.stage, proposal.level)
        return proposal.stage

    def _plan_last(self, halving: Halving, seen: Snapshot) -> Halving:
        """Return the plan that what has a score on a sample goes on to all rows."""
        scored = [one for one in seen.records if one.fold_scores]
        scored.sort(key=lambda one: (not self._is_protected(one.pipeline), -one.score))
        pipelines = [without_rows(one.pipeline) for one in scored]
        return Halving(halving.n_rows, halving.n_folds, pipelines, [])

    def _propose(self, seen: Snapshot, known: list[PipelineSpec]) -> Proposal:
        """Propose a pipeline that is new, given the trials so far."""
        finished = [
            Finished(one.pipeline, one.criterion, one.seconds)
            for one in seen.select("complete")
        ]
        if self._halving is not None:  # scores of other rows cannot be compared
            sampled = [*seen.select("sampled"), *seen.select("complete")]
            sampled.sort(key=lambda one: (one.level, one.score))
            finished = [
                Finished(one.pipeline, place, one.seconds, one.level)
                for place, one in enumerate(sampled)
            ]
        return propose(
            finished,
            known,
            self.evaluator.space,
            self.evaluator.problem,
            self._clock.trial_limit,
            self._rng,
        )

    def _start(self, workers: Workers) -> bool:
        """Claim a trial, and let a worker begin it; return whether there is one."""
        claim = self._claim()
        if claim is None:
            return False
        self._begin(workers, claim)
        return True

    def _begin(self, workers: Workers, claim: Claim) -> None:
        """Let a worker begin a trial."""
        self._running[claim.number] = claim
        limit = self._clock.limit_trial(
            self._refit_seconds,
            self._has_score,
            self._is_protected(claim.pipeline),
            self._get_share(claim.level),
        )
        if claim.level and self._halving is not None:  # promoted: it was worth the time
            left = self._clock.time_left(self._refit_seconds)
            is_last = claim.level == self._top
            limit = max(limit, left if is_last else min(left, PATIENCE * limit))
        self._limits[claim.number] = limit
        incumbent = self._scores_to_beat(claim)
        workers.start(claim.number, claim.pipeline, incumbent, limit, level=claim.level)

    def _should_continue(self, claim: Claim, evaluation: Evaluation) -> bool:
        """Return whether a slow pipeline is worth more than its share of the time.

        One that is ahead of the incumbent is, and a protected one.
        """
        if evaluation.state != "slow" or not evaluation.fold_scores:
            return False
        if evaluation.reason:  # it was ended in the middle of a fold
            return False
        if not self._clock.can_finish(evaluation, self._refit_seconds, self._has_score):
            return False
        is_protected = self._is_protected(claim.pipeline)
        incumbent = self._get_incumbent_scores(claim.level)
        return is_protected or is_ahead(evaluation.fold_scores, incumbent)

    def _continue(self, workers: Workers, claim: Claim, evaluation: Evaluation) -> None:
        """Let a slow pipeline evaluate another fold, then decide again."""
        one_fold = evaluation.seconds / len(evaluation.fold_scores)
        # More than the first fold took: boosting gets a part of it.
        least = 1.5 * one_fold
        limit = max(self._clock.limit_level(self._get_share(claim.level)), least)
        incumbent = self._scores_to_beat(claim)
        workers.start(
            claim.number, claim.pipeline, incumbent, limit, evaluation, claim.level
        )

    def _find_fewer_rows(self, claim: Claim, evaluation: Evaluation) -> float | None:
        """Find the share of the rows for which there is time, of a slow pipeline.

        None if it is not worth it: it is behind the incumbent, and not protected. Of
        large tables, `Halving` chooses the rows.
        """
        if evaluation.state != "slow" or not evaluation.fold_scores or self._halving:
            return None
        incumbent = self._get_incumbent_scores(claim.level)
        is_protected = self._is_protected(claim.pipeline)
        if not (is_protected or is_ahead(evaluation.fold_scores, incumbent)):
            return None
        n_folds, left = len(self.evaluator.folds), self._time_left
        had = claim.pipeline.get("rows", 1.0)
        one_fold = evaluation.seconds / len(evaluation.fold_scores)
        for share in ROW_SHARES:
            has_rows = share < had and share * len(self.evaluator.y) >= MIN_ROWS
            seconds = n_folds * one_fold * share / had
            if has_rows and left.fits(seconds, n_folds, is_ahead=True):
                return share
        return None

    def _end(self, claim: Claim, evaluation: Evaluation) -> None:
        """Report the result of a trial to the store and to the caller."""
        del self._running[claim.number]
        self._report(claim, evaluation)
        self._n_done += 1
        if evaluation.state == "complete":
            self._best = float(np.fmax(self._best, evaluation.score))
        if self.on_progress is not None:
            clock = self._clock
            progress = SearchProgress(
                self._n_done, self._n_trials, clock.elapsed, clock.budget, self._best,
                claim.text,
            )  # fmt: skip
            self.on_progress(progress)

    def _report(self, claim: Claim, evaluation: Evaluation) -> None:
        limit = self._limits.get(claim.number, self._clock.trial_limit)
        self.store.report(
            claim, evaluation, alpha=self.alpha, at=self._clock.elapsed, limit=limit
        )

    # ------------------------------------------------------------ what is known

    def _requeue_slow(self) -> None:
        """Queue slow pipelines again that may now take longer, or are protected."""
        slow = self._seen.select("slow")
        self._owed = {one.number for one in slow if self._is_protected(one.pipeline)}
        # Those on larger samples are proposed again, if there is time for them.
        slow = [one for one in slow if one.level == 0]
        undecided = [one for one in slow if self._is_undecided(one)]
        self.store.requeue(undecided, self._list_decided(self._seen))

    def _list_decided(self, seen: Snapshot) -> list[tuple[PipelineSpec, int]]:
        return [one.key for one in seen.records if not self._is_undecided(one)]

    def _is_undecided(self, record: TrialRecord) -> bool:
        is_owed = record.state == "slow" and record.number in self._owed
        limit = self._clock.limit_level(self._get_share(record.level))
        return is_owed or record.is_undecided(limit)

    def _is_protected(self, pipeline: PipelineSpec) -> bool:
        """Return whether a pipeline is neither pruned nor dropped as slow."""
        return without_rows(pipeline) in self.protected

    def _scores_to_beat(self, claim: Claim) -> list[float]:
        """Return the fold scores that a pipeline is pruned by.

        With samples of rows, growing samples decide: what is worse on few rows may be
        better on many, or of use in a committee.
        """
        if self._halving is not None or self._is_protected(claim.pipeline):
            return []
        return self._get_incumbent_scores(claim.level)

    def _get_incumbent_scores(self, level: int) -> list[float]:
        """Return the fold scores of the best pipeline of a level."""
        incumbent = self._seen.incumbent
        if level < self._top:
            incumbent = self._seen.find_incumbent(level)
        return [] if incumbent is None else incumbent.fold_scores

    def _measure(self, seen: Snapshot) -> list[Measured]:
        """Return the seconds of the trials so far."""
        n_rows, n_folds = self.evaluator.levels.n_rows, len(self.evaluator.folds)
        return measure_records(seen.records, n_folds, n_rows)

    def _get_share(self, level: int) -> float:
        return self.evaluator.levels.shares[level]

    @property
    def _top(self) -> int:
        return self.evaluator.levels.top

    @property
    def _time_left(self) -> TimeLeft:
        clock = self._clock
        left = clock.time_left(self._refit_seconds)
        reserve = clock.reserve if self.evaluator.kept is None else np.inf
        return TimeLeft(left, left / clock.budget, clock.trial_limit, reserve)

    @property
    def _refit_seconds(self) -> float:
        """Seconds of the final fits, as far as they are known.

        Where models of folds are kept, they are those of the likely members of a
        committee: the best pipelines of the best learners.
        """
        complete = sorted(self._seen.select("complete"), key=lambda one: -one.criterion)
        if not complete:
            return 0.0
        if self.evaluator.has_kept(complete[0].pipeline):
            seconds: dict[str, float] = {}  # of the best of each learner, in order
            for one in complete:
                seconds.setdefault(one.pipeline["learner"], one.fit_seconds)
            return self._clock.plan_refits(list(seconds.values())[:N_LIKELY])
        n_folds = len(self.evaluator.folds)
        return estimate_refit_seconds(complete[0].fit_seconds, n_folds)

    @property
    def _has_score(self) -> bool:
        return bool(np.isfinite(self._best))

    @property
    def _has_time(self) -> bool:
        return self._clock.may_continue(self._refit_seconds, self._has_score)

    @property
    def _n_missing(self) -> int:
        if self._n_trials is None:
            return BATCH
        # Samples alone are no result: one of them goes on to all rows.
        is_owed = self._halving is not None and not (self._running or self._has_score)
        return max(self._n_trials - self._n_begun, int(is_owed))

    def _raise_interrupt(self) -> None:
        if self._interrupted.is_set():
            raise KeyboardInterrupt


def _propose_nothing() -> None:
    """Return no new pipeline, since the number of trials is used up."""
