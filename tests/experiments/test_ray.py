"""Plans and fits on Ray, by its backend of joblib."""

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments import CrossValidation, Plan, open_store, run
from manyminds.trees import DecisionTreeClassifier

ray = pytest.importorskip("ray", reason="Ray is not installed")


@pytest.fixture(scope="module")
def backend():
    from ray.util.joblib import register_ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    register_ray()
    with joblib.parallel_config(backend="ray"):
        yield
    ray.shutdown()


@pytest.mark.slow
def test_a_plan_has_the_same_records(store, tmp_path, backend):
    X, y = load_iris(return_X_y=True, as_frame=True)
    methods = {"tree": DecisionTreeClassifier(max_features=1), "nb": GaussianNB()}
    data = Dataset("iris", X, y.to_numpy(), "classification")
    plan = Plan("ray", [data], methods, splits=CrossValidation(10))
    shown = []
    outcome = run(plan, store, n_jobs=2, on_progress=shown.append)
    assert (outcome.n_new, len(outcome.failed), len(shown)) == (20, 0, 20)

    alone = open_store(str(tmp_path / "alone.sqlite"))
    with joblib.parallel_config(backend="threading"):
        expected = {r.key: r.values for r in run(plan, alone).records}
    alone.close()
    assert {record.key: record.values for record in outcome.records} == expected


@pytest.mark.slow
def test_a_forest_is_the_same(backend):
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(40, random_state=0)
    with joblib.parallel_config(backend="threading"):
        expected = forest.fit(X, y).predict_proba(X)
    forest.set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(forest.predict_proba(X), expected)
