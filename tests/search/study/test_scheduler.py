"""Scheduling: who gets the time left, protected pipelines, interrupts, progress."""

import os
import signal
import time
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris

from manyminds.search import Problem, default_space
from manyminds.search.evaluation.evaluation import Evaluation, end_as_slow
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.fold_scores import should_prune
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.levels import Levels
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.resources import Resources
from manyminds.search.evaluation.worker_pool import WorkerPool
from manyminds.search.study.clock import SearchClock
from manyminds.search.study.proposals import list_initial_pipelines
from manyminds.search.study.scheduler import Scheduler
from manyminds.search.study.trial_store import TrialStore

N_FOLDS = 5


class Played(Evaluator):
    """Evaluate pipelines by a script of scores and seconds, on a clock of ours.

    script : dict of str to (float, float)
        Score and seconds of a fold, by the learner.
    """

    def play(self, script, clock):
        self.script, self.clock, self.calls = script, clock, []

    def __call__(self, pipeline, incumbent=(), limit=np.inf, previous=None, level=None):
        score, seconds = self.script[pipeline["learner"]]
        seconds *= pipeline.get("rows", 1.0)
        self.calls.append((pipeline["learner"], previous is not None))
        found = previous or Evaluation(predictions=np.zeros((len(self.y), 3)))
        found.state = "complete"
        while len(found.fold_scores) < N_FOLDS:
            self.clock.now += seconds
            found.fold_scores.append(score)
            found.score = score
            found.seconds += seconds
            found.fit_seconds = seconds
            n_done = len(found.fold_scores)
            if n_done < N_FOLDS and should_prune(found.fold_scores, incumbent):
                found.state = "pruned"
                break
            if n_done < N_FOLDS and found.seconds / n_done * N_FOLDS > limit:
                found.state = "slow"
                break
        return found


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr("manyminds.search.study.clock.time", clock)
    return clock


def in_this_process(evaluator):
    return WorkerPool(evaluator, Resources())


def make_scheduler(evaluator, on_progress=None, learners=()):
    """Make a scheduler whose first trials are the named learners, if there are any."""
    space, problem = evaluator.space, evaluator.problem
    store = TrialStore(None, "search", 0, space, problem)
    named = [space.complete({"learner": name}, problem) for name in learners]
    store.begin({}, [*named, *list_initial_pipelines(space, problem)])
    return Scheduler(store, evaluator, 0, on_progress=on_progress)


def run(clock, script, seconds, reserve=np.inf, n_rows=150):
    X, y = load_iris(return_X_y=True)
    X, y = np.resize(X, (n_rows, 4)), np.resize(y, n_rows)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", *script).suiting(problem)
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(N_FOLDS, X, y, "classification", 0)
    evaluator = Played(X, y, folds, space, problem, measure)
    evaluator.play(script, clock)
    learners = script if not {"gb", "rf"} & set(script) else ()
    scheduler = make_scheduler(evaluator, learners=learners)
    # A trial of each learner, so that every state is that of a first pipeline.
    clock = SearchClock(seconds, 1, N_FOLDS, reserve)
    scheduler.run(clock, len(script) + 2, in_this_process(evaluator))
    first = {}
    for one in scheduler.store.read().records:
        first.setdefault(one.pipeline["learner"], one)
    return first


def test_a_slow_pipeline_that_is_ahead_gets_the_time_that_is_left(clock):
    # All folds of "logistic" take 25 of 60 seconds, which is more than its share of 9.
    script = {"nb": (0.35, 0.1), "lda": (0.3, 0.1)}
    found = run(clock, {**script, "logistic": (0.8, 5.0)}, 60.0)
    assert found["logistic"].state == "complete"
    assert found["logistic"].fold_scores == [0.8] * N_FOLDS


def test_a_slow_pipeline_that_is_behind_is_dropped_after_a_fold(clock):
    script = {"lda": (0.8, 0.1), "linear_svm": (0.7, 5.0)}
    found = run(clock, script, 60.0)["linear_svm"]
    assert (found.state, len(found.fold_scores)) == ("slow", 1)


def test_a_slow_pipeline_that_is_ahead_but_would_come_too_late_gets_fewer_rows(clock):
    # All folds would take 70 seconds; after the first there is time for half the rows.
    script = {"lda": (0.3, 0.1), "linear_svm": (0.8, 14.0)}
    found = run(clock, script, 60.0, n_rows=1500)["linear_svm"]
    assert (found.state, len(found.fold_scores)) == ("complete", N_FOLDS)
    assert found.pipeline["rows"] == 0.5
    assert found.text.endswith("50 % of the rows")


def test_a_slow_pipeline_of_few_rows_is_dropped(clock):
    script = {"lda": (0.3, 0.1), "linear_svm": (0.8, 14.0)}
    found = run(clock, script, 60.0, n_rows=150)["linear_svm"]
    assert (found.state, len(found.fold_scores)) == ("slow", 1)


def test_a_trial_that_was_ended_is_not_continued_as_it_was(clock, evaluator):
    scheduler = make_scheduler(evaluator)
    scheduler._clock, scheduler._best = start_clock(600.0), np.nan
    scheduler._seen = scheduler.store.read()
    claim = scheduler.store.claim("base")
    slow = Evaluation("slow", fold_scores=[0.9], score=0.9, seconds=1.0)
    assert scheduler._should_continue(claim, slow)
    assert not scheduler._should_continue(claim, end_as_slow(slow, 9.0))


