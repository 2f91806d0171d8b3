"""Rank many methods over many data sets, and test whether the ranks differ."""

from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.scores import as_tuples, merge_ties, read_table

__all__ = ["FriedmanResult", "MethodRanks", "friedman_test", "rank_methods"]


@document_comparison
@dataclass(frozen=True)
class MethodRanks:
    """Ranks of methods over data sets; 1 is the best.

    Parameters
    ----------
    {ranked_methods}
    ranks : tuple of tuples of float
        Ranks of all methods on each data set; tied scores get their mean rank.
    """

    names: tuple[str, ...]
    average_ranks: tuple[float, ...]
    n_datasets: int
    ranks: tuple[tuple[float, ...], ...] = field(repr=False)


@document_comparison
def rank_methods(scores, *, names=None, higher_is_better=True, missing="raise"):
    """Rank the methods on each data set, and average.

    Tied scores get the mean of their ranks. Scores that agree to twelve digits are
    tied: smaller differences are rounding errors.

    Parameters
    ----------
    {scores}
    {names}
    {rank_direction}
    {missing}

    Returns
    -------
    ranks : MethodRanks
        Ranks, and their means.

    Examples
    --------
    >>> from manyminds.analysis import rank_methods
    >>> rank_methods([[0.9, 0.8, 0.8], [0.7, 0.6, 0.5]]).average_ranks
    (1.0, 2.25, 2.75)
    """
    values, names = read_table(scores, names=names, missing=missing)
    rank = _rank_rows(values, higher_is_better)
    means = tuple(rank.mean(axis=0).tolist())
    return MethodRanks(names, means, len(rank), as_tuples(rank))


def _rank_rows(values, higher_is_better):
    return stats.rankdata(merge_ties(-values if higher_is_better else values), axis=1)


@document_comparison
@dataclass(frozen=True)
class FriedmanResult:
    """Result of the Friedman test, in four forms.

    Parameters
    ----------
    {ranked_methods}
    chi2 : float
        Friedman's statistic, not corrected for ties.
    chi2_p_value : float
        P-value of the statistic above.
    chi2_tie_corrected : float
        The same statistic, corrected for ties.
    chi2_tie_corrected_p_value : float
        P-value of the statistic above.
    f : float
        Iman and Davenport's statistic from ``chi2``; infinite if all data sets rank
        the methods in the same order.
    f_p_value : float
        P-value of the statistic above.
    f_tie_corrected : float
        Iman and Davenport's statistic from ``chi2_tie_corrected``.
    f_tie_corrected_p_value : float
        P-value of the statistic above.
    chi2_df : int
        Degrees of freedom of both chi-squared statistics.
    f_df : tuple of two int
        Degrees of freedom of both F statistics.
    """

    names: tuple[str, ...]
    average_ranks: tuple[float, ...]
    n_datasets: int
    chi2: float
    chi2_p_value: float
    chi2_tie_corrected: float
    chi2_tie_corrected_p_value: float
    f: float
    f_p_value: float
    f_tie_corrected: float
    f_tie_corrected_p_value: float
    chi2_df: int
    f_df: tuple[int, int]


@document_comparison
def friedman_test(scores, *, names=None, higher_is_better=True, missing="raise"):
    r"""Test whether methods differ at all over data sets, by their ranks.

    With mean ranks :math:`R_j` of k methods on N data sets, Friedman's [1]_

    .. math:: \chi^2_F = \frac{12 N}{k (k + 1)}
       \Bigl(\sum_j R_j^2 - \frac{k (k + 1)^2}{4}\Bigr)

    approximately follows a chi-squared distribution with k - 1 degrees of freedom, and
    Iman and Davenport's [2]_ less conservative

    .. math:: F_F = \frac{(N - 1) \chi^2_F}{N (k - 1) - \chi^2_F}

    an F distribution with k - 1 and (k - 1)(N - 1). Ties reduce the variance of the
    ranks; the tie-corrected forms account for that.

    Parameters
    ----------
    scores : array-like or DataFrame of shape (n_datasets, n_methods)
        One score per data set and method; two data sets or more.
    {names}
    {rank_direction}
    {missing}

    Returns
    -------
    result : FriedmanResult
        All four statistics with their p-values.

    References
    ----------
    .. [1] Friedman, "The use of ranks to avoid the assumption of normality implicit
       in the analysis of variance", Journal of the American Statistical Association
       32, 1937.
    .. [2] Iman and Davenport, "Approximations of the critical region of the Friedman
       statistic", Communications in Statistics 9, 1980.

    Examples
    --------
    >>> from manyminds.analysis import friedman_test
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.6, 0.5, 0.4]]
    >>> result = friedman_test(scores)
    >>> print(f"{result.chi2:.2f} {result.f:.2f} {result.f_p_value:.3f}")
    6.50 13.00 0.007
    """
    values, names = read_table(scores, names=names, missing=missing, min_datasets=2)
    rank = _rank_rows(values, higher_is_better)
    n, k = rank.shape

    # Ranks are multiples of one half: the sums are exact, and so are comparisons with
    # the extremes, equal mean ranks and equal orders on all data sets.
    spread = ((rank.sum(axis=0) - n * (k + 1) / 2.0) ** 2).sum()
    untied = n * k * (k * k - 1) / 12.0
    tied = (rank**2).sum() - n * k * (k + 1) ** 2 / 4.0
    plain = _statistics(spread, untied, n, k)
    corrected = _statistics(spread, tied, n, k)
    return FriedmanResult(
        names,
        tuple(rank.mean(axis=0).tolist()),
        n,
        *plain[:2],
        *corrected[:2],
        *plain[2:],
        *corrected[2:],
        k - 1,
        (k - 1, (k - 1) * (n - 1)),
    )


def _statistics(spread, variation, n, k):
    """Return chi-squared, its p-value, F and its p-value.

    ``spread`` is the sum of the squared distances of the rank sums from their mean,
    ``variation`` that of all ranks from theirs.
    """
    if spread == 0:
        return 0.0, 1.0, 0.0, 1.0
    chi2 = (k - 1) * spread / variation
    left = n * variation - spread
    f = (n - 1) * spread / left if left > 0 else np.inf
    return (
        float(chi2),
        float(stats.chi2.sf(chi2, k - 1)),
        float(f),
        float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
    )
