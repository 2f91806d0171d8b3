"""Contrasts are permutations of binned columns."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.feature_selection.contrasts.contrast_tables import (
    add_contrasts,
    take_columns,
)
from manyminds.kernels.bundles import IS_CATEGORICAL
from manyminds.trees.binning import bin_table


def make_table(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 4))
    X[:, 1], X[:, 2] = rng.integers(0, 2, 50), rng.integers(0, 5, 50)
    X[:10, 3] = np.nan
    return bin_table(X, np.array([False, True, True, False]))


def test_columns_keep_their_codes_and_pairs_of_levels_become_numbers(seed):
    table = make_table(seed)
    some = take_columns(table, np.array([2, 1]))
    codes = table.codes.reshape(4, 50)
    assert_array_equal(some.codes.reshape(2, 50), codes[[2, 1]])
    assert some.columns[:, IS_CATEGORICAL].tolist() == [1, 0]
    assert table.columns[1, IS_CATEGORICAL] == 1  # not changed


def test_contrasts_have_the_codes_of_their_columns_in_another_order(seed):
    table = take_columns(make_table(seed), np.arange(4))
    wide = add_contrasts(table, np.random.default_rng(seed))
    codes = wide.codes.reshape(8, 50)
    assert_array_equal(codes[:4].reshape(-1), table.codes)
    assert_array_equal(np.sort(codes[4:], axis=1), np.sort(codes[:4], axis=1))
    assert (codes[4:] != codes[:4]).any(axis=1).all()
    assert_array_equal(wide.columns[4:], wide.columns[:4])
    # Each column has a permutation of its own.
    again = add_contrasts(
        table._replace(codes=np.tile(codes[0], 4)), np.random.default_rng(0)
    )
    shuffled = again.codes.reshape(8, 50)[4:]
    assert len(np.unique(shuffled, axis=0)) == 4
