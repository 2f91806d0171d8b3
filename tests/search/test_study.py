"""Studies outlive their processes, and are shared by several."""

import subprocess
import sys
import time

import numpy as np
import pytest
from optuna.trial import TrialState
from sklearn.datasets import load_iris

from manyminds.search import Problem, default_space
from manyminds.search.evaluating import Evaluation, Evaluator
from manyminds.search.folds import make_folds
from manyminds.search.measuring import Measurer
from manyminds.search.study import Study


def make_evaluator():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "logistic", "naive_bayes")
    measure = Measurer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    return Evaluator(X, y, folds, space.suiting(problem), problem, measure)


def open_study(file, **options):
    return Study(make_evaluator(), str(file), "search", 0, **options)


def test_predictions_are_kept_with_the_scores(tmp_path):
    study = open_study(tmp_path / "s.sqlite")
    study.run(np.inf, 3, 1)
    tried = study.tried("complete")
    kept = study.store.read([one.number for one in tried])
    evaluator = study.evaluator
    for one in tried:
        made = kept[one.number].predictions
        scores = [
            evaluator.measure(made[test], evaluator.y[test])
            for _, test in evaluator.folds
        ]
        np.testing.assert_allclose(scores, one.fold_scores)
    study.close()


def test_trials_of_a_process_that_is_gone_come_again(tmp_path):
    first = open_study(tmp_path / "s.sqlite")
    first.run(np.inf, 1, 1)
    trial, chain = first._ask()
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    owner = first._owner.rpartition(":")[0]
    asked = {**trial.user_attrs["asked"], "owner": f"{owner}:{gone.pid}"}
    trial.set_user_attr("asked", asked)
    second = open_study(tmp_path / "s.sqlite")
    running = second.study.get_trials(states=(TrialState.RUNNING,))
    assert not running
    second.run(np.inf, len(second.study.get_trials(states=(TrialState.WAITING,))), 1)
    done = [one for one in second.tried() if one.chain == chain]
    assert sorted(one.state for one in done)[-1] == "unfinished"
    assert any(one.state in ("complete", "stopped") for one in done)


def test_trials_of_a_living_process_are_left_alone(tmp_path):
    first = open_study(tmp_path / "s.sqlite")
    first.run(np.inf, 1, 1)
    trial, _ = first._ask()
    alive = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        owner = first._owner.rpartition(":")[0]
        asked = {**trial.user_attrs["asked"], "owner": f"{owner}:{alive.pid}"}
        trial.set_user_attr("asked", asked)
        second = open_study(tmp_path / "s.sqlite")
        running = second.study.get_trials(states=(TrialState.RUNNING,))
        assert [one.number for one in running] == [trial.number]
    finally:
        alive.kill()
        alive.wait()


def test_two_processes_share_a_study(tmp_path):
    file = tmp_path / "s.sqlite"
    open_study(file).close()
    script = (
        "import sys; sys.path.insert(0, sys.argv[2]); "
        "from test_study import open_study; "
        "open_study(sys.argv[1]).run(float('inf'), 6, 1)"
    )
    from pathlib import Path

    here = str(Path(__file__).parent)
    workers = [
        subprocess.Popen([sys.executable, "-c", script, str(file), here])
        for _ in range(2)
    ]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0]
    study = open_study(file)
    ended = [one for one in study.tried() if one.state in ("complete", "stopped")]
    assert len(ended) >= 10
    best = study.store.read([one.number for one in study.tried("complete")])
    assert len(best) == len(study.tried("complete"))


def test_ctrl_c_keeps_what_was_finished(tmp_path):
    study = open_study(tmp_path / "s.sqlite")
    count = 0

    def interrupt(progress):
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt

    study.on_progress = interrupt
    study.run(60.0, None, 1)
    assert len([one for one in study.tried() if one.state == "complete"]) >= 1
    assert count == 3


def test_time_runs_out(tmp_path):
    study = open_study(tmp_path / "s.sqlite")
    start = time.monotonic()
    study.run(1.0, None, 1)
    assert time.monotonic() - start < 30


def test_progress_is_told(tmp_path):
    told = []
    study = open_study(tmp_path / "s.sqlite", on_progress=told.append)
    study.run(np.inf, 3, 1)
    assert [one.n_done for one in told] == [1, 2, 3]
    assert told[-1].best > 0.9
    assert told[-1].latest


def test_a_failed_trial_keeps_its_reason(tmp_path):
    study = open_study(tmp_path / "s.sqlite")
    study._start = time.monotonic()
    study._limit, study._n_begun = np.inf, 0
    trial, _ = study._ask()
    study._tell(trial, Evaluation("failed", reason="a singular matrix"))
    assert study.tried("failed")[0].reason == "a singular matrix"


def test_another_table_is_refused(tmp_path):
    open_study(tmp_path / "s.sqlite", about={"table": [1, 2]}).close()
    with pytest.raises(ValueError, match="made with another table"):
        open_study(tmp_path / "s.sqlite", about={"table": [3, 4]})
