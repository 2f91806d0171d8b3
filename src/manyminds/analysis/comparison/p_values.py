"""Adjust p-values for the number of tests."""

import numpy as np
from scipy.stats import false_discovery_control

from manyminds.analysis._checks import check_option
from manyminds.analysis.comparison._paragraphs import document_comparison

__all__ = ["adjust_p_values", "hochberg", "holm"]


@document_comparison
def holm(p_values):
    """Adjust p-values by Holm's step-down rule.

    The smallest of m p-values is multiplied by m, the next by m - 1, and so on; the
    adjusted values never decrease. Rejecting at most alpha controls the family-wise
    error rate, whatever the dependence of the tests [1]_.

    {adjusting}

    References
    ----------
    .. [1] Holm, "A simple sequentially rejective multiple test procedure",
       Scandinavian Journal of Statistics 6, 1979.

    Examples
    --------
    >>> from manyminds.analysis import holm
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p_values = _check(p_values)
    order = np.argsort(p_values, kind="stable")
    factor = np.arange(len(p_values), 0, -1)
    steps = np.maximum.accumulate(p_values[order] * factor)
    return _restore_order(np.minimum(steps, 1.0), order)


@document_comparison
def hochberg(p_values):
    """Adjust p-values by Hochberg's step-up rule.

    It rejects all hypotheses that `holm` does and sometimes more, but requires tests
    that are independent or positively dependent [1]_.

    {adjusting}

    References
    ----------
    .. [1] Hochberg, "A sharper Bonferroni procedure for multiple tests of
       significance", Biometrika 75, 1988.

    Examples
    --------
    >>> from manyminds.analysis import hochberg
    >>> hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    p_values = _check(p_values)
    order = np.argsort(p_values, kind="stable")
    factor = np.arange(len(p_values), 0, -1)
    steps = np.minimum.accumulate((p_values[order] * factor)[::-1])[::-1]
    return _restore_order(steps, order)


@document_comparison
def adjust_p_values(p_values, method="holm"):
    """Adjust p-values for the number of tests by a named rule.

    Parameters
    ----------
    {p_values}
    method : {"holm", "hochberg", "bonferroni", "bh", "none"}, default="holm"
        Rule; "bonferroni" multiplies each by the number of tests, "bh", by Benjamini
        and Hochberg, controls the false discovery rate.

    Returns
    -------
    {adjusted}

    Examples
    --------
    >>> from manyminds.analysis import adjust_p_values
    >>> adjust_p_values([0.01, 0.04, 0.5], method="bonferroni")
    array([0.03, 0.12, 1.  ])
    """
    check_option("method", method, ("holm", "hochberg", "bonferroni", "bh", "none"))
    if method == "holm":
        return holm(p_values)
    if method == "hochberg":
        return hochberg(p_values)
    p_values = _check(p_values)
    if method == "bh":
        return false_discovery_control(p_values)
    factor = len(p_values) if method == "bonferroni" else 1
    return np.minimum(p_values * factor, 1.0)


def _check(p_values):
    p_values = np.asarray(p_values, dtype=np.float64)
    if p_values.ndim != 1 or not np.all((p_values >= 0) & (p_values <= 1)):
        raise ValueError(
            "p_values must be a list of numbers between 0 and 1; got "
            f"{p_values.tolist()}."
        )
    return p_values


def _restore_order(values, order):
    found = np.empty_like(values)
    found[order] = values
    return found
