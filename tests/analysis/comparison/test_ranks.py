"""Ranks and the Friedman test agree with papers, SciPy and plain loops."""

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.analysis import (
    compare_to_control,
    friedman_test,
    nemenyi_test,
    rank_methods,
)


def ranks_by_the_book(row, higher_is_better=True):
    """Rank one row: one more than all that are better, plus half of the equal ones."""
    sign = -1 if higher_is_better else 1
    row = [sign * score for score in row]
    return [
        1 + sum(other < score for other in row) + (row.count(score) - 1) / 2
        for score in row
    ]


def friedman_by_the_book(average_ranks, n):
    """Compute Friedman's chi-squared and Iman and Davenport's F from mean ranks."""
    k = len(average_ranks)
    squares = sum(rank**2 for rank in average_ranks)
    chi2 = 12 * n / (k * (k + 1)) * (squares - k * (k + 1) ** 2 / 4)
    return chi2, (n - 1) * chi2 / (n * (k - 1) - chi2)


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_ranks_are_those_of_the_book(seed, higher_is_better):
    scores = np.random.default_rng(seed).integers(0, 4, (20, 5)) / 10
    found = rank_methods(scores, higher_is_better=higher_is_better)
    expected = [ranks_by_the_book(list(row), higher_is_better) for row in scores]
    assert_allclose(found.ranks, expected)
    assert_allclose(found.average_ranks, np.mean(expected, axis=0))
    assert found.n_datasets == 20


def test_ranks_do_not_hang_on_rounding():
    assert rank_methods([[0.3, 0.1 + 0.2, 0.2]]).average_ranks == (1.5, 1.5, 3.0)


def test_a_method_that_diverged_does_not_tie_the_others(seed):
    found = rank_methods([[0.5, 0.6, 1e13]], higher_is_better=False)
    assert found.average_ranks == (1.0, 2.0, 3.0)
    scores = np.random.default_rng(seed).random((12, 4))
    scores[:, 3] += 1.0
    diverged = scores.copy()
    diverged[:, 3] *= 1e14
    control = partial(compare_to_control, control=0)
    for test in friedman_test, nemenyi_test, control:
        plain = test(scores, higher_is_better=False)
        assert test(diverged, higher_is_better=False) == plain


def test_order_of_methods_and_units_of_data_sets_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    scores = rng.random((10, 4))
    one = rank_methods(scores).average_ranks
    other = rank_methods((scores * rng.uniform(1, 1e6, (10, 1)))[:, ::-1])
    assert_allclose(one, other.average_ranks[::-1])


def test_mean_rank_of_54_methods(printed, seed):
    # Table 2 of Pardo et al. (2010): 54 printed mean ranks must have the mean 27.5.
    # 24 pairs, of which one has its second member among the seven others.
    table = printed("random_oracles")
    others = [31.79, 31.90, 31.79, 33.53, 43.43, 46.39, 47.30]
    without = table["without"].drop("Randomization (U)")
    ranks = [*table["with_oracle"], *without, *others]
    assert len(ranks) == 54
    assert_allclose(sum(ranks), 1484.97)
    assert_allclose(np.mean(ranks), 27.5, atol=0.005)
    benefit = table["without"] - table["with_oracle"]
    assert_allclose(benefit, table["benefit"], atol=0.0101)
    drawn = rank_methods(np.random.default_rng(seed).random((61, 54)))
    assert_allclose(np.mean(drawn.average_ranks), 27.5)


def test_example_of_demsar(c45_variants):
    # Table 6 of Demšar (2006) and the page before it.
    found = friedman_test(c45_variants)
    assert [f"{r:.3f}" for r in found.average_ranks] == [
        *("3.143", "2.000", "2.893", "1.964")
    ]
    assert f"{found.chi2:.2f} {found.f:.2f}" == "9.28 3.69"
    assert found.f_df == (3, 39)
    assert found.f > stats.f.isf(0.05, 3, 39)


def test_values_that_demsar_printed_have_one_tie_more(printed):
    found = friedman_test(printed("c45_variants"))
    assert [f"{r:.3f}" for r in found.average_ranks[2:]] == ["2.929", "1.929"]
    assert f"{found.chi2:.2f} {found.f:.2f}" == "9.86 3.99"


