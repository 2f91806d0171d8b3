"""Signed-rank test and sign test of two methods over many data sets."""

import warnings
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from scipy import stats

from manyminds.analysis._checks import check_option, check_share, read_pair
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.resampled import ALTERNATIVES
from manyminds.analysis.comparison.scores import differences

__all__ = ["SignTestResult", "WilcoxonResult", "sign_test", "wilcoxon_signed_rank"]


@dataclass(frozen=True)
class WilcoxonResult:
    """Result of Wilcoxon's signed-rank test.

    Parameters
    ----------
    statistic : float
        The smaller of the two rank sums.
    p_value : float
        P-value under the null hypothesis that the methods do not differ.
    rank_sum_a : float
        Sum of the ranks of the differences for which the first score is higher.
    rank_sum_b : float
        The same for the second score.
    z : float
        Normal statistic, positive if the first method's rank sum is larger; NaN if the
        p-value is exact.
    n_zeros : int
        Number of data sets with equal scores.
    method : str
        Method that computed the p-value: "exact" or "normal".
    note : str
        Warning about few or equal scores, or an empty text.
    """

    statistic: float
    p_value: float
    rank_sum_a: float
    rank_sum_b: float
    z: float
    n_zeros: int
    method: str
    note: str = ""


@document_comparison
def wilcoxon_signed_rank(
    a,
    b,
    *,
    zero_method="zsplit",
    correction=False,
    method="auto",
    alternative="two-sided",
):
    """Test whether one of two methods tends to have higher scores over data sets.

    Differences are ranked by magnitude; the sums of the ranks of positive and negative
    differences are compared [1]_. The p-value is that of ``scipy.stats.wilcoxon`` for
    differences without rounding errors, which would break ties.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of two methods, one pair per data set.
    zero_method : {"zsplit", "wilcox", "pratt"}, default="zsplit"
        Treatment of equal scores: split their ranks equally, drop them before ranking,
        or drop them after ranking.
    correction : bool, default=False
        Whether to apply a continuity correction to the normal statistic.
    method : {"auto", "exact", "normal"}, default="auto"
        "exact" enumerates all signs, and requires differences without zeros and ties;
        "normal" is an approximation. "auto" is exact if possible, up to 50 data sets.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Alternative hypothesis; "greater": the scores of ``a`` are higher.

    Returns
    -------
    result : WilcoxonResult
        Rank sums and p-value.

    Notes
    -----
    Settings differ between papers:

    - Demšar [1]_: ``zero_method="zsplit", method="normal"`` (he drops one zero
      before splitting where their number is odd);
    - R's ``wilcox.test`` on data with zeros or ties: ``zero_method="wilcox",
      method="normal", correction=True``;
    - Wilcoxon's tables: ``zero_method="wilcox", method="exact"``.

    {demsar}

    Examples
    --------
    >>> from manyminds.analysis import wilcoxon_signed_rank
    >>> a = [0.77, 0.59, 0.97, 0.66, 0.89, 0.93, 0.67]
    >>> b = [0.76, 0.55, 0.95, 0.63, 0.84, 0.99, 0.60]
    >>> result = wilcoxon_signed_rank(a, b)
    >>> result.rank_sum_a, result.rank_sum_b
    (22.0, 6.0)
    >>> print(f"{result.p_value:.3f}")
    0.219
    """
    check_option("zero_method", zero_method, ("zsplit", "wilcox", "pratt"))
    check_option("method", method, ("auto", "exact", "normal"))
    check_option("alternative", alternative, ALTERNATIVES)
    a, b = read_pair(a, b)
    if a.ndim != 1:
        raise ValueError(f"a and b must have one dimension; got {a.ndim}.")
    difference = differences(a, b)
    method = _choose_method(difference, method)

    sums = _rank_sums(difference, zero_method)
    n_zeros = int((difference == 0).sum())
    if n_zeros == len(difference):
        note = "The scores do not differ at all."
        return WilcoxonResult(min(sums), 1.0, *sums, 0.0, n_zeros, method, note)
    p_value, z = _call_scipy(difference, zero_method, correction, method, alternative)
    note = ""
    if method == "normal" and len(difference) < 10:
        note = "Fewer than ten data sets: the normal approximation is rough."
    z = float(np.copysign(z, sums[0] - sums[1]))
    return WilcoxonResult(min(sums), p_value, *sums, z, n_zeros, method, note)


