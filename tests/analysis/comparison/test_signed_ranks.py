"""Signed ranks and signs agree with papers, with SciPy and with counting."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.analysis import sign_test, wilcoxon_signed_rank


def test_example_of_demsar(c45_variants):
    # Table 2 and section 3.1.3 of Demšar (2006): rank sums 93 and 12.
    result = wilcoxon_signed_rank(
        c45_variants["C4.5+m"], c45_variants["C4.5"], method="normal"
    )
    assert (result.rank_sum_a, result.rank_sum_b, result.statistic) == (93, 12, 12)
    assert result.n_zeros == 2
    # His formula for z leaves out that ties lower the variance, by 2 * 6 / 48.
    n = 14
    mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
    assert_allclose(result.z, (mean - 12) / math.sqrt(variance - 12 / 48))
    assert result.p_value < 0.05


def test_eight_p_values_of_fitselect(printed):
    # Elghazel, Aussem and Perraud (2010) print 0.01, 0.04, 0.01 and 0.02, twice:
    # R's settings on nine data sets give them all.
    table = printed("tree_selection")
    expected = {
        ("forward", "Acc"): 0.0092,
        ("forward", "Rec"): 0.0440,
        ("forward", "F"): 0.0092,
        ("forward", "AUC"): 0.0178,
        ("forest", "Acc"): 0.0129,
        ("forest", "Rec"): 0.0360,
        ("forest", "F"): 0.0092,
        ("forest", "AUC"): 0.0151,
    }
    settings = {"zero_method": "wilcox", "correction": True, "method": "normal"}
    for (rival, measure), p_value in expected.items():
        rows = table[table["measure"] == measure]
        found = wilcoxon_signed_rank(rows["fitselect"], rows[rival], **settings)
        assert round(found.p_value, 4) == p_value, (rival, measure)
        assert "Fewer than ten" in found.note


def test_exact_p_value_by_counting_all_signs(seed):
    difference = np.random.default_rng(seed).normal(size=8)
    result = wilcoxon_signed_rank(difference, np.zeros(8))
    ranks = stats.rankdata(np.abs(difference))
    sums = [
        sum(itertools.compress(ranks, signs))
        for signs in itertools.product([False, True], repeat=8)
    ]
    smaller = min(result.rank_sum_a, result.rank_sum_b)
    assert_allclose(result.p_value, min(1, 2 * np.mean(np.array(sums) <= smaller)))
    assert result.method == "exact"
    assert math.isnan(result.z)


@pytest.mark.parametrize("zero_method", ["zsplit", "wilcox", "pratt"])
@pytest.mark.parametrize("correction", [False, True])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_normal_p_values_are_those_of_scipy(seed, zero_method, correction, alternative):
    difference = np.random.default_rng(seed).integers(-5, 9, 30).astype(float)
    known = stats.wilcoxon(
        difference,
        zero_method=zero_method,
        correction=correction,
        alternative=alternative,
        method="approx",
    )
    found = wilcoxon_signed_rank(
        difference,
        np.zeros(30),
        zero_method=zero_method,
        correction=correction,
        alternative=alternative,
    )
    assert found.method == "normal"
    assert_allclose(found.p_value, known.pvalue, rtol=1e-10)


def test_rank_sums_by_hand():
    # Sizes 0, 1, 2, 2 have ranks 1, 2, 3.5, 3.5; without the zero 1, 2.5, 2.5.
    a, b = [5, 6, 7, 5], [5, 5, 5, 7]
    for zero_method, sums in [
        ("zsplit", (6.0, 4.0)),
        ("pratt", (5.5, 3.5)),
        ("wilcox", (3.5, 2.5)),
    ]:
        result = wilcoxon_signed_rank(a, b, zero_method=zero_method)
        assert (result.rank_sum_a, result.rank_sum_b) == sums


def test_equal_scores():
    for zero_method in ("zsplit", "wilcox", "pratt"):
        result = wilcoxon_signed_rank([1, 2], [1, 2], zero_method=zero_method)
        assert result.p_value == 1.0
        assert "do not differ" in result.note


def test_bad_options_are_explained():
    with pytest.raises(ValueError, match=r"method='exact' requires .* without zeros"):
        wilcoxon_signed_rank([1, 2], [1, 3], method="exact")
    with pytest.raises(ValueError, match="zero_method must be one of"):
        wilcoxon_signed_rank([1, 2], [1, 3], zero_method="drop")
    with pytest.raises(ValueError, match="one dimension; got 2"):
        wilcoxon_signed_rank([[1, 2]], [[1, 3]])


# ---------------------------------------------------------------- signs


def test_marks_of_the_random_oracles(printed):
    # Table 2 of Pardo, Rodríguez, Díez-Pastor and García-Osorio (2010): 24
    # configurations on 61 data sets, 21 of them marked as significant.
    table = printed("random_oracles")
    counts = table[["wins", "ties", "losses"]].to_numpy()
    found = [sign_test(*row) for row in counts.tolist()]
    assert {f"{result.critical_score:.2f}" for result in found} == {"38.15"}
    assert [result.significant for result in found] == list(table["significant"] == 1)
    assert sum(result.significant for result in found) == 21
    # The exact test comes to the same 24 answers.
    assert all((result.p_value <= 0.05) == result.significant for result in found)


def test_example_of_demsar_is_not_significant_by_the_exact_test():
    # Section 3.1.4 of Demšar (2006): ten wins and two ties of fourteen are called
    # significant by the normal rule; the exact two-sided chance is 470 / 8192.
    result = sign_test(10, 2, 2)
    assert (result.wins, result.losses, result.significant) == (11, 3, True)
    assert_allclose(result.p_value, 2 * (364 + 91 + 14 + 1) / 2**14)
    assert result.p_value > 0.05


def test_table_3_of_demsar_is_not_two_tailed():
    # Critical numbers of wins "at alpha = 0.05" for 5 to 25 data sets, as printed.
    # For ten of them the exact two-sided p-value is above 0.05.
    printed = [5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17]
    printed += [18, 18]
    p_values = [sign_test(w, 0, n - w).p_value for n, w in enumerate(printed, start=5)]
    assert [n for n, p in enumerate(p_values, start=5) if p > 0.05] == [
        *(5, 8, 11, 13, 14, 16, 18, 19, 21, 22)
    ]


def test_ties_are_split_and_an_odd_one_is_dropped():
    assert sign_test(5, 3, 2).p_value == sign_test(6, 0, 3).p_value
    assert sign_test(5, 3, 2).score == 6.5
    assert sign_test(0, 1, 0).p_value == 1.0


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_counts(alternative):
    n = 9
    chance = [math.comb(n, i) / 2**n for i in range(n + 1)]
    for wins in range(n + 1):
        tail = {
            "greater": sum(chance[wins:]),
            "less": sum(chance[: wins + 1]),
            "two-sided": min(1, 2 * sum(chance[max(wins, n - wins) :])),
        }
        found = sign_test(wins, 0, n - wins, alternative=alternative)
        assert_allclose(found.p_value, tail[alternative])


def test_bad_counts_are_explained():
    with pytest.raises(ValueError, match=r"ties must be a count .*; got 0\.5"):
        sign_test(3, 0.5, 2)
    with pytest.raises(ValueError, match="must not all be 0"):
        sign_test(0, 0, 0)
