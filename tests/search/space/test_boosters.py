"""Learners of other libraries appear where these are installed, and can be saved."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from manyminds.datasets import Dataset
from manyminds.persistence import load_model, save_model
from manyminds.search import Problem, default_space
from manyminds.search.space import boosters
from manyminds.search.space.booster_libraries import is_installed
from manyminds.search.space.boosters import (
    OPTIONS,
    BoosterClassifier,
    BoosterRegressor,
    list_boosters,
)

INSTALLED = [
    pytest.param(
        one,
        marks=pytest.mark.skipif(
            not is_installed(one.name), reason=f"{one.name} is not installed"
        ),
        id=one.name,
    )
    for one in OPTIONS
]
TASKS = ("classification", "regression")


def make_table(task, n=150):
    rng = np.random.default_rng(0)
    level = rng.integers(3, size=n)
    X = pd.DataFrame({"number": rng.normal(size=n), "noise": rng.normal(size=n)})
    X["level"] = pd.Categorical(np.array(["a", "b", "c"])[level])
    y = np.where(level == 1, -1.0, 1.0) * X["number"].to_numpy()
    X.loc[::9, "noise"] = np.nan
    X.loc[::11, "level"] = np.nan
    if task == "classification":
        y = np.array(["no", "yes"])[(y > 0).astype(int)]
    return X, y


def make_model(option, X, y, task):
    codes = np.unique(y, return_inverse=True)[1] if task == "classification" else y
    values = {name: one.default for name, one in option.parameters.items()}
    model = option.make(Problem.of(X, codes, task), **values)
    return model.set_params(max_iter=40)


def test_only_installed_libraries_are_in_the_space(monkeypatch):
    known = {"xgboost"}
    monkeypatch.setattr(boosters, "is_installed", lambda name: name in known)
    assert [one.name for one in list_boosters()] == ["xgboost"]
    for task in TASKS:
        names = [one.name for one in default_space(task).learner]
        assert [one for one in names if one in ("lightgbm", "xgboost")] == ["xgboost"]
    assert "xgboost" not in [one.name for one in default_space("multilabel").learner]


def test_many_classes_get_fewer_rounds():
    plain = Problem("classification", 1_000, 10, 2, 500, n_encoded=10)
    many = Problem("classification", 1_000, 10, 100, 5, n_encoded=10)
    for option in OPTIONS[:2]:
        values = {name: one.default for name, one in option.parameters.items()}
        assert option.make(plain, **values).max_iter == 1000
        assert option.make(many, **values).max_iter == 100
    assert not OPTIONS[2].suits(many) and OPTIONS[2].suits(plain)


def test_bad_parameters_are_named():
    X, y = make_table("regression")
    with pytest.raises(ValueError, match="'library' parameter of BoosterRegressor"):
        BoosterRegressor("bost").fit(X, y)
    with pytest.raises(ValueError, match="two classes or more"):
        BoosterClassifier().fit(X, np.zeros(len(X)))


@pytest.mark.slow
@pytest.mark.parametrize("option", INSTALLED)
@pytest.mark.parametrize("task", TASKS)
def test_a_model_learns_and_is_the_same_from_its_file(option, task, tmp_path):
    X, y = make_table(task, 400)
    model = make_model(option, X, y, task).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.4
    assert 1 <= model.n_iter_ <= 40
    path = save_model(tmp_path / "model.skops", model, Dataset("toy", X, y, task))
    read = load_model(path).estimator
    unseen = X.copy()
    unseen["level"] = pd.Categorical(["d"] * len(X))
    for table in (X, unseen):
        assert_array_equal(read.predict(table), model.predict(table))
    if task == "classification":
        probabilities = read.predict_proba(X)
        assert_array_equal(probabilities, model.predict_proba(X))
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("option", INSTALLED)
def test_three_classes_and_weights(option):
    X, y = make_table("regression", 300)
    y = np.digitize(y, [-0.5, 0.5])
    model = make_model(option, X, y, "classification")
    plain = clone(model).fit(X, y).predict_proba(X)
    assert plain.shape == (300, 3)
    weight = np.where(y == 2, 5.0, 1.0)
    weighted = clone(model).fit(X, y, sample_weight=weight).predict_proba(X)
    assert weighted[:, 2].mean() > plain[:, 2].mean()


@pytest.mark.slow
@pytest.mark.parametrize("option", INSTALLED)
def test_unit_of_the_target_does_not_matter(option):
    X, y = make_table("regression")
    model = make_model(option, X, y, "regression")
    ours, tiny = (clone(model).fit(X, unit * y).predict(X) for unit in (1.0, 1e-6))
    np.testing.assert_allclose(ours, 1e6 * tiny, rtol=1e-3, atol=1e-3)
