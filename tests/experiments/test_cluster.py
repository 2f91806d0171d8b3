"""Plans and fits on a Dask cluster, one of whose workers is killed in the middle."""

import os
import signal
import threading
import time

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments import CrossValidation, Plan, Scores, open_store, run
from manyminds.trees import DecisionTreeClassifier

distributed = pytest.importorskip("distributed", reason="the cluster is Dask's")


class SlowScores(Scores):
    """Take long enough for a worker to be killed in the middle of a fold."""

    def __call__(self, estimator, fold):
        time.sleep(0.1)
        return super().__call__(estimator, fold)


@pytest.fixture(scope="module")
def client():
    """Return two worker processes; one that dies is started again."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options, host="127.0.0.1") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def kill_one(client):
    pid = client.run(os.getpid).popitem()[1]
    os.kill(pid, signal.SIGKILL)


@pytest.mark.slow
def test_a_plan_survives_the_death_of_a_worker(client, store, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    plan = Plan(
        "cluster",
        [Dataset("iris", X, y.to_numpy(), "classification")],
        {"tree": DecisionTreeClassifier(max_features=1)},
        splits=CrossValidation(10, 4),
        measure=SlowScores(),
    )
    killed = []

    def kill_in_the_middle(state):
        if state.done == 10:
            kill_one(client)
            killed.append(state.done)

    with joblib.parallel_config(backend="dask"):
        outcome = run(plan, store, on_progress=kill_in_the_middle)
    assert killed == [10]
    assert (outcome.n_new, len(outcome.failed)) == (40, 0)

    alone = open_store(str(tmp_path / "alone.sqlite"))
    expected = {r.key: r.values for r in run(plan, alone).records}
    alone.close()
    assert {record.key: record.values for record in outcome.records} == expected


@pytest.mark.slow
def test_a_forest_survives_the_death_of_a_worker(client):
    X, y = make_classification(2000, 30, n_informative=10, random_state=0)
    forest = RandomForestClassifier(400, random_state=0)
    expected = forest.fit(X, y).predict_proba(X[:500])
    fitted, killed_before_the_end = threading.Event(), []

    def kill_when_busy():
        while not any(client.processing().values()):
            time.sleep(0.01)
        kill_one(client)
        killed_before_the_end.append(not fitted.is_set())

    killer = threading.Thread(target=kill_when_busy, daemon=True)
    with joblib.parallel_config(backend="dask"):
        killer.start()
        forest.set_params(n_jobs=-1).fit(X, y)
        fitted.set()
    killer.join()
    assert killed_before_the_end == [True]
    np.testing.assert_array_equal(forest.predict_proba(X[:500]), expected)
