"""Importance of columns: shuffled one by one, in rows that the model has not seen."""

import threading
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import accuracy_score, r2_score

from manyminds.search import ComplexModelSearchClassifier, Problem, default_space
from manyminds.search.choice import importance
from manyminds.search.choice.final_model import FinalModel
from manyminds.search.choice.importance import MAX_COLUMNS, measure_importance
from manyminds.search.choice.members import Member
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.kept_models import KeptModels
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.study.prediction_store import StoredPredictions


def prepare(X, y, wish, seed, task="classification", metric="accuracy"):
    """Make an evaluator and a final model of one pipeline."""
    problem = Problem.of(X, y, task, metric)
    space = default_space(task).suiting(problem)
    measure = PredictionScorer(metric, task, np.unique(y))
    folds = make_folds(3, X, y, task, seed)
    evaluator = Evaluator(X, y, folds, space, problem, measure)
    pipeline = space.complete(wish, problem)
    found = evaluator(pipeline)
    assert found.reason == ""
    stored = StoredPredictions(found.predictions, found.selected, found.names)
    return evaluator, as_final(Member(pipeline, "", stored))


def as_final(*members, **options):
    """Return a final model of members."""
    several = list(members) if len(members) > 1 else []
    return FinalModel(members[0], several, None, None, **options)


def classes(seed, n_columns=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(240, n_columns))
    return X, (X[:, 1] + 0.3 * rng.normal(size=240) > 0).astype(np.int64)


def test_is_what_the_naive_twin_measures(seed):
    X, y = classes(seed)
    evaluator, kept = prepare(X, y, {"learner": "nb"}, seed)
    names = list("abcde")
    found = measure_importance(evaluator, kept, names, np.inf, seed)
    rng, falls = np.random.default_rng(seed), []
    for train, test in evaluator.folds:
        model = evaluator.space.build(kept.best.pipeline, evaluator.problem).fit(
            X[train], y[train]
        )
        right = accuracy_score(y[test], model.predict(X[test]))
        falls.append([])
        for column in range(5):
            other = X[test].copy()
            other[:, column] = other[rng.permutation(len(test)), column]
            falls[-1].append(right - accuracy_score(y[test], model.predict(other)))
    found = found.set_index("feature").loc[names]
    np.testing.assert_allclose(found["importance"], np.mean(falls, axis=0))
    np.testing.assert_allclose(found["std"], np.std(falls, axis=0, ddof=1))


def test_a_committee_is_measured_as_a_whole(seed):
    # Each member uses one column; the importances are those of the mean.
    X, y = classes(seed)
    evaluator, kept = prepare(X, y, {"learner": "nb"}, seed)
    other = evaluator.space.complete({"learner": "logistic"}, evaluator.problem)
    members = [
        Member(kept.best.pipeline, "nb", kept.stored, 0.25, 2.0),
        Member(other, "logistic", kept.stored, 0.75, 1.0),
    ]
    final = as_final(*members, class_weights=np.array([1.0, 2.0]))
    found = measure_importance(evaluator, final, list("abcde"), np.inf, seed)
    rng, falls = np.random.default_rng(seed), []
    for train, test in evaluator.folds:
        models = [
            evaluator.space.build(one, evaluator.problem).fit(X[train], y[train])
            for one in (kept.best.pipeline, other)
        ]

        def score(table, test=test, models=models):
            P = np.average([m.predict_proba(table) for m in models], axis=0,
                           weights=[0.25, 0.75])  # fmt: skip
            return accuracy_score(y[test], (P * [1.0, 2.0]).argmax(axis=1))

        right = score(X[test])
        falls.append([])
        for column in range(5):
            shuffled = X[test].copy()
            shuffled[:, column] = shuffled[rng.permutation(len(test)), column]
            falls[-1].append(right - score(shuffled))
    found = found.set_index("feature").loc[list("abcde")]
    np.testing.assert_allclose(found["importance"], np.mean(falls, axis=0), atol=0.005)


def test_members_of_most_weight_stand_for_all_if_time_is_short():
    members = [Member({}, name, None, w, 2.0) for name, w in (("a", 0.3), ("b", 0.6),
               ("c", 0.1))]  # fmt: skip
    refits = SimpleNamespace(has_kept=lambda pipeline: False)
    kept = importance._keep_heaviest(as_final(*members), refits, 4.5).members
    assert [(one.text, one.weight) for one in kept] == [
        ("b", pytest.approx(2 / 3)),
        ("a", pytest.approx(1 / 3)),
    ]
    assert len(importance._keep_heaviest(as_final(*members), refits, 0.0).members) == 1
    assert importance._keep_heaviest(as_final(members[0]), refits, 0.0).members == []
    loads = SimpleNamespace(has_kept=lambda pipeline: True)
    assert len(importance._keep_heaviest(as_final(*members), loads, 4.5).members) == 3


def test_kept_models_are_not_fitted_again(seed, tmp_path, monkeypatch):
    X, y = classes(seed)
    evaluator, final = prepare(X, y, {"learner": "nb"}, seed)
    fitted = measure_importance(evaluator, final, range(5), np.inf, seed)
    models = [evaluator.fit_outside(final.best.pipeline, k) for k in range(3)]
    evaluator.kept = KeptModels(tmp_path)
    evaluator.kept.save(final.best.pipeline, models)
    monkeypatch.setattr(Evaluator, "fit_outside", None)  # a call would fail
    kept = measure_importance(evaluator, final, range(5), np.inf, seed)
    pd.testing.assert_frame_equal(kept, fitted)


