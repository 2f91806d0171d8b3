"""The final model: the best pipeline, or a committee that is better."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.learners import KernelWidthSVC
from manyminds.search import HonestScore, Problem
from manyminds.search.choice import level_fit
from manyminds.search.choice.final_model import (
    REFIT_SHARE,
    FinalModel,
    _choose,
    _find,
    choose_final_model,
)
from manyminds.search.choice.members import Member
from manyminds.search.choice.mixture import Mixture
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.kept_models import KeptModels
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.study.prediction_store import (
    MemoryPredictionStore,
    StoredPredictions,
)
from manyminds.search.study.trial_record import TrialRecord
from manyminds.utils.errors import InputError, InputWarning

HONEST = HonestScore(0.75, 0.5, 0.875, 0.8, 0.95, 2, "bootstrap")
MODELS = {"nb": GaussianNB, "line": LinearRegression, "silent": Perceptron}
Y = np.random.default_rng(0).normal(size=60)
OFF = np.where(np.arange(60) % 2, 1.0, -1.0)
PREDICTIONS = {0: Y + OFF, 1: Y - OFF, 2: Y + 0.9 * OFF, 3: Y + 5.0}


def build(pipeline, problem=None):
    model = MODELS[pipeline["learner"]]()
    return Pipeline([("scale", StandardScaler()), ("learner", model)])


def make_evaluator(sample_weight=None, kept=None):
    return SimpleNamespace(
        y=Y,
        folds=[(None, np.arange(0, 30)), (None, np.arange(30, 60))],
        measure=PredictionScorer("rmse", "regression"),
        problem=Problem("regression", 60, 2),
        space=SimpleNamespace(build=build),
        build=build,
        choose_rows=lambda pipeline, rows: rows,
        get_groups=lambda rows: None,
        sample_weight=sample_weight,
        kept=kept,
        has_kept=lambda pipeline: kept is not None and kept.has(pipeline),
        groups=None,
        time=None,
    )


def record(number, state="complete", fit_seconds=0.1, reason="", predict_seconds=0.001):
    criterion = -np.sqrt(np.mean((PREDICTIONS[number] - Y) ** 2))
    return TrialRecord(
        number, state, "first", {"learner": "line", "n": number}, f"p{number}",
        criterion, 0.1, criterion, [criterion] * 2, 1.0, fit_seconds, 0.0, reason,
        predict_seconds=predict_seconds,
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
    assert final.best.pipeline == {"learner": "line", "n": 2} and final.members == []
    assert final.weights == [("p2", 1.0)]
    assert_allclose(final.predictions, PREDICTIONS[2])
    assert final.honest.naive == pytest.approx(0.9)
    assert final.honest.n_candidates == 4


def test_a_committee_is_chosen_if_it_is_better():
    final = choose([record(n) for n in range(4)])
    names = [name for name, _ in final.weights]
    assert "p1" in names and "p3" not in names  # whose errors are opposite
    assert sum(weight for _, weight in final.weights) == pytest.approx(1.0)
    assert [one.text for one in final.members] == names
    mean = sum(w * PREDICTIONS[int(name[1:])] for name, w in final.weights)
    assert_allclose(final.predictions, mean)
    assert final.best.pipeline["n"] == 2 and final.honest.naive < 0.2


def test_no_committee_without_three_quick_pipelines():
    records = [record(n) for n in range(4)]
    slow = [record(n, fit_seconds=9.0) for n in range(4)]
    assert choose(slow, seconds=20.0).members == []
    assert choose(records[:2]).members == []
    assert choose(records, evaluator=make_evaluator(np.ones(60))).members != []


def test_slow_pipelines_are_left_out_by_a_limit():
    # Numbers 1 and 2 have opposite errors; 2 is the best, and predicts 100 rows in a
    # second, the others 1,000.
    slow = [record(n, predict_seconds=0.01 if n == 2 else 0.001) for n in range(4)]
    assert choose(slow, predict_limit=50.0).best.pipeline["n"] == 2
    final = choose(slow, predict_limit=400.0)
    names = {name for name, _ in final.weights}
    assert final.best.pipeline["n"] == 0 and names == {"p0", "p1"}
    alone = choose(slow, predict_limit=900.0)
    assert alone.members == [] and alone.weights == [("p0", 1.0)]
    with pytest.warns(InputWarning, match="No pipeline predicts 5000 rows per second"):
        quickest = choose(slow, predict_limit=5000.0)
    assert quickest.best.pipeline["n"] == 0 and quickest.members == []


def test_trials_without_predictions_are_passed_over():
    final = choose([record(n) for n in range(4)], stored=(0, 3), with_committee=False)
    assert final.best.pipeline["n"] == 0


def test_pruned_trials_are_no_candidates_and_reasons_are_named():
    final = choose([record(2, "pruned"), record(0)], with_committee=False)
    assert final.best.pipeline["n"] == 0 and final.honest.n_candidates == 1
    failed = [record(n, "failed", reason=f"why {n % 2}") for n in range(4)]
    with pytest.raises(InputError, match="None of 4 pipelines") as caught:
        choose(failed)
    assert "raise budget. Reasons: why 0; why 1." in str(caught.value)


def make_final(*learners, weights=(1.0,), **options):
    """Make a final model of pipelines, the first of which is the best."""
    members = [
        Member({"learner": name, "n": place}, name, None, weight)
        for place, (name, weight) in enumerate(zip(learners, weights, strict=True))
    ]
    several = members if len(members) > 1 else []
    return FinalModel(members[0], several, HONEST, np.empty(0), **options)


@pytest.fixture
def unchecked(monkeypatch):
    """Fit members to tables that have no folds, by which fits could be checked."""
    monkeypatch.setattr(
        level_fit, "replace_failed", lambda _, members, models, *__: (members, models)
    )


def test_a_fit_that_is_worse_than_its_folds_is_no_final_model():
    # The predictions of the folds are perfect; a fit to this column is not.
    evaluator = make_evaluator()
    line = LinearRegression().fit(Y[:, None], Y)
    evaluator.X = Y[:, None]
    evaluator.get_outside = lambda *_: line
    member = Member({"learner": "line"}, "line", StoredPredictions(Y, [], []))
    final = FinalModel(member, [], HONEST, Y)
    best, _ = final.fit(evaluator, OFF[:, None], Y, None, None)
    assert_allclose(best.predict(Y[:, None]), Y)


def make_class_evaluator():
    evaluator = make_evaluator()
    evaluator.problem = Problem("classification", 12, 1, 2, 6)
    return evaluator


@pytest.mark.usefixtures("unchecked")
def test_a_vote_has_the_weights_of_its_members():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    final = make_final("line", "line", weights=(0.75, 0.25))
    best, vote = final.fit(make_evaluator(), X, y, None, None)
    assert vote.weights == [0.75, 0.25] and final.weights[1] == ("line", 0.25)
    assert_allclose(vote.predict(X), best.predict(X))


@pytest.mark.usefixtures("unchecked")
def test_each_member_is_fitted_once(monkeypatch):
    n_fits = 0
    fit = GaussianNB.fit

    def count(self, *args, **options):
        nonlocal n_fits
        n_fits += 1
        return fit(self, *args, **options)

    monkeypatch.setattr(GaussianNB, "fit", count)
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    final = make_final("nb", "nb", "nb", weights=(0.5, 0.25, 0.25))
    best, vote = final.fit(make_class_evaluator(), X, y, None, None)
    assert n_fits == 3 and best is vote.estimators_[0]
    other = replace(final, members=final.members[1:])
    best, vote = other.fit(make_class_evaluator(), X, y, None, None)
    assert n_fits == 6 and all(best is not one for one in vote.estimators_)


@pytest.mark.usefixtures("unchecked")
def test_classes_are_voted_on_by_probabilities():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    final = make_final("nb", "nb", weights=(0.5, 0.5))
    best, vote = final.fit(make_class_evaluator(), X, y, None, None)
    assert_allclose(vote.predict_proba(X), best.predict_proba(X))
    assert_array_equal(vote.predict(X), best.predict(X))


@pytest.mark.usefixtures("unchecked")
def test_a_tuned_pipeline_is_a_vote_of_one():
    X, y = np.arange(12.0)[:, None], np.arange(12) // 6
    plain, _ = make_final("nb").fit(make_class_evaluator(), X, y, None, None)
    weights = np.array([1.0, 1e6])
    final = make_final("nb", temperature=2.0, class_weights=weights)
    best, vote = final.fit(make_class_evaluator(), X, y, None, None)
    assert vote is None
    odds = [np.divide(*one.predict_proba(X).T) for one in (plain, best)]
    assert_allclose(odds[1] ** 2, odds[0], rtol=1e-4)
    assert best.predict(X).sum() > plain.predict(X).sum()


@pytest.mark.usefixtures("unchecked")
def test_weights_of_rows_reach_every_learner():
    X, y = np.arange(6.0)[:, None], np.array([0.0, 0.0, 0.0, 9.0, 9.0, 9.0])
    weight = np.repeat([1.0, 0.0], 3)
    best, vote = make_final("line").fit(make_evaluator(), X, y, weight, None)
    assert vote is None
    assert_allclose(best.predict(X), 0.0, atol=1e-9)
    final = make_final("line", "line", weights=(0.5, 0.5))
    assert_allclose(
        final.fit(make_evaluator(), X, y, weight, None)[1].predict(X), 0.0, atol=1e-9
    )


def test_models_of_folds_take_longer_to_predict(tmp_path):
    # Each predicts 1,000 rows in a second; the two models of the folds, 500.
    records = [record(n) for n in range(4)]
    kept = KeptModels(tmp_path)
    kept.save(records[2].pipeline, ["of the best"])
    evaluator = make_evaluator(kept=kept)
    options = {"evaluator": evaluator, "with_committee": False}
    assert choose(records, predict_limit=400.0, **options).best.text == "p2"
    assert choose(records, predict_limit=800.0, **options).best.text == "p0"


def test_protected_pipelines_are_known_by_any_share_of_rows():
    half = replace(record(1), pipeline={"learner": "line", "n": 1, "rows": 0.5})
    protected = [{"learner": "line", "n": 1}, {"learner": "line", "n": 3}]
    assert _find(protected, [record(0), half, record(3)]) == [1, 2]


def test_kept_models_save_the_fits_for_which_there_is_no_time(tmp_path):
    kept = KeptModels(tmp_path)
    slow = [record(n, fit_seconds=9.0) for n in range(4)]
    for one in slow:
        kept.save(one.pipeline, [one.text])
    evaluator = make_evaluator(kept=kept)
    final = choose(slow, evaluator=evaluator, seconds=20.0)
    assert len(final.members) > 1 and all(one.is_kept for one in final.parts)
    assert final.best.is_kept
    enough = choose(slow, evaluator=evaluator, seconds=1e6)
    assert not any(one.is_kept for one in (enough.best, *enough.members))
    refit = 9.0 * 2  # of two folds, each fitted to half of the rows
    one_fit = choose(slow, evaluator=evaluator, seconds=1.5 * refit / REFIT_SHARE)
    largest = max(one_fit.members, key=lambda one: one.weight)
    assert [one.text for one in one_fit.members if not one.is_kept] == [largest.text]


def test_a_machine_decides_as_it_was_scored():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = (X[:, 0] > 1.0).astype(int) + (X[:, 1] > 1.2)
    machine = KernelWidthSVC(probability=True, cv=3).fit(X, y)
    by_probability = machine.predict_proba(X).argmax(axis=1)
    assert (machine.predict(X) != by_probability).any()
    final = make_final("nb")
    for model in (machine, Pipeline([("learner", machine)])):
        assert_array_equal(final._center(model, y).predict(X), by_probability)
    other = GaussianNB().fit(X, y)
    assert final._center(other, y) is other


def test_the_only_member_is_the_model():
    # As where pipelines are ranked with alpha, and another is better with its tuning.
    mixture = Mixture(np.array([0.0, 1.0]))
    judge = SimpleNamespace(choose=lambda *_: (mixture, HONEST), P=np.zeros((2, 60)))
    both = [Member({"n": n}, f"p{n}", None) for n in range(2)]
    final = _choose(judge, None, both, ())
    assert final.best is both[1] and final.members == []
