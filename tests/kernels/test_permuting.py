"""Out-of-bag error as features are permuted, on a stump worked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import Splits
from manyminds.kernels.permuting import find_error_increases

# x1 at 0: class 0 on the left, class 1 on the right. Row i is of class i % 2.
X = np.array([[7.0, -1.0], [7.0, 1.0], [8.0, -2.0], [8.0, 2.0]])
Y = np.array([0.0, 1.0, 0.0, 1.0])


def find(in_bag, *, weight=None, seeds=(1,), n_repeats=1, prediction=(0.0, 0.0, 1.0),
         is_squared=False):  # fmt: skip
    n_trees = len(seeds)
    splits = Splits(
        feature=np.tile(np.array([1, -1, -1], np.int32), n_trees),
        threshold=np.tile([0.0, np.nan, np.nan], n_trees),
        left=np.tile(np.array([1, -1, -1], np.int32), n_trees),
        missing_left=np.zeros(3 * n_trees, bool),
        category_set=np.full(3 * n_trees, -1, np.int32),
        category_sets=np.zeros((0, 1), np.uint64),
    )
    increases = np.full((n_trees, 2), -9.0)
    find_error_increases(
        splits,
        3 * np.arange(n_trees + 1),
        np.tile(prediction, n_trees),
        X,
        Y,
        np.ones(4) if weight is None else np.array(weight),
        np.array(in_bag, np.int32),
        np.array(seeds, np.int64),
        n_repeats,
        is_squared,
        increases,
    )
    return increases


@pytest.mark.no_jit
def test_two_rows_change_places_or_do_not():
    # If they do, both are misclassified. The first feature is not used.
    seeds = 1 + 7919 * np.arange(40)
    increases = find([[1, 2, 0, 0]], seeds=seeds)
    assert set(increases[:, 1]) == {0.0, 1.0}
    assert not increases[:, 0].any()


@pytest.mark.no_jit
def test_errors_may_be_squared():
    # Predictions 0 and 3 for targets 0 and 1: errors 0 and 4, exchanged 9 and 1.
    seeds = 1 + 7919 * np.arange(40)
    found = find([[1, 2, 0, 0]], seeds=seeds, prediction=(0, 0.0, 3.0), is_squared=True)
    assert set(found[:, 1]) == {0.0, (9 + 1 - 4) / 2}


@pytest.mark.no_jit
def test_a_single_row_has_nobody_to_change_places_with():
    assert_array_equal(find([[1, 1, 1, 0]]), [[0.0, 0.0]])
    # Rows without weight are as if drawn.
    seeds = 1 + 7919 * np.arange(20)
    assert not find([[0, 0, 0, 0]], weight=[0.0, 0.0, 0.0, 2.0], seeds=seeds).any()


@pytest.mark.no_jit
def test_a_tree_that_drew_all_rows_has_no_error():
    increases = find([[1, 1, 1, 1], [0, 0, 1, 1]], seeds=(1, 1))
    assert np.isnan(increases[0]).all()
    assert not np.isnan(increases[1]).any()


@pytest.mark.no_jit
def test_weights_are_those_of_an_average():
    # Exchanged, one or both rows err, whatever their weights: the whole weight.
    seeds = 1 + 7919 * np.arange(40)
    increases = find([[1, 1, 0, 0]], weight=[1.0, 1.0, 3.0, 1.0], seeds=seeds)
    assert_allclose(sorted(set(increases[:, 1])), [0.0, 1.0])


def test_many_repeats_are_the_expectation(seed):
    # A row gets a value of the other class in half of all permutations of four rows.
    # A mean over 4,000 of them has a standard deviation of about 0.005.
    increases = find([[0, 0, 0, 0]], seeds=(1 + seed % 2**30,), n_repeats=4000)
    assert_allclose(increases, [[0.0, 0.5]], atol=0.04)


@pytest.mark.no_jit
def test_seeds_of_other_trees_do_not_matter():
    alone = find([[0, 0, 0, 0]], seeds=(77,), n_repeats=5)
    both = find([[0, 0, 0, 0]], seeds=(5, 77), n_repeats=5)
    assert_array_equal(both[1], alone[0])
