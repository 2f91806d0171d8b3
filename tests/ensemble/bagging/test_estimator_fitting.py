"""Fit any estimators to weighted rows and some of the columns."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from manyminds.ensemble.bagging.estimator_fitting import (
    EstimatorFitter,
    fit_on_rows,
    has_random_state,
    take,
)

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0], [3.0, 2.0]])
Y = np.array([1.0, 2.0, 4.0, 9.0])


def test_rows_without_weight_are_left_out():
    member = fit_on_rows(KNeighborsRegressor(1), X, Y, np.array([1.0, 0.0, 1.0, 0.0]))
    assert_allclose(member.predict(X[[1]]), 1.0)
    assert member.n_samples_fit_ == 2


def test_weights_reach_estimators_that_take_them():
    weights = np.array([0.5, 0.0, 2.0, 1.0])
    member = fit_on_rows(LinearRegression(), X, Y, weights)
    expected = LinearRegression().fit(X, Y, sample_weight=weights)
    assert_allclose(member.predict(X), expected.predict(X))


def test_whole_weights_become_repeated_rows():
    # Of the three neighbors, two are copies of row 1: (2 + 2 + 9) / 3.
    member = fit_on_rows(KNeighborsRegressor(3), X, Y, np.array([0.0, 2.0, 0.0, 1.0]))
    assert_allclose(member.predict(X[[0]]), 13 / 3)
    with pytest.raises(ValueError, match=r"estimator=KNeig.* takes no sample_weight"):
        fit_on_rows(KNeighborsRegressor(1), X, Y, np.array([0.5, 1.0, 1.0, 1.0]))


def test_members_have_their_weights_and_columns():
    fitter = EstimatorFitter(LinearRegression(), X)
    weights = np.array([[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]])
    columns = np.array([[True, False], [False, True]])
    members = fitter.fit(Y, weights, 2, np.random.RandomState(0), columns)
    for t in range(2):
        rows = weights[t] > 0.0
        alone = LinearRegression().fit(X[rows][:, [t]], Y[rows])
        assert_allclose(members.values(X)[t, :, 0], alone.predict(X[:, [t]]))


def test_a_single_row_of_weights_is_for_all_members():
    fitter = EstimatorFitter(LinearRegression(), X, n_jobs=2)
    members = fitter.fit(Y, np.array([[1.0, 1.0, 0.0, 1.0]]), 3, None)
    assert len(members) == 3
    values = members.values(X)[:, :, 0]
    assert_array_equal(values, np.tile(values[0], (3, 1)))
    assert [each.n_features_in_ for each in members.estimators] == [2, 2, 2]


def test_members_see_numbers_of_classes():
    fitter = EstimatorFitter(GaussianNB(), X, n_classes=2)
    members = fitter.fit(np.array([0.0, 1.0, 0.0, 1.0]), np.ones((1, 4)), 1, None)
    assert_array_equal(members.estimators[0].classes_, [0, 1])
    assert members.estimators[0].classes_.dtype.kind == "i"
    assert members.values(X).shape == (1, 4, 2)


def test_seeds_are_drawn_only_if_the_estimator_draws():
    assert has_random_state(DecisionTreeRegressor())
    assert has_random_state(make_pipeline(StandardScaler(), Ridge()))
    assert not has_random_state(LinearRegression())
    state = np.random.RandomState(0)
    EstimatorFitter(LinearRegression(), X).fit(Y, np.ones((1, 4)), 2, state)
    assert state.randint(1000) == np.random.RandomState(0).randint(1000)
    tree = EstimatorFitter(DecisionTreeRegressor(), X)
    one, two = tree.fit(Y, np.ones((1, 4)), 2, state).estimators
    assert one.random_state != two.random_state


def test_rows_and_columns_by_position():
    frame = pd.DataFrame(X, columns=["a", "b"], index=[7, 7, 8, 9])
    assert_array_equal(take(X, [2, 0], [1]), [[5.0], [1.0]])
    taken = take(frame, np.array([2, 0]), np.array([1]))
    assert list(taken.columns) == ["b"] and taken["b"].tolist() == [5.0, 1.0]
    assert take(X) is X
