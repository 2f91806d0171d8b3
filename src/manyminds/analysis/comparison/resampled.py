"""t-tests of the scores that two methods get under resampling of one data set."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from manyminds.analysis.comparison._checks import (
    check_option,
    check_share,
    differences,
    read_pair,
    read_scores,
)

__all__ = [
    "TTestResult",
    "corrected_resampled_ttest",
    "paired_ttest",
    "unpaired_ttest",
    "unpaired_ttest_from_summary",
]

ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class TTestResult:
    """What a t-test says about the mean difference of two methods' scores.

    Parameters
    ----------
    statistic : float
        Mean difference, first minus second method, over its standard error.
    p_value : float
        Chance of such a statistic, or one further out, if the methods do not differ.
    df : float
        Degrees of freedom.
    mean_difference : float
        Mean score of the first method less that of the second.
    standard_error : float
        Standard error of the mean difference.
    alternative : str
        Which differences count as further out: "two-sided", "greater" or "less".
    note : str
        A warning about degenerate scores; empty where there is none.
    """

    statistic: float
    p_value: float
    df: float
    mean_difference: float
    standard_error: float
    alternative: str
    note: str = ""

    def confidence_interval(self, confidence=0.95):
        """Return the ends of the two-sided confidence interval of the difference.

        Parameters
        ----------
        confidence : float, default=0.95
            Share of such intervals that cover the true difference.

        Returns
        -------
        low, high : float
            Ends of the interval.
        """
        check_share("confidence", confidence)
        reach = stats.t.ppf(0.5 + confidence / 2, self.df) * self.standard_error
        return float(self.mean_difference - reach), float(self.mean_difference + reach)


def corrected_resampled_ttest(
    a, b, *, test_share=None, n_train=None, n_test=None, alternative="two-sided"
):
    """Test two methods on the folds of one data set, allowing for shared rows.

    Training sets of different folds share rows, so the scores of the folds are
    not independent and a plain t-test finds differences where there are none.
    Nadeau and Bengio [1]_ widen the variance of the mean of n differences from
    ``1 / n`` to ``1 / n + n_test / n_train`` times the variance of one.

    Parameters
    ----------
    a, b : array-like of shape (n_folds,) or (n_repeats, n_splits)
        Scores of two methods on the same folds.
    test_share : float, default=None
        Share of the rows that each fold tests on: 0.1 in ten-fold
        cross-validation. Give this, or ``n_train`` and ``n_test``.
    n_train, n_test : float, default=None
        Rows trained and tested on in each fold.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" asks whether the scores of ``a`` are higher.

    Returns
    -------
    result : TTestResult
        Statistic, p-value and their ingredients.

    References
    ----------
    .. [1] Nadeau and Bengio, "Inference for the generalization error", Machine
       Learning 52, 2003.

    Examples
    --------
    >>> from manyminds.analysis import corrected_resampled_ttest
    >>> a = [0.82, 0.79, 0.85, 0.80, 0.84]
    >>> b = [0.80, 0.78, 0.80, 0.79, 0.81]
    >>> print(f"{corrected_resampled_ttest(a, b, test_share=0.2).p_value:.3f}")
    0.099
    """
    check_option("alternative", alternative, ALTERNATIVES)
    ratio = ratio_of_test_rows(test_share, n_train, n_test)
    difference = differences(*read_pair(a, b)).ravel()
    return _one_sample(difference, 1.0 / len(difference) + ratio, alternative)


def paired_ttest(a, b, *, alternative="two-sided"):
    """Test the mean of paired differences as if they were independent.

    Over folds of one data set they are not: use `corrected_resampled_ttest`
    there, and this only to check what a paper did.

    Parameters
    ----------
    a, b : array-like of one shape
        Scores of two methods under the same conditions.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" asks whether the scores of ``a`` are higher.

    Returns
    -------
    result : TTestResult
        Statistic, p-value and their ingredients.

    Examples
    --------
    >>> from manyminds.analysis import paired_ttest
    >>> print(f"{paired_ttest([3, 4, 5], [1, 3, 4]).p_value:.3f}")
    0.057
    """
    check_option("alternative", alternative, ALTERNATIVES)
    difference = differences(*read_pair(a, b)).ravel()
    return _one_sample(difference, 1.0 / len(difference), alternative)


def unpaired_ttest(a, b, *, alternative="two-sided"):
    """Test two samples of scores for equal means, with one variance for both.

    Parameters
    ----------
    a, b : array-like
        Scores of two methods; their numbers may differ.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" asks whether the scores of ``a`` are higher.

    Returns
    -------
    result : TTestResult
        Statistic, p-value and their ingredients.

    Examples
    --------
    >>> from manyminds.analysis import unpaired_ttest
    >>> print(f"{unpaired_ttest([3, 4, 5], [1, 3, 4]).p_value:.3f}")
    0.275
    """
    a, b = read_scores("a", a).ravel(), read_scores("b", b).ravel()
    return unpaired_ttest_from_summary(
        a.mean(), a.std(), a.size, b.mean(), b.std(), b.size, alternative=alternative
    )


def unpaired_ttest_from_summary(
    mean_a, sd_a, n_a, mean_b, sd_b, n_b, *, ddof=0, alternative="two-sided"
):
    """Test two printed means for equality, by their deviations and counts.

    Parameters
    ----------
    mean_a, mean_b : float
        Mean scores.
    sd_a, sd_b : float
        Standard deviations of the single scores.
    n_a, n_b : int
        Numbers of scores, two or more.
    ddof : {0, 1}, default=0
        0 if the deviations divide by n, as NumPy's do, 1 if by n - 1.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" asks whether the first mean is higher.

    Returns
    -------
    result : TTestResult
        Statistic, p-value and their ingredients.

    Examples
    --------
    >>> from manyminds.analysis import unpaired_ttest_from_summary
    >>> result = unpaired_ttest_from_summary(99.68, 0.6, 100, 99.47, 0.7, 100)
    >>> print(f"{result.p_value:.3f}")
    0.025
    """
    check_option("alternative", alternative, ALTERNATIVES)
    check_option("ddof", ddof, (0, 1))
    if min(n_a, n_b) < 2:
        raise ValueError(f"n_a and n_b must be 2 or more; got {n_a} and {n_b}.")
    if min(sd_a, sd_b) < 0:
        raise ValueError(f"sd_a and sd_b must be 0 or more; got {sd_a} and {sd_b}.")

    df = n_a + n_b - 2
    pooled = (sd_a**2 * (n_a - ddof) + sd_b**2 * (n_b - ddof)) / df
    error = np.sqrt(pooled * (1.0 / n_a + 1.0 / n_b))
    difference = differences(np.float64(mean_a), np.float64(mean_b))
    return _student(difference, error, df, alternative)


def ratio_of_test_rows(test_share, n_train, n_test):
    """Return ``n_test / n_train`` from a share or from two counts."""
    counts = (n_train, n_test)
    if (test_share is None) == (counts == (None, None)):
        raise ValueError(
            "give either test_share or both n_train and n_test; got "
            f"test_share={test_share}, n_train={n_train} and n_test={n_test}."
        )
    if test_share is not None:
        check_share("test_share", test_share)
        return test_share / (1.0 - test_share)
    if None in counts or min(counts) <= 0:
        raise ValueError(
            f"n_train and n_test must both be positive; got {n_train} and {n_test}."
        )
    return n_test / n_train


def _one_sample(difference, variance_factor, alternative):
    """Test the mean of differences whose mean has this factor of their variance."""
    if len(difference) < 2:
        raise ValueError("a and b must hold two scores or more each; got one.")
    # The mean of equal numbers may be off by a last digit, and then so would be
    # their variance: zero must be zero.
    constant = np.all(difference == difference[0])
    mean = difference[0] if constant else difference.mean()
    variance = 0.0 if constant else difference.var(ddof=1)
    error = np.sqrt(variance_factor * variance)
    return _student(mean, error, len(difference) - 1, alternative)


def _student(difference, error, df, alternative):
    note = ""
    if error > 0:
        statistic = difference / error
    elif difference == 0:
        statistic, note = 0.0, "The scores do not differ at all."
    else:
        statistic = np.copysign(np.inf, difference)
        note = (
            "The scores have no spread: the p-value says that the difference is "
            "constant, not how it would vary on other data."
        )
    p_value = 1.0 if statistic == 0 == error else _tail(statistic, df, alternative)
    return TTestResult(
        float(statistic),
        float(p_value),
        float(df),
        float(difference),
        float(error),
        alternative,
        note,
    )


def _tail(statistic, df, alternative):
    if alternative == "two-sided":
        return 2.0 * stats.t.sf(abs(statistic), df)
    return stats.t.sf(statistic if alternative == "greater" else -statistic, df)
