"""Successive halving: which pipeline deserves more rows, and how many it can have."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.clock import estimate_refit_seconds
from manyminds.search.study.cost_model import CostModel, Frozen, freeze, without_rows
from manyminds.search.study.proposals import Proposal
from manyminds.search.study.trial_record import TrialRecord

__all__ = ["PATIENCE", "ROW_SHARES", "Halving", "TimeLeft"]

REDUCTION = 4  # of so many pipelines of a level, one goes on to the next
MIN_ENDED = 3  # pipelines of a level before the first goes on
N_LEARNERS = 8  # different learners whose best pipeline goes on as well
TREND = 0.7  # of the gain by the last rows that as many times more rows may bring
HARVEST = 0.35  # share of the time, the last, in which pipelines go on to all rows
PATIENCE = 2.5  # times the limit of others that the best of a learner may take
MARGIN = 1.25  # of predicted seconds: what does not end in time is lost
ROW_SHARES = (1.0, 0.75, 0.5, 0.25, 0.125, 0.0625, 0.03125)
PROTECTED_SHARE = 0.3  # of the time left that a protected pipeline may take
ENDED = ("complete", "sampled", "pruned", "slow", "failed")


@dataclass(frozen=True)
class TimeLeft:
    """The time that trials may take.

    Parameters
    ----------
    seconds : float
        Until the end of the search.
    share : float
        Seconds left as a share of the whole.
    limit : float
        Seconds for a pipeline that is not ahead.
    reserve : float
        Seconds after the end, for the fit to all rows.
    """

    seconds: float
    share: float
    limit: float
    reserve: float = 0.0

    def fits(
        self,
        seconds: float,
        n_folds: int,
        *,
        is_ahead: bool = False,
        patience: float = 1.0,
    ) -> bool:
        """Return whether an evaluation and a fit to all rows would end in time.

        Parameters
        ----------
        seconds : float
            Of the evaluation.
        n_folds : int
        is_ahead : bool, default=False
            Whether the pipeline is the best so far, and may take all the time left.
        patience : float, default=1.0
            Times the limit of other pipelines that it may take.
        """
        refit = estimate_refit_seconds(seconds / n_folds, n_folds)
        needed = seconds + max(0.0, refit - self.reserve)
        most = self.seconds / MARGIN
        most = most if is_ahead else min(patience * self.limit, most)
        return not needed > most  # what is not known may be tried


class Halving:
    """Choose trials on growing samples of the rows.

    New pipelines are evaluated on the smallest sample; the best quarter of a level, and
    the best pipelines of several learners, go on to the next. In the last part of the
    time, the best go on to all rows at once, the best of all before if it takes longer.
    One that would take too long on all rows is fitted to as many as the time allows.

    Parameters
    ----------
    n_rows : sequence of int
        Rows of each level, rising.
    n_folds : int
    protected : sequence of dict
        Pipelines that are evaluated first, on the smallest sample and on all rows.
    initial : sequence of dict
        Pipelines that are evaluated next.
    """

    def __init__(
        self,
        n_rows: Sequence[int],
        n_folds: int,
        protected: Sequence[PipelineSpec],
        initial: Sequence[PipelineSpec],
    ) -> None:
        self.n_rows, self.n_folds = list(n_rows), n_folds
        self.protected = list(protected)
        self.initial = [*protected, *(one for one in initial if one not in protected)]

    @property
    def top(self) -> int:
        """Number of the level of all rows."""
        return len(self.n_rows) - 1

    def choose(
        self,
        records: Sequence[TrialRecord],
        cost: CostModel,
        time: TimeLeft,
        propose: Callable[[], Proposal | None],
    ) -> Proposal | None:
        """Choose the next trial.

        Parameters
        ----------
        records : sequence of TrialRecord
            All trials that count, running ones too.
        cost : CostModel
        time : TimeLeft
        propose : callable
            Returns a new pipeline, or None.

        Returns
        -------
        proposal : Proposal or None
            None if there is nothing that could be finished.
        """
        tried = {
            (freeze(one.pipeline), one.level)
            for one in records
            if not self._deserves_fewer_rows(one)
        }
        state = _State(records, tried, cost, time)
        chosen = self._choose_next(state, propose)
        return self._call_leader(chosen, state) or chosen

    def _choose_next(
        self, state: "_State", propose: Callable[[], Proposal | None]
    ) -> Proposal | None:
        """Return the next trial as if time was never short."""
        for proposals in (
            self._list_protected(state),
            self._list_promoted(state),
            self._list_initial(state),
        ):
            for one in proposals:
                return one
        new = propose()
        if new is not None and self._fits_sample(new.fixed, state):
            return new
        return next(iter(self._list_last_resorts(state)), None)

    def _deserves_fewer_rows(self, record: TrialRecord) -> bool:
        """Return whether a pipeline was too slow on all rows, but has a score."""
        is_slow = record.state == "slow" and record.level == self.top
        return is_slow and bool(record.fold_scores)

    # ------------------------------------------------------------ kinds of trials

    def _list_protected(self, state: "_State") -> Iterable[Proposal]:
        """List protected pipelines: on a sample, and then on all rows."""
        for pipeline in self.protected:
            if not state.has(pipeline, 0):
                yield Proposal("base", pipeline, 0)
        for pipeline in self.protected:
            is_measured = any(
                one.pipeline == pipeline and one.fold_scores for one in state.records
            )
            if is_measured and not state.has(pipeline, self.top):
                most = PROTECTED_SHARE * state.time.seconds
                yield self._with_all_rows(
                    pipeline, "base", state, partial(_is_within, most)
                )

    def _list_promoted(self, state: "_State") -> Iterable[Proposal]:
        """List pipelines that go on to the next level, or to all rows."""
        for level in range(self.top - 1, -1, -1):
            ranked, n_ended = state.rank(level), state.count_ended(level)
            for place, one in enumerate(ranked):
                if not self._is_promoted(ranked, place, n_ended, state.time):
                    continue
                if any(state.has(one.pipeline, k) for k in self._above(level)):
                    continue
                found = self._promote(one, ranked[:place], state)
                if found is not None:
                    yield found

    def _list_initial(self, state: "_State") -> Iterable[Proposal]:
        for pipeline in self.initial:
            if not state.has(pipeline, 0) and self._fits_sample(pipeline, state):
                yield Proposal("base", pipeline, 0)

    def _list_last_resorts(self, state: "_State") -> Iterable[Proposal]:
        """List protected pipelines with few rows, if there may be no score at all.

        As where samples take too long already, on a busy machine.
        """
        final = [one for one in state.records if one.level == self.top]
        if any(one.state in ("complete", "running") for one in final):
            return
        for pipeline in self.protected:
            if not state.has(pipeline, self.top):
                fixed = {**pipeline, "rows": ROW_SHARES[-1]}
                yield Proposal("base", fixed, self.top)

    def _call_leader(self, chosen: Proposal | None, state: "_State") -> Proposal | None:
        """Return the best pipeline with all rows, if it could not wait for another.

        Where one fit to all rows takes a good part of the time, as of a million rows,
        it begins as late as it can: later there would be time for a part of the rows.
        """
        leader = self._find_leader(state)
        if chosen is None or leader is None or state.time.share < HARVEST:
            return None
        pipeline = without_rows(leader.pipeline)
        seconds = state.cost.predict(pipeline, self.n_rows[self.top])
        n_rows = chosen.fixed.get("rows", 1.0) * self.n_rows[chosen.level]
        other = state.cost.predict(chosen.fixed, n_rows)
        wait = MARGIN * np.nan_to_num(other)
        then = replace(state.time, seconds=state.time.seconds - wait)
        fits_now, fits_then = (
            one.fits(seconds, self.n_folds, is_ahead=True) for one in (state.time, then)
        )
        is_last_call = fits_now and not fits_then
        return Proposal("promote", pipeline, self.top) if is_last_call else None

    def _find_leader(self, state: "_State") -> TrialRecord | None:
        """Return the best pipeline of the greatest sample, if all rows are left."""
        for level in range(self.top - 1, 0, -1):
            if ranked := state.rank(level):
                has_all = state.has(ranked[0].pipeline, self.top)
                return None if has_all else ranked[0]
        return None

    # ------------------------------------------------------------ one pipeline

    def _is_promoted(
        self, ranked: Sequence[TrialRecord], place: int, n_ended: int, time: TimeLeft
    ) -> bool:
        """Return whether a pipeline is good enough to go on."""
        if time.share < HARVEST:  # whatever is good, as long as there is time
            return place < max(1, n_ended // 2)
        if n_ended < MIN_ENDED:
            return False
        if place < max(1, n_ended // REDUCTION):
            return True
        before = [one.pipeline["learner"] for one in ranked[:place]]
        is_first = ranked[place].pipeline["learner"] not in before
        return is_first and len(set(before)) < N_LEARNERS

    def _promote(
        self, one: TrialRecord, better: Sequence[TrialRecord], state: "_State"
    ) -> Proposal | None:
        """Return a pipeline with more rows, as many as the time allows.

        The best of its learner may take longer: a committee needs different learners.
        """
        cost, time, is_best = state.cost, state.time, not better
        others = [other.pipeline["learner"] for other in better]
        is_first = one.pipeline["learner"] not in others
        patience = PATIENCE if is_first and time.share > HARVEST else 1.0
        level = self.top if time.share < HARVEST else one.level + 1
        pipeline = without_rows(one.pipeline)
        seconds = cost.predict(pipeline, self.n_rows[level])
        fits = partial(
            time.fits, n_folds=self.n_folds, is_ahead=is_best, patience=patience
        )
        if level < self.top and fits(seconds):
            return Proposal("promote", pipeline, level)
        found = self._with_all_rows(pipeline, "promote", state, fits)
        n_fitted = found.fixed.get("rows", 1.0) * self.n_rows[self.top]
        if not fits(cost.predict(pipeline, n_fitted)):
            return None
        # Samples have a few rows more than their share: some of each rare class.
        has_more = n_fitted >= self.n_rows[one.level] * (0.95 if is_best else 1.5)
        return found if has_more else None

    def _with_all_rows(
        self,
        pipeline: PipelineSpec,
        stage: str,
        state: "_State",
        fits: Callable[[float], bool],
    ) -> Proposal:
        """Return a trial on all rows, fitted to as many of them as the time allows."""
        share = ROW_SHARES[-1]
        for share in ROW_SHARES:
            seconds = state.cost.predict(pipeline, share * self.n_rows[self.top])
            if fits(seconds):
                break
        fixed = pipeline if share == 1.0 else {**pipeline, "rows": share}
        return Proposal(stage, fixed, self.top)

    def _fits_sample(self, pipeline: PipelineSpec, state: "_State") -> bool:
        """Return whether a pipeline can be evaluated on the smallest sample."""
        if "learner" not in pipeline:
            return state.time.seconds > 0
        return not state.cost.predict(pipeline, self.n_rows[0]) > state.time.seconds

    def _above(self, level: int) -> range:
        return range(level + 1, len(self.n_rows))


def _is_within(most: float, seconds: float) -> bool:
    return not seconds > most  # what is not known may be tried


@dataclass(frozen=True)
class _State:
    """The trials so far, what others would cost, and the time left."""

    records: Sequence[TrialRecord]
    tried: set[tuple[Frozen, int]]
    cost: CostModel
    time: TimeLeft

    def has(self, pipeline: PipelineSpec, level: int) -> bool:
        """Return whether a pipeline has a trial on a level, fitted to any rows."""
        return (freeze(pipeline), level) in self.tried

    def rank(self, level: int) -> list[TrialRecord]:
        """Return the pipelines that went through all folds of a level, best first.

        They are ranked by the score to expect of more rows: learners differ in what
        they gain by them, which the level below shows. It is the mean gain of a
        learner: that of one pipeline would be largest where it had bad luck below.
        """
        sampled = [one for one in self.records if one.state == "sampled"]
        below = {freeze(o.pipeline): o.score for o in sampled if o.level == level - 1}
        here = [one for one in sampled if one.level == level]
        gains = defaultdict(list)
        for one in here:
            gain = one.score - below.get(freeze(one.pipeline), np.nan)
            if np.isfinite(gain):
                gains[one.pipeline["learner"]].append(gain)

        def expect(one: TrialRecord) -> float:
            known = gains[one.pipeline["learner"]]
            gain = float(np.mean(known)) if known else 0.0
            return float(np.nan_to_num(one.score + TREND * gain, nan=-np.inf))

        return sorted(here, key=lambda one: -expect(one))

    def count_ended(self, level: int) -> int:
        """Return the number of trials of a level that have ended."""
        return sum(one.level == level and one.state in ENDED for one in self.records)