def test_time_to_fit_all_rows_is_left_over(clock):
    # Folds end after 50 of 60 seconds; a fit to all rows takes 12.5 seconds more.
    script = {"lda": (0.3, 0.1), "linear_svm": (0.8, 10.0)}
    assert run(clock, script, 60.0, reserve=15.0)["linear_svm"].state == "complete"
    clock.now = 0.0
    assert run(clock, script, 60.0, reserve=2.0)["linear_svm"].state == "slow"


def test_no_pipeline_is_dropped_while_there_is_no_other(clock):
    found = run(clock, {"logistic": (0.5, 20.0)}, 60.0)
    assert found["logistic"].state == "complete"


def test_default_trees_always_get_a_score(clock):
    script = {"logistic": (0.9, 0.1), "gb": (0.3, 4.0), "rf": (0.2, 3.0)}
    found = run(clock, script, 90.0)
    assert found["gb"].state == found["rf"].state == "complete"


def test_a_large_table_has_quick_trees_first_whatever_the_defaults_take(clock):
    script = {"quick_gb": (0.5, 4.0), "quick_rf": (0.6, 5.0)}
    script |= {"rf": (0.7, 40.0), "logistic": (0.75, 0.5)}
    found = run(clock, script, 200.0, n_rows=3000)
    assert found["quick_rf"].state == "complete"
    assert found["quick_rf"].number == 0
    assert found["logistic"].state == "complete"
    # Which is ahead, but there is no time for all folds of all rows.
    assert found["rf"].state == "complete" and found["rf"].pipeline["rows"] < 1.0


class Sampled(Played):
    """The same of a large table: what is evaluated on a sample has no final score."""

    def __call__(self, pipeline, incumbent=(), limit=np.inf, previous=None, level=None):
        found = super().__call__(pipeline, incumbent, limit, previous, level)
        if found.state == "complete" and level < self.levels.top:
            found.state = "sampled"
        return found


@pytest.mark.parametrize("n_trials", [1, 2, 4])
def test_a_number_of_trials_ends_no_search_before_one_has_all_rows(clock, n_trials):
    X, y = load_iris(return_X_y=True)
    X, y = np.resize(X, (6000, 4)), np.resize(y, 6000)
    problem = Problem.of(X, y, "classification", "accuracy")
    script = {"quick_gb": (0.5, 1.0), "quick_rf": (0.6, 1.0), "nb": (0.7, 0.1)}
    space = default_space("classification").only("learner", *script).suiting(problem)
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(N_FOLDS, X, y, "classification", 0)
    levels = Levels(folds, y, "classification", 0, (0.25, 1.0))
    evaluator = Sampled(X, y, folds, space, problem, measure, levels=levels)
    evaluator.play(script, clock)
    scheduler = Scheduler(TrialStore(None, "s", 0, space, problem), evaluator, 0)
    scheduler.store.begin({}, [])
    budget = SearchClock(1000.0, 1, N_FOLDS, np.inf)
    scheduler.run(budget, n_trials, in_this_process(evaluator))
    records = scheduler.store.read().records
    # Both protected pipelines are evaluated on a sample first, then on all rows.
    assert any(one.state == "complete" for one in records)
    assert len(records) == {1: 2, 2: 3, 4: 4}[n_trials]


# ------------------------------------------------------------------ a real evaluator


@pytest.fixture
def evaluator():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "logistic", "nb")
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    return Evaluator(X, y, folds, space.suiting(problem), problem, measure)


def start_clock(seconds):
    return SearchClock(seconds, 1, 3, np.inf)


def test_ctrl_c_keeps_what_was_finished(evaluator):
    count = 0

    def interrupt(progress):
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt

    scheduler = make_scheduler(evaluator, interrupt)
    scheduler.run(start_clock(60.0), None, in_this_process(evaluator))
    assert scheduler.store.read().select("complete")
    assert count == 3


@pytest.fixture
def heard():
    """Let this process hear SIGINT, which a shell has programs behind & ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("seconds", [600.0, np.inf])
def test_an_interrupt_that_python_loses_ends_the_run(evaluator, seconds):
    class Tidied:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)

    count = 0

    def drop(progress):
        nonlocal count
        count += 1
        if count == 2:
            Tidied()

    before = signal.getsignal(signal.SIGINT)
    make_scheduler(evaluator, drop).run(
        start_clock(seconds), 500, in_this_process(evaluator)
    )
    assert 2 <= count < 12
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
def test_time_runs_out(evaluator):
    start = time.monotonic()
    make_scheduler(evaluator).run(start_clock(1.0), None, in_this_process(evaluator))
    assert time.monotonic() - start < 30


def test_progress_is_reported(evaluator):
    reported = []
    make_scheduler(evaluator, reported.append).run(
        start_clock(np.inf), 3, in_this_process(evaluator)
    )
    assert [one.n_done for one in reported] == [1, 2, 3]
    assert reported[-1].best > 0.9
    assert reported[-1].latest
