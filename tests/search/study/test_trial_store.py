"""Stored studies outlive their processes, and are shared by several."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from optuna.trial import TrialState
from sklearn.datasets import load_iris

from manyminds.search import Problem, default_space
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.resources import Resources
from manyminds.search.evaluation.worker_pool import WorkerPool
from manyminds.search.study.clock import SearchClock
from manyminds.search.study.proposals import list_initial_pipelines
from manyminds.search.study.scheduler import Scheduler
from manyminds.search.study.trial_store import TrialStore, read_minutes
from manyminds.utils.leases import name_owner

MACHINE = name_owner().partition(":")[0]


def make_evaluator():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "logistic", "nb")
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    return Evaluator(X, y, folds, space.suiting(problem), problem, measure)


def open_store(file, about=None, initial=None):
    evaluator = make_evaluator()
    space, problem = evaluator.space, evaluator.problem
    store = TrialStore(str(file), "search", 0, space, problem)
    if initial is None:
        initial = list_initial_pipelines(space, problem)
    store.begin(about or {}, initial)
    return store


def run(store, n_trials):
    evaluator = make_evaluator()
    scheduler = Scheduler(store, evaluator, 0)
    workers = WorkerPool(evaluator, Resources())
    scheduler.run(SearchClock(np.inf, 1, 3, np.inf), n_trials, workers)


def run_search(file, n_trials):
    run(open_store(file), n_trials)


def report(store, claim, evaluation, limit=np.inf):
    store.report(claim, evaluation, alpha=0.0, at=0.0, limit=limit)


def own_by(claim, owner):
    stored = {**claim.trial.user_attrs["claim"], "owner": owner}
    claim.trial.set_user_attr("claim", stored)


def list_waiting(store):
    trials = store.study.get_trials(states=(TrialState.WAITING,))
    return [one.system_attrs["fixed_params"] for one in trials]


def list_running(store):
    trials = store.study.get_trials(states=(TrialState.RUNNING,))
    return [one.number for one in trials]


@pytest.mark.slow
def test_predictions_are_stored_with_the_scores(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    run(store, 3)
    complete = store.read().select("complete")
    stored = store.predictions.read([one.number for one in complete])
    evaluator = make_evaluator()
    for one in complete:
        made = stored[one.number].predictions
        scores = [
            evaluator.measure(made[test], evaluator.y[test])
            for _, test in evaluator.folds
        ]
        np.testing.assert_allclose(scores, one.fold_scores)
    store.close()


def test_commits_of_a_study_do_not_wait_for_the_disk(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    with store._storage.engine.connect() as connection:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 1)):
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
    store.close()


def test_minutes_of_a_stored_study(tmp_path):
    file = tmp_path / "s.sqlite"
    assert read_minutes(str(file), "search") is None and not file.exists()
    assert read_minutes(None, "search") is None
    open_store(file, {"minutes": 5}).close()
    assert read_minutes(str(file), "search") == 5
    assert read_minutes(str(file), "other") is None
    other = tmp_path / "t.sqlite"
    open_store(other, {"task": "regression"}).close()  # of an earlier version
    assert read_minutes(str(other), "search") == 1


def test_trials_that_read_predictions_are_stored_apart(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    run(store, 2)
    numbers = tuple(one.number for one in store.read().select("complete"))
    pipeline = {**store.read().records[0].pipeline, "inputs": numbers}
    made = Evaluation(fold_scores=[0.5, 1.0], score=0.75, predictions=np.ones((150, 3)))
    number = store.add_stacked(pipeline, made, alpha=1.0, at=3.0)
    store.close()
    again = open_store(tmp_path / "s.sqlite")
    (one,) = again.read().stacked
    assert one.number == number and one.pipeline == pipeline and one.inputs == numbers
    assert one.criterion == pytest.approx(0.75 - 0.25) and one.at == 3.0
    assert one not in again.read().records
    found = again.predictions.read([number])[number].predictions
    np.testing.assert_array_equal(found, made.predictions)
    again.close()


def test_a_claimed_trial_can_take_fewer_rows(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    claim = store.claim("base")
    fewer = store.change(claim, {**claim.pipeline, "rows": 0.25})
    assert fewer.number == claim.number
    (record,) = store.read().records
    assert record.pipeline == fewer.pipeline and record.stage == "base"
    assert record.text == fewer.text == f"{claim.text} > 25 % of the rows"
    store.close()


def test_reading_changes_nothing(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    run(store, 2)
    before = store.study.get_trials()
    first, second = store.read(), store.read()
    assert first == second
    assert store.study.get_trials() == before
    assert first.incumbent.criterion == max(
        one.criterion for one in first.select("complete")
    )
    store.close()


@pytest.mark.slow
def test_orphaned_trials_are_requeued(tmp_path):
    first = open_store(tmp_path / "s.sqlite")
    run(first, 1)
    claim = first.claim("base")
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    own_by(claim, f"{MACHINE}:{gone.pid}:1.00")
    second = open_store(tmp_path / "s.sqlite")
    assert not list_running(second)
    run(second, len(list_waiting(second)))
    states = [
        one.state for one in second.read().records if one.pipeline == claim.pipeline
    ]
    assert sorted(states)[-1] == "unfinished"
    assert any(state in ("complete", "pruned") for state in states)


@pytest.mark.slow
def test_trials_of_a_living_process_are_left_alone(tmp_path):
    first = open_store(tmp_path / "s.sqlite")
    run(first, 1)
    claim = first.claim("base")
    code = (
        "from manyminds.utils.leases import name_owner\n"
        "import time; print(name_owner(), flush=True); time.sleep(60)"
    )
    alive = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    try:
        owner = alive.stdout.readline().decode().strip()
        own_by(claim, owner)
        assert list_running(open_store(tmp_path / "s.sqlite")) == [claim.number]
        # After a new start of the machine, another program may have the number.
        own_by(claim, f"{owner.rpartition(':')[0]}:1.00")
        assert not list_running(open_store(tmp_path / "s.sqlite"))
    finally:
        alive.kill()
        alive.wait()


def test_a_new_trial_of_another_machine_is_left_alone(tmp_path):
    first = open_store(tmp_path / "s.sqlite")
    claim = first.claim("base")
    own_by(claim, "elsewhere:1:1")
    assert list_running(open_store(tmp_path / "s.sqlite")) == [claim.number]


@pytest.mark.slow
def test_a_trial_of_an_earlier_search_of_this_process_is_requeued(tmp_path):
    first = open_store(tmp_path / "s.sqlite")
    claim = first.claim("base")
    assert claim.trial.user_attrs["claim"]["owner"] == name_owner()
    second = open_store(tmp_path / "s.sqlite")
    assert not list_running(second) and claim.pipeline in list_waiting(second)


@pytest.mark.slow
def test_two_processes_share_a_study(tmp_path):
    file = tmp_path / "s.sqlite"
    open_store(file).close()
    script = (
        "import sys; sys.path.insert(0, sys.argv[2]); "
        "from test_trial_store import run_search; run_search(sys.argv[1], 6)"
    )
    here = str(Path(__file__).parent)
    workers = [
        subprocess.Popen([sys.executable, "-c", script, str(file), here])
        for _ in range(2)
    ]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0]
    store = open_store(file)
    seen = store.read()
    ended = [one for one in seen.records if one.state in ("complete", "pruned")]
    assert len(ended) >= 10
    complete = [one.number for one in seen.select("complete")]
    assert len(store.predictions.read(complete)) == len(complete)


def test_a_failed_trial_has_its_reason(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    claim = store.claim("base")
    report(store, claim, Evaluation("failed", reason="a singular matrix"))
    assert store.read().select("failed")[0].reason == "a singular matrix"


def test_a_second_report_of_a_trial_is_dropped(tmp_path):
    # Two processes may have claimed it; the first result stays.
    store = open_store(tmp_path / "s.sqlite")
    claim = store.claim("base")
    report(store, claim, Evaluation("failed", reason="first"))
    report(store, claim, Evaluation("failed", reason="second"))
    assert [one.reason for one in store.read().records] == ["first"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({"table": [1, 2]}, {"table": [3, 4]}, "made with another table"),
        ({"data": "1"}, {"data": "2"}, "other rows, weights, groups, times, folds"),
        ({"format": 1}, {}, "made with another version of manyminds"),
    ],
)
def test_another_study_is_refused(first, second, message, tmp_path):
    open_store(tmp_path / "s.sqlite", about=first).close()
    with pytest.raises(ValueError, match=message):
        open_store(tmp_path / "s.sqlite", about=second)


@pytest.mark.slow
def test_a_pipeline_without_enough_time_runs_again_with_more(tmp_path):
    first = open_store(tmp_path / "s.sqlite")
    claim = first.claim("base")
    report(first, claim, Evaluation("slow", fold_scores=[0.9]), limit=0.5)
    assert first.read().select("slow")[0].limit == 0.5
    first.close()
    longer = open_store(tmp_path / "s.sqlite")
    run(longer, 100)
    states = [
        one.state for one in longer.read().records if one.pipeline == claim.pipeline
    ]
    assert states[0] == "slow" and states[1] in ("complete", "pruned")
    longer.close()


def test_a_pipeline_killed_while_its_score_was_written_is_requeued(tmp_path):
    first = open_store(tmp_path / "s.sqlite")
    claim = first.claim("base")
    result = {"state": "complete", "fold_scores": [0.9] * 3}
    claim.trial.set_user_attr("result", result)
    own_by(claim, f"{MACHINE}:1:1.00")
    second = open_store(tmp_path / "s.sqlite")
    unfinished = second.read().select("unfinished")
    assert [one.pipeline for one in unfinished] == [claim.pipeline]
    assert claim.pipeline in list_waiting(second)


@pytest.mark.skipif(os.name == "nt", reason="no locks on Windows")
def test_a_trial_killed_before_its_claim_is_requeued(tmp_path):
    first = open_store(tmp_path / "s.sqlite")
    number = first.study.ask().number
    fixed = first.study.get_trials()[number].system_attrs["fixed_params"]
    second = open_store(tmp_path / "s.sqlite")
    assert fixed in list_waiting(second)
    assert not list_running(second)


def test_initial_pipelines_are_all_queued_though_a_process_was_killed(tmp_path):
    evaluator = make_evaluator()
    pipelines = list_initial_pipelines(evaluator.space, evaluator.problem)

    def die():
        yield pipelines[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        open_store(tmp_path / "s.sqlite", initial=die())
    assert list_waiting(open_store(tmp_path / "s.sqlite")) == pipelines


def test_unfinished_trials_on_many_rows_wait_for_the_plan(tmp_path):
    store = open_store(tmp_path / "s.sqlite", initial=())
    for level in (0, 2):
        store.enqueue({"learner": "nb"}, "base", level)
        report(store, store.claim("base"), Evaluation("unfinished"))
    store.close()
    again = open_store(tmp_path / "s.sqlite", initial=())
    waiting = again.study.get_trials(states=(TrialState.WAITING,))
    assert [one.user_attrs["level"] for one in waiting] == [0]
    again.close()


def test_the_sampler_takes_no_duplicate_for_a_failure_of_its_options(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    store.discard(store.claim("base"))
    [trial] = [one for one in store.study.get_trials() if one.state.is_finished()]
    assert trial.state == TrialState.FAIL  # which it ignores; pruned ones it counts
    assert store.read().records == []
    store.close()