def test_minimal_codes_have_no_negative_statistic(printed):
    # Table 1 of Bautista et al. (2010) comes with chi-squared -4.94 and F -1.32, which
    # cannot be: ties were given their smallest rank, so the ranks sum to too little.
    table = printed("minimal_codes")
    smallest = stats.rankdata(-table.to_numpy(), axis=1, method="min").mean(axis=0)
    assert_allclose(smallest.sum(), 9.75)
    wrong = friedman_by_the_book(smallest, 12)
    assert [f"{statistic:.2f}" for statistic in wrong] == ["-4.95", "-1.33"]

    found = friedman_test(table)
    assert_allclose(found.average_ranks, [3.0, 25 / 12, 32.5 / 12, 26.5 / 12])
    assert f"{found.chi2:.3f} {found.f:.3f}" == "3.975 1.365"
    assert f"{found.chi2_tie_corrected:.3f}" == "4.077"
    assert f"{found.chi2_tie_corrected_p_value:.3f}" == "0.253"


@pytest.mark.parametrize("n_levels", [2, 5, 10**6])
def test_friedman_is_that_of_scipy_and_of_the_book(seed, n_levels):
    scores = np.random.default_rng(seed).integers(0, n_levels, (15, 4))
    found = friedman_test(scores)
    chi2, f = friedman_by_the_book(found.average_ranks, 15)
    assert_allclose([found.chi2, found.f], [chi2, f], rtol=1e-9, atol=1e-9)
    known = stats.friedmanchisquare(*scores.T)
    assert_allclose(found.chi2_tie_corrected, known.statistic, atol=1e-9)
    assert_allclose(found.chi2_tie_corrected_p_value, known.pvalue)
    corrected = 14 * known.statistic / (15 * 3 - known.statistic)
    assert_allclose(found.f_tie_corrected, corrected, atol=1e-9)
    for statistic, p_value in [
        (found.f, found.f_p_value),
        (found.f_tie_corrected, found.f_tie_corrected_p_value),
    ]:
        assert_allclose(p_value, stats.f.sf(statistic, 3, 42))


def test_all_tied():
    found = friedman_test(np.ones((5, 3)))
    assert found.chi2 == found.chi2_tie_corrected == found.f == found.f_tie_corrected
    assert found.chi2 == 0.0
    assert found.chi2_p_value == found.f_p_value == found.f_tie_corrected_p_value == 1.0


@pytest.mark.parametrize("k", [2, 3, 7])
def test_perfect_order(k):
    found = friedman_test(np.tile(np.arange(k) / 10, (11, 1)))
    assert_allclose(found.chi2, 11 * (k - 1))
    assert found.f == found.f_tie_corrected == math.inf
    assert found.f_p_value == 0.0


def test_missing_scores(seed):
    scores = pd.DataFrame(np.random.default_rng(seed).random((6, 3)))
    holed = scores.copy()
    holed.iloc[4, 1] = np.nan
    assert friedman_test(holed, missing="drop") == friedman_test(scores.drop(index=4))
    with pytest.raises(ValueError, match="missing='drop'"):
        friedman_test(holed)
    with pytest.raises(ValueError, match=r"2 or more data sets .*; got 1"):
        friedman_test(scores[:1])
    with pytest.raises(ValueError, match=r"1 or more data sets .*; got 0"):
        rank_methods(holed[4:5], missing="drop")


def test_error_rates_where_methods_do_not_differ(seed):
    # Measured over 100,000 tables of 12 by 4: F rejects in 5.6%, chi-squared in 4.6%,
    # and never where F does not. A correct build leaves 3..50 of 400 less than once
    # in 100,000 runs.
    rng = np.random.default_rng(seed)
    found = [friedman_test(rng.random((12, 4))) for _ in range(400)]
    by_f = sum(result.f_p_value <= 0.05 for result in found)
    by_chi2 = sum(result.chi2_p_value <= 0.05 for result in found)
    assert 3 <= by_f <= 50
    assert by_chi2 <= by_f
