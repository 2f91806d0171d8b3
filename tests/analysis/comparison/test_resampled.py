"""t-tests over folds: formulas, SciPy, a published example and their error rates."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.analysis import (
    corrected_resampled_ttest,
    paired_ttest,
    unpaired_ttest,
    unpaired_ttest_from_summary,
)


def test_worked_example():
    # Differences 1, 2, 3: mean 2, variance 1. With a test share of 1/4 the variance
    # factor is 1/3 + 1/3, so t = 2 / sqrt(2/3).
    result = corrected_resampled_ttest([2, 4, 6], [1, 2, 3], test_share=0.25)
    assert_allclose(result.statistic, 2 / math.sqrt(2 / 3))
    assert_allclose(result.standard_error, math.sqrt(2 / 3))
    assert (result.mean_difference, result.df, result.note) == (2.0, 2.0, "")
    # Student's distribution with two degrees of freedom has a simple form.
    t = result.statistic
    assert_allclose(result.p_value, 1 - t / math.sqrt(2 + t**2))


@pytest.mark.slow
def test_published_example_of_scikit_learn(kernels_on_moons):
    # "Statistical comparison of models using grid search", in scikit-learn's gallery:
    # corrected t 0.750 with one-sided p 0.227; uncorrected 2.611 with 0.005.
    rbf, linear = kernels_on_moons
    options = {"n_train": 90, "n_test": 10, "alternative": "greater"}
    corrected = corrected_resampled_ttest(rbf, linear, **options)
    assert f"{corrected.statistic:.3f} {corrected.p_value:.3f}" == "0.750 0.227"
    plain = paired_ttest(rbf, linear, alternative="greater")
    assert f"{plain.statistic:.3f} {plain.p_value:.3f}" == "2.611 0.005"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_plain_tests_are_those_of_scipy(seed, alternative):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 12))
    for ours, theirs in [
        (paired_ttest, stats.ttest_rel),
        (unpaired_ttest, stats.ttest_ind),
    ]:
        found, known = (f(a, b, alternative=alternative) for f in (ours, theirs))
        assert_allclose(found.statistic, known.statistic)
        assert_allclose(found.p_value, known.pvalue)
        assert found.df == known.df
    assert_allclose(
        paired_ttest(a, b).confidence_interval(0.9),
        stats.ttest_rel(a, b).confidence_interval(0.9),
    )


def test_summaries_are_those_of_scipy(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 7))
    known = stats.ttest_ind_from_stats(a.mean(), a.std(ddof=1), 7, b.mean(), 2.0, 9)
    found = unpaired_ttest_from_summary(
        a.mean(), a.std(ddof=1), 7, b.mean(), 2.0, 9, ddof=1
    )
    assert_allclose([found.statistic, found.p_value], known)
    printed = unpaired_ttest_from_summary(a.mean(), a.std(), 7, b.mean(), b.std(), 7)
    assert_allclose(printed.p_value, stats.ttest_ind(a, b).pvalue)


def test_share_and_counts_say_the_same(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 10, 10))
    by_share = corrected_resampled_ttest(a, b, test_share=0.1)
    by_count = corrected_resampled_ttest(a.ravel(), b.ravel(), n_train=90, n_test=10)
    assert_allclose(by_share.p_value, by_count.p_value)


def test_swapping_the_methods_swaps_the_sign(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 10))
    one = corrected_resampled_ttest(a, b, test_share=0.1, alternative="greater")
    other = corrected_resampled_ttest(b, a, test_share=0.1, alternative="less")
    assert_allclose(one.statistic, -other.statistic)
    assert_allclose(one.p_value, other.p_value)


def correlated_differences(rng, n_draws, n_folds=100, correlation=0.1):
    """Draw normal differences of mean zero that folds of one data set could show."""
    shared = rng.normal(size=(n_draws, 1)) * math.sqrt(correlation)
    return shared + rng.normal(size=(n_draws, n_folds)) * math.sqrt(1 - correlation)


def test_error_rates_where_there_is_no_difference(seed):
    # With these correlations the corrected statistic is exactly Student's: it rejects
    # 5% of the time. The plain one is larger by sqrt(1 + 100 / 9): it rejects 57.0%.
    # Of 1,000 draws, a correct build leaves 20..90 and 490..650 less than once in
    # 100,000 runs.
    drawn = correlated_differences(np.random.default_rng(seed), 1000)
    zero = np.zeros(100)
    corrected = [corrected_resampled_ttest(d, zero, test_share=0.1) for d in drawn]
    plain = [paired_ttest(d, zero) for d in drawn]
    assert 20 <= sum(result.p_value <= 0.05 for result in corrected) <= 90
    assert 490 <= sum(result.p_value <= 0.05 for result in plain) <= 650


@pytest.mark.parametrize(
    "test",
    [
        lambda a, b, **o: corrected_resampled_ttest(a, b, test_share=0.1, **o),
        paired_ttest,
    ],
)
def test_scores_without_spread(test):
    same = test([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    assert (same.statistic, same.p_value) == (0.0, 1.0)
    assert same.note
    # 0.6 - 0.5 and 0.5 - 0.4 differ in the last digit: it is the same difference.
    constant = test([0.6, 0.5, 0.4], [0.5, 0.4, 0.3])
    assert (constant.statistic, constant.p_value) == (math.inf, 0.0)
    assert "differences are equal" in constant.note
    assert test([0.5, 0.4], [0.6, 0.5], alternative="greater").p_value == 1.0
    assert test([0.5, 0.4], [0.6, 0.5], alternative="less").p_value == 0.0


def test_unpaired_scores_without_spread():
    assert unpaired_ttest([1, 1], [1, 1, 1]).p_value == 1.0
    assert unpaired_ttest([2, 2], [1, 1, 1]).p_value == 0.0
    assert unpaired_ttest([2, 2], [1, 1, 1]).note


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "either test_share or both"),
        ({"test_share": 0.1, "n_train": 9, "n_test": 1}, "either test_share or both"),
        ({"n_train": 9}, "n_train and n_test must both be positive; got 9 and None"),
        ({"n_train": 9, "n_test": 0}, "must both be positive; got 9 and 0"),
        ({"test_share": 10}, "test_share must be a number between 0 and 1; got 10"),
        ({"test_share": 0.1, "alternative": "better"}, "alternative must be one of"),
    ],
)
def test_bad_options_are_explained(options, says):
    with pytest.raises(ValueError, match=says):
        corrected_resampled_ttest([1, 2], [1, 3], **options)


def test_too_few_scores_are_explained():
    with pytest.raises(ValueError, match="two scores or more"):
        paired_ttest([1], [2])
    with pytest.raises(ValueError, match="n_a and n_b must be 2 or more; got 2 and 1"):
        unpaired_ttest([1, 2], [2])
    with pytest.raises(ValueError, match="std_a and std_b must be 0 or more"):
        unpaired_ttest_from_summary(1, -1, 5, 1, 1, 5)
