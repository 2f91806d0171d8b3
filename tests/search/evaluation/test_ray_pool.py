"""Trials on a Ray cluster, one of whose workers is killed in the middle."""

import sys
import time
from subprocess import run
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from manyminds.search import ComplexModelSearchClassifier, Problem, default_space
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.ray_pool import RayPool
from manyminds.utils.errors import InputError

N_TRIALS = 12
X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture
def evaluator():
    problem = Problem.of(X, Y, "classification", "accuracy")
    space = default_space("classification").only("learner", "logistic", "nb")
    measure = PredictionScorer("accuracy", "classification", np.arange(3))
    folds = make_folds(3, X, Y, "classification", 0)
    return Evaluator(X, Y, folds, space.suiting(problem), problem, measure)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="workers are found by pgrep")
def test_a_worker_that_is_killed_loses_nothing(ray, evaluator):
    pipelines = [
        evaluator.space.complete(
            {"learner": "logistic", "logistic.C": 2.0**place}, evaluator.problem
        )
        for place in range(N_TRIALS)
    ]
    found, is_killed = {}, False
    with RayPool(evaluator, "ray://auto") as workers:
        assert workers.n_workers == workers.n_free == 2
        waiting, start = list(enumerate(pipelines)), time.monotonic()
        while len(found) < N_TRIALS and time.monotonic() - start < 120:
            while waiting and workers.n_free:
                workers.start(*waiting.pop(0), [], 60.0)
            if len(found) >= 2 and not is_killed:
                is_killed = not run(["pkill", "-9", "-f", "ray::_work"]).returncode
            found |= dict(workers.finished(0.2))
    assert is_killed
    assert sorted(found) == list(range(N_TRIALS))
    for place, pipeline in enumerate(pipelines):
        assert found[place].state == "complete", found[place].reason
        assert found[place].fold_scores == evaluator(pipeline).fold_scores


@pytest.mark.slow
def test_a_trial_that_does_not_end_is_ended(ray, evaluator, monkeypatch):
    monkeypatch.setattr("manyminds.search.evaluation.cluster_pool.GRACE", 0.0)
    monkeypatch.setattr("manyminds.search.evaluation.cluster_pool.SECONDS_TO_START", 0)
    pipeline = evaluator.space.complete({"learner": "nb"}, evaluator.problem)
    with RayPool(evaluator, "ray://auto") as workers:
        workers.start("late", pipeline, [], 1.0)
        ((tag, evaluation),) = workers.finished(0.0)
        assert (tag, evaluation.state, workers.n_free) == ("late", "slow", 2)


@pytest.mark.slow
def test_a_search_on_a_cluster_finds_what_a_local_one_finds(ray):
    space = default_space("classification").only("learner", "logistic", "nb", "lda")
    search = ComplexModelSearchClassifier(
        budget=None, n_trials=5, cv=3, space=space, random_state=0
    )
    expected = search.fit(X, Y)
    found = clone(search).set_params(cluster="ray://auto").fit(X, Y)
    columns = ["rank", "score", "pipeline"]
    pd.testing.assert_frame_equal(
        found.leaderboard_[columns], expected.leaderboard_[columns]
    )
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))


def test_a_missing_package_is_named(evaluator, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"cluster needs the package ray: install"):
        RayPool(evaluator, "ray://auto").__enter__()


def test_an_address_that_does_not_answer_is_named(evaluator, monkeypatch):
    def refuse(*address, **options):
        raise ConnectionError("ray client connection timeout")

    absent = SimpleNamespace(is_initialized=lambda: False, init=refuse)
    monkeypatch.setitem(sys.modules, "ray", absent)
    with pytest.raises(InputError, match=r"cluster: no Ray cluster.*127\.0\.0\.1:9"):
        RayPool(evaluator, "ray://127.0.0.1:9").__enter__()
