"""Test all methods against a control."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from scipy import stats

from manyminds.analysis._checks import check_option, check_share
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.p_values import adjust_p_values
from manyminds.analysis.comparison.posthoc import rank_error
from manyminds.analysis.comparison.ranks import rank_methods
from manyminds.analysis.comparison.scores import read_table
from manyminds.analysis.comparison.signed_ranks import wilcoxon_signed_rank

__all__ = ["ControlComparison", "compare_to_control"]


@dataclass(frozen=True)
class ControlComparison:
    """Result of the tests of all methods against a control.

    Parameters
    ----------
    control : str
        Name of the method that the others are compared with.
    names : tuple of str
        Names of the others.
    rank_differences : tuple of float
        Mean rank of the control minus that of each other: positive if the other is
        better.
    p_values : tuple of float
        P-value of each other, not adjusted.
    adjusted_p_values : tuple of float
        P-values adjusted for the number of tests.
    critical_difference : float or None
        Critical difference of mean ranks of the Bonferroni-Dunn test; None for other
        tests.
    test, adjust : str
        Test and adjustment used.
    alpha : float
        Significance level of the critical difference.
    """

    control: str
    names: tuple[str, ...]
    rank_differences: tuple[float, ...]
    p_values: tuple[float, ...]
    adjusted_p_values: tuple[float, ...]
    critical_difference: float | None
    test: str
    adjust: str
    alpha: float


@document_comparison
def compare_to_control(
    scores,
    control,
    *,
    names=None,
    test="ranks",
    adjust="holm",
    alpha=0.05,
    higher_is_better=True,
    missing="raise",
):
    r"""Test all methods against a control.

    With ``test="ranks"`` the statistic of method i is
    :math:`z = (R_0 - R_i) / \sqrt{k (k + 1) / 6 N}`, normal under the null hypothesis
    that it does not differ from the control; together with ``adjust="bonferroni"``
    this is the Bonferroni-Dunn test [1]_.

    Parameters
    ----------
    {scores}
    control : str or int
        Name of the control, or number of its column.
    {names}
    test : {"ranks", "wilcoxon"}, default="ranks"
        Test of mean ranks, or of the signed ranks of the two methods' differences.
    {adjust}
    alpha : float, default=0.05
        Significance level of the critical difference.
    {rank_direction}
    {missing}

    Returns
    -------
    result : ControlComparison
        P-values, raw and adjusted.

    {demsar}

    Examples
    --------
    >>> from manyminds.analysis import compare_to_control
    >>> scores = [[0.7, 0.8, 0.9], [0.6, 0.9, 0.8], [0.5, 0.6, 0.7], [0.6, 0.5, 0.7]]
    >>> result = compare_to_control(scores, "old", names=["old", "new", "newer"])
    >>> result.names, result.rank_differences
    (('new', 'newer'), (0.75, 1.5))
    >>> [round(p, 3) for p in result.adjusted_p_values]
    [0.289, 0.068]
    """
    check_option("test", test, ("ranks", "wilcoxon"))
    check_share("alpha", alpha)
    values, names = read_table(scores, names=names, missing=missing)
    base = _find_control(control, names)
    others = [j for j in range(len(names)) if j != base]

    ranks = rank_methods(values, names=names, higher_is_better=higher_is_better)
    rank_difference = ranks.average_ranks[base] - np.array(ranks.average_ranks)[others]
    if test == "ranks":
        single = 2.0 * stats.norm.sf(np.abs(rank_difference) / rank_error(ranks))
    else:
        tests = [wilcoxon_signed_rank(values[:, base], values[:, j]) for j in others]
        single = np.array([found.p_value for found in tests])
    critical = None
    if (test, adjust) == ("ranks", "bonferroni"):
        q = stats.norm.isf(alpha / (2.0 * len(others)))
        critical = float(q * rank_error(ranks))
    return ControlComparison(
        names[base],
        tuple(names[j] for j in others),
        tuple(rank_difference.tolist()),
        tuple(single.tolist()),
        tuple(adjust_p_values(single, adjust).tolist()),
        critical,
        test,
        adjust,
        float(alpha),
    )


def _find_control(control, names):
    if isinstance(control, Integral) and 0 <= control < len(names):
        return control
    if str(control) not in names:
        raise ValueError(
            f"control must be one of {list(names)} or the number of its column; got "
            f"{control!r}."
        )
    return names.index(str(control))
