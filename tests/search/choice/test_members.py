"""Members of a final model are fitted once each, with the weights of rows."""

from types import SimpleNamespace

import numpy as np
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.search.choice import members
from manyminds.search.choice.members import Member, fit_members, fit_pipeline
from manyminds.search.study.clock import estimate_refit_seconds

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
