"""Masked columns are removed from the most important one down."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.feature_selection.contrasts.redundancy import (
    judge_masking,
    remove_masked,
)


def test_a_removed_column_removes_none():
    is_masked = np.zeros((4, 4), bool)
    is_masked[1, 0] = is_masked[0, 2] = True
    assert remove_masked(np.array([2.0, 3.0, 1.0, 0.5]), is_masked).tolist() == [
        1,
        2,
        3,
    ]


def test_item_2_of_two_that_mask_each_other_the_more_important_stays():
    both = np.array([[False, True], [True, False]])
    assert remove_masked(np.array([1.0, 2.0]), both).tolist() == [1]
    assert remove_masked(np.array([2.0, 2.0]), both).tolist() == [0]  # ties: the first
    assert remove_masked(np.array([]), np.zeros((0, 0), bool)).tolist() == []


def test_masking_is_compared_with_that_of_contrasts(seed):
    rng = np.random.default_rng(seed)
    masking = 0.1 + 0.01 * rng.random((20, 3, 6))
    masking[:, 0, 1] += 1.0  # column 0 masks column 1, not the other way round
    pvalues = judge_masking(masking, 100, "paired")
    assert pvalues[0, 1] < 1e-6 and pvalues[1, 0] > 0.05
    assert_array_equal(np.diag(pvalues), 1.0)