def _choose_method(difference, method):
    sizes = np.abs(difference)
    countable = (sizes > 0).all() and len(np.unique(sizes)) == len(sizes)
    if method == "exact" and not countable:
        raise ValueError(
            "method='exact' requires differences without zeros and ties, and a and b "
            "have some: use method='normal' or 'auto'."
        )
    if method == "auto":
        return "exact" if countable and len(sizes) <= 50 else "normal"
    return method


def _rank_sums(difference, zero_method):
    """Sum the ranks of positive and of negative differences."""
    if zero_method == "wilcox":
        difference = difference[difference != 0]
    rank = stats.rankdata(np.abs(difference))
    half = rank[difference == 0].sum() / 2.0 if zero_method == "zsplit" else 0.0
    plus, minus = rank[difference > 0].sum(), rank[difference < 0].sum()
    return float(plus + half), float(minus + half)


def _call_scipy(difference, zero_method, correction, method, alternative):
    with warnings.catch_warnings():
        # Older SciPy warns of small samples, as does the note of the result.
        warnings.simplefilter("ignore", UserWarning)
        found = stats.wilcoxon(
            difference,
            zero_method=zero_method,
            correction=correction,
            method="approx" if method == "normal" else "exact",
            alternative=alternative,
        )
    return float(found.pvalue), abs(getattr(found, "zstatistic", np.nan))


@dataclass(frozen=True)
class SignTestResult:
    """Result of the sign test.

    Parameters
    ----------
    p_value : float
        Exact p-value under the null hypothesis that the methods do not differ.
    wins, losses : int
        Counts of the first method after splitting the ties.
    score : float
        Wins plus half the ties, before a tie is dropped.
    critical_score : float
        Critical value of the score by the normal approximation.
    significant : bool
        Whether the score reaches the critical value.
    """

    p_value: float
    wins: int
    losses: int
    score: float
    critical_score: float
    significant: bool


@document_comparison
def sign_test(wins, ties, losses, *, alpha=0.05, alternative="two-sided"):
    r"""Test whether one of two methods wins on significantly more data sets.

    Ties support equality: they are split evenly, and one is dropped where their
    number is odd [1]_. The p-value is exact. The rule that papers use instead,

    .. math:: w + t / 2 \ge N / 2 + z_{1 - \alpha / 2} \sqrt N / 2,

    is computed as well; for small N it calls differences significant whose exact
    p-value is above alpha.

    Parameters
    ----------
    wins, ties, losses : int
        Number of data sets on which the first method is better, equal, worse.
    alpha : float, default=0.05
        Two-sided significance level of the normal approximation.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Alternative hypothesis; "greater": the first method wins more often.

    Returns
    -------
    result : SignTestResult
        Exact p-value, and the result of the normal approximation.

    {demsar}

    Examples
    --------
    >>> from manyminds.analysis import sign_test
    >>> result = sign_test(38, 2, 21)
    >>> result.score, result.significant
    (39.0, True)
    >>> print(f"{result.critical_score:.2f} {result.p_value:.4f}")
    38.15 0.0396
    """
    check_option("alternative", alternative, ALTERNATIVES)
    check_share("alpha", alpha)
    for name, count in [("wins", wins), ("ties", ties), ("losses", losses)]:
        if not isinstance(count, Integral) or count < 0:
            raise ValueError(f"{name} must be a count of 0 or more; got {count!r}.")
    n_datasets = int(wins + ties + losses)
    if n_datasets == 0:
        raise ValueError("wins, ties and losses must not all be 0.")

    wins_counted, losses_counted = int(wins + ties // 2), int(losses + ties // 2)
    n_counted = wins_counted + losses_counted
    p_value = 1.0
    if n_counted > 0:
        exact = stats.binomtest(wins_counted, n_counted, alternative=alternative)
        p_value = float(exact.pvalue)
    score = float(wins + ties / 2.0)
    z = stats.norm.isf(alpha / 2.0)
    critical = float(n_datasets / 2.0 + z * np.sqrt(n_datasets) / 2.0)
    return SignTestResult(
        p_value, wins_counted, losses_counted, score, critical, score >= critical
    )
