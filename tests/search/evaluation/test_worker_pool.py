"""Processes that try pipelines: limits are kept, lost processes are told."""

import os
import tempfile
import time
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from manyminds.search import Learner, Problem, default_space
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.resources import Resources
from manyminds.search.evaluation.worker_pool import WorkerPool
from manyminds.utils.leases import name_owner
from manyminds.utils.scratch_folders import OWNER, PREFIX


class Sleeper(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        time.sleep(60)
        return super().fit(X, y, sample_weight)


class Dying(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        os._exit(1)


def make_sleeper(problem):
    return Sleeper()


def make_dying(problem):
    return Dying()


def make_guess(problem):
    return DummyClassifier()


@pytest.fixture
def evaluator():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification", "accuracy")
    makers = {"sleeper": make_sleeper, "dying": make_dying, "guess": make_guess}
    learners = [Learner(name, make) for name, make in makers.items()]
    space = default_space("classification").adding("learner", *learners)
    space = space.only("learner", *makers).suiting(problem)
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    return Evaluator(X, y, folds, space, problem, measure)


def test_a_pool_without_processes_removes_folders_of_killed_ones(
    evaluator, tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    machine = name_owner().partition(":")[0]
    (left / OWNER).write_text(f"{machine}:{2**22 + 1}:1.00+1.00")
    with WorkerPool(evaluator, Resources()):
        assert not left.exists()


def wait_for(workers, n, seconds=120):
    found, start = {}, time.monotonic()
    while len(found) < n and time.monotonic() - start < seconds:
        found |= dict(workers.finished(0.2))
    return found


@pytest.mark.slow
def test_a_trial_over_its_limit_is_ended_and_others_go_on(evaluator, monkeypatch):
    monkeypatch.setattr(
        "manyminds.search.evaluation.worker_pool.SECONDS_TO_START", 15.0
    )
    pipelines = {
        name: evaluator.space.complete({"learner": name}, evaluator.problem)
        for name in ("sleeper", "guess", "dying")
    }
    with WorkerPool(evaluator, Resources(2, has_processes=True)) as workers:
        before = Evaluation("slow", fold_scores=[0.4], seconds=0.1)
        before.predictions = np.zeros((150, 3))
        workers.start("sleeper", pipelines["sleeper"], [], 0.5, before)
        workers.start("guess", pipelines["guess"], [], 30.0)
        assert workers.n_free == 0
        found = wait_for(workers, 2)
        assert found["sleeper"].state == "slow"
        assert found["sleeper"].fold_scores == [0.4]  # what it had is not lost
        assert found["sleeper"].seconds > 0.5
        assert found["guess"].state == "complete"
        workers.start("dying", pipelines["dying"], [], 30.0)
        workers.start("again", pipelines["guess"], [], 30.0)
        found = wait_for(workers, 2)
    assert found["dying"].state == "failed"
    assert "process was lost" in found["dying"].reason
    assert found["again"].state == "complete"


def test_one_worker_is_this_process(evaluator):
    pipeline = evaluator.space.complete({"learner": "guess"}, evaluator.problem)
    with WorkerPool(evaluator, Resources()) as workers:
        workers.start("guess", pipeline, [], 30.0)
        assert wait_for(workers, 1)["guess"].state == "complete"


@pytest.mark.slow
def test_processes_tell_columns_by_the_names_of_the_table():
    X, y = load_iris(return_X_y=True)
    X[y == 1, 2] = np.nan
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "nb")
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    names = ["a", "b", "c", "d"]
    evaluator = Evaluator(
        X, y, folds, space.suiting(problem), problem, measure, names=names
    )
    wish = {"learner": "nb", "encode": "one_hot", "one_hot.indicator": True}
    pipeline = evaluator.space.complete(wish, problem)
    with WorkerPool(evaluator, Resources(2, has_processes=True)) as workers:
        workers.start("here", pipeline, [], 30.0)
        found = wait_for(workers, 1)["here"]
    assert found.names == evaluator(pipeline).names == [*names, "missingindicator_c"]


def test_a_process_in_the_place_of_another_starts_at_once(evaluator, monkeypatch):
    pool = WorkerPool(evaluator, Resources(1, has_processes=True))
    submitted = SimpleNamespace(submit=lambda *_: Future(), shutdown=lambda **_: None)
    monkeypatch.setattr(pool, "_open", lambda: submitted)
    left = []
    for _ in range(2):
        pool.start("one", {}, [], 2.0)
        [trial] = pool._running.values()
        left.append(trial.seconds_left)
        pool.abandon()
    assert left[0] > 100.0 and left[1] < 20.0
