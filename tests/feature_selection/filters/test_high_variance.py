"""Variances and counts are numpy's, whatever the table."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.feature_selection import VarianceThreshold

from manyminds.feature_selection.filters.high_variance import HighVarianceSelector


def draw(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 8)) * (rng.random((40, 8)) < 0.4)
    X[:, 3], X[:, 4] = 0.0, 0.25
    return X, rng


def test_worked_example():
    # Variances 3/16, 1/4 and 0; ones in 1, 2 and all rows.
    X = [[0, 1, 5], [0, 0, 5], [1, 0, 5], [0, 1, 5]]
    selector = HighVarianceSelector().fit(X)
    assert_allclose(selector.scores_, [3 / 16, 1 / 4, 0])
    assert_array_equal(selector.counts_, [1, 2, 4])
    assert_array_equal(selector.ranking_, [2, 1, 3])
    assert_array_equal(selector.get_support(), [True, True, False])
    assert_array_equal(
        HighVarianceSelector(min_count=2).fit(X).get_support(), [False, True, False]
    )


@pytest.mark.parametrize("threshold", [0.0, 0.3])
def test_agrees_with_scikit_learn(seed, threshold):
    X, rng = draw(seed)
    X[rng.random(X.shape) < 0.1] = np.nan
    for table in (X, csr_matrix(X)):
        ours = HighVarianceSelector(threshold).fit(table)
        assert_allclose(ours.scores_, np.nanvar(X, axis=0), atol=1e-12)
        assert_array_equal(
            ours.get_support(), VarianceThreshold(threshold).fit(X).get_support()
        )


def test_counts_are_of_rows_that_are_neither_zero_nor_missing(seed):
    X, rng = draw(seed)
    X[rng.random(X.shape) < 0.1] = np.nan
    expected = np.sum((np.nan_to_num(X) != 0.0), axis=0)
    for table in (X, csr_matrix(X)):
        assert_array_equal(HighVarianceSelector().fit(table).counts_, expected)


def test_count_of_the_paper():
    # More than p = 2 ones is three or more.
    X = np.tri(6, 5)  # ones in 6, 5, 4, 3 and 2 rows
    p = 2
    selector = HighVarianceSelector(min_count=p + 1).fit(csr_matrix(X))
    assert_array_equal(selector.get_support(), [False, True, True, True, False])


def test_the_largest_of_those_that_pass(seed):
    X, _ = draw(seed)
    ranking = HighVarianceSelector().fit(X).ranking_
    for k in (1, 3, 8):
        selector = HighVarianceSelector(n_features_to_select=k).fit(X)
        useful = np.var(X, axis=0) > 1e-9
        assert_array_equal(selector.get_support(), (ranking <= k) & useful)
    # Features that fail the count do not take the place of others.
    X = np.array([[9.0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]])
    selector = HighVarianceSelector(min_count=2, n_features_to_select=1).fit(X)
    assert_array_equal(selector.get_support(indices=True), [1])


def test_categories_of_two_are_like_zero_and_one():
    codes = np.array([0, 1, 1, 0, 0, 0])
    frame = pd.DataFrame({"x": codes, "c": pd.Categorical(codes)})
    selector = HighVarianceSelector().fit(frame)
    assert_allclose(selector.scores_, [2 / 9, 2 / 9])
    assert_array_equal(selector.counts_, [2, 2])
    # Of three, half the chance that two rows differ: (1 - 3 / 9) / 2.
    frame = pd.DataFrame({"c": pd.Categorical(["a", "b", "c", None])})
    selector = HighVarianceSelector().fit(frame)
    assert_allclose(selector.scores_, [1 / 3])
    assert_array_equal(selector.counts_, [2])


def test_weights_count_rows(seed):
    X, rng = draw(seed)
    counts = np.r_[1, 1, rng.integers(0, 3, size=38)]
    weighted = HighVarianceSelector().fit(X, sample_weight=counts)
    repeated = HighVarianceSelector().fit(np.repeat(X, counts, axis=0))
    assert_allclose(weighted.scores_, repeated.scores_, atol=1e-14)
    assert_allclose(weighted.counts_, repeated.counts_)
