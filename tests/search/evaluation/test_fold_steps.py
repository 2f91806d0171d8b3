"""Steps before a learner: fitted once in each fold, with the seconds that they take."""

import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.preprocessing import FunctionTransformer

from manyminds.search import Option, Problem, default_space
from manyminds.search.evaluation.fold_steps import FoldSteps
from manyminds.search.evaluation.timing import start_stopwatch

FITTED = []
NAMES = list("abcdefghijkl")
TRAIN, TEST = np.arange(0, 150, 2), np.arange(1, 150, 2)


class Dawdler(FunctionTransformer):
    """A step that takes 0.02 seconds to be fitted, and 0.03 to transform."""

    def fit(self, X, y=None):
        FITTED.append(len(X))
        time.sleep(0.02)
        return super().fit(X, y)

    def transform(self, X):
        time.sleep(0.03)
        return super().transform(X)


def make_dawdler(problem):
    return Dawdler()


def read_table():
    """Iris, with eight columns of noise."""
    X, y = load_iris(return_X_y=True)
    return np.hstack([X, np.random.default_rng(0).normal(size=(150, 8))]), y


@pytest.fixture
def apply():
    """Return a function that applies the steps of a logistic regression to a fold."""
    FITTED.clear()
    X, y = read_table()
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "logistic")
    space = space.adding("scale", Option("dawdle", make_dawdler)).suiting(problem)
    steps = FoldSteps(X, y, space, np.array(NAMES, dtype=object))

    def run(fold=(0,), **wish):
        wish = {"learner": "logistic", "scale": "dawdle", **wish}
        pipeline = space.complete(wish, problem)
        model = space.build(pipeline, problem)
        with start_stopwatch() as watch:
            return steps.apply(pipeline, model, fold, TRAIN, TEST, watch)

    return run


def test_seconds_are_those_of_all_steps_also_from_the_cache(apply):
    for C in (1.0, 2.0):
        made = apply(**{"logistic.C": C})
        assert made.fit_seconds >= 0.02 + 0.03
        assert made.transform_seconds >= 0.03
    assert FITTED == [75]


def test_other_rows_are_fitted_anew(apply):
    apply()
    apply(fold=(1,))
    assert FITTED == [75, 75]


def test_a_ranking_serves_any_number_of_columns(apply):
    half = apply(select="correlation", **{"correlation.share": 0.5})
    one = apply(select="correlation", **{"correlation.share": 0.25})
    assert half.train.shape == (75, 6) and one.train.shape == (75, 3)
    assert set(one.trace.columns) < set(half.trace.columns)
    assert half.steps is None  # a ranking is no fitted step
    assert half.fit_seconds == one.fit_seconds  # that of the ranking included
    places = [NAMES.index(name) for name in one.trace.columns]
    assert_array_equal(one.test, read_table()[0][np.ix_(TEST, places)])
