"""Backends that return lists only: forests and plans are the same."""

import joblib
import numpy as np
import pytest
from joblib._parallel_backends import ThreadingBackend
from sklearn.datasets import load_iris, make_classification

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments import CrossValidation, Plan, open_store, run
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.backends import choose_return


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
