"""Ranks, tests and counts of a table of scores in one call."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from manyminds.analysis._checks import check_not_negative
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.groups import (
    CriticalDifference,
    critical_difference,
)
from manyminds.analysis.comparison.posthoc import nemenyi_test, pairwise_wilcoxon
from manyminds.analysis.comparison.ranks import (
    FriedmanResult,
    MethodRanks,
    friedman_test,
    rank_methods,
)
from manyminds.analysis.comparison.scores import (
    as_tuples,
    differences,
    merge_ties,
    read_table,
)

__all__ = ["MethodComparison", "compare_methods"]


@dataclass(frozen=True)
class MethodComparison:
    """Comparison of methods over data sets.

    Parameters
    ----------
    names : tuple of str
        Names of the methods, as in the table.
    ranks : MethodRanks
        Ranks on each data set, and their means.
    friedman : FriedmanResult
        Test of any difference between the methods.
    critical_difference : CriticalDifference
        Methods by rank, and groups that do not differ significantly.
    p_values : tuple of tuples of float
        P-value of each pair by the post-hoc test, adjusted for all pairs.
    wins : tuple of tuples of int
        ``wins[i][j]`` is the number of data sets on which i is better than j.
    ties : tuple of tuples of int
        ``ties[i][j]`` is the number of data sets on which they are equal.
    """

    names: tuple[str, ...]
    ranks: MethodRanks
    friedman: FriedmanResult
    critical_difference: CriticalDifference
    p_values: tuple[tuple[float, ...], ...] = field(repr=False)
    wins: tuple[tuple[int, ...], ...] = field(repr=False)
    ties: tuple[tuple[int, ...], ...] = field(repr=False)

    def p_value_table(self):
        """Return the p-values of all pairs as a DataFrame, methods by methods."""
        return pd.DataFrame(self.p_values, index=self.names, columns=self.names)

    def win_tie_loss_table(self):
        """Return wins/ties/losses of row against column as a DataFrame of text."""
        k = len(self.names)
        counts = [
            [
                ""
                if i == j
                else f"{self.wins[i][j]}/{self.ties[i][j]}/{self.wins[j][i]}"
                for j in range(k)
            ]
            for i in range(k)
        ]
        return pd.DataFrame(counts, index=self.names, columns=self.names)

    def __str__(self):
        best = self.critical_difference
        width = max(len(name) for name in self.names)
        lines = [f"{len(self.names)} methods on {self.ranks.n_datasets} data sets", ""]
        lines += [
            f"  {name:<{width}}  mean rank {rank:.2f}"
            for name, rank in zip(best.names, best.average_ranks)
        ]
        found = self.friedman
        lines += [
            "",
            f"Friedman, corrected for ties: chi2({found.chi2_df}) = "
            f"{found.chi2_tie_corrected:.3f}, "
            f"p = {found.chi2_tie_corrected_p_value:.3g}",
            f"Iman and Davenport: F{found.f_df} = {found.f_tie_corrected:.3f}, "
            f"p = {found.f_tie_corrected_p_value:.3g}",
        ]
        if best.critical_difference is not None:
            lines.append(f"Critical difference: {best.critical_difference:.3f}")
        level = f"({best.test}, alpha = {best.alpha:g})"
        lines.append(f"Not significantly different {level}:")
        lines += [f"  {', '.join(group)}" for group in best.groups] or ["  none"]
        return "\n".join(lines)


@document_comparison
def compare_methods(
    scores,
    *,
    names=None,
    alpha=0.05,
    test="nemenyi",
    tolerance=0.0,
    higher_is_better=True,
    missing="raise",
):
    """Compare methods over data sets: ranks, tests, counts and groups.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
        One score per data set and method; two data sets or more.
    {names}
    alpha : float, default=0.05
        Significance level of the post-hoc test.
    test : {"nemenyi", "wilcoxon-holm"}, default="nemenyi"
        Post-hoc test of all pairs.
    tolerance : float, default=0.0
        Largest difference that counts as a tie.
    higher_is_better : bool, default=True
        Whether the highest or the lowest score is best.
    {missing}

    Returns
    -------
    comparison : MethodComparison
        Results as plain values; ``print`` formats a summary.

    Examples
    --------
    >>> from manyminds.analysis import compare_methods
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.6, 0.5, 0.4]]
    >>> print(compare_methods(scores, names=["forest", "tree", "stump"]))
    3 methods on 4 data sets
    <BLANKLINE>
      forest  mean rank 1.00
      tree    mean rank 2.25
      stump   mean rank 2.75
    <BLANKLINE>
    Friedman, corrected for ties: chi2(2) = 6.500, p = 0.0388
    Iman and Davenport: F(2, 6) = 13.000, p = 0.00659
    Critical difference: 1.657
    Not significantly different (nemenyi, alpha = 0.05):
      forest, tree
      tree, stump
    """
    check_not_negative("tolerance", tolerance)
    values, names = read_table(scores, names=names, missing=missing, min_datasets=2)
    direction = {"names": names, "higher_is_better": higher_is_better}

    groups = critical_difference(values, alpha=alpha, test=test, **direction)
    if test == "nemenyi":
        p_values = nemenyi_test(values, alpha=alpha, **direction).p_values
    else:
        p_values = pairwise_wilcoxon(values, names=names).adjusted_p_values
    wins, ties = _count_pairs(values if higher_is_better else -values, tolerance)
    return MethodComparison(
        names,
        rank_methods(values, **direction),
        friedman_test(values, **direction),
        groups,
        p_values,
        as_tuples(wins),
        as_tuples(ties),
    )


def _count_pairs(values, tolerance):
    values = merge_ties(values)
    n, k = values.shape
    wins = np.empty((k, k), dtype=np.int64)
    # The tolerance is a round number: differences equal to it are ties.
    margin = tolerance * (1.0 + 1e-12)
    for j in range(k):
        wins[:, j] = (differences(values, values[:, [j]]) > margin).sum(axis=0)
    return wins, n - wins - wins.T
