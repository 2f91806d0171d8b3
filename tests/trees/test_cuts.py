"""Cuts of numeric columns; how well they discretize is tested with the filters."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.trees.cuts import apply_cuts, find_cuts

VALUES = np.array([[1.0, 2.0, 3.0, 4.0, 8.0, 9.0], [0.0, 0.0, 1.0, 1.0, np.nan, 2.0]])
ONES = np.ones(6)


@pytest.mark.parametrize(
    ("method", "n_bins", "expected"),
    [
        ("uniform", 2, [[5.0], [1.0]]),
        ("quantile", 2, [[3.0], [1.0]]),
        (None, 2, [[1, 2, 3, 4, 8], [0, 1, np.inf, np.inf, np.inf]]),
    ],
)
def test_worked_examples(method, n_bins, expected):
    assert_array_equal(find_cuts(VALUES, ONES, None, method, n_bins), expected)


def test_classes_are_parted_where_they_differ():
    y = np.repeat([0, 1], 20)
    x = np.arange(40.0)[None]
    assert_array_equal(find_cuts(x, np.ones(40), y), [[19.5]])
    assert find_cuts(x, np.ones(40), np.tile([0, 1], 20)).shape == (1, 0)


@pytest.mark.parametrize("n_cuts", [3, 40])  # compared one by one, or searched
def test_value_on_a_cut_belongs_below(n_cuts):
    cuts = np.arange(float(n_cuts))[None]
    values = np.array([[-1.0, 0.0, 0.5, 2.0, np.nan, 99.0]])
    assert_array_equal(apply_cuts(values, cuts), [[0, 0, 1, 2, 0, n_cuts]])
