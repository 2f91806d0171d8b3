"""Adjusted and cross-validated R²: against plain regressions, row by row."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression

from manyminds.analysis.correlation import correlation_score


def draw(seed, n_rows=40, n_columns=5):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_rows) % 3)
    return rng.normal(size=(n_rows, n_columns)) + y[:, None], y


def test_cross_validated_r2_leaves_each_row_out(seed):
    X, y = draw(seed)
    Y = (y[:, None] == np.arange(3)).astype(float)
    errors, by_mean = np.empty_like(Y), np.empty_like(Y)
    for i in range(len(X)):
        others = np.arange(len(X)) != i
        model = LinearRegression().fit(X[others], Y[others])
        errors[i] = Y[i] - model.predict(X[i : i + 1])[0]
        by_mean[i] = Y[i] - Y[others].mean(axis=0)
    expected = 1 - (errors**2).sum(axis=0) / (by_mean**2).sum(axis=0)
    options = {"average": False, "clip": False}
    found = correlation_score(X, y, "cross_validated_r2", **options)
    assert_allclose(found, expected, atol=1e-10)
    numbers = correlation_score(X, y, "cross_validated_r2", label_encoder="none")
    assert 0.0 < numbers < correlation_score(X, y, label_encoder="none")


def test_adjusted_r2_is_the_textbooks(seed):
    X, y = draw(seed)
    r2 = correlation_score(X, y, average=False)
    found = correlation_score(X, y, "adjusted_r2", average=False, clip=False)
    assert_allclose(found, 1 - (1 - r2) * 39 / 34, atol=1e-12)


@pytest.mark.slow
def test_columns_of_chance_do_not_raise_fair_scores(seed):
    # 20 columns of noise raise R² in every draw; over 30 draws, the mean of the fair
    # ones falls, or stays within 0.03 (their own scatter is below 0.01).
    rng, changes = np.random.default_rng(seed), []
    methods = ("r2", "adjusted_r2", "cross_validated_r2")
    for _ in range(30):
        X, y = draw(rng.integers(2**31), n_rows=100)
        more = np.c_[X, rng.normal(size=(100, 20))]
        scores = [
            correlation_score(more, y, m) - correlation_score(X, y, m) for m in methods
        ]
        changes.append(scores)
    plain, adjusted, validated = np.mean(changes, axis=0)
    assert min(one[0] for one in changes) > 0.0
    assert plain > 0.05
    assert adjusted < 0.03 and validated < 0.03


def test_a_row_that_is_alone_is_predicted_by_the_mean():
    # An indicator of row 0 alone: without this row, nothing is known about it.
    X = np.zeros((6, 1))
    X[0] = 1.0
    y = [1, 0, 0, 1, 0, 1]
    found = correlation_score(X, y, "cross_validated_r2", clip=False)
    # Rows 1 to 5 are predicted by the mean of the other four without the indicator.
    rest = np.array([0, 0, 1, 0, 1.0])
    errors = [1 - 0.4, *((rest - rest.mean()) * 5 / 4)]
    by_mean = (np.array(y) - 0.5) * 6 / 5
    assert_allclose(found, 1 - np.sum(np.square(errors)) / np.sum(by_mean**2))
