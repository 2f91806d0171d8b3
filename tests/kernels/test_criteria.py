"""Impurities of class weights and the separability of splits equal their formulas."""

from math import log2

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.kernels import criteria
from manyminds.kernels.bundles import LEFT_SUM, RIGHT_SUM, SCALE, TOTAL


def make_sums(**rows):
    names = {"left": LEFT_SUM, "right": RIGHT_SUM, "total": TOTAL, "scale": SCALE}
    sums = np.zeros((6, 3))
    for name, values in rows.items():
        sums[names[name], : len(values)] = values
    return sums


@pytest.mark.parametrize("x", [0.0, 1.0, 2.0, 2047.0, 2048.0, 0.5, 3.25, 1e6])
def test_x_log_x(plain, x):
    expected = x * log2(x) if x > 0.0 else 0.0
    assert plain(criteria.x_log_x)(x) == pytest.approx(expected)


@pytest.mark.parametrize("x", [-1e-17, -0.25])
def test_x_log_x_of_a_rounding_error_is_zero(plain, x):
    assert plain(criteria.x_log_x)(x) == 0.0


@pytest.mark.parametrize(
    "criterion, expected",
    [
        (criteria.GINI, 8 * (1 - 1 / 16 - 9 / 16)),
        (criteria.SSV, 8 * (1 - 1 / 16 - 9 / 16)),
        (criteria.ENTROPY, 2 * 2 + 6 * log2(4 / 3)),
        (criteria.BALANCED_ERROR, 2 * 0.5),  # scaled weights 1 and 1.5: the smaller
        (criteria.SQUARED_ERROR, -(6**2) / 2),  # weight 2, weighted target 6
    ],
)
def test_impurity_worked_by_hand(plain, criterion, expected):
    sums = make_sums(right=[2.0, 6.0], scale=[0.5, 0.25], left=[9.0, 9.0])
    found = plain(criteria.impurity)(criterion, sums, RIGHT_SUM, 2)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("criterion", [criteria.GINI, criteria.ENTROPY])
def test_one_class_and_no_weight_are_pure(plain, criterion):
    impurity = plain(criteria.impurity)
    assert impurity(criterion, make_sums(left=[0.0, 5.0]), LEFT_SUM, 2) == 0.0
    assert impurity(criterion, make_sums(), LEFT_SUM, 2) == 0.0


def test_separability_counts_pairs_and_divided_samples(plain):
    # Separated pairs: 3 * 2 + 1 * 2. The smaller sides hold 2 and 1 samples.
    sums = make_sums(left=[3.0, 1.0], right=[2.0, 2.0], total=[5.0, 3.0])
    separability = plain(criteria.separability)
    assert separability(criteria.SSV, sums, 3) == 2 * 8 - 3
    # Lexicographic: all divided samples together are less than one pair.
    expected = 2 * 8 - 3 / (1 + 8)
    found = separability(criteria.SSV_LEXICOGRAPHIC, sums, 3)
    assert_allclose(found, expected)


def test_which_criteria_are_separability(plain):
    is_separability = plain(criteria.is_separability)
    which = [criterion for criterion in range(6) if is_separability(criterion)]
    assert which == [criteria.SSV, criteria.SSV_LEXICOGRAPHIC]
