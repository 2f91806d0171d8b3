"""Inputs of RealMLP: scales by hand, one-hot codes, missing and unknown values."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.learners.real_mlp_columns import NetColumns


def smooth_clip(x):
    x = np.asarray(x, dtype=float)
    return x / np.sqrt(1 + (x / 3) ** 2)


def fit(X, n_states, **options):
    X = np.asarray(X, dtype=float)
    columns = NetColumns().fit(X, np.array(n_states), **options)
    return columns, columns.transform(X)


def test_numbers_by_hand():
    # Median 2, quartiles 1 and 3. The second column has quartiles 0 and 0: half its
    # range is 5. The third does not vary.
    X = np.array([[0, 1, 2, 3, 4], [0, 0, 0, 0, 10], [7, 7, 7, 7, 7]]).T
    _, table = fit(X, [0, 0, 0])
    assert_allclose(table.numeric[:, 0], smooth_clip([-1, -0.5, 0, 0.5, 1]), rtol=1e-6)
    assert_allclose(table.numeric[:, 1], smooth_clip([0, 0, 0, 0, 2]), rtol=1e-6)
    assert table.numeric.shape == (5, 2)
    assert table.plain.shape == (5, 0) and table.codes.shape == (5, 0)


def test_numbers_stay_below_three():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [1e300]])
    columns, table = fit(X, [0])
    assert (abs(table.numeric) <= 3.0).all() and table.numeric[-1, 0] > 2.99
    assert columns.transform(np.array([[-1e308]])).numeric[0, 0] < -2.99


def test_missing_numbers_are_medians_with_an_indicator():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [np.nan]])
    _, table = fit(X, [0])
    assert table.numeric[-1, 0] == 0.0
    # The indicator has median 0 and range 1: a missing value is 2 half ranges away.
    assert_allclose(table.plain[:, 0], smooth_clip([0, 0, 0, 0, 0, 2]), rtol=1e-6)
    known, _ = fit(X[:5], [0])
    new = known.transform(np.array([[np.nan]]))
    assert new.numeric[0, 0] == 0.0 and new.plain.shape == (1, 0)


def test_categories_by_hand():
    # Two levels are one column of -1 and 1, missing 0: median -1, quartiles -1 and 0.75
    # for these five rows; three levels are three columns.
    nan = np.nan
    X = np.array([[0, 0, 1, nan, 1], [0, 1, 2, 0, nan]]).T
    _, table = fit(X, [2, 3])
    codes = np.array([-1, -1, 1, 0, 1.0])
    spread = np.subtract(*np.quantile(codes, [0.75, 0.25]))
    expected = smooth_clip((codes - np.median(codes)) / spread)
    assert_allclose(table.plain[:, 0], expected, rtol=1e-6)
    assert table.plain.shape == (5, 4) and table.numeric.shape == (5, 0)
    # Level 1 of the second column occurs once: quartiles are equal, the range is 1.
    assert_allclose(table.plain[:, 2], smooth_clip([0, 2, 0, 0, 0]), rtol=1e-6)


def test_columns_of_many_levels_are_codes_with_one_for_missing():
    X = np.column_stack([np.arange(10) % 9, np.arange(10)]).astype(float)
    X[0, 1] = np.nan
    columns, table = fit(X, [9, 10])
    assert columns.n_levels == 10 + 11
    assert_array_equal(table.codes[:, 0], np.arange(10) % 9)
    assert_array_equal(table.codes[:, 1], [20, *range(11, 20)])


def test_without_embedding_numbers_are_plain():
    X = np.random.default_rng(0).normal(size=(9, 2))
    _, table = fit(X, [0, 0])
    _, plain = fit(X, [0, 0], embed_numbers=False)
    assert_array_equal(plain.plain, table.numeric)
    assert plain.numeric.shape == (9, 0)


@pytest.mark.parametrize("X", [np.ones((4, 2)), np.full((4, 1), np.nan)])
def test_there_is_always_an_input(X):
    _, table = fit(X, [0] * X.shape[1])
    assert table.plain.shape == (4, 1) and not table.plain.any()


def test_units_do_not_matter(seed):
    X = np.random.default_rng(seed).normal(size=(30, 3))
    _, table = fit(X, [0, 0, 0])
    _, other = fit(X * [1e-200, 3.0, 1e200] + [0.0, 7.0, 0.0], [0, 0, 0])
    assert_allclose(other.numeric, table.numeric, rtol=1e-5, atol=1e-6)
