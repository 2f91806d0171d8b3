"""Paths of trees: shares, the leaves from which others are counted, features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.bundles import Paths, Splits
from manyminds.kernels.contributions import add_contributions, describe_paths

LEFT = np.array([1, 3, 5, -1, -1, -1, -1, -1], dtype=np.int32)  # and a tree of one leaf
FEATURE = np.array([0, 1, 0, -1, -1, -1, -1, -1], dtype=np.int32)
PARENT = np.array([-1, 0, 0, 1, 1, 2, 2, -1], dtype=np.int32)
VALUE = np.array([0, 0, 0, 1, 2, 4, 8, 16], dtype=float)[:, np.newaxis]
WEIGHT = np.array([4, 1, 3, 1, 0, 0, 0, 4], dtype=float)
STARTS = np.array([0, 7, 8])


def make_splits():
    return Splits(
        feature=FEATURE,
        threshold=np.where(LEFT < 0, np.nan, np.array([0, 0, 1, 0, 0, 0, 0, 0.0])),
        left=LEFT,
        missing_left=LEFT >= 0,
        category_set=np.full(8, -1, dtype=np.int32),
        category_sets=np.zeros((0, 1), dtype=np.uint64),
    )


def describe():
    paths = Paths(np.empty(8), np.empty((8, 1)), np.empty(2, np.int64), 2)
    expected = np.empty((2, 1))
    describe_paths(make_splits(), STARTS, PARENT, WEIGHT, VALUE, paths, expected)
    return paths, expected


@pytest.mark.no_jit
def test_paths():
    paths, expected = describe()
    # Of two leaves without weight, each has half of their parent.
    assert_array_equal(paths.share, [1, 0.25, 0.75, 1, 0, 0.5, 0.5, 1])
    assert_array_equal(paths.n_features, [2, 0])
    assert_allclose(expected[:, 0], [0.25 * 1 + 0.75 * 6, 16])
    # The right leaf of two is the one from which values are counted.
    assert_array_equal(paths.excess[:, 0], [0, 2 - 8, 0, 1 - 2, 0, 4 - 8, 0, 0])


@pytest.mark.no_jit
def test_worked_example():
    # The row is left of both splits by feature 0, and right of that by feature 1. Known
    # in the order 0, 1, the expected values are 4.75, 1, 2; in the order 1, 0 they are
    # 4.75, 0.25 * 2 + 0.75 * 6 = 5, 2.
    paths, _ = describe()
    rules = np.zeros((3, 2, 1))
    rules[:, 1, 0] = 0.5, 0.5, 1.0
    total = np.zeros((1, 1, 2, 1))
    add_contributions(
        make_splits(), STARTS, paths, rules, np.array([[-1.0], [1.0]]), total
    )
    expected = [((1 - 4.75) + (2 - 5)) / 2, ((2 - 1) + (5 - 4.75)) / 2]
    assert_allclose(total[0, 0, :, 0], expected)
