"""What is the same on every cluster, on threads of this process."""

import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import numpy as np
import pytest
from sklearn.datasets import load_iris

from manyminds.search import Problem, default_space
from manyminds.search.evaluation import cluster_pool
from manyminds.search.evaluation.cluster_pool import ClusterPool, evaluate_remotely
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.sharing import list_parts


class ThreadCluster(ClusterPool):
    """A cluster of two threads; tasks that are ended are noted."""

    def __enter__(self):
        self.n_workers, self.ended, self.n_sent = 2, [], 0
        self.threads = ThreadPoolExecutor(2)
        return self

    def get_parts(self):
        self.n_sent += 1
        return list_parts(self.evaluator)

    def _submit(self, trial):
        if trial[0] == "lost":
            return self.threads.submit(divide_by_zero)
        if trial[0] == "slow":
            return self.threads.submit(time.sleep, 0.5)
        return self.threads.submit(evaluate_remotely, self._name, self.get_parts, trial)

    def _wait(self, tasks, timeout):
        return list(wait(tasks, timeout, return_when=FIRST_COMPLETED).done)

    def _get(self, task):
        return task.result()

    def _end(self, tasks):
        self.ended += tasks

    def _disconnect(self):
        self.threads.shutdown()


def divide_by_zero():
    raise ZeroDivisionError


@pytest.fixture
def evaluator():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "nb")
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    return Evaluator(X, y, folds, space.suiting(problem), problem, measure)


def collect(workers, n_expected):
    found, start = {}, time.monotonic()
    while len(found) < n_expected and time.monotonic() - start < 60:
        found |= dict(workers.finished(0.1))
    return found


def test_evaluations_are_those_of_this_process(evaluator):
    pipeline = evaluator.space.complete({"learner": "nb"}, evaluator.problem)
    with ThreadCluster(evaluator, "nowhere") as workers:
        for tag in ("a", "b"):
            workers.start(tag, pipeline, [], 60.0)
        assert workers.n_free == 0
        found = collect(workers, 2)
        workers.start("c", pipeline, [], 60.0)
        found |= collect(workers, 1)
        assert workers.n_free == 2
    assert sorted(found) == ["a", "b", "c"]
    expected = evaluator(pipeline).fold_scores
    assert all(one.fold_scores == expected for one in found.values())
    assert workers.n_sent <= 2  # the table is sent to each worker once
    assert not workers.ended


def test_a_lost_worker_is_a_failed_trial(evaluator):
    with ThreadCluster(evaluator, "nowhere") as workers:
        workers.start("tag", "lost", [], 60.0)
        [(tag, found)] = collect(workers, 1).items()
    assert (tag, found.state) == ("tag", "failed")
    assert "worker was lost (ZeroDivisionError)" in found.reason


def test_trials_far_over_their_limit_are_ended(evaluator, monkeypatch):
    monkeypatch.setattr(cluster_pool, "SECONDS_TO_START", 0.05)
    with ThreadCluster(evaluator, "nowhere") as workers:
        workers.start("tag", "slow", [], 0.0)
        [(tag, found)] = collect(workers, 1).items()
        assert (tag, found.state, workers.n_free) == ("tag", "slow", 2)
        assert len(workers.ended) == 1


def test_leaving_abandons_what_runs(evaluator):
    with ThreadCluster(evaluator, "nowhere") as workers:
        workers.start("tag", "slow", [], 60.0)
        assert workers.abandon() == ["tag"]
        workers.start("other", "slow", [], 60.0)
    assert len(workers.ended) == 2
