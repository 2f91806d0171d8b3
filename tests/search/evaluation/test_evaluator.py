"""Evaluating pipelines: folds are not leaked into, weak ones are pruned."""

import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numba.core.event import trigger_event
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

from manyminds.ensemble import GradientBoostingClassifier
from manyminds.search import Learner, Problem, default_space
from manyminds.search.choice.results import make_selection
from manyminds.search.evaluation import fold_steps
from manyminds.search.evaluation.dependence import cut_times
from manyminds.search.evaluation.evaluator import (
    Evaluator,
    limit_seconds,
    should_prune,
)
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.kept_models import KeptModels
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.space.prior_correction import PriorCorrectedClassifier
from manyminds.search.study.prediction_store import StoredPredictions

QUICK = ("logistic", "nb", "nrbf")


def make_evaluator(X, y, seed, metric="accuracy", space=None, names=None):
    problem = Problem.of(X, y, "classification", metric)
    space = (space or default_space("classification")).suiting(problem)
    measure = PredictionScorer(metric, "classification", np.unique(y))
    folds = make_folds(3, X, y, "classification", seed)
    return Evaluator(X, y, folds, space, problem, measure, names=names)


CHAINS = (
    {"learner": "logistic", "select": "ssv", "ssv.share": 0.3},
    {"learner": "logistic", "select": "ssv", "ssv.share": 0.7},
    {"learner": "logistic", "select": "correlation", "correlation.share": 0.2},
    {"learner": "nb", "reduce": "pca", "pca.components": 0.3},
    {"learner": "nb", "select": "selection_committee"},
    {"learner": "rf", "select": "forest_gain", "forest_gain.share": 0.4},
    {"learner": "logistic", "scale": "quantile", "select": "mrmr", "mrmr.count": 5},
    {"learner": "nb", "committee": "committee"},
)


@pytest.mark.slow
def test_shared_work_changes_nothing(seed):
    """Predictions equal those of whole pipelines, fitted anew in every fold."""
    X, y = make_classification(150, 20, n_informative=5, random_state=seed)
    evaluator = make_evaluator(X, y, seed)
    for partial in (*CHAINS, *reversed(CHAINS)):
        pipeline = evaluator.space.complete(partial, evaluator.problem)
        found = evaluator(pipeline)
        assert found.reason == ""
        model = evaluator.space.build(pipeline, evaluator.problem)
        whole = cross_val_predict(
            model, X, y, cv=evaluator.folds, method="predict_proba"
        )
        np.testing.assert_allclose(found.predictions, whole, atol=1e-6)


def test_scores_of_texts_are_those_of_whole_pipelines(seed):
    # In training, scores are out of fold: it matters which method fits the steps.
    rng = np.random.default_rng(seed)
    words = [f"word{number}" for number in range(30)]
    X = pd.DataFrame({"note": [" ".join(rng.choice(words, 6)) for _ in range(150)]})
    y = rng.integers(3, size=150)
    evaluator = make_evaluator(X, y, seed)
    pipeline = evaluator.space.complete({"learner": "logistic"}, evaluator.problem)
    found = evaluator(pipeline)
    model = evaluator.space.build(pipeline, evaluator.problem)
    assert [name for name, _ in model.steps[:2]] == ["text_scores", "texts"]
    whole = cross_val_predict(model, X, y, cv=evaluator.folds, method="predict_proba")
    np.testing.assert_allclose(found.predictions, whole, atol=1e-6)
    # Words say nothing of these classes; 0.5 is 4 standard errors from a third.
    assert np.mean(found.fold_scores) < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["groups", "time"])
def test_rows_that_depend_on_each_other_stay_together_inside_of_fits(kind, seed):
    # Folds, and fits in them, have the groups of whole pipelines fitted with them.
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(30), 8)
    X = rng.normal(size=(30, 3))[codes] + 0.01 * rng.normal(size=(240, 3))
    y = rng.integers(2, size=30)[codes]
    dependent = {"groups": None, "time": None, kind: codes}
    folds = make_folds(3, X, y, "classification", seed, **dependent)
    problem = Problem.of(X, y, "classification", "log_loss")
    space = default_space("classification").suiting(problem)
    measure = PredictionScorer("log_loss", "classification", np.unique(y))
    evaluator = Evaluator(X, y, folds, space, problem, measure, **dependent)
    pipeline = space.complete({"learner": "knn_cv"}, problem)
    found = evaluator(pipeline)
    made = np.full((240, 2), np.nan)
    for train, test in folds:
        groups = codes[train] if kind == "groups" else cut_times(codes[train])
        model = space.build(pipeline, problem).fit(
            X[train], y[train], learner__groups=groups
        )
        made[test] = model.predict_proba(X[test])
    tested = ~np.isnan(made[:, 0])
    np.testing.assert_allclose(found.predictions, made[tested], atol=1e-6)
    plain = Evaluator(X, y, folds, space, problem, measure)(pipeline)
    assert not np.array_equal(found.predictions, plain.predictions)


