"""The clock: time left, limits of trials, and the time to finish."""

from types import SimpleNamespace

import numpy as np
import pytest

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.study.clock import (
    FIRST_SCORE_SECONDS,
    SearchClock,
    estimate_makespan,
    estimate_seconds_to_finish,
)


@pytest.fixture
def time(monkeypatch):
    time = SimpleNamespace(now=0.0, monotonic=lambda: time.now)
    monkeypatch.setattr("manyminds.search.study.clock.time", time)
    return time


def test_seconds_to_finish_by_hand():
    # Two of five folds took 8 seconds; the last fit takes 5 / 4 of 2 seconds.
    found = Evaluation("slow", fold_scores=[0.5, 0.5], seconds=8.0, fit_seconds=2.0)
    assert estimate_seconds_to_finish(found, 5, reserve=10.0) == 12.0
    assert estimate_seconds_to_finish(found, 5, reserve=1.0) == 13.5


def test_the_final_fit_is_taken_from_the_budget(time):
    clock = SearchClock(60.0, 1, 5, reserve=2.0)
    time.now = 10.0
    assert clock.elapsed == 10.0
    assert clock.time_left(refit_seconds=0.0) == 50.0
    assert clock.time_left(refit_seconds=10.0) == 42.0  # 2 of them are reserved


def test_where_fits_are_short_most_of_the_reserve_is_searched(monkeypatch):
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    clock = SearchClock(50.0, 1, 5, reserve=10.0, min_reserve=3.0)
    assert clock.time_left(0.0) == 50.0  # no incumbent: nothing is known
    assert clock.time_left(0.1) == pytest.approx(56.0)  # ten fits
    assert clock.time_left(1.0) == 50.0
    assert clock.time_left(20.0) == 40.0


def test_part_of_the_reserve_is_for_planned_fits():
    clock = SearchClock(50.0, 1, 5, reserve=10.0, fit_share=0.3)
    assert clock.time_left(5.0) == pytest.approx(48.0, abs=0.5)  # 3 are for them
    assert clock.time_left(2.5) == pytest.approx(50.0, abs=0.5)


def test_fits_that_need_not_be_done_have_a_fifth_of_the_budget():
    # Fits to all rows take 5, 7.5 and 2.5 seconds; two workers have 10 each.
    clock = SearchClock(50.0, 2, 5, reserve=10.0)
    assert clock.plan_refits([4.0, 6.0, 2.0]) == 7.5
    assert clock.plan_refits([4.0, 6.0, 2.0, 6.0]) == 7.5  # the last would end at 12.5
    assert clock.plan_refits([8.4]) == clock.plan_refits([]) == 0.0


def test_the_longest_fits_begin_first():
    assert estimate_makespan([1.0, 1.0, 2.0], 2) == 2.0
    assert estimate_makespan([1.0, 1.0, 2.0], 1) == 4.0


def test_a_run_without_a_score_may_take_two_minutes_more(time):
    clock = SearchClock(60.0, 1, 5, reserve=np.inf)
    time.now = 100.0
    assert clock.may_continue(0.0, has_score=False)
    assert not clock.may_continue(0.0, has_score=True)
    time.now = 181.0
    assert not clock.may_continue(0.0, has_score=False)


def test_limits_of_trials(time):
    clock = SearchClock(60.0, 2, 5, reserve=np.inf)
    assert clock.trial_limit == 9.0
    assert clock.limit_trial(0.0, has_score=True, is_protected=True) == 60.0
    time.now = 55.0
    assert clock.limit_trial(0.0, has_score=True, is_protected=False) == 5.0
    assert clock.limit_trial(0.0, has_score=False, is_protected=False) == 9.0
    time.now = 59.9
    assert clock.limit_trial(0.0, has_score=True, is_protected=False) == 0.5


def test_a_first_score_is_waited_for_on_all_rows_only(time):
    clock = SearchClock(60.0, 2, 5, reserve=np.inf)
    time.now = 50.0
    given = {"has_score": False, "is_protected": True}
    assert clock.limit_trial(0.0, **given) == 10.0 + FIRST_SCORE_SECONDS
    assert clock.limit_trial(0.0, **given, share=0.25) == 10.0
    assert clock.limit_trial(0.0, has_score=True, is_protected=True) == 10.0


@pytest.mark.parametrize(
    ("budget", "is_kept", "left", "at_least"),
    [
        (60.0, False, 50.3, 3.1),
        (60.0, True, 52.7, 7.3),
        (300.0, True, 280.7, 19.3),  # 6.6 + 12.0 + 0.7 seconds for the choice
        (0.1, True, 0.5, 0.711),
    ],
)
def test_time_is_left_for_the_choice(time, budget, is_kept, left, at_least):
    clock = SearchClock.until(budget, budget, 2, 5, is_kept=is_kept)
    assert clock.budget == pytest.approx(left)
    assert clock.min_reserve == pytest.approx(at_least)
    assert clock.fit_reserve == pytest.approx(clock.reserve * (0.1 if is_kept else 1.0))


def test_without_a_budget_no_time_is_missing():
    clock = SearchClock.until(np.inf, np.inf, 2, 5, is_kept=False)
    assert clock.budget == clock.time_left(3.0) == clock.trial_limit == np.inf
    found = Evaluation("slow", fold_scores=[0.5], seconds=9.0)
    assert clock.can_finish(found, 1.0, has_score=True)
