"""T-tests over replicates against SciPy, and at their limits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ttest_rel

from manyminds.feature_selection.contrasts.paired_tests import (
    judge_above,
    limit_by_contrasts,
)


def test_the_paired_test_is_that_of_scipy(seed):
    rng = np.random.default_rng(seed)
    scores, limits = rng.normal(size=(20, 6)), rng.normal(size=20)
    statistic, pvalues = judge_above(scores, limits)
    for j in range(6):
        expected = ttest_rel(scores[:, j], limits, alternative="greater")
        assert_allclose([statistic[j], pvalues[j]], expected)


def test_prediction_asks_about_one_more_replicate(seed):
    scores = np.random.default_rng(seed).normal(1.0, 1.0, size=(10, 1))
    paired, p = judge_above(scores, np.zeros(10))
    predicted, q = judge_above(scores, np.zeros(10), "prediction")
    assert_allclose(predicted, paired / np.sqrt(11.0))
    assert q > p


@pytest.mark.parametrize("test", ["paired", "prediction"])
def test_equal_differences_are_certain(test):
    # Standard deviation 0: p = 0 above the limit, 1 at it or below.
    limits = np.array([1.0, 2.0, 3.0])
    scores = limits[:, np.newaxis] + [0.1, 0.0, -0.1]
    _, pvalues = judge_above(scores, limits, test)
    assert_array_equal(pvalues, [0.0, 1.0, 1.0])


def test_limits_are_percentiles_of_each_replicate():
    scores = np.array([[1.0, 2.0, 3.0], [5.0, 4.0, 0.0]])
    assert_array_equal(limit_by_contrasts(scores, 100), [3.0, 5.0])
    assert_array_equal(limit_by_contrasts(scores, 50), [2.0, 4.0])
