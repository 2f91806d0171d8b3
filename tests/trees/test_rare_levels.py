"""Beyond 255 levels the rarest share a code."""

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
