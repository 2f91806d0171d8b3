"""The second level: honest columns of predictions, its trials and its models."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.search import Problem, default_space
from manyminds.search.choice import second_level
from manyminds.search.choice.final_model import choose_final_model
from manyminds.search.choice.members import Member
from manyminds.search.choice.second_level import (
    LEARNERS,
    SecondLevel,
    plan_second_level,
    search_second_level,
)
from manyminds.search.choice.stacked import StackedClassifier, StackedRegressor
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.levels import Levels
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.temperature import scale_temperature
from manyminds.search.study.trial_store import TrialStore

N = 240
ENOUGH = 1_000.0  # seconds


def make_data(task):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 4))
    value = X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * rng.normal(size=N)
    y = value if task == "regression" else (value > 0).astype(np.int64)
    return X, y


def make_evaluator(task="regression", X=None, shares=(0.25, 1.0), **more):
    numbers, y = make_data(task)
    X = numbers if X is None else X
    metric = "r2" if task == "regression" else "log_loss"
    problem = Problem.of(X, y, task, metric)
    linear = "ridge" if task == "regression" else "logistic"
    space = default_space(task).only("learner", linear, "gb", "extra_gb", "rf")
    space = replace(space.suiting(problem), committees=False)
    classes = np.arange(2) if task == "classification" else None
    measure = PredictionScorer(metric, task, classes)
    folds = make_folds(3, X, y, task, 0)
    levels = Levels(folds, y, task, 0, shares)
    return Evaluator(X, y, folds, space, problem, measure, levels=levels, **more)


def make_store(evaluator, names=("gb", "ridge", "extra_gb")):
    space, problem = evaluator.space, evaluator.problem
    store = TrialStore(None, "search", 0, space, problem)
    names = [one for one in names if one in [learner.name for learner in space.learner]]
    pipelines = [space.complete({"learner": one}, problem) for one in names]
    store.begin({}, [])
    for pipeline in pipelines:
        store.enqueue(pipeline, "base", evaluator.levels.top)
        claim = store.claim("base")
        made = evaluator(claim.pipeline)
        assert made.state == "complete", made.reason
        store.report(claim, made, alpha=0.0, at=0.0, limit=np.inf)
    return store


def search(evaluator, store, seconds=ENOUGH):
    return search_second_level(store, evaluator, seconds, n_cores=2, alpha=0.0, at=10.0)


# ------------------------------------------------------------------ the level


def test_predictions_are_those_of_a_naive_loop():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    level = search(evaluator, store)
    numbers = level.numbers
    assert list(numbers) == sorted(numbers) and len(numbers) >= 2
    stored = store.predictions.read(list(numbers))
    table = np.column_stack([evaluator.X, *(stored[k].predictions for k in numbers)])
    assert_array_equal(level.evaluator.X, table)
    one = next(o for o in store.read().stacked if o.pipeline["learner"] == "gb")
    found = store.predictions.read([one.number])[one.number].predictions
    naive = np.full(N, np.nan)
    for train, test in evaluator.folds:
        model = level.evaluator.build(one.pipeline)
        naive[test] = model.fit(table[train], evaluator.y[train]).predict(table[test])
    assert_allclose(found, naive)
    assert one.score == pytest.approx(evaluator.measure(naive, evaluator.y, None))


def test_trials_are_stored_apart_from_those_that_proposals_learn_from():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    before = store.read()
    level = search(evaluator, store)
    after = store.read()
    assert after.records == before.records and not before.stacked
    learners = [one.pipeline["learner"] for one in after.stacked]
    # Those with their defaults; the first level had no others.
    assert learners == [name for name in LEARNERS if name in ("gb", "extra_gb")]
    for one in after.stacked:
        assert one.state == "complete" and one.stage == "stack"
        assert one.inputs == level.numbers and one.at >= 10.0
        assert one.text.startswith(f"predictions of {len(level.numbers)} pipelines > ")
        # Columns that reached the learner are not those of the table alone.
        assert store.predictions.read([one.number])[one.number].selected == []
    assert after.list_stacked(level.numbers) == list(after.stacked)
    assert after.list_stacked([*level.numbers, 99]) == []


def test_a_resumed_search_evaluates_nothing_twice():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    search(evaluator, store)
    n_trials = len(store.read().stacked)
    search(evaluator, store)
    assert len(store.read().stacked) == n_trials


def test_without_time_nothing_is_evaluated():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    assert search(evaluator, store, seconds=0.0) is not None
    assert not store.read().stacked


def test_the_best_pipelines_of_the_learners_follow_their_defaults():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    problem = evaluator.problem
    for leaves in (3, 7):
        tuned = {"learner": "gb", "gb.max_leaf_nodes": leaves}
        tuned = evaluator.space.complete(tuned, problem)
        store.enqueue(tuned, "tune", evaluator.levels.top)
        claim = store.claim("tune")
        store.report(claim, evaluator(tuned), alpha=0.0, at=0.0, limit=np.inf)
    search(evaluator, store)
    above = [one.pipeline for one in store.read().stacked]
    learners = [one["learner"] for one in above]
    assert learners == ["extra_gb", "gb", "gb", "gb"]
    leaves = [one["gb.max_leaf_nodes"] for one in above[1:]]
    assert leaves[0] == 31 and sorted(leaves[1:]) == [3, 7]


def test_an_interrupt_ends_the_level_alone(monkeypatch):
    evaluator = make_evaluator()
    store = make_store(evaluator)

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "add_stacked", interrupt)
    assert len(search(evaluator, store).numbers) >= 2


def test_a_learner_that_has_no_trial_may_be_too_slow():
    evaluator = make_evaluator()
    store = make_store(evaluator, ("gb", "ridge"))
    search(evaluator, store)
    assert [one.pipeline["learner"] for one in store.read().stacked] == ["gb"]


def test_one_pipeline_is_no_level():
    evaluator = make_evaluator()
    assert search(evaluator, make_store(evaluator, ("ridge",))) is None
    assert search(evaluator, make_store(evaluator, ())) is None


def test_many_classes_have_few_inputs(monkeypatch):
    monkeypatch.setattr(second_level, "MAX_APPENDED", 2)
    evaluator = make_evaluator("classification")
    level = search(evaluator, make_store(evaluator, ("gb", "logistic", "extra_gb")))
    assert len(level.numbers) == 2 and level.evaluator.X.shape[1] == 4 + 2


def test_a_frame_keeps_its_categories():
    X, _ = make_data("classification")
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["kind"] = pd.Categorical(np.where(X[:, 3] > 0, "u", "v"))
    evaluator = make_evaluator("classification", frame)
    store = make_store(evaluator, ("gb", "logistic", "extra_gb"))
    level = search(evaluator, store)
    assert isinstance(level.evaluator.X["kind"].dtype, pd.CategoricalDtype)
    assert [one.state for one in store.read().stacked] == ["complete"] * 2


# ------------------------------------------------------------------ when there is one


def test_a_level_takes_many_independent_rows_and_time():
    good = make_evaluator()
    assert plan_second_level(good, 300.0) == pytest.approx(45.0)
    assert plan_second_level(good, 60.0) == plan_second_level(good, np.inf) == 0.0
    codes, numbers = np.arange(N) // 4, make_data("classification")[0]
    others = [
        make_evaluator(shares=(1.0,)),
        make_evaluator(groups=codes),
        make_evaluator(time=codes),
        make_evaluator("classification", csr_matrix(numbers)),
    ]
    good.space = replace(good.space, stacks=False)
    assert [plan_second_level(one, 300.0) for one in (good, *others)] == [0.0] * 5


# ------------------------------------------------------------------ final models


def choose(evaluator, store, level):
    """Choose among the pipelines of the second level and its inputs."""
    seen = store.read()
    records = [*seen.records, *seen.list_stacked(level.numbers)]
    return choose_final_model(
        records, store.predictions, evaluator, alpha=0.0, with_committee=True,
        seconds=np.inf, seed=0, second=level,
    )  # fmt: skip


@pytest.mark.parametrize("task", ["regression", "classification"])
def test_models_read_inputs_fitted_to_all_rows(task):
    evaluator = make_evaluator(task)
    store = make_store(evaluator, ("gb", "ridge", "logistic", "rf"))
    level = search(evaluator, store)
    stacked = store.read().stacked[0]
    predictions = store.predictions.read([stacked.number])[stacked.number]
    final = replace(
        choose(evaluator, store, level),
        best=Member.of(stacked, predictions),
        members=[],
        temperature=1.0,
    )
    X, y = evaluator.X, evaluator.y
    best, committee = final.fit(evaluator, X, y, None, 1)
    assert committee is None
    kind = StackedRegressor if task == "regression" else StackedClassifier
    assert isinstance(best, kind) and best.n_features_in_ == 4
    predict = "predict" if task == "regression" else "predict_proba"
    inputs = [getattr(one, predict)(X) for one in best.inputs_]
    table = second_level.append_predictions(X, inputs)
    assert_allclose(getattr(best, predict)(X), getattr(best.learner_, predict)(table))
    for model, member in zip(best.inputs_, level.inputs, strict=True):
        alone = evaluator.build(member.pipeline).fit(X, y)
        if task == "regression":
            assert_allclose(model.predict(X), alone.predict(X))
        else:  # scaled as its predictions out of fold were
            made = scale_temperature(alone.predict_proba(X), member.temperature)
            assert_allclose(model.predict_proba(X), made)


def test_members_of_both_levels_share_their_inputs():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    level = search(evaluator, store)
    stacked = store.read().stacked[0]
    predictions = store.predictions.read([stacked.number])[stacked.number]
    above = Member.of(stacked, predictions, weight=0.5)
    below = replace(level.inputs[0], weight=0.5)
    final = replace(choose(evaluator, store, level), best=below, members=[below, above])
    best, committee = final.fit(evaluator, evaluator.X, evaluator.y, None, 1)
    first, second = committee.estimators_
    assert best is first and second.inputs_[0] is first
    mean = 0.5 * first.predict(evaluator.X) + 0.5 * second.predict(evaluator.X)
    assert_allclose(committee.predict(evaluator.X), mean)


def test_models_of_a_fold_do_not_know_it():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    level = search(evaluator, store)
    pipeline = store.read().stacked[0].pipeline
    train, test = evaluator.folds[0]
    model = level.get_outside(evaluator, pipeline, 0)
    before = model.predict(evaluator.X[test])
    evaluator.y[test] += 100.0
    assert_allclose(model.predict(evaluator.X[test]), before)
    again = [
        evaluator.build(one.pipeline).fit(evaluator.X[train], evaluator.y[train])
        for one in level.inputs
    ]
    for one, other in zip(model.inputs_, again, strict=True):
        assert_allclose(
            one.predict(evaluator.X[test]), other.predict(evaluator.X[test])
        )


def test_a_level_of_two_inputs():
    evaluator = make_evaluator()
    store = make_store(evaluator)
    records = store.read().records[:2]
    stored = store.predictions.read([one.number for one in records])
    inputs = [Member.of(one, stored[one.number]) for one in records]
    level = SecondLevel.of(evaluator, [0, 1], inputs)
    assert level.evaluator.problem.n_features == 6
    assert list(level.evaluator.names[-2:]) == ["prediction 1", "prediction 2"]
