"""Surrogates of a single split, column by column, worked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import Splits
from manyminds.kernels.surrogates import (
    AGREEMENT,
    ASSOCIATION,
    CATEGORY_SET,
    FEATURE,
    FLIPPED,
    THRESHOLD,
    Found,
    find_surrogates,
)
from manyminds.trees.binning import bin_table

X0 = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])  # split at 1.5: two rows go left


def search(*others, weights=((1.0,) * 6,), categorical=(), wanted=True, decrease=2.0):
    """Search the other columns for surrogates of the split of column 0."""
    X = np.column_stack([X0, *others]).astype(float)
    n_features = X.shape[1]
    candidates = np.arange(1, n_features)
    is_categorical = np.isin(np.arange(n_features), categorical)
    splits = Splits(
        feature=np.array([0, -1, -1], np.int32),
        threshold=np.array([1.5, np.nan, np.nan]),
        left=np.array([1, -1, -1], np.int32),
        missing_left=np.zeros(3, bool),
        category_set=np.full(3, -1, np.int32),
        category_sets=np.zeros((0, 1), np.uint64),
    )
    ints, reals = np.array([[-1, 0, -1]], np.int32), np.array([[np.nan, 0.0, np.nan]])
    found = Found(ints, reals, np.zeros((len(categorical[:1]), 1), np.uint64))
    associations = np.zeros((1, n_features - 1))
    masking = np.zeros((n_features, n_features - 1))
    find_surrogates(
        bin_table(X, is_categorical),
        splits,
        np.array([0, 3]),
        np.array(weights),
        candidates,
        np.full(n_features, wanted),
        np.zeros(3, np.int64),
        np.full(3, decrease),
        found,
        associations,
        masking,
    )
    return found, associations[0], masking


@pytest.mark.no_jit
def test_a_copy_agrees_on_all_rows():
    found, associations, masking = search(10.0 * X0)
    assert found.ints[0].tolist() == [1, 0, -1]
    assert_allclose(found.reals[0, [THRESHOLD, ASSOCIATION, AGREEMENT]], [15, 1, 1])
    assert_allclose(associations, [1.0])
    assert_allclose(masking, [[2.0], [0.0]])  # the decrease times the association


@pytest.mark.no_jit
def test_a_reversed_copy_is_flipped():
    found, associations, _ = search(-X0)
    assert found.ints[0, FEATURE] == 1 and found.ints[0, FLIPPED] == 1
    assert found.reals[0, THRESHOLD] == -1.5
    assert_allclose(associations, [1.0])


@pytest.mark.no_jit
def test_association_is_the_share_of_the_smaller_side_that_is_saved():
    # Cut after its first value, the column sends one of the two rows left, no other:
    # 5 of 6 rows agree, where sending all right agrees on 4.
    found, associations, _ = search([0, 7, 7, 7, 7, 7])
    assert_allclose(associations, [0.5])
    assert_allclose(found.reals[0, AGREEMENT], 5 / 6)
    # With weight 3, it is the row that is saved that counts.
    weights = [[3.0, 1.0, 1.0, 1.0, 1.0, 1.0]]
    found, associations, _ = search([0, 7, 7, 7, 7, 7], weights=weights)
    assert_allclose(associations, [0.75])
    assert_allclose(found.reals[0, AGREEMENT], 7 / 8)


@pytest.mark.no_jit
def test_a_column_that_tells_nothing_is_none():
    found, associations, masking = search(np.ones(6))
    assert found.ints[0].tolist() == [-1, 0, -1]
    assert found.reals[0, ASSOCIATION] == 0.0
    assert_allclose(found.reals[0, AGREEMENT], 4 / 6)  # all rows to the larger side
    assert not associations.any() and not masking.any()


@pytest.mark.no_jit
def test_the_best_of_columns_is_found_and_of_equals_the_one_of_more_rows():
    gaps = np.where(X0 == 5.0, np.nan, X0)
    found, associations, _ = search([0, 7, 7, 7, 7, 7], gaps, X0, X0)
    assert_allclose(associations, [0.5, 1.0, 1.0, 1.0])
    assert found.ints[0, FEATURE] == 3


@pytest.mark.no_jit
def test_categories_go_to_their_larger_side():
    # Category 2 has one row on either side: a tie follows the majority, to the right.
    found, associations, _ = search([1, 2, 0, 0, 2, 3], categorical=[1])
    assert found.ints[0].tolist() == [1, 0, 0]
    assert found.sets[0, 0] == 0b0010
    assert_allclose(associations, [0.5])
    assert np.isnan(found.reals[0, THRESHOLD])
    assert found.ints[0, CATEGORY_SET] == 0
    # With most of the weight on the left, ties and unseen categories go there.
    weights = [[9.0, 1.0, 1.0, 1.0, 1.0, 1.0]]
    found, _, _ = search([1, 2, 0, 0, 2, 3], categorical=[1], weights=weights)
    assert found.sets[0, 0] == 2**64 - 1 - 0b1001


@pytest.mark.no_jit
def test_columns_that_are_not_wanted_are_not_searched():
    found, associations, masking = search(X0, wanted=False)
    assert_array_equal(found.ints, [[-1, 0, -1]])
    assert not associations.any() and not masking.any()
