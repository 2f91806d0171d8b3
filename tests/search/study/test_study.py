"""Studies outlive their processes, and are shared by several."""

import os
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest
from optuna.trial import TrialState
from sklearn.datasets import load_iris

from manyminds.search import Problem, default_space
from manyminds.search.evaluation.evaluating import Evaluation, Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.measuring import Measurer
from manyminds.search.study.processes import start_of
from manyminds.search.study.strategy import first_chains
from manyminds.search.study.study import Study


def make_evaluator():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "logistic", "naive_bayes")
    measure = Measurer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    return Evaluator(X, y, folds, space.suiting(problem), problem, measure)


def open_study(file, **options):
    return Study(make_evaluator(), str(file), "search", 0, **options)


def owner_of(process, start):
    return f"{socket.gethostname()}:{process}:{start}"


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
    asked = {**trial.user_attrs["asked"], "owner": owner_of(gone.pid, "1")}
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
        owner = owner_of(alive.pid, start_of(alive.pid))
        asked = {**trial.user_attrs["asked"], "owner": owner}
        trial.set_user_attr("asked", asked)
        second = open_study(tmp_path / "s.sqlite")
        running = second.study.get_trials(states=(TrialState.RUNNING,))
        assert [one.number for one in running] == [trial.number]
        # After a new start of the machine, another program may have the number.
        trial.set_user_attr("asked", asked | {"owner": owner_of(alive.pid, "1")})
        third = open_study(tmp_path / "s.sqlite")
        assert not third.study.get_trials(states=(TrialState.RUNNING,))
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


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("seconds", [600.0, np.inf])
def test_an_interrupt_that_python_loses_is_heeded(tmp_path, seconds):
    study = open_study(tmp_path / "s.sqlite")

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
    study.on_progress = drop
    study.run(seconds, 500, 1)
    assert 2 <= count < 12
    assert signal.getsignal(signal.SIGINT) is before


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


def test_a_chain_without_enough_time_is_tried_again_with_more(tmp_path):
    first = open_study(tmp_path / "s.sqlite")
    first._start, first._limit, first._n_begun = time.monotonic(), 5.0, 0
    trial, chain = first._ask()
    first._limits[trial.number] = 0.5
    first._tell(trial, Evaluation("slow", fold_scores=[0.9]))
    assert first.tried("slow")[0].limit == 0.5
    first.close()
    longer = open_study(tmp_path / "s.sqlite")
    longer.run(np.inf, 100, 1)
    states = [one.state for one in longer.tried() if one.chain == chain]
    assert states[0] == "slow" and states[1] in ("complete", "stopped")
    longer.close()


def test_a_chain_killed_while_its_score_was_written_comes_again(tmp_path):
    first = open_study(tmp_path / "s.sqlite")
    first._start, first._limit, first._n_begun = time.monotonic(), np.inf, 0
    trial, chain = first._ask()
    trial.set_user_attr("told", {"outcome": "complete", "fold_scores": [0.9] * 3})
    asked = {**trial.user_attrs["asked"], "owner": owner_of(1, "before the start")}
    trial.set_user_attr("asked", asked)
    second = open_study(tmp_path / "s.sqlite")
    assert [one.chain for one in second.tried("unfinished")] == [chain]
    waiting = second.study.get_trials(states=(TrialState.WAITING,))
    assert chain in [one.system_attrs["fixed_params"] for one in waiting]


def test_a_trial_killed_before_it_had_an_owner_comes_again(tmp_path):
    first = open_study(tmp_path / "s.sqlite")
    number = first.study.ask().number
    fixed = first.study.get_trials()[number].system_attrs["fixed_params"]
    second = open_study(tmp_path / "s.sqlite")
    waiting = second.study.get_trials(states=(TrialState.WAITING,))
    assert fixed in [one.system_attrs["fixed_params"] for one in waiting]
    assert not second.study.get_trials(states=(TrialState.RUNNING,))


def test_first_chains_are_all_queued_though_a_process_was_killed(tmp_path, monkeypatch):
    evaluator = make_evaluator()
    chains = first_chains(evaluator.space, evaluator.problem)
    monkeypatch.setattr(
        "manyminds.search.study.study.first_chains", lambda *_: [chains[0], 1 / 0]
    )
    with pytest.raises(ZeroDivisionError):
        open_study(tmp_path / "s.sqlite")
    monkeypatch.undo()
    study = open_study(tmp_path / "s.sqlite")
    waiting = study.study.get_trials(states=(TrialState.WAITING,))
    assert [one.system_attrs["fixed_params"] for one in waiting] == chains
