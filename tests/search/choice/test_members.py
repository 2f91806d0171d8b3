"""Members of a final model are fitted once each, with the weights of rows."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from joblib import effective_n_jobs
from numpy.testing import assert_allclose
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.search.choice import members
from manyminds.search.choice.members import (
    Member,
    add_seeds,
    fit_members,
    fit_pipeline,
    replace_failed,
)
from manyminds.search.study.clock import estimate_refit_seconds
from manyminds.search.study.prediction_store import StoredPredictions

X = np.arange(6.0)[:, None]
Y = np.array([0.0, 0.0, 0.0, 9.0, 9.0, 9.0])
FIRST = np.repeat([1.0, 0.0], 3)


class Boosting(LinearRegression):
    """A learner that can end in time."""

    def __init__(self, *, max_seconds=None):
        super().__init__()
        self.max_seconds = max_seconds


def build(pipeline):
    if pipeline["learner"] == "boosting":
        return Pipeline([("scale", StandardScaler()), ("learner", Boosting())])
    if pipeline["learner"] == "line":
        return LinearRegression()
    steps = [("scale", StandardScaler()), ("learner", LinearRegression())]
    return Pipeline(steps)


def choose_rows(pipeline, rows):
    return rows[: round(pipeline.get("rows", 1.0) * len(rows))]


EVALUATOR = SimpleNamespace(
    build=build,
    choose_rows=choose_rows,
    get_groups=lambda rows: None,
    folds=[None] * 5,
    kept=None,
)


def test_a_pipeline_may_be_fitted_to_a_share_of_the_rows():
    for weights in (None, np.ones(6)):
        pipeline = {"learner": "line", "rows": 0.5}
        model = fit_pipeline(EVALUATOR, pipeline, X, Y, weights)
        assert_allclose(model.predict(X), 0.0, atol=1e-9)  # of the first three


def test_weights_of_rows_reach_the_learner():
    for name in ("line", "steps"):
        model = fit_pipeline(EVALUATOR, {"learner": name}, X, Y, FIRST)
        assert_allclose(model.predict(X), 0.0, atol=1e-9)
        plain = fit_pipeline(EVALUATOR, {"learner": name}, X, Y)
        assert plain.predict(X)[-1] > 8.0


def test_threads_fit_what_one_after_the_other_does(monkeypatch):
    monkeypatch.setattr(members, "MIN_PARALLEL_SECONDS", 1.0)
    three = [
        Member({"learner": one}, one, None, fit_seconds=5.0)
        for one in ("line", "steps", "line")
    ]
    alone, together = (fit_members(EVALUATOR, three, X, Y, FIRST, n) for n in (None, 2))
    assert [isinstance(one, Pipeline) for one in together] == [False, True, False]
    for one, two in zip(alone, together, strict=True):
        assert_allclose(one.predict(X), two.predict(X))


def test_boosting_ends_in_time_if_time_is_short():
    # In a fold of four fifths of the rows it took 4 s: all rows take about 5.
    member = Member({"learner": "boosting"}, "", None, fit_seconds=4.0)

    def find_limit(seconds):
        [model] = fit_members(EVALUATOR, [member], X, Y, seconds=seconds)
        return model[-1].max_seconds

    assert find_limit(np.inf) is None
    assert find_limit(60.0) == 60.0
    assert_allclose(find_limit(0.1), 2.0 * estimate_refit_seconds(4.0, 5))


class Threads(LinearRegression):
    """Learn how many threads there are."""

    def fit(self, X, y, sample_weight=None):
        self.n_threads = effective_n_jobs(None)
        return super().fit(X, y)


def test_the_only_fit_has_all_threads(monkeypatch):
    monkeypatch.setattr(members, "MIN_PARALLEL_SECONDS", 1.0)
    kept = SimpleNamespace(load=lambda _: [LinearRegression().fit(X, Y)])
    evaluator = SimpleNamespace(
        **{**vars(EVALUATOR), "build": lambda _: Threads(), "kept": kept},
        problem=SimpleNamespace(task="regression"),
        X=X,
    )
    one = Member({}, "", None, fit_seconds=5.0)
    models = fit_members(evaluator, [one, replace(one, is_kept=True)], X, Y, n_jobs=2)
    assert models[0].n_threads == 2
    models = fit_members(evaluator, [one, one], X, Y, n_jobs=2)
    assert [model.n_threads for model in models] == [1, 1]


class Drawn(LinearRegression):
    """Predict a number that depends on the seed."""

    def __init__(self, *, random_state=0):
        super().__init__()
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, 0.0 * y + self.random_state)


def test_more_seeds_fill_the_time_that_is_left(monkeypatch):
    evaluator = SimpleNamespace(
        **{**vars(EVALUATOR), "build": lambda _: Drawn()},
        problem=SimpleNamespace(task="regression"),
        X=X,
    )
    gb, svm = {"learner": "gb"}, {"learner": "linear_svm"}
    wanted = [
        Member(gb, "", None, fit_seconds=0.4),
        Member(svm, "", None, fit_seconds=0.4),
        Member(gb, "", None, weight=0.05, fit_seconds=0.4),
        Member(gb, "", None, fit_seconds=0.4, is_kept=True),
    ]
    models = [Drawn().fit(X, Y) for _ in wanted]

    def mean_seeds(seconds):
        found = add_seeds(evaluator, wanted, models, X, Y, seconds=seconds)
        assert found[1:] == models[1:]
        return found[0].predict(X).mean()

    assert_allclose(mean_seeds(60.0), 1.5)  # of seeds 0 to 3
    assert_allclose(mean_seeds(0.5), 0.0)  # another fit would take about a second
    assert_allclose(mean_seeds(np.inf), 0.0)  # no results that depend on speed
    assert add_seeds(evaluator, wanted[1:], models[1:], X, Y, seconds=9.0) == models[1:]


def test_a_fit_that_is_worse_than_its_folds_is_replaced():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    y = 3.0 * x.ravel() + 0.1 * rng.normal(size=200)
    line = LinearRegression().fit(x, y)
    asked = []

    def get_outside(pipeline, number):
        asked.append(number)
        return line

    evaluator = SimpleNamespace(
        folds=[(None, np.arange(0, 200, 2)), (None, np.arange(1, 200, 2))],
        problem=SimpleNamespace(task="regression"),
        get_outside=get_outside,
        X=x,
    )
    stored = StoredPredictions(y + 0.1 * rng.normal(size=200), [], [])
    mean = DummyRegressor().fit(x, y)  # as if the only column was not selected
    wanted = [Member({"learner": "line"}, "", stored)] * 3
    wanted[2] = replace(wanted[2], is_kept=True)
    checked, found = replace_failed(evaluator, wanted, [line, mean, mean], x, y)
    assert found[0] is line and found[2] is mean and asked == [0, 1]
    assert_allclose(found[1].predict(x), line.predict(x))
    assert [one.is_kept for one in checked] == [False, True, True]


def test_probabilities_of_a_fit_are_checked_by_their_log_loss():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 1))
    y = np.where(x.ravel() > 0.0, "yes", "no")
    good, bad = LogisticRegression().fit(x, y), DummyClassifier().fit(x, y)
    codes = (y == "yes").astype(int)
    of_codes = LogisticRegression().fit(x, codes)
    evaluator = SimpleNamespace(
        folds=[(None, np.arange(300))],
        problem=SimpleNamespace(task="classification"),
        get_outside=lambda *_: of_codes,
        X=x,
    )
    stored = StoredPredictions(good.predict_proba(x).astype(np.float32), [], [])
    wanted = [Member({"learner": "logistic"}, "", stored)] * 2
    _, found = replace_failed(evaluator, wanted, [good, bad], x, y)
    assert found[0] is good
    assert_allclose(found[1].predict_proba(x), good.predict_proba(x), rtol=1e-6)
    assert (found[1].predict(x) == y).mean() > 0.95


def test_seeds_of_named_classes_are_averaged(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(120, 3))
    y = np.where(x[:, 0] + 0.5 * rng.normal(size=120) > 0.0, "yes", "no")
    evaluator = SimpleNamespace(
        **{**vars(EVALUATOR), "build": lambda _: ExtraTreesClassifier(3)},
        problem=SimpleNamespace(task="classification"),
        X=x,
    )
    member = Member({"learner": "gb"}, "", None, fit_seconds=0.01)
    models = [ExtraTreesClassifier(3, random_state=0).fit(x, y)]
    [mean] = add_seeds(evaluator, [member], models, x, y, seconds=60.0)
    each = [ExtraTreesClassifier(3, random_state=k).fit(x, y) for k in range(4)]
    expected = np.mean([one.predict_proba(x) for one in each], axis=0)
    assert_allclose(mean.predict_proba(x), expected)
    assert (mean.predict(x) == y).mean() > 0.95
