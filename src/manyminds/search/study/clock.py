"""The clock of a search: time spent, time left, and what a trial may take."""

import heapq
import time
from collections.abc import Iterable, Sequence

import numpy as np

from manyminds.search.evaluation.evaluation import Evaluation

__all__ = [
    "SearchClock",
    "estimate_makespan",
    "estimate_refit_seconds",
    "estimate_seconds_to_finish",
    "limit_trial_time",
]

MIN_LIMIT = 3.0  # seconds that every trial may take
MIN_LEVEL_LIMIT = 1.5  # seconds that every trial on a sample of the rows may take
BUDGET_SHARE = 0.15  # that a single trial may take without being ahead
MIN_SECONDS_LEFT = 0.5  # limit of a trial that starts when the budget is nearly spent
FINAL_FITS = 10  # fits of the incumbent's length that a committee takes
MAX_REFIT_SHARE = 0.2  # of the budget, for fits to all rows that need not be done
FINAL_SHARE = 0.15  # of the budget, for judging and the final fit
KEPT_SHARE = 0.11  # the same where models are kept: no fit must be done again
KEPT_FIT_SHARE = 0.1  # of that, for fits that are done again all the same
LONG, LONG_KEPT_SHARE = 60.0, 0.05  # seconds, and the share of what is beyond them
MIN_FINAL_SHARE = 0.04  # the same where fits are short
FINAL_SECONDS = 0.7  # for the same, whatever the budget is
MIN_SEARCH = 0.5  # seconds, however long the table took to read
FIRST_SCORE_SECONDS = 120.0  # beyond the budget, until a first pipeline has a score


class SearchClock:
    """Measure the time of a run against its budget; it starts when it is made.

    All methods are queries, but for `share_among`: only time changes what they return.

    Parameters
    ----------
    budget : float
        Seconds of the run; may be infinite.
    n_workers : int
        Processes of this machine that run trials, or final fits, at a time.
    n_folds : int
    reserve : float
        Seconds that the caller has for the final fit: what the fit takes beyond them
        is taken from the budget.
    min_reserve : float or None, default=None
        Seconds of the reserve that are left in any case: where fits are short, the
        rest is given back to the run. None for all of it.
    fit_share : float, default=1.0
        Share of the reserve for fits that are planned by `time_left`.
    """

    def __init__(
        self,
        budget: float,
        n_workers: int,
        n_folds: int,
        reserve: float,
        min_reserve: float | None = None,
        fit_share: float = 1.0,
    ) -> None:
        self.budget, self.reserve, self.n_folds = budget, reserve, n_folds
        self.fit_reserve = fit_share * reserve
        self.min_reserve = reserve if min_reserve is None else min_reserve
        self.n_workers = n_workers
        self.trial_limit = limit_trial_time(budget, n_workers)
        self._start = time.monotonic()

    @classmethod
    def until(
        cls,
        ends: float,
        budget: float,
        n_workers: int,
        n_folds: int,
        *,
        is_kept: bool,
    ) -> "SearchClock":
        """Return the clock of a run that leaves time to judge and fit what is chosen.

        Parameters
        ----------
        ends : float
            When all must be done, on the monotonic clock.
        budget : float
            Seconds of the whole search; may be infinite.
        n_workers, n_folds : int
        is_kept : bool
            Whether models of folds are kept, so that no fit must be done again.
        """
        if np.isinf(budget):
            return cls(np.inf, n_workers, n_folds, np.inf)
        reserve, fit_share = FINAL_SHARE * budget, 1.0
        at_least = MIN_FINAL_SHARE * budget
        if is_kept:  # judging takes no longer, however long the search was
            reserve = KEPT_SHARE * min(budget, LONG)
            reserve += LONG_KEPT_SHARE * max(0.0, budget - LONG)
            at_least, fit_share = reserve, KEPT_FIT_SHARE
        left = max(ends - reserve - FINAL_SECONDS - time.monotonic(), MIN_SEARCH)
        return cls(
            left,
            n_workers,
            n_folds,
            reserve + FINAL_SECONDS,
            at_least + FINAL_SECONDS,
            fit_share,
        )

    def share_among(self, n_workers: int) -> None:
        """Let trials take what so many workers, perhaps of other machines, allow."""
        self.trial_limit = limit_trial_time(self.budget, n_workers)

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._start

    def time_left(self, refit_seconds: float) -> float:
        """Return the seconds left, less those that final fits take of them.

        Parameters
        ----------
        refit_seconds : float
            Of the final fits, as far as they are known; 0 without an incumbent.
        """
        beyond = max(0.0, refit_seconds - self.fit_reserve)
        return self.budget - self.elapsed - beyond + self._spare(refit_seconds)

    def plan_refits(self, fit_seconds: Iterable[float]) -> float:
        """Return the seconds of fits to all rows that pay, where models are kept.

        Parameters
        ----------
        fit_seconds : iterable of float
            Mean seconds that fits took in a fold, the most important pipeline first.
        """
        planned: list[float] = []
        for one in fit_seconds:
            more = [*planned, estimate_refit_seconds(one, self.n_folds)]
            if self.estimate_refits(more) <= MAX_REFIT_SHARE * self.budget:
                planned = more
        return self.estimate_refits(planned)

    def estimate_refits(self, refit_seconds: Sequence[float]) -> float:
        """Return the seconds of fits to all rows, side by side."""
        return estimate_makespan(refit_seconds, self.n_workers)

    def _spare(self, refit: float) -> float:
        """Return the seconds of the reserve that a committee will not need."""
        if refit == 0.0:  # no incumbent yet
            return 0.0
        return max(0.0, self.reserve - self.min_reserve - FINAL_FITS * refit)

    def may_continue(self, refit_seconds: float, has_score: bool) -> bool:
        """Return whether the run goes on: there is time, or no pipeline has a score."""
        left = self.time_left(refit_seconds)
        return left > 0 or (not has_score and left >= -FIRST_SCORE_SECONDS)

    def limit_trial(
        self,
        refit_seconds: float,
        has_score: bool,
        is_protected: bool,
        share: float = 1.0,
    ) -> float:
        """Return the seconds that a trial that starts now may take.

        Parameters
        ----------
        refit_seconds : float
            As for `time_left`.
        has_score : bool
            Whether a pipeline has gone through all folds.
        is_protected : bool
            Whether the trial is waited for.
        share : float, default=1.0
            Of the rows on which it runs.
        """
        limit, left = self.limit_level(share), self.time_left(refit_seconds)
        if left > 0 and has_score:
            limit = min(limit, max(MIN_SECONDS_LEFT, left))
        if is_protected:  # its first fold is waited for
            limit = max(limit, left)
            if share >= 1.0 and not has_score:
                limit = max(limit, left + FIRST_SCORE_SECONDS)
        return limit

    def limit_level(self, share: float) -> float:
        """Return the seconds that a trial on a share of the rows may take."""
        if share >= 1.0:
            return self.trial_limit
        return max(MIN_LEVEL_LIMIT, self.trial_limit * share**0.1)

    def can_finish(
        self, evaluation: Evaluation, refit_seconds: float, has_score: bool
    ) -> bool:
        """Return whether there is time for the remaining folds of an evaluation."""
        left = self.time_left(refit_seconds)
        if not has_score:  # late is better than no result
            left += FIRST_SCORE_SECONDS
        needed = estimate_seconds_to_finish(evaluation, self.n_folds, self.reserve)
        return needed <= left


