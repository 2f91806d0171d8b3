"""Trials on a Dask cluster, whose workers are killed in the middle."""

import os
import signal
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from manyminds.search import ComplexModelSearchClassifier, Problem, default_space
from manyminds.search.evaluation.dask_pool import DaskPool
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.utils.errors import InputError

distributed = pytest.importorskip("distributed", reason="the cluster is Dask's")

N_TRIALS = 12


@pytest.fixture
def evaluator():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "logistic", "nb")
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, y, "classification", 0)
    return Evaluator(X, y, folds, space.suiting(problem), problem, measure)


def list_pipelines(evaluator):
    space, problem = evaluator.space, evaluator.problem
    return [
        space.complete({"learner": "logistic", "logistic.C": 2.0**place}, problem)
        for place in range(N_TRIALS)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("n_killed", [1, 2])
def test_workers_that_are_killed_lose_nothing(evaluator, n_killed):
    # With both, the last copy of the table is lost.
    pipelines, found = list_pipelines(evaluator), {}
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options, host="127.0.0.1") as cluster:
        with DaskPool(evaluator, cluster.scheduler_address) as workers:
            assert workers.n_free == 2
            waiting, start = list(enumerate(pipelines)), time.monotonic()
            is_killed = False
            while len(found) < N_TRIALS and time.monotonic() - start < 120:
                while waiting and workers.n_free:
                    workers.start(*waiting.pop(0), [], 60.0)
                if len(found) >= 2 and not is_killed:
                    processes = workers._client.run(os.getpid).values()
                    for process in list(processes)[:n_killed]:
                        os.kill(process, signal.SIGKILL)
                    is_killed = True
                found |= dict(workers.finished(0.2))
    assert is_killed
    assert sorted(found) == list(range(N_TRIALS))
    for place, pipeline in enumerate(pipelines):
        assert found[place].state == "complete", found[place].reason
        assert found[place].fold_scores == evaluator(pipeline).fold_scores


@pytest.mark.slow
def test_a_search_on_a_cluster_finds_what_a_local_one_finds():
    X, y = load_iris(return_X_y=True)
    space = default_space("classification").only("learner", "logistic", "nb", "lda")
    search = ComplexModelSearchClassifier(
        budget=None, n_trials=5, cv=3, space=space, random_state=0
    )
    expected = search.fit(X, y)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        found = clone(search).set_params(cluster=cluster.scheduler_address).fit(X, y)
    columns = ["rank", "score", "pipeline"]
    pd.testing.assert_frame_equal(
        found.leaderboard_[columns], expected.leaderboard_[columns]
    )
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))


def test_an_address_that_does_not_answer_is_named(evaluator, monkeypatch):
    monkeypatch.setattr("manyminds.search.evaluation.dask_pool.CONNECT_SECONDS", 0.2)
    with pytest.raises(InputError, match=r"cluster: no Dask scheduler.*127\.0\.0\.1:9"):
        DaskPool(evaluator, "tcp://127.0.0.1:9").__enter__()
