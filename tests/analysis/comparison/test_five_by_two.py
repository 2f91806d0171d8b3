"""The 5x2cv tests follow their formulas."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.analysis import five_by_two_cv_ftest, five_by_two_cv_ttest


def by_the_book(difference):
    """Compute Alpaydin's F and Dietterich's t from a 5 by 2 table, step by step."""
    squares, variances = 0.0, []
    for first, second in difference:
        mean = (first + second) / 2
        variances.append((first - mean) ** 2 + (second - mean) ** 2)
        squares += first**2 + second**2
    f = squares / (2 * sum(variances))
    return f, difference[0][0] / math.sqrt(sum(variances) / 5)


def test_worked_example():
    # Differences 2 and 0 five times: squares sum to 20, each variance is 2.
    a = [[2, 0]] * 5
    f = five_by_two_cv_ftest(a, np.zeros((5, 2)))
    assert_allclose([f.statistic, f.mean_difference], [1.0, 1.0])
    assert f.df == (10, 5)
    t = five_by_two_cv_ttest(a, np.zeros((5, 2)))
    assert_allclose(t.statistic, 2 / math.sqrt(2))
    assert t.df == (5,)


def test_formulas(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 5, 2))
    f, t = by_the_book((a - b).tolist())
    found_f, found_t = five_by_two_cv_ftest(a, b), five_by_two_cv_ttest(a, b)
    assert_allclose([found_f.statistic, found_t.statistic], [f, t], rtol=1e-8)
    assert_allclose(found_f.p_value, stats.f.sf(f, 10, 5), rtol=1e-7)
    assert_allclose(found_t.p_value, 2 * stats.t.sf(abs(t), 5), rtol=1e-7)


def test_order_of_folds_matters_only_to_t(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 5, 2))
    turned = five_by_two_cv_ftest(a[::-1, ::-1], b[::-1, ::-1])
    assert_allclose(turned.p_value, five_by_two_cv_ftest(a, b).p_value)
    assert five_by_two_cv_ttest(a, b) != five_by_two_cv_ttest(a[::-1], b[::-1])


def test_ten_in_a_row_are_taken_two_by_two(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 5, 2))
    assert five_by_two_cv_ftest(a.ravel(), b.ravel()) == five_by_two_cv_ftest(a, b)


@pytest.mark.parametrize("test", [five_by_two_cv_ftest, five_by_two_cv_ttest])
def test_folds_without_variance(test):
    a = np.linspace(0.1, 1.0, 10).reshape(5, 2)
    assert test(a, a).p_value == 1.0
    assert test(a, a).note
    assert test(a + 0.1, a).p_value == 0.0
    assert test(a + 0.1, a).statistic == math.inf
    assert "variance is 0" in test(a + 0.1, a).note
    with pytest.raises(ValueError, match=r"shape \(5, 2\).*got \(2, 5\)"):
        test(a.T, a.T)


def test_rejections_where_there_is_no_difference(seed):
    # Independent normal differences: measured over 200,000 draws, F rejects in 1.8%
    # of them and t in 2.8%: both are cautious. Of 1,000, a correct build leaves 3..45
    # and 8..60 less than once in 100,000 runs.
    drawn = np.random.default_rng(seed).normal(size=(1000, 5, 2))
    zero = np.zeros((5, 2))
    f = sum(five_by_two_cv_ftest(d, zero).p_value <= 0.05 for d in drawn)
    t = sum(five_by_two_cv_ttest(d, zero).p_value <= 0.05 for d in drawn)
    assert 3 <= f <= 45
    assert 8 <= t <= 60