def test_labels_never_leak_into_a_fold():
    """Item 7 of the acceptance list: columns of noise, chosen inside of each fold."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 10_000)), rng.permutation(np.arange(100) % 2)
    evaluator = make_evaluator(X, y, 0)
    wish = {
        "learner": "linear_svm",
        "select": "correlation",
        "correlation.share": 0.005,
    }
    pipeline = evaluator.space.complete(wish, evaluator.problem)
    honest = 1.0 - np.mean(evaluator(pipeline).fold_scores)
    best = np.argsort(-np.abs(np.corrcoef(X.T, y)[-1, :-1]))[:50]
    outside = make_evaluator(X[:, best], y, 0)
    pipeline = outside.space.complete({"learner": "linear_svm"}, outside.problem)
    fooled = 1.0 - np.mean(outside(pipeline).fold_scores)
    assert fooled < 0.2
    assert 0.4 <= honest <= 0.6


def test_categories_and_gaps_go_through_every_encoder(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(90, 3)), columns=list("abc"))
    X.loc[rng.random(90) < 0.2, "a"] = np.nan
    y = rng.integers(2, size=90)
    X["hue"] = pd.Categorical(np.where(y == 1, "red", rng.choice(["blue", None], 90)))
    evaluator = make_evaluator(X, y, seed)
    for encoder in ("one_hot", "target_means", "ordinal"):
        for indicator in (False, True):
            pipeline = {
                "learner": "logistic",
                "encode": encoder,
                f"{encoder}.indicator": indicator,
            }
            found = evaluator(evaluator.space.complete(pipeline, evaluator.problem))
            assert found.reason == ""
            assert np.mean(found.fold_scores) > 0.8


def test_selected_columns_are_told_in_the_tables_own_positions():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    wish = {
        "learner": "logistic", "reduce": "unreduced", "select": "correlation",
        "correlation.share": 0.1,
    }  # fmt: skip
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert [len(one) for one in found.selected] == [3, 3, 3]
    train = evaluator.folds[0][0]
    strength = np.abs(np.corrcoef(X[train].T, y[train])[-1, :-1])
    assert set(found.selected[0]) == set(np.argsort(-strength)[:3])


def test_levels_that_only_some_folds_have_are_told_by_their_names():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=90), "b": rng.normal(size=90)})
    y = np.arange(90) % 2
    hue = np.where(y == 1, "red", "blue").astype(object)
    evaluator = make_evaluator(X.assign(hue=pd.Categorical(hue)), y, 0)
    for _, test in evaluator.folds:  # a level that training lacks for one fold
        hue[test[0]] = f"rare {test[0]}"
    evaluator = make_evaluator(X.assign(hue=pd.Categorical(hue)), y, 0)
    wish = {"learner": "logistic", "encode": "one_hot"}
    every = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert [len(one) for one in every.selected] == [7, 7, 7]  # none is selected
    assert len(every.names) == 7
    wish |= {"select": "correlation", "correlation.share": 0.15}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    kept = StoredPredictions(found.predictions, found.selected, found.names)
    selection, _ = make_selection(kept, ["a", "b", "hue"])
    assert set(selection["feature"]) <= {"hue_red", "hue_blue"}


def test_encoders_that_move_columns_do_not_change_their_names():
    rng = np.random.default_rng(0)
    hue = pd.Categorical(rng.choice(["red", "blue"], 90))
    X = pd.DataFrame(rng.normal(size=(90, 8)), columns=list("bcdefghi"))
    X.insert(0, "hue", hue)
    y = (X["b"] > 0).to_numpy().astype(np.int64)
    evaluator = make_evaluator(X, y, 0)
    for encoder in ("ordinal", "target_means"):
        wish = {"learner": "logistic", "encode": encoder, "select": "correlation"}
        wish["correlation.share"] = 0.1
        found = evaluator(evaluator.space.complete(wish, evaluator.problem))
        assert found.names == []
        assert [one.tolist() for one in found.selected] == [[1], [1], [1]]


def test_gap_indicators_have_the_names_of_the_table():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), np.arange(90) % 2
    X[y == 1, 1] = np.nan
    X[rng.random(90) < 0.5, 1] = np.nan
    evaluator = make_evaluator(X, y, 0, names=["a", "b", "c"])
    wish = {"learner": "nb", "encode": "one_hot", "one_hot.indicator": True}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert found.names == ["a", "b", "c", "missingindicator_b"]


def test_folds_without_a_class_are_not_scored():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.zeros(60, dtype=np.int64)
    y[:2] = 1
    X[:2] += 5.0
    evaluator = make_evaluator(X, y, 0, metric="auc")
    found = evaluator(
        evaluator.space.complete({"learner": "logistic"}, evaluator.problem)
    )
    assert found.state == "complete"
    assert np.isnan(found.fold_scores).sum() == 1
    assert found.score == evaluator.measure(found.predictions, y)
    assert should_prune([np.nan, 0.5, 0.5], [np.nan, 0.99, 0.98, 0.99])
    rare = {0, 1}
    folds = [one for one in evaluator.folds if not rare & set(one[1])]
    evaluator = Evaluator(
        X, y, folds, evaluator.space, evaluator.problem, evaluator.measure
    )
    found = evaluator(
        evaluator.space.complete({"learner": "logistic"}, evaluator.problem)
    )
    assert "cannot be scored" in found.reason


@pytest.mark.slow
def test_a_committee_tells_what_its_members_were_given():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    wish = {"learner": "logistic", "committee": "committee"}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert [len(one) for one in found.selected] == [30, 30, 30]
    wish |= {"select": "correlation", "correlation.share": 0.1}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert all(3 <= len(one) <= 8 for one in found.selected)
    wish |= {"reduce": "pca"}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert found.selected == []


def make_failing(problem):
    raise RuntimeError("no such machine")


def test_a_pipeline_that_fails_says_why():
    X, y = load_breast_cancer(return_X_y=True)
    broken = Learner("broken", make_failing)
    space = default_space("classification").adding("learner", broken)
    evaluator = make_evaluator(X, y, 0, space=space)
    pipeline = evaluator.space.complete({"learner": "broken"}, evaluator.problem)
    found = evaluator(pipeline)
    assert evaluator.space.describe(pipeline, evaluator.problem) == "broken"
    assert found.state == "failed"
    assert found.reason == "RuntimeError: no such machine"


def test_a_weak_pipeline_is_pruned_after_two_folds():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    pipeline = evaluator.space.complete({"learner": "nb"}, evaluator.problem)
    assert evaluator(pipeline).state == "complete"
    pruned = evaluator(pipeline, incumbent=[0.999, 0.998, 0.999])
    assert pruned.state == "pruned"
    assert len(pruned.fold_scores) == 2


def test_a_slow_pipeline_is_interrupted():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    pipeline = evaluator.space.complete({"learner": "rf"}, evaluator.problem)
    assert evaluator(pipeline, limit=1e-6).state == "slow"


def test_a_slow_pipeline_is_continued(seed):
    X, y = make_classification(90, 6, random_state=seed)
    evaluator = make_evaluator(X, y, seed)
    wish = {"learner": "nb", "select": "correlation"}
    pipeline = evaluator.space.complete(wish, evaluator.problem)
    whole, found, n_calls = evaluator(pipeline), None, 0
    while found is None or found.state == "slow":
        found = evaluator(pipeline, limit=1e-9, previous=found)
        n_calls += 1
        assert len(found.fold_scores) == n_calls
    assert found.state == "complete" and n_calls == 3
    np.testing.assert_array_equal(found.predictions, whole.predictions)
    assert found.fold_scores == whole.fold_scores
    for ours, theirs in zip(found.selected, whole.selected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


class Compiling(DummyClassifier):
    """Compile for a hundred seconds, and work for one."""

    clock = SimpleNamespace(now=0.0)

    def fit(self, X, y, sample_weight=None):
        with trigger_event("numba:compile"):
            self.clock.now += 100.0
        self.clock.now += 1.0
        return super().fit(X, y, sample_weight)


def make_compiling(problem):
    return Compiling()


def test_compiling_is_no_trials_time(monkeypatch):
    clock = SimpleNamespace(perf_counter=lambda: Compiling.clock.now)
    monkeypatch.setattr("manyminds.search.evaluation.timing.time", clock)
    monkeypatch.setattr("manyminds.kernels._jit.time", clock)
    X, y = load_breast_cancer(return_X_y=True)
    learner = Learner("compiling", make_compiling)
    space = default_space("classification").adding("learner", learner)
    evaluator = make_evaluator(X, y, 0, space=space)
    pipeline = evaluator.space.complete({"learner": "compiling"}, evaluator.problem)
    found = evaluator(pipeline, limit=4.0)
    assert (found.state, found.seconds, found.fit_seconds) == ("complete", 3.0, 1.0)


def test_what_is_constant_in_a_fold_is_not_left_out_by_selection():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 4)), np.arange(90) % 2
    X[:3, 1] = np.nan
    X[:, 2] = 0.0
    evaluator = make_evaluator(X, y, 0)
    X[evaluator.folds[0][1][:4], 2] = 1.0  # constant outside the first fold
    for learner in ("nb", "rf"):
        wish = {"learner": learner}
        pipeline = evaluator.space.complete(wish, evaluator.problem)
        found = evaluator(pipeline)
        kept = StoredPredictions(found.predictions, found.selected, found.names)
        selection, stability = make_selection(kept, list("abcd"))
        assert selection["frequency"].tolist() == [1.0] * 4
        assert np.isnan(stability)


TABLES = {
    "codes of few categories": lambda rng: pd.DataFrame(
        {name: pd.Categorical(rng.choice(list("abcdefgh"), 90)) for name in "uvw"}
    ),
    "levels of a row each": lambda rng: pd.DataFrame(
        {"u": pd.Categorical(np.arange(90).astype(str)), "v": rng.normal(size=90)}
    ),
    "columns with hardly a value": lambda rng: pd.DataFrame(
        np.where(np.arange(90)[:, None] < [90, 90, 2, 2, 2, 2], rng.normal(), np.nan)
        + rng.normal(size=(90, 6))
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("encoder", ["one_hot", "target_means", "ordinal"])
@pytest.mark.parametrize("name", TABLES)
def test_no_fold_lacks_the_columns_that_a_pipeline_asks_for(name, encoder, seed):
    """Principal components of a table with one column per level, asked of codes."""
    X, y = TABLES[name](np.random.default_rng(seed)), np.arange(90) % 3
    evaluator = make_evaluator(X, y, seed)
    for reducing in ({"reduce": "pca", "pca.components": 0.98}, {"select": "mrmr"}):
        wish = {"learner": "logistic", "encode": encoder, **reducing}
        found = evaluator(evaluator.space.complete(wish, evaluator.problem))
        assert found.reason == ""


def test_rows_outside_all_test_folds_are_not_predicted(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    weights = rng.uniform(0.5, 2.0, size=60)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").suiting(problem)
    measure = PredictionScorer("accuracy", "classification", np.unique(y))
    folds = [
        (np.arange(20), np.arange(39, 19, -1)),
        (np.arange(40), np.arange(40, 60)),
    ]
    evaluator = Evaluator(X, y, folds, space, problem, measure, weights)
    assert evaluator.tested.tolist() == list(range(20, 60))
    assert evaluator.dependence is None
    found = evaluator(space.complete({"learner": "nb"}, problem))
    assert found.predictions.shape == (40, 2)
    right = found.predictions.argmax(axis=1) == y[20:]
    assert found.score == pytest.approx(np.average(right, weights=weights[20:]))
    model = evaluator.fit_outside(space.complete({"learner": "nb"}, problem), 0)
    made = model.predict_proba(X[20:40])
    np.testing.assert_allclose(found.predictions[:20], made, rtol=1e-5)
    first = np.average(made.argmax(axis=1) == y[20:40], weights=weights[20:40])
    assert found.fold_scores[0] == pytest.approx(first)


@pytest.mark.parametrize("metric", ["accuracy", "auc", "matthews_corrcoef"])
def test_folds_without_weight_or_without_a_weighted_class_are_not_scored(metric, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(90) % 2
    X = rng.normal(size=(90, 3)) + y[:, None]
    plain = make_evaluator(X, y, seed, metric)
    weights = rng.uniform(0.5, 2.0, size=90)
    tests = [test for _, test in plain.folds]
    weights[tests[0]] = 0.0
    weights[tests[1][y[tests[1]] == 1]] = 0.0
    plain.measure.require_weights()
    evaluator = Evaluator(
        X, y, plain.folds, plain.space, plain.problem, plain.measure, weights
    )
    found = evaluator(plain.space.complete({"learner": "logistic"}, plain.problem))
    assert found.state == "complete"
    is_scored = [False, metric != "auc", True]
    assert np.isfinite(found.fold_scores).tolist() == is_scored
    assert found.score == evaluator.measure(found.predictions, y, weights)


@pytest.mark.slow
def test_kept_models_predict_what_their_folds_did(seed, tmp_path, monkeypatch):
    monkeypatch.setattr("manyminds.search.evaluation.evaluator.MIN_KEPT_SECONDS", 0.0)
    X, y = make_classification(150, 20, n_informative=5, random_state=seed)
    evaluator = make_evaluator(X, y, seed)
    evaluator.kept = KeptModels(tmp_path)
    for partial in (*CHAINS, {"learner": "rf"}):
        pipeline = evaluator.space.complete(partial, evaluator.problem)
        found = evaluator(pipeline)
        if evaluator.space.find("select", pipeline["select"]).ranks:
            assert not evaluator.kept.has(pipeline)  # there is no fitted selector
            continue
        for (_, test), model in zip(evaluator.folds, evaluator.kept.load(pipeline)):
            made = model.predict_proba(X[test])
            np.testing.assert_allclose(made, found.predictions[test], atol=1e-6)


def test_boosting_ends_within_the_limit_of_a_trial_on_all_rows(monkeypatch):
    given = []

    def record(self, X, y, sample_weight=None):
        given.append(self.max_seconds)
        return fit(self, X, y, sample_weight=sample_weight)

    fit = GradientBoostingClassifier.fit
    monkeypatch.setattr(GradientBoostingClassifier, "fit", record)
    X, y = load_iris(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    pipeline = evaluator.space.complete({"learner": "gb"}, evaluator.problem)
    evaluator(pipeline)
    assert set(given) == {None}
    given.clear()
    evaluator(pipeline, limit=1000.0)
    assert set(given) == {800.0}


class CallTakesLong(DummyClassifier):
    """Predict in five milliseconds, however few or many rows there are."""

    def predict_proba(self, X):
        time.sleep(0.005)
        return super().predict_proba(X)


def make_slow_call(problem):
    return CallTakesLong(strategy="prior")


def test_a_rate_is_not_that_of_a_call_for_few_rows(seed):
    # Of 20 rows in five milliseconds, 4,000 a second would be refused as too slow.
    X, y = make_classification(60, 5, random_state=seed)
    learner = Learner("slow call", make_slow_call)
    space = default_space("classification").adding("learner", learner)
    evaluator = make_evaluator(X, y, seed, space=space)
    pipeline = evaluator.space.complete({"learner": "slow call"}, evaluator.problem)
    assert evaluator(pipeline).predict_seconds > 0.005 / 20
    evaluator.timed_rows = 1_000
    assert 0.005 / 1_000 < evaluator(pipeline).predict_seconds < 0.003 / 20


def test_boosting_whose_priors_are_corrected_ends_in_time_as_well():
    boosting = GradientBoostingClassifier()
    limit_seconds(PriorCorrectedClassifier(boosting), 7.0)
    assert boosting.max_seconds == 7.0
    limit_seconds(PriorCorrectedClassifier(DummyClassifier()), 7.0)


def test_where_memory_is_short_the_cache_makes_room(seed, monkeypatch):
    X, y = make_classification(150, 20, random_state=seed)
    evaluator = make_evaluator(X, y, seed)
    failing = {"n": 0}

    def fit(self, X, y, sample_weight=None):
        failing["n"] += 1
        if evaluator._steps._cache.size:  # of the steps before the learner
            raise MemoryError
        return whole(self, X, y, sample_weight)

    pipeline = evaluator.space.complete(
        {"learner": "nb", "reduce": "pca"}, evaluator.problem
    )
    expected = evaluator(pipeline)
    assert expected.state == "complete"
    whole = GaussianNB.fit
    monkeypatch.setattr(GaussianNB, "fit", fit)
    monkeypatch.setattr(fold_steps, "MAX_CACHED", 0)  # what is made anew
    found = evaluator(pipeline)
    np.testing.assert_allclose(found.predictions, expected.predictions)
    assert failing["n"] == 4
    monkeypatch.setattr(GaussianNB, "fit", lambda *_: bytearray(2**62))
    assert evaluator(pipeline).state == "failed"
