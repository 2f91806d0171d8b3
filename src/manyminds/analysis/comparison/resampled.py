"""t-tests of the scores of two methods on resamples of one data set."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from manyminds.analysis._checks import check_option, check_share, read_pair, read_scores
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.scores import differences

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
    """Result of a t-test of the mean difference of two methods' scores.

    Parameters
    ----------
    statistic : float
        Mean difference, first minus second method, over its standard error.
    p_value : float
        P-value under the null hypothesis that the methods do not differ.
    df : float
        Degrees of freedom.
    mean_difference : float
        Mean score of the first method minus that of the second.
    standard_error : float
        Standard error of the mean difference.
    alternative : str
        Alternative hypothesis: "two-sided", "greater" or "less".
    note : str
        Warning about degenerate scores, or an empty text.
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
            Confidence level.

        Returns
        -------
        low, high : float
            Ends of the interval.
        """
        check_share("confidence", confidence)
        reach = stats.t.ppf(0.5 + confidence / 2, self.df) * self.standard_error
        return float(self.mean_difference - reach), float(self.mean_difference + reach)


@document_comparison
def corrected_resampled_ttest(
    a, b, *, test_share=None, n_train=None, n_test=None, alternative="two-sided"
):
    """Test two methods on the folds of one data set by the corrected resampled t-test.

    Training sets of different folds overlap, so the scores of the folds are not
    independent and a plain t-test has too many false positives. Nadeau and Bengio [1]_
    increase the variance of the mean of n differences from
    ``1 / n`` to ``1 / n + n_test / n_train`` times the variance of one.

    Parameters
    ----------
    {folds}
    {test_share}
    {alternative}

    {nadeau}

    Examples
    --------
    >>> from manyminds.analysis import corrected_resampled_ttest
    >>> a = [0.82, 0.79, 0.85, 0.80, 0.84]
    >>> b = [0.80, 0.78, 0.80, 0.79, 0.81]
    >>> print(f"{corrected_resampled_ttest(a, b, test_share=0.2).p_value:.3f}")
    0.099
    """
    check_option("alternative", alternative, ALTERNATIVES)
    ratio = compute_test_ratio(test_share, n_train, n_test)
    difference = differences(*read_pair(a, b)).ravel()
    return _one_sample(difference, 1.0 / len(difference) + ratio, alternative)


@document_comparison
def paired_ttest(a, b, *, alternative="two-sided"):
    """Test the mean of paired differences as if they were independent.

    Folds of one data set are not independent: use `corrected_resampled_ttest` for
    them, and this test only to reproduce a paper.

    Parameters
    ----------
    a, b : array-like of one shape
        Scores of two methods under the same conditions.
    {alternative}

    Examples
    --------
    >>> from manyminds.analysis import paired_ttest
    >>> print(f"{paired_ttest([3, 4, 5], [1, 3, 4]).p_value:.3f}")
    0.057
    """
    check_option("alternative", alternative, ALTERNATIVES)
    difference = differences(*read_pair(a, b)).ravel()
    return _one_sample(difference, 1.0 / len(difference), alternative)


@document_comparison
def unpaired_ttest(a, b, *, alternative="two-sided"):
    """Test two samples of scores for equal means, with a pooled variance.

    Parameters
    ----------
    a, b : array-like
        Scores of two methods; the sizes may differ.
    {alternative}

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


@document_comparison
def unpaired_ttest_from_summary(
    mean_a, std_a, n_a, mean_b, std_b, n_b, *, ddof=0, alternative="two-sided"
):
    """Test two published means for equality, by their standard deviations.

    Parameters
    ----------
    mean_a, mean_b : float
        Mean scores.
    std_a, std_b : float
        Standard deviations of the single scores.
    n_a, n_b : int
        Numbers of scores, two or more.
    ddof : {0, 1}, default=0
        0 if the standard deviations divide by n, as in NumPy, 1 if by n - 1.
    {alternative}

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
    if min(std_a, std_b) < 0:
        raise ValueError(f"std_a and std_b must be 0 or more; got {std_a} and {std_b}.")

    df = n_a + n_b - 2
    pooled = (std_a**2 * (n_a - ddof) + std_b**2 * (n_b - ddof)) / df
    error = np.sqrt(pooled * (1.0 / n_a + 1.0 / n_b))
    difference = differences(np.float64(mean_a), np.float64(mean_b))
    return _student(difference, error, df, alternative)


def compute_test_ratio(test_share, n_train, n_test):
    """Return ``n_test / n_train`` from a fraction or from two counts."""
    counts = (n_train, n_test)
    if (test_share is None) == (counts == (None, None)):
        raise ValueError(
            "pass either test_share or both n_train and n_test; got "
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
    """Test the mean of differences; its variance is a multiple of theirs."""
    if len(difference) < 2:
        raise ValueError("a and b must hold two scores or more each; got one.")
    # By rounding, the variance of equal numbers may differ from zero.
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
            "All differences are equal: the p-value does not account for variation on "
            "other data."
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
