"""Members cloned from one estimator: checks of the arguments, draws, fits to rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import get_tags

from manyminds.ensemble.homogeneous import (
    HomogeneousClassifier,
    ResamplingFitter,
    draw_counts,
    fit_member,
)
from manyminds.trees.mdl_tree import MDLTreeClassifier


class Committee(HomogeneousClassifier):
    """One member, fitted to all rows."""

    def __init__(self, estimator=None, random_state=None):
        self.estimator, self.random_state = estimator, random_state

    def fit(self, X, y, sample_weight=None):
        X, label, self.odds_ = self._read_training_set(X, y, sample_weight)
        self.estimators_ = [fit_member(self._base, X, label)]
        return self


class PairCommittee(Committee):
    _is_multiclass = False


def test_odds_add_up_to_one():
    X, y = [[0.0], [1.0], [2.0]], ["a", "b", "b"]
    assert_allclose(Committee(GaussianNB()).fit(X, y).odds_, 1 / 3)
    model = Committee(GaussianNB()).fit(X, y, [1.0, 0.0, 3.0])
    assert_allclose(model.odds_, [0.25, 0.0, 0.75])
    assert_array_equal(model.predict(X), y)


def test_missing_values_are_accepted_if_the_estimator_accepts_them():
    X, y = [[np.nan], [1.0], [2.0]], [0, 1, 1]
    assert get_tags(Committee()).input_tags.allow_nan  # an MDL tree
    Committee().fit(X, y)
    assert not get_tags(Committee(GaussianNB())).input_tags.allow_nan
    with pytest.raises(ValueError, match="contains NaN"):
        Committee(GaussianNB()).fit(X, y)


def test_errors_name_what_is_wrong():
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 2]
    with pytest.raises(ValueError, match="estimator must be a classifier; got Linear"):
        Committee(LinearRegression()).fit(X, y)
    with pytest.raises(ValueError, match="PairCommittee; y has 3 classes"):
        PairCommittee().fit(X, y)
    with pytest.raises(ValueError, match=r"no positive weight|non-zero"):
        Committee().fit(X, y, [0.0, 0.0, 0.0])


def test_as_many_rows_are_drawn_as_there_are():
    # A row of all the weight is drawn each time, one without weight never.
    rng = np.random.default_rng(0)
    assert_array_equal(draw_counts(rng, np.array([0.0, 2.0, 0.0])), [0, 3, 0])
    counts = draw_counts(rng, np.array([1.0, 3.0] * 2000))
    assert counts.sum() == len(counts) == 4000
    # 3000 expected, with a standard deviation of 27.
    assert abs(counts[1::2].sum() - 3000) < 170


def test_rows_without_odds_are_never_drawn(seed):
    odds = np.array([0.5, 0.0, 0.5, 0.0])
    fitter = ResamplingFitter(GaussianNB(), np.eye(4), np.array([0, 0, 1, 1]), odds)
    # The weights of later rounds do not bring them back.
    counts = fitter.draw(np.random.default_rng(seed), np.full(4, 0.25))
    assert counts.sum() == 2 and not counts[[1, 3]].any()


def test_other_learners_get_repeated_rows():
    # Row 1 is drawn twice: two of the three nearest neighbors of anything.
    X, label = np.array([[0.0], [1.0], [5.0]]), np.array([0, 1, 0])
    fitter = ResamplingFitter(KNeighborsClassifier(3), X, label, np.full(3, 1 / 3))
    member, predicted = fitter.fit(np.array([1, 2, 0]), 0)
    assert_array_equal(predicted, [1, 1, 1])
    assert_array_equal(predicted, member.predict(X))


def test_trees_on_the_binned_table_are_trees_on_repeated_rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, size=(40, 2)).astype(float)
    label = (X[:, 0] > 4).astype(int)
    odds = np.where(np.arange(40) < 30, 1 / 30, 0.0)
    counts = np.where(odds > 0.0, rng.integers(0, 3, size=40), 0)
    member, predicted = ResamplingFitter(MDLTreeClassifier(), X, label, odds).fit(
        counts, 0
    )
    assert_array_equal(predicted, member.predict(X))  # also where there are no odds
    alone = MDLTreeClassifier().fit(X.repeat(counts, axis=0), label.repeat(counts))
    drawn = counts > 0
    assert_array_equal(predicted[drawn], alone.predict(X[drawn]))


def test_a_single_class_is_a_constant():
    member = fit_member(GaussianNB(), np.zeros((2, 1)), np.array([1, 1]))
    assert isinstance(member, DummyClassifier)
    assert_array_equal(member.predict([[7.0]]), [1])


def test_weights_reach_the_member():
    X, label = np.array([[0.0], [2.0], [1.0], [3.0]]), np.array([0, 0, 1, 1])
    weighted = fit_member(GaussianNB(), X, label, np.array([1.0, 3.0, 1.0, 1.0]))
    assert_allclose(weighted.theta_[:, 0], [1.5, 2.0])
    assert_allclose(fit_member(GaussianNB(), X, label).theta_[:, 0], [1.0, 2.0])