def test_what_matters_comes_first(seed):
    X, y = classes(seed)
    for wish in ({"learner": "rf"}, {"learner": "logistic", "reduce": "pca"}):
        evaluator, kept = prepare(X, y, wish, seed)
        found = measure_importance(evaluator, kept, range(5), np.inf, seed)
        assert found["feature"].iloc[0] == "1" and found["importance"].iloc[0] > 0.12
        assert (found["importance"].iloc[1:].abs() < 0.1).all()


def test_sparse_tables_are_shuffled_as_dense_ones_are(seed):
    X, y = classes(seed)
    X[X < 0.5] = 0.0
    y = (X[:, 1] > 0).astype(np.int64)
    wish, found = {"learner": "linear_svm", "scale": "unscaled"}, []
    for table in (X, csr_array(X)):
        evaluator, kept = prepare(table, y, wish, seed)
        found.append(measure_importance(evaluator, kept, range(5), 9.0, seed))
        assert found[-1]["feature"].iloc[0] == "1"
    one, two = (table.set_index("feature")["importance"] for table in found)
    np.testing.assert_allclose(one, two.loc[one.index], atol=0.03)


def test_categories_and_numbers(seed):
    rng = np.random.default_rng(seed)
    color = pd.Categorical(rng.choice(["red", "green", "blue"], 240))
    X = pd.DataFrame({"noise": rng.normal(size=240), "color": color})
    X.loc[::7, "noise"] = np.nan
    y = np.asarray(color == "red") + 0.1 * rng.normal(size=240)
    wish = {"learner": "ridge"}
    evaluator, kept = prepare(X, y, wish, seed, "regression", "r2")
    found = measure_importance(evaluator, kept, list(X), np.inf, seed)
    assert found["feature"].tolist() == ["color", "noise"]
    # A column that tells all, shuffled, is worse than no column by as much again.
    predict = kept.stored.predictions
    assert found["importance"].iloc[0] == pytest.approx(2 * r2_score(y, predict), 0.4)


def test_only_columns_that_were_selected(seed):
    X, y = classes(seed, n_columns=MAX_COLUMNS + 50)
    wish = {"learner": "nb", "select": "correlation", "correlation.share": 0.1}
    evaluator, kept = prepare(X, y, wish, seed)
    found = measure_importance(evaluator, kept, range(150), np.inf, seed)
    assert {int(name) for name in found["feature"]} <= set(
        np.concatenate(kept.stored.selected)
    )
    assert found["feature"].iloc[0] == "1"
    evaluator, kept = prepare(X, y, {"learner": "nb"}, seed)
    assert not len(measure_importance(evaluator, kept, range(150), 1.0, seed))


def test_a_model_that_breaks_loses_nothing(seed, monkeypatch):
    X, y = classes(seed)
    evaluator, kept = prepare(X, y, {"learner": "nb"}, seed)

    def fail(*args):
        raise ValueError("strange rows")

    monkeypatch.setattr(evaluator, "predict", fail)
    assert not len(measure_importance(evaluator, kept, range(5), 1.0, seed))


def test_little_time_measures_one_fold(seed):
    X, y = classes(seed)
    evaluator, kept = prepare(X, y, {"learner": "nb"}, seed)
    found = measure_importance(evaluator, kept, range(5), 0.0, seed)
    assert len(found) == 5 and found["std"].isna().all()


def test_searches_tell_it(seed):
    X, y = classes(seed)
    table = pd.DataFrame(X, columns=list("abcde"))
    space = default_space("classification").only("learner", "nb", "logistic")
    search = ComplexModelSearchClassifier(
        None, n_trials=3, cv=3, space=space, random_state=0
    )
    found = search.fit(table, y).importance_
    assert found["feature"].iloc[0] == "b"
    weighted = search.fit(table, y, sample_weight=np.ones(len(y))).importance_
    pd.testing.assert_frame_equal(found, weighted)


@pytest.mark.slow
def test_what_does_not_end_is_left_behind(seed, monkeypatch):
    X, y = classes(seed)
    evaluator, kept = prepare(X, y, {"learner": "nb"}, seed)
    measured, get_outside = importance._measure_fold, evaluator.get_outside
    goes_on, fitted = threading.Event(), []

    def fit(pipeline, number):
        fitted.append(number)
        return get_outside(pipeline, number)

    def hang(evaluator, final, number, *rest):
        if number:
            goes_on.wait(60)  # as a pool of threads that cannot start one
        return measured(evaluator, final, number, *rest)

    monkeypatch.setattr(importance, "_measure_fold", hang)
    monkeypatch.setattr(evaluator, "get_outside", fit)
    monkeypatch.setattr(importance, "MIN_WAIT", 2.0)
    start = time.monotonic()
    found = measure_importance(evaluator, kept, list("abcde"), 0.1, seed)
    n_fitted = len(fitted)
    goes_on.set()
    assert time.monotonic() - start < 30
    assert len(found) in (0, 5)  # of the first fold, if that was in time
    time.sleep(0.3)
    assert len(fitted) <= max(1, n_fitted)  # nothing is fitted behind the search


@pytest.mark.parametrize("place", ["_measure_fold", "threading.Thread.start"])
def test_where_memory_is_short_there_is_none(seed, monkeypatch, place):
    X, y = classes(seed)
    evaluator, kept = prepare(X, y, {"learner": "nb"}, seed)

    def fail(*_):
        raise MemoryError if place == "_measure_fold" else RuntimeError("no thread")

    monkeypatch.setattr(f"manyminds.search.choice.importance.{place}", fail)
    found = measure_importance(evaluator, kept, list("abcde"), np.inf, seed)
    assert found.empty and list(found) == ["feature", "importance", "std"]
