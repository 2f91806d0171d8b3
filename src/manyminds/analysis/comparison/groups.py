"""Group the methods that do not differ significantly."""

from dataclasses import dataclass

import numpy as np

from manyminds.analysis._checks import check_option, check_share
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.posthoc import nemenyi_test, pairwise_wilcoxon
from manyminds.analysis.comparison.ranks import rank_methods
from manyminds.analysis.comparison.scores import read_table

__all__ = ["CriticalDifference", "critical_difference"]


@dataclass(frozen=True)
class CriticalDifference:
    """Ranked methods, and groups of methods that do not differ significantly.

    Parameters
    ----------
    names : tuple of str
        Names of the methods, best mean rank first.
    average_ranks : tuple of float
        Mean ranks in ascending order.
    groups : tuple of tuples of str
        Maximal sets of two or more methods of which no two differ significantly, best
        first. A method may be in several.
    critical_difference : float or None
        Smallest significant difference of mean ranks; None if the test does not
        compare mean ranks.
    test : str
        "nemenyi" or "wilcoxon-holm".
    alpha : float
        Significance level of the test.
    n_datasets : int
        Number of data sets.
    """

    names: tuple[str, ...]
    average_ranks: tuple[float, ...]
    groups: tuple[tuple[str, ...], ...]
    critical_difference: float | None
    test: str
    alpha: float
    n_datasets: int


@document_comparison
def critical_difference(
    scores,
    names=None,
    *,
    alpha=0.05,
    test="nemenyi",
    higher_is_better=True,
    missing="raise",
):
    """Rank methods over data sets and group those that do not differ significantly.

    `plot_critical_difference` plots the result as a critical-difference diagram [1]_.

    Parameters
    ----------
    {scores}
    {names}
    alpha : float, default=0.05
        Significance level of the test.
    test : {"nemenyi", "wilcoxon-holm"}, default="nemenyi"
        `nemenyi_test`, or `pairwise_wilcoxon` with Holm's adjustment. The latter
        does not depend on the other methods; a method may differ significantly from
        one of similar rank, and not from one of distant rank.
    {rank_direction}
    {missing}

    Returns
    -------
    result : CriticalDifference
        Ranks and groups.

    {demsar}

    Examples
    --------
    >>> from manyminds.analysis import critical_difference
    >>> result = critical_difference([[0.9, 0.8, 0.7]] * 8, ["a", "b", "c"])
    >>> result.groups
    (('a', 'b'), ('b', 'c'))
    """
    check_option("test", test, ("nemenyi", "wilcoxon-holm"))
    check_share("alpha", alpha)
    values, names = read_table(scores, names=names, missing=missing)
    ranks = rank_methods(values, names=names, higher_is_better=higher_is_better)

    distance = None
    if test == "nemenyi":
        found = nemenyi_test(values, alpha=alpha, higher_is_better=higher_is_better)
        distance, p_values = found.critical_difference, found.p_values
    else:
        p_values = pairwise_wilcoxon(values).adjusted_p_values
    order = np.argsort(ranks.average_ranks, kind="stable")
    alike = np.array(p_values)[np.ix_(order, order)] > alpha
    groups = tuple(
        tuple(names[order[place]] for place in group) for group in maximal_groups(alike)
    )
    return CriticalDifference(
        tuple(names[j] for j in order),
        tuple(ranks.average_ranks[j] for j in order),
        groups,
        distance,
        test,
        float(alpha),
        ranks.n_datasets,
    )


def maximal_groups(alike):
    """Return the maximal cliques of two or more nodes of a graph.

    By the algorithm of Bron and Kerbosch with pivoting.

    Parameters
    ----------
    alike : array-like of bool, shape (n, n)
        Symmetric adjacency matrix.

    Returns
    -------
    groups : list of tuples of int
        Sorted nodes of each clique, in sorted order.
    """
    n = len(alike)
    near = [{j for j in range(n) if j != i and alike[i][j]} for i in range(n)]
    found = []

    def extend(group, candidates, seen):
        if not candidates and not seen:
            found.append(tuple(sorted(group)))
            return
        pivot = max(candidates | seen, key=lambda i: len(near[i] & candidates))
        for i in sorted(candidates - near[pivot]):
            extend(group | {i}, candidates & near[i], seen & near[i])
            candidates, seen = candidates - {i}, seen | {i}

    extend(set(), set(range(n)), set())
    return sorted(group for group in found if len(group) > 1)
