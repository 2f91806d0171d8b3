"""The simple regressors of the paper."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

from manyminds.reproductions.random_oracles_for_regression.protocol import (
    LeaveOneOutNeighbors,
    SelectedLinearRegression,
)


def test_selected_regression_equals_a_naive_twin(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 6)) * [1, 5, 0.1, 2, 1, 0]
    y = X @ [1.0, 0.3, 0.0, 0.0, 0.1, 0.0] + rng.normal(size=40)
    kept, best = [0, 1, 2, 3, 4], np.inf
    while True:
        model = LinearRegression().fit(X[:, kept], y)
        rss = np.sum((y - model.predict(X[:, kept])) ** 2)
        aic = 40 * np.log(rss / 40) + 2 * len(kept)
        if aic >= best:
            break
        best, chosen, fitted = aic, list(kept), model
        size = np.abs(model.coef_) * X[:, kept].std(axis=0)
        kept = [k for k in kept if k != kept[int(np.argmin(size))]]
        if not kept:
            break
    ours = SelectedLinearRegression().fit(X, y)
    assert ours.columns_.tolist() == chosen
    assert_allclose(ours.predict(X), fitted.predict(X[:, chosen]))


def test_selected_regression_takes_more_columns_than_rows(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(6, 13)), rng.normal(size=6)
    assert np.isfinite(SelectedLinearRegression().fit(X, y).predict(X)).all()
    constant = SelectedLinearRegression().fit(np.ones((5, 2)), np.arange(5.0))
    assert_allclose(constant.predict(np.zeros((2, 2))), 2.0)


@pytest.mark.parametrize("squared", [True, False])
def test_neighbors_equal_leaving_each_row_out(seed, squared):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 2))
    y = X[:, 0] + rng.normal(size=15)
    errors = []
    for k in range(1, 7):
        left_out = []
        for i in range(15):
            rest = np.arange(15) != i
            model = KNeighborsRegressor(k).fit(X[rest], y[rest])
            left_out.append(model.predict(X[i : i + 1])[0] - y[i])
        left_out = np.array(left_out)
        errors.append(np.mean(left_out**2 if squared else np.abs(left_out)))
    ours = LeaveOneOutNeighbors(squared=squared, max_neighbors=6).fit(X, y)
    assert ours.n_neighbors_ == np.argmin(errors) + 1
    twin = KNeighborsRegressor(ours.n_neighbors_).fit(X, y)
    assert_allclose(ours.predict(X), twin.predict(X))
