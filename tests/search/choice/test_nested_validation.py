"""Nested validation: the whole search is repeated outside of each outer fold."""

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import Perceptron
from sklearn.model_selection import StratifiedKFold

from manyminds.search import (
    ComplexModelSearchClassifier,
    HonestScore,
    Learner,
    default_space,
)
from manyminds.search.choice.nested_validation import _decide, score_nested
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import PredictionScorer

QUICK = default_space("classification").only("learner", "logistic", "nb", "lda")


def search(n_trials, **options):
    options = {"space": QUICK, "random_state": 0, **options}
    return ComplexModelSearchClassifier(None, n_trials=n_trials, **options)


@pytest.mark.slow
def test_nested_validation_searches_again_in_every_fold():
    X, y = load_iris(return_X_y=True)
    found = search(3, validation="nested", outer_cv=3).fit(X, y)
    assert found.honest_score_.method == "nested"
    assert 0.85 < found.honest_score_.score <= 1.0


def test_decisions_are_weighted_as_the_search_decides():
    fitted = Perceptron()
    fitted.predict_proba = lambda X: np.array([[0.7, 0.3]])
    fitted.classes_, fitted.class_weights_ = np.array(["a", "c"]), np.array([1.0, 4.0])
    made = _decide(fitted, np.zeros((1, 2)), np.array(["a", "b", "c"]))
    np.testing.assert_allclose(made, [[0.7, 0.0, 1.2]])
    fitted.class_weights_ = None
    made = _decide(fitted, np.zeros((1, 2)), np.array(["a", "b", "c"]))
    np.testing.assert_allclose(made, [[0.7, 0.0, 0.3]])


@pytest.mark.slow
def test_nested_validation_takes_weights_columns_and_numbers_of_folds():
    X, y = load_wine(return_X_y=True)
    options = {"validation": "nested", "outer_cv": 2, "committee": False}
    options["space"] = QUICK.only("learner", "logistic", "nb")
    plain = search(2, **options).fit(X, y)
    weighted = search(2, **options).fit(X, y, sample_weight=np.ones(len(y)))
    assert weighted.honest_score_ == plain.honest_score_
    with pytest.warns(DataConversionWarning):
        column = search(2, **options).fit(X, y[:, None])
    assert column.honest_score_ == plain.honest_score_
    with pytest.raises(ValueError, match="cv must be a number"):
        search(2, **options, cv=StratifiedKFold(3)).fit(X, y)
    silent = Learner("silent", make_silent)
    options["space"] = QUICK.adding("learner", silent).only("learner", "silent")
    found = search(2, **options).fit(X, y)
    assert found.honest_score_.method == "nested"


@pytest.mark.slow
def test_nested_validation_respects_groups_and_times(monkeypatch):
    X, y = load_wine(return_X_y=True)
    order, groups = np.random.default_rng(0).permutation(len(y)), np.arange(178) % 20
    seen = []
    fit = ComplexModelSearchClassifier.fit

    def watch(self, X, y, sample_weight=None, **given):
        seen.append(given)
        return fit(self, X, y, sample_weight, **given)

    monkeypatch.setattr(ComplexModelSearchClassifier, "fit", watch)
    model = search(1, validation="nested", outer_cv=2, committee=False)
    model.fit(X[order], y[order], groups=groups)
    assert [len(np.unique(one["groups"])) for one in seen] == [20, 10, 10]
    model.fit(X[order], y[order], time=np.arange(178))
    assert [len(one["time"]) for one in seen[3:]] == [178, 60, 119]


def make_silent(problem):
    """Make a learner that tells no probabilities."""
    return Perceptron(random_state=0)


class MeanSearch(BaseEstimator):
    """Stands for a search: predicts the mean of its training target."""

    task_, _measure = "regression", PredictionScorer("mae", "regression")
    honest_score_ = HonestScore(0.0, 0.0, 0.0, 7.0, 0.95, 5, "bootstrap", "before")
    fits: list = []

    def __init__(self, outer_cv=3, validation="nested", storage="s", random_state=None,
                 on_progress=print):  # fmt: skip
        self.outer_cv = outer_cv
        self.validation = validation
        self.storage = storage
        self.random_state = random_state
        self.on_progress = on_progress

    def fit(self, X, y, sample_weight=None):
        self.mean_ = np.average(y, weights=sample_weight)
        self.fits.append((self.get_params(), X.ravel().tolist()))
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


@pytest.fixture
def fits(monkeypatch):
    """Return the list of the fits of this test."""
    made = []
    monkeypatch.setattr(MeanSearch, "fits", made)
    return made


@pytest.mark.parametrize("weighted", [False, True])
def test_equals_a_loop_over_outer_folds(seed, fits, weighted):
    rng = np.random.default_rng(seed)
    X, y = np.arange(12.0)[:, None], rng.normal(size=12)
    weight = rng.uniform(1, 2, size=12) if weighted else None
    honest = score_nested(MeanSearch(), X, y, weight, seed)
    folds = make_folds(3, X, y, "regression", seed)
    known = np.ones(12) if weight is None else weight
    scores = []
    for train, test in folds:
        off = np.abs(y[test] - np.average(y[train], weights=known[train]))
        scores.append(np.average(off, weights=known[test]))
    ends = stats.t.interval(0.95, 2, np.mean(scores), stats.sem(scores))
    assert honest.score == pytest.approx(np.mean(scores))
    assert honest.high == pytest.approx(ends[1])
    assert honest.low == pytest.approx(max(ends[0], 0.0))  # an error is not negative
    assert (honest.naive, honest.n_candidates) == (7.0, 5)
    assert (honest.method, honest.reason) == ("nested", "")


def test_repetitions_are_plain_searches_on_the_training_rows(seed, fits):
    X, y = np.arange(9.0)[:, None], np.arange(9.0)
    score_nested(MeanSearch(), X, y, None, seed)
    expected = {
        "outer_cv": 3, "validation": "bootstrap", "storage": None,
        "random_state": seed, "on_progress": None,
    }  # fmt: skip
    assert [parameters for parameters, _ in fits] == [expected] * 3
    folds = make_folds(3, X, y, "regression", seed)
    assert [rows for _, rows in fits] == [train.tolist() for train, _ in folds]


def test_one_fold_that_could_be_scored_is_not_enough(fits, monkeypatch):
    scores = iter([1.0, np.nan, np.nan])
    measure = type("Measure", (), {"__call__": lambda self, *_: next(scores)})()
    monkeypatch.setattr(MeanSearch, "_measure", measure)
    honest = score_nested(MeanSearch(), np.eye(6), np.arange(6.0), None, 0)
    assert np.isnan([honest.score, honest.low, honest.high]).all()
    assert honest.reason == "1 outer fold could be scored"
