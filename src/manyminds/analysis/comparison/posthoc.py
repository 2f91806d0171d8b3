"""Post-hoc tests of all pairs of methods."""

from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from manyminds.analysis._checks import check_share
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.p_values import adjust_p_values
from manyminds.analysis.comparison.ranks import rank_methods
from manyminds.analysis.comparison.scores import as_tuples, read_table
from manyminds.analysis.comparison.signed_ranks import wilcoxon_signed_rank

__all__ = ["NemenyiResult", "PairwiseTests", "nemenyi_test", "pairwise_wilcoxon"]


@document_comparison
@dataclass(frozen=True)
class NemenyiResult:
    """Result of the Nemenyi test of all pairs of methods.

    Parameters
    ----------
    {method_names}
    average_ranks : tuple of float
        Mean rank of each method.
    critical_difference : float
        Smallest significant difference of mean ranks.
    alpha : float
        Significance level of the critical difference.
    p_values : tuple of tuples of float
        P-value of each pair, adjusted for all pairs; 1 on the diagonal.
    """

    names: tuple[str, ...]
    average_ranks: tuple[float, ...]
    critical_difference: float
    alpha: float
    p_values: tuple[tuple[float, ...], ...] = field(repr=False)


@document_comparison
def nemenyi_test(
    scores, *, names=None, alpha=0.05, higher_is_better=True, missing="raise"
):
    r"""Test all pairs of methods by the difference of their mean ranks.

    Two of k methods ranked on N data sets differ if their mean ranks differ by at least

    .. math:: CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}

    where :math:`q_\alpha` is the studentized range of k normal variables over
    :math:`\sqrt 2` [1]_. The result for two methods depends on the other methods in the
    table; that of `pairwise_wilcoxon` does not.

    Parameters
    ----------
    {scores}
    {names}
    alpha : float, default=0.05
        Family-wise significance level.
    {rank_direction}
    {missing}

    Returns
    -------
    result : NemenyiResult
        P-values and critical difference.

    {demsar}

    Examples
    --------
    >>> from manyminds.analysis import nemenyi_test
    >>> result = nemenyi_test([[0.9, 0.8, 0.7]] * 8)
    >>> print(f"{result.critical_difference:.2f}")
    1.17
    >>> result.p_values[0][2] < 0.05 < result.p_values[0][1]
    True
    """
    check_share("alpha", alpha)
    ranks = rank_methods(
        scores, names=names, higher_is_better=higher_is_better, missing=missing
    )
    k, error = len(ranks.names), rank_error(ranks)
    mean = np.array(ranks.average_ranks)
    distance = np.abs(mean[:, None] - mean) / error * np.sqrt(2.0)
    # The distribution is a costly integral: evaluate each distinct distance once.
    unique, place = np.unique(distance, return_inverse=True)
    p_values = stats.studentized_range.sf(unique, k, np.inf)[place.reshape(k, k)]
    q = stats.studentized_range.ppf(1.0 - alpha, k, np.inf) / np.sqrt(2.0)
    return NemenyiResult(
        ranks.names,
        ranks.average_ranks,
        float(q * error),
        float(alpha),
        as_tuples(np.clip(p_values, 0.0, 1.0)),
    )


def rank_error(ranks):
    """Return the standard error of the difference of two mean ranks."""
    k = len(ranks.names)
    return np.sqrt(k * (k + 1) / (6.0 * ranks.n_datasets))


@document_comparison
@dataclass(frozen=True)
class PairwiseTests:
    """Result of tests of all pairs of methods.

    Parameters
    ----------
    {method_names}
    adjust : str
        Adjustment of the p-values for the number of pairs.
    p_values : tuple of tuples of float
        P-value of each pair, not adjusted; 1 on the diagonal.
    adjusted_p_values : tuple of tuples of float
        Adjusted p-values.
    """

    names: tuple[str, ...]
    adjust: str
    p_values: tuple[tuple[float, ...], ...] = field(repr=False)
    adjusted_p_values: tuple[tuple[float, ...], ...] = field(repr=False)


@document_comparison
def pairwise_wilcoxon(
    scores, *, names=None, adjust="holm", missing="raise", **wilcoxon_options
):
    """Test all pairs of methods by Wilcoxon's signed-rank test, adjusted.

    The result for two methods does not depend on the other methods in the table, as
    that of `nemenyi_test` does [1]_.

    Parameters
    ----------
    {scores}
    {names}
    {adjust}
    {missing}
    **wilcoxon_options
        Options of `wilcoxon_signed_rank`, except ``alternative``.

    Returns
    -------
    result : PairwiseTests
        P-values, raw and adjusted.

    References
    ----------
    .. [1] Benavoli, Corani and Mangili, "Should we really use post-hoc tests based
       on mean-ranks?", Journal of Machine Learning Research 17, 2016.

    Examples
    --------
    >>> from manyminds.analysis import pairwise_wilcoxon
    >>> scores = [[0.9, 0.8 - i / 100, 0.7 + i / 90] for i in range(6)]
    >>> result = pairwise_wilcoxon(scores)
    >>> print(f"{result.p_values[0][1]:.3f} {result.adjusted_p_values[0][1]:.3f}")
    0.031 0.094
    """
    values, names = read_table(scores, names=names, missing=missing, min_datasets=1)
    first, second = np.triu_indices(len(names), k=1)
    single = [
        wilcoxon_signed_rank(values[:, i], values[:, j], **wilcoxon_options).p_value
        for i, j in zip(first, second)
    ]
    matrices = []
    for p_values in (single, adjust_p_values(single, adjust)):
        matrix = np.ones((len(names), len(names)))
        matrix[first, second] = matrix[second, first] = p_values
        matrices.append(as_tuples(matrix))
    return PairwiseTests(names, adjust, *matrices)
