"""The fits of one level: each pipeline once, with scaled probabilities."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.naive_bayes import GaussianNB

from manyminds.search import Problem
from manyminds.search.choice import level_fit
from manyminds.search.choice.level_fit import LevelFit, name_pipeline, scale_model
from manyminds.search.choice.members import Member
from manyminds.search.choice.vote import VoteClassifier
from manyminds.search.evaluation.temperature import scale_temperature

X = np.arange(12.0)[:, None]
Y = np.arange(12) // 3 % 2


def make_member(number, **more):
    return Member({"learner": "nb", "n": number}, "nb", None, **more)


@pytest.fixture
def evaluator(monkeypatch):
    """Build Bayes' classifiers, and check no fit."""
    monkeypatch.setattr(
        level_fit, "replace_failed", lambda _, members, models, *__: (members, models)
    )
    return SimpleNamespace(
        folds=[None, None],
        problem=Problem("classification", 12, 1, 2, 6),
        build=lambda pipeline: GaussianNB(),
        choose_rows=lambda pipeline, rows: rows,
        get_groups=lambda rows: None,
        kept=None,
    )


def test_each_pipeline_has_a_model_with_its_temperature(evaluator):
    fit = LevelFit(evaluator, X, Y, None, 1)
    members = [make_member(0), make_member(1, temperature=2.0)]
    fit.fit(members, np.inf)
    alone = GaussianNB().fit(X, Y).predict_proba(X)
    plain, flat = (fit.get(one) for one in members)
    assert isinstance(plain, GaussianNB) and isinstance(flat, VoteClassifier)
    assert_allclose(plain.predict_proba(X), alone)
    assert_allclose(flat.predict_proba(X), scale_temperature(alone, 2.0))


def test_without_a_limit_of_time_there_is_one_seed(evaluator):
    fit = LevelFit(evaluator, X, Y, None, 1)
    fit.fit([make_member(0)], np.inf)
    before = fit.models
    fit.add_seeds(np.inf)
    assert fit.models == before


def test_a_model_at_temperature_1_is_left_as_it_is():
    model = GaussianNB().fit(X, Y)
    assert scale_model(model, 1.0, Y) is model


def test_pipelines_are_keys_whatever_their_order():
    one, other = {"learner": "gb", "gb.l2": 1.0}, {"gb.l2": 1.0, "learner": "gb"}
    assert {name_pipeline(one): 1}[name_pipeline(other)] == 1
    assert name_pipeline({**one, "inputs": (1, 2)}) != name_pipeline(one)
