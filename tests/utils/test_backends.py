"""Backends that return lists only, and a terminal that is closed."""

import os
import signal
import subprocess
import sys

import joblib
import numpy as np
import pytest
from joblib._parallel_backends import ThreadingBackend
from sklearn.datasets import load_iris, make_classification

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments import CrossValidation, Plan, open_store, run
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.backends import choose_return, shelter_tracker


class ListBackend(ThreadingBackend):
    """Return all results at once, as Ray's backend does."""

    supports_return_generator = False


@pytest.fixture
def lists():
    joblib.register_parallel_backend("lists", ListBackend)
    with joblib.parallel_config(backend="lists", n_jobs=2):
        yield


def test_lists_where_there_are_no_generators(lists):
    assert choose_return("generator_unordered") == "list"
    with joblib.parallel_config(backend="threading"):
        assert choose_return("generator_unordered") == "generator_unordered"


def test_a_forest_is_the_same(lists):
    X, y = make_classification(1500, 20, random_state=0)
    forest = RandomForestClassifier(40, random_state=0, n_jobs=2).fit(X, y)
    alone = RandomForestClassifier(40, random_state=0, n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(forest.predict_proba(X), alone.predict_proba(X))


def test_a_plan_is_the_same_and_stored_in_batches(lists, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    data = Dataset("iris", X, y.to_numpy(), "classification")
    tree = {"tree": DecisionTreeClassifier(max_features=1)}
    plan = Plan("lists", [data], tree, splits=CrossValidation(5, 4))
    stored = []
    store = open_store(str(tmp_path / "lists.sqlite"))
    outcome = run(
        plan, store, n_jobs=2, on_progress=lambda state: stored.append(state.done)
    )
    assert (outcome.n_new, len(outcome.failed)) == (20, 0)
    with joblib.parallel_config(backend="sequential"):
        alone = run(plan, open_store(str(tmp_path / "alone.sqlite")))
    expected = {record.key: record.values for record in alone.records}
    assert {record.key: record.values for record in outcome.records} == expected
    assert stored[-1] == 20


CLOSED = """
import os, signal
from joblib import Parallel, delayed
from manyminds.utils.backends import shelter_tracker

signal.signal(signal.SIGHUP, lambda *_: print("told", flush=True))
shelter_tracker(2)
list(Parallel(2)(delayed(abs)(i) for i in range(4)))
os.killpg(0, signal.SIGHUP)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGHUP")
def test_a_closed_terminal_ends_no_resource_tracker():
    done = subprocess.run(
        [sys.executable, "-c", CLOSED],
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "told\n", "")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGHUP")
@pytest.mark.parametrize(("backend", "n_jobs"), [("threading", 2), ("loky", 1)])
def test_no_tracker_is_started_that_is_not_needed(monkeypatch, backend, n_jobs):
    from joblib.externals.loky.backend import resource_tracker

    monkeypatch.delattr(resource_tracker, "ensure_running")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with joblib.parallel_config(backend=backend):
        shelter_tracker(n_jobs)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
