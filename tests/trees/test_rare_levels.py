"""Rare levels, and those beyond the number of codes, share a code."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.trees.rare_levels import merge_rare_levels, rename_levels


def test_frequent_levels_keep_codes_of_their_own():
    rng = np.random.default_rng(0)
    code = np.concatenate([np.repeat(np.arange(100, 300), 5), np.arange(100)])
    X = np.column_stack([rng.permutation(code), code]).astype(float)
    X[0, 0] = np.nan
    before = X.copy()
    merged, codes = merge_rare_levels(X, np.array([True, False]), 255)
    assert_array_equal(X, before)
    assert list(codes) == [0]
    assert_array_equal(merged[:, 1], X[:, 1])
    assert np.isnan(merged[0, 0])
    known = ~np.isnan(X[:, 0])
    assert merged[known, 0].max() == 254
    frequent = known & (X[:, 0] >= 100)
    pairs = set(zip(X[frequent, 0], merged[frequent, 0]))
    assert len(pairs) == 200 == len({new for _, new in pairs})
    assert_array_equal(rename_levels(X, codes), merged)


def test_few_levels_stay_as_they_are():
    X = np.arange(255.0)[:, np.newaxis]
    merged, codes = merge_rare_levels(X, np.array([True]), 255)
    assert merged is X and codes == {}
    assert merge_rare_levels(X, None, 255) == (X, {})


def test_levels_of_few_rows_share_a_code():
    X = np.array([[0, 0, 0, 1, 2, 2, 3, 3, 3]], dtype=float).T  # 3, 1, 2 and 3 rows
    merged, codes = merge_rare_levels(X, np.array([True]), 255, min_samples=3)
    assert_array_equal(merged[:, 0], [0, 0, 0, 2, 2, 2, 1, 1, 1])
    assert_array_equal(codes[0], [0, 2, 2, 1])
    alone, codes = merge_rare_levels(X, np.array([True]), 255, min_samples=2)
    assert alone is X and codes == {}  # a single rare level has nothing to join
    same, _ = merge_rare_levels(X, np.array([True]), 255, min_samples=9)
    assert_array_equal(same[:, 0], 0.0)
