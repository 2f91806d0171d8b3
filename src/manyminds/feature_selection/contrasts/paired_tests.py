"""Tests whether scores exceed those of artificial contrasts, over replicates."""

import numpy as np
from scipy.stats import t as student


def limit_by_contrasts(scores, percentile):
    """Return the limit that each replicate sets: a percentile over its contrasts.

    Parameters
    ----------
    scores : ndarray of shape (n_replicates, ..., n_contrasts)
        Scores of the contrasts.
    percentile : float
        100 is the best contrast.

    Returns
    -------
    limits : ndarray of shape (n_replicates, ...)
    """
    return np.percentile(scores, percentile, axis=-1)


def judge_above(scores, limits, test="paired"):
    r"""Test for each column whether its scores are above the limits.

    With the differences :math:`\delta_r` of :math:`R` replicates, their mean and their
    standard deviation :math:`s`, the statistic has :math:`R - 1` degrees of freedom:

    - "paired": :math:`\bar\delta / (s / \sqrt R)`, the paired t-test: is the mean of
      all replicates that might be run positive?
    - "prediction": :math:`\bar\delta / (s \sqrt{1 + 1 / R})`: is the mean above the
      limit that one more replicate may set?

    Parameters
    ----------
    scores : ndarray of shape (n_replicates, n_columns)
        Scores of the columns.
    limits : ndarray of shape (n_replicates,)
        From ``limit_by_contrasts``.
    test : {"paired", "prediction"}, default="paired"
        Which statistic.

    Returns
    -------
    statistic : ndarray of shape (n_columns,)
        Infinite if all differences are equal and not 0.
    pvalues : ndarray of shape (n_columns,)
        One-sided. If all differences are equal, 0 if they are positive, otherwise 1.
    """
    differences = scores - limits[:, np.newaxis]
    n, mean = len(differences), differences.mean(axis=0)
    spread = differences.std(axis=0, ddof=1)
    spread[np.ptp(differences, axis=0) == 0.0] = 0.0  # no rounding
    error = spread * np.sqrt(1.0 / n if test == "paired" else 1.0 + 1.0 / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(mean == 0.0, 0.0, mean / error)
    pvalues = student.sf(statistic, n - 1)
    constant = error == 0.0
    pvalues[constant] = np.where(mean[constant] > 0.0, 0.0, 1.0)
    return statistic, pvalues
