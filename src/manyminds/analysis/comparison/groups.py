"""Group the methods that cannot be told apart."""

from dataclasses import dataclass

import numpy as np

from manyminds.analysis.comparison._checks import check_option, check_share, read_table
from manyminds.analysis.comparison.posthoc import nemenyi_test, pairwise_wilcoxon
from manyminds.analysis.comparison.ranks import rank_methods

__all__ = ["CriticalDifference", "critical_difference"]


@dataclass(frozen=True)
class CriticalDifference:
    """Ranked methods, and the groups of them that the data cannot tell apart.

    Parameters
    ----------
    names : tuple of str
        Names of the methods, best mean rank first.
    average_ranks : tuple of float
        Their mean ranks, rising.
    groups : tuple of tuples of str
        Largest sets of two or more methods of which no two differ significantly,
        best first. A method may be in several.
    critical_difference : float or None
        Mean ranks this far apart differ significantly; None where the test is not
        one of mean ranks.
    test : str
        "nemenyi" or "wilcoxon-holm".
    alpha : float
        Level of the test.
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


def critical_difference(
    scores,
    names=None,
    *,
    alpha=0.05,
    test="nemenyi",
    higher_is_better=True,
    missing="raise",
):
    """Rank methods over data sets and group those that cannot be told apart.

    This is what a critical-difference diagram [1]_ shows; `plot_critical_difference`
    draws it.

    Parameters
    ----------
    scores : array-like or DataFrame of shape (n_datasets, n_methods)
        One score per data set and method.
    names : list of str, default=None
        Names of the methods; by default the columns of a DataFrame, or numbers.
    alpha : float, default=0.05
        Level of the test.
    test : {"nemenyi", "wilcoxon-holm"}, default="nemenyi"
        `nemenyi_test`, or `pairwise_wilcoxon` with Holm's adjustment. The latter
        depends on no other method in the table, and may find that a method differs
        from one further off but not from one that stands nearer.
    higher_is_better : bool, default=True
        Whether the highest score, or the lowest, gets rank 1.
    missing : {"raise", "drop"}, default="raise"
        Whether a missing score is an error, or its data set is left out.

    Returns
    -------
    result : CriticalDifference
        Ranks and groups.

    References
    ----------
    .. [1] Demšar, "Statistical comparisons of classifiers over multiple data
       sets", Journal of Machine Learning Research 7, 2006.

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
    """List the largest sets of two or more things that are all alike.

    These are the maximal cliques of a graph, found by Bron and Kerbosch's search
    with a pivot; there may be very many only where likeness follows no order.

    Parameters
    ----------
    alike : array-like of bool, shape (n, n)
        Which things are alike, symmetric.

    Returns
    -------
    groups : list of tuples of int
        Rising numbers of the members, in rising order.
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
