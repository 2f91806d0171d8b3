"""Weights by which forests draw features, from the gains of these."""

import numpy as np
from scipy.stats import t as student


def bound_gains(statistics, size, confidence=0.95):
    r"""Return a confidence interval of each feature's mean gain.

    It is :math:`\overline{IG}_f \mp q \sigma_f / \sqrt{m_f}`, where :math:`q` is a
    quantile of Student's distribution with :math:`m_f - 1` degrees of freedom.

    Parameters
    ----------
    statistics : GainStatistics
        Gains of the splits of each feature.
    size : ndarray of shape (n_features,)
        Effective number of nodes of each feature, m.
    confidence : float, default=0.95
        Probability that the interval covers the mean.

    Returns
    -------
    low, high : ndarray of shape (n_features,)
        Ends of the intervals; infinite where m is 1 or less.
    """
    known = size > 1.0
    half = np.full(len(size), np.inf)
    quantile = student.ppf((1.0 + confidence) / 2.0, size[known] - 1.0)
    variance = statistics.variance(size)[known]
    half[known] = quantile * np.sqrt(variance / size[known])
    return statistics.mean - half, statistics.mean + half


def draw_most_uniformly(low, high):
    r"""Weigh features as equally as their intervals allow.

    Every feature gets the number of its interval that is nearest to the middle
    :math:`(\max_f low_f + \min_f high_f) / 2`. If all intervals overlap all weights are
    equal.

    Parameters
    ----------
    low, high : ndarray of shape (n_features,)
        From `bound_gains`.

    Returns
    -------
    weights : ndarray of shape (n_features,)
        They add up to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.trees.nodes.feature_draws import (
    ...     draw_most_uniformly,
    ... )
    >>> draw_most_uniformly(np.array([0.0, 0.5]), np.array([0.2, 0.7])).round(2)
    array([0.29, 0.71])
    >>> draw_most_uniformly(np.array([0.1, 0.0]), np.array([0.3, 0.2]))
    array([0.5, 0.5])
    """
    if not np.isfinite(low).any():
        return np.full(len(low), 1.0 / len(low))
    middle = (low.max() + high.min()) / 2.0
    return normalize(np.clip(np.clip(middle, low, high), 0.0, None))


def normalize(weights):
    """Make weights add up to 1; equal ones if they are all 0."""
    total = weights.sum()
    if total <= 0.0:
        return np.full(len(weights), 1.0 / len(weights))
    return weights / total
