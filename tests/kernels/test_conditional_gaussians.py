"""Statistics of numbers and of mixtures against NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.networks.independence.conditional_gaussian import (
    ConditionalGaussianTest,
)
from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.fisher_z import FisherZTest


def residual(values, given):
    """Return what a regression on other columns leaves."""
    design = np.column_stack([np.ones(len(values)), given])
    return values - design @ np.linalg.lstsq(design, values, rcond=None)[0]


@pytest.mark.parametrize("n_given", [0, 1, 4])
def test_partial_correlations_are_those_of_residuals(seed, n_given):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 6)) @ rng.normal(size=(6, 6))
    given = list(range(2, 2 + n_given))
    a, b = (residual(X[:, j], X[:, given]) for j in (0, 1))
    r = np.corrcoef(a, b)[0, 1]
    result = FisherZTest(X).test(0, 1, given)
    z = np.sqrt(80 - n_given - 3) * np.arctanh(r)
    assert_allclose(result.statistic, z**2, rtol=1e-8)
    assert_allclose(result.strength, -0.5 * np.log(1 - r**2), rtol=1e-8)


def test_columns_that_others_determine_are_independent(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 3))
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.ones(50)])
    test = FisherZTest(X)
    assert test.test(3, 2, [0, 1]).independent
    assert test.test(4, 2).independent
    assert not test.test(3, 0).independent


def test_mixtures_of_numbers_alone_and_of_codes_alone(seed):
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(100, 4)) @ rng.normal(size=(4, 4))
    mixed = ConditionalGaussianTest(numbers).test(0, 1, [2, 3])
    partial = FisherZTest(numbers).test(0, 1, [2, 3])
    assert_allclose(mixed.strength, partial.strength, rtol=1e-8)
    assert mixed.dof == 1.0
    codes = rng.integers(3, size=(100, 3))
    mixed = ConditionalGaussianTest(codes, is_categorical=[True] * 3).test(0, 1, [2])
    table = ContingencyTest(codes, min_count=0.0).test(0, 1, [2])
    assert_allclose(mixed.statistic, table.statistic, rtol=1e-8)
    assert mixed.dof == table.dof


def test_a_number_and_a_category_given_both_kinds(seed):
    # The statistic is twice the difference of the log-likelihoods of regressions of the
    # number, in each cell of the categories, with and without the category.
    rng = np.random.default_rng(seed)
    x, z = rng.integers(2, size=(2, 200))
    w = rng.normal(size=200)
    y = x + z + w + rng.normal(size=200)
    table = np.column_stack([x, y, z, w])
    mask = [True, False, True, False]
    result = ConditionalGaussianTest(table, is_categorical=mask).test(0, 1, [2, 3])

    def log_likelihood(*codes):
        total = 0.0
        for key in set(zip(*codes)):
            rows = np.all([c == k for c, k in zip(codes, key)], axis=0)
            left = residual(y[rows], w[rows, None])
            total -= 0.5 * rows.sum() * np.log((left**2).mean())
        return total

    def log_density(*codes):  # of w, in each cell
        total = 0.0
        for key in set(zip(*codes)):
            rows = np.all([c == k for c, k in zip(codes, key)], axis=0)
            total -= 0.5 * rows.sum() * np.log(w[rows].var())
        return total

    expected = 2.0 * (log_likelihood(x, z) - log_likelihood(z))
    assert_allclose(result.statistic, expected, rtol=1e-8)
    assert result.dof == 6.0  # slope, intercept and variance, in two cells
    assert log_density(x, z) >= log_density(z)