def limit_trial_time(budget: float, n_workers: int) -> float:
    """Return the seconds that a trial may take, whatever its scores are.

    Parameters
    ----------
    budget : float
        Seconds of the whole run; may be infinite.
    n_workers : int

    Returns
    -------
    limit : float

    Examples
    --------
    >>> from manyminds.search.study.clock import limit_trial_time
    >>> limit_trial_time(40.0, 2)
    6.0
    """
    return max(MIN_LIMIT, BUDGET_SHARE * budget * max(1, n_workers) / 2)


def estimate_refit_seconds(fit_seconds: float, n_folds: int) -> float:
    """Return the seconds of a fit to all rows, given those of a fit in a fold."""
    return fit_seconds * (n_folds / (n_folds - 1) if n_folds > 1 else 1.25)


def estimate_makespan(seconds: Iterable[float], n_workers: int) -> float:
    """Return when the last of several fits ends, if the longest begin first.

    Parameters
    ----------
    seconds : iterable of float
        Of each fit.
    n_workers : int
        Fits that run side by side.

    Returns
    -------
    makespan : float

    Examples
    --------
    >>> from manyminds.search.study.clock import estimate_makespan
    >>> estimate_makespan([2.0, 3.0, 4.0], 2)
    5.0
    """
    ends = [0.0] * n_workers
    for one in sorted(seconds, reverse=True):
        heapq.heapreplace(ends, ends[0] + one)
    return max(ends)


def estimate_seconds_to_finish(
    evaluation: Evaluation, n_folds: int, reserve: float
) -> float:
    """Return the seconds that the remaining folds of an evaluation take.

    Parameters
    ----------
    evaluation : Evaluation
        With at least one fold.
    n_folds : int
    reserve : float
        Seconds available for the fit to all rows: what it takes beyond them counts as
        well.

    Returns
    -------
    seconds : float
    """
    n_done = len(evaluation.fold_scores)
    folds = evaluation.seconds / n_done * (n_folds - n_done)
    refit = estimate_refit_seconds(evaluation.fit_seconds, n_folds)
    return folds + max(0.0, refit - reserve)
