"""Data and copies suit the estimator."""

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import GammaRegressor, LogisticRegression
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import StandardScaler

from manyminds.testing import small
from manyminds.testing.cases import case_for, ready, seeded


def test_small_copies_and_leaves_the_original_alone():
    forest = RandomForestClassifier(n_estimators=100)
    assert small(forest).n_estimators == 5
    assert forest.n_estimators == 100
    assert small(RandomForestClassifier(n_estimators=3)).n_estimators == 3


def test_small_and_seeded_reach_inside():
    bag = BaggingClassifier(RandomForestClassifier())
    copy = seeded(small(bag), 3)
    assert copy.estimator.n_estimators == 5
    assert (copy.random_state, copy.estimator.random_state) == (3, 3)


def test_ready_sets_what_it_is_given():
    assert ready(LogisticRegression(), C=2.0).C == 2.0


@pytest.mark.parametrize("n_samples", [1, 2, 7, 40])
def test_shapes_are_as_asked(n_samples):
    case = case_for(LogisticRegression(), n_samples=n_samples, n_new=9)
    assert (case.X.shape, case.X_new.shape) == ((n_samples, 4), (9, 4))
    assert len(case.y) == n_samples


def test_tags_decide_on_the_data():
    assert list(np.unique(case_for(LogisticRegression()).y)) == [0, 1, 2]
    assert list(np.unique(case_for(StandardScaler()).y)) == [0, 1]
    assert (case_for(ComplementNB()).X > 0).all()
    assert case_for(GammaRegressor()).y.dtype == float


def test_two_calls_give_two_equal_cases():
    first, second = case_for(LogisticRegression()), case_for(LogisticRegression())
    first.X[:] = 0
    assert second.X.any()
