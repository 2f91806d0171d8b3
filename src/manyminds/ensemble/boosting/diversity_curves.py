"""How members differ: the Q statistic as an ensemble grows, regions on a grid."""

import numpy as np
from scipy.ndimage import label as label_regions

from manyminds.analysis.diversity import average_pairs, count_correct_pairs

__all__ = ["count_regions", "q_path", "q_statistic"]


def q_statistic(correct, *, undefined="skip"):
    r"""Average Yule's Q over all pairs of members.

    .. math:: Q = \frac{N_{11} N_{00} - N_{01} N_{10}}{N_{11} N_{00} + N_{01} N_{10}}

    where :math:`N_{ab}` counts the rows that one member gets right (1) or wrong (0)
    and the other so. It is 0 for members whose errors are independent [1]_.

    Parameters
    ----------
    correct : array-like of bool of shape (n_members, n_samples)
        Which member gets which row right.
    undefined : {"skip", "zero"}, default="skip"
        What to do with a pair whose Q is 0 / 0, such as two perfect members: leave it
        out of the mean, or count it as 0.

    Returns
    -------
    q : float
        Between -1 and 1; NaN if there is no pair to average over.

    References
    ----------
    .. [1] Kuncheva and Whitaker, "Measures of diversity in classifier ensembles",
       Machine Learning 51, 2003.

    Examples
    --------
    >>> from manyminds.ensemble.boosting.diversity_curves import q_statistic
    >>> q_statistic([[1, 1, 1, 0], [1, 1, 0, 0]])
    1.0
    >>> q_statistic([[1, 1, 0, 0], [1, 0, 1, 0]])
    0.0
    """
    return float(q_path(correct, undefined=undefined)[-1])


def q_path(correct, *, undefined="skip"):
    """Average Q over all pairs of the first 1, 2, 3 ... members.

    Parameters
    ----------
    correct : array-like of bool of shape (n_members, n_samples)
        Which member gets which row right.
    undefined : {"skip", "zero"}, default="skip"
        As in `q_statistic`.

    Returns
    -------
    q : ndarray of shape (n_members,)
        NaN where there is no pair to average over, as for a single member.
    """
    if undefined not in ("skip", "zero"):
        raise ValueError(f"undefined must be 'skip' or 'zero'; got {undefined!r}.")
    matrix = count_correct_pairs(correct).q_statistic()
    return average_pairs(matrix, "path", undefined=undefined)


def count_regions(labels):
    """Count the connected regions of each class on a grid.

    Parameters
    ----------
    labels : array-like of shape (n_rows, n_columns)
        Class of each point of the grid.

    Returns
    -------
    regions : dict of class to int
        Points of one class that touch by a side are in one region.

    Examples
    --------
    >>> from manyminds.ensemble.boosting.diversity_curves import count_regions
    >>> count_regions([["a", "b", "a"], ["a", "b", "b"]])
    {'a': 2, 'b': 1}
    """
    labels = np.asarray(labels)
    return {c.item(): label_regions(labels == c)[1] for c in np.unique(labels)}
