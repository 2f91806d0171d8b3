"""Learners are seeded, trained, and their predictions collected."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from manyminds.analysis.decomposition import bias_variance
from manyminds.analysis.decomposition.training import (
    Predictions,
    Votes,
    as_rows,
    draw_generated,
    train_and_predict,
)
from manyminds.datasets.generators import make_twonorm

X, y = load_wine(return_X_y=True)


def test_seeds_of_learners_inside_learners_are_set():
    # All rows, always the same: only the learners' own draws are left.
    whole = [(np.arange(178), np.arange(178))] * 5

    class Whole:
        def split(self, X, y=None, groups=None):
            return iter(whole)

    tree = DecisionTreeClassifier(max_features=1, max_depth=2, random_state=0)
    for model in (tree, BaggingClassifier(tree, n_estimators=1, random_state=0)):
        found = bias_variance(model, X, y, resampling=Whole(), random_state=0)
        assert found.mean["variance"] > 0.0


def test_progress_is_told(capsys):
    bias_variance(DummyClassifier(), X, y, n_predictors=2, random_state=0, verbose=1)
    assert "4 of 4 learners trained" in capsys.readouterr().err


class Answer(ClassifierMixin, BaseEstimator):
    """Predict the number of training samples, or in stages 0, 1 and so on."""

    def fit(self, X, y):
        self.n_, self.n_stages_ = len(X), int(y[0])
        return self

    def predict(self, X):
        return np.full(len(X), self.n_)

    def staged_predict(self, X):
        return (np.full(len(X), stage) for stage in range(self.n_stages_))


def train(jobs, tally, estimator=None, staged=False):
    model = Answer() if estimator is None else estimator
    rng = np.random.RandomState(0)
    return train_and_predict(model, jobs, tally, staged, None, rng, False)


def make_job(n_train, rows, n_stages=2):
    points = np.zeros((6, 1))
    return points, np.full(6, n_stages), np.arange(n_train), points, np.array(rows)


def test_votes_are_counted_by_class():
    votes = Votes(3, np.array(["a", "b", "d"]))
    votes.add(0, np.array([0, 2]), np.array(["b", "a"]))
    votes.add(1, np.array([2]), np.array(["d"]))
    assert_array_equal(votes.counts, [[0, 1, 0], [0, 0, 0], [1, 0, 1]])
    for unknown in ("c", "e"):
        with pytest.raises(ValueError, match="labels that are not among y"):
            votes.add(2, np.array([0]), np.array([unknown]))


def test_predictions_are_stored_by_learner_and_point():
    jobs = [make_job(2, [0, 1]), make_job(5, [1, 3])]
    (found,) = train(jobs, Predictions(4, 2))
    missing = np.nan
    expected = [[2, missing], [2, 5], [missing, missing], [missing, 5]]
    assert_array_equal(found.values, expected)


def test_every_stage_has_a_tally_of_its_own():
    empty = Predictions(2, 2)
    jobs = [make_job(2, [0, 1], n_stages=3)] * 2
    found = train(jobs, empty, staged=True)
    assert [set(one.values.ravel()) for one in found] == [{0.0}, {1.0}, {2.0}]
    assert np.isnan(empty.values).all()


def test_learners_need_stages_and_as_many_of_them():
    with pytest.raises(ValueError, match="requires an estimator with staged_predict"):
        train([], Predictions(2, 0), DummyClassifier(), staged=True)
    jobs = [make_job(2, [0, 1], n_stages=n) for n in (3, 2)]
    with pytest.raises(ValueError, match="same number of stages; got 3 and 2"):
        train(jobs, Predictions(2, 2), staged=True)


def test_generators_draw_samples_of_their_own():
    def generate(n_samples, random_state=None):
        return np.zeros((n_samples, 1)), [random_state] * n_samples

    X, y, posterior = draw_generated(generate, 4, 7)
    assert X.shape == (4, 1) and y.tolist() == [7] * 4 and posterior is None
    (found,) = train([(generate, 9, 7, np.zeros((2, 1)), None)], Predictions(2, 1))
    assert_array_equal(found.values, [[9.0], [9.0]])


def test_a_posterior_is_asked_for_where_there_is_one():
    *_, posterior = draw_generated(make_twonorm, 5, 0)
    assert posterior.shape == (5, 2)
    assert_allclose(posterior.sum(axis=1), 1.0)


def test_lists_become_arrays_and_tables_stay():
    table = np.zeros((2, 1))
    assert as_rows(table) is table
    assert as_rows([[1, 2], [3, 4]]).shape == (2, 2)
