"""The final model: the best pipeline, or a committee that is better."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.search import HonestScore, Problem
from manyminds.search.choice.final_model import FinalModel, choose_final_model
from manyminds.search.evaluation.evaluator import Evaluation
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.study.prediction_store import MemoryPredictionStore
from manyminds.search.study.trial_record import TrialRecord
from manyminds.utils.errors import InputError

HONEST = HonestScore(0.75, 0.5, 0.875, 0.8, 0.95, 2, "bootstrap")
MODELS = {"nb": GaussianNB, "line": LinearRegression, "silent": Perceptron}
Y = np.random.default_rng(0).normal(size=60)
OFF = np.where(np.arange(60) % 2, 1.0, -1.0)
PREDICTIONS = {0: Y + OFF, 1: Y - OFF, 2: Y + 0.9 * OFF, 3: Y + 5.0}


def build(pipeline, problem):
    model = MODELS[pipeline["learner"]]()
    return Pipeline([("scale", StandardScaler()), ("learner", model)])


def make_evaluator(sample_weight=None):
    return SimpleNamespace(
        y=Y,
        folds=[(None, np.arange(0, 30)), (None, np.arange(30, 60))],
        measure=PredictionScorer("rmse", "regression"),
        problem=Problem("regression", 60, 2),
        space=SimpleNamespace(build=build),
        sample_weight=sample_weight,
        groups=None,
        time=None,
    )


def record(number, state="complete", fit_seconds=0.1, reason=""):
    criterion = -np.sqrt(np.mean((PREDICTIONS[number] - Y) ** 2))
    return TrialRecord(
        number, state, "first", {"learner": "line", "n": number}, f"p{number}",
        criterion, 0.1, criterion, [criterion] * 2, 1.0, fit_seconds, 0.0, reason,
    )  # fmt: skip


def choose(records, stored=(0, 1, 2, 3), evaluator=None, seconds=np.inf, **options):
    store = MemoryPredictionStore()
    for number in stored:
        store.write(number, Evaluation(predictions=PREDICTIONS[number]))
    options = {"alpha": 0.0, "with_committee": True, "seed": 0} | options
    return choose_final_model(
        records, store, evaluator or make_evaluator(), seconds=seconds, **options
    )


def test_the_best_pipeline_is_chosen():
    final = choose([record(n) for n in range(4)], with_committee=False)
    assert final.best == {"learner": "line", "n": 2} and final.members == []
    assert final.weights == [("p2", 1.0)]
    assert_allclose(final.predictions, PREDICTIONS[2])
    assert final.honest.naive == pytest.approx(0.9)
    assert final.honest.n_candidates == 4


def test_a_committee_is_chosen_if_it_is_better():
    final = choose([record(n) for n in range(4)])
    names = [name for name, _ in final.weights]
    assert "p1" in names and "p3" not in names  # whose errors are opposite
    assert sum(weight for _, weight in final.weights) == pytest.approx(1.0)
    assert [f"p{one['n']}" for one in final.members] == names
    mean = sum(w * PREDICTIONS[int(name[1:])] for name, w in final.weights)
    assert_allclose(final.predictions, mean)
    assert final.best["n"] == 2 and final.honest.naive < 0.2
    assert final.fit_seconds == pytest.approx(0.1 * len(names))


def test_no_committee_without_three_quick_pipelines_or_with_weights():
    records = [record(n) for n in range(4)]
    assert choose(records, evaluator=make_evaluator(np.ones(60))).members == []
    slow = [record(n, fit_seconds=9.0) for n in range(4)]
    assert choose(slow, seconds=20.0).members == []
    assert choose(records[:2]).members == []


def test_trials_without_predictions_are_passed_over():
    final = choose([record(n) for n in range(4)], stored=(0, 3), with_committee=False)
    assert final.best["n"] == 0


def test_pruned_trials_are_no_candidates_and_reasons_are_named():
    final = choose([record(2, "pruned"), record(0)], with_committee=False)
    assert final.best["n"] == 0 and final.honest.n_candidates == 1
    failed = [record(n, "failed", reason=f"why {n % 2}") for n in range(4)]
    with pytest.raises(InputError, match="None of 4 pipelines") as caught:
        choose(failed)
    assert "raise budget. Reasons: why 0; why 1." in str(caught.value)


def make_final(*learners, weights=()):
    members = [{"learner": name} for name in learners]
    named = [(one["learner"], w) for one, w in zip(members, weights)]
    return FinalModel({"learner": learners[0]}, members if weights else [], named,
                      HONEST, np.empty(0), None)  # fmt: skip


def test_a_vote_has_the_weights_of_its_members():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    final = make_final("line", "line", weights=(0.75, 0.25))
    best, vote = final.fit(make_evaluator(), X, y, None, None)
    assert vote.weights == [0.75, 0.25]
    assert_allclose(vote.predict(X), best.predict(X))


def test_classes_are_voted_on_by_probabilities():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    evaluator = make_evaluator()
    evaluator.problem = Problem("classification", 12, 1, 2, 6)
    final = make_final("nb", "nb", weights=(0.5, 0.5))
    best, vote = final.fit(evaluator, X, y, None, None)
    assert vote.voting == "soft"
    assert_allclose(vote.predict_proba(X), best.predict_proba(X))


def test_weights_of_rows_reach_the_learner():
    X, y = np.arange(6.0)[:, None], np.array([0.0, 0.0, 0.0, 9.0, 9.0, 9.0])
    final = make_final("line")
    best, vote = final.fit(make_evaluator(), X, y, np.repeat([1.0, 0.0], 3), None)
    assert vote is None
    assert_allclose(best.predict(X), 0.0, atol=1e-9)
