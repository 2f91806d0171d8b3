"""Unusual combinations of numbers: Mahalanobis distance of normal scores."""

import numpy as np
from scipy.stats import norm
from sklearn.covariance import LedoitWolf

from manyminds.analysis.novelty.ranges import find_quantiles

__all__ = ["fit_combinations", "measure_distance"]

N_KNOTS = 33  # quantiles of a column, between which normal scores are interpolated


def fit_combinations(numbers):
    """Learn the normal scores of columns, and the inverse of their covariance.

    Normal scores map the quantiles of a column to those of a normal distribution:
    skewed columns have no larger distances than others. The covariance is shrunk, as
    there may be more columns than rows [1]_.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples, n_columns)
        NaN where missing; no column is constant.

    Returns
    -------
    knots : ndarray of shape (33, n_columns)
        Quantiles of each column.
    precision : ndarray of shape (n_columns, n_columns)

    References
    ----------
    .. [1] Ledoit, Wolf, "A well-conditioned estimator for large-dimensional covariance
       matrices", Journal of Multivariate Analysis 88, 2004.
    """
    knots = find_quantiles(numbers, np.linspace(0.0, 1.0, N_KNOTS))
    scores = _score(numbers, knots)
    # Centered already: the scores of a column are those of the standard normal.
    return knots, LedoitWolf(assume_centered=True).fit(scores).precision_


def measure_distance(numbers, knots, precision):
    """Return the squared Mahalanobis distance of each row, and the share of columns.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples, n_columns)
    knots, precision
        See `fit_combinations`.

    Returns
    -------
    distance : ndarray of shape (n_samples,)
        Squared, divided by the number of columns.
    shares : ndarray of shape (n_samples, n_columns)
        What each column adds to it.
    """
    scores = _score(numbers, knots)
    shares = scores * (scores @ precision) / numbers.shape[1]
    return shares.sum(axis=1), shares


def _score(numbers, knots):
    """Return normal scores; 0, the median, where a number is missing."""
    levels = np.clip(np.linspace(0.0, 1.0, len(knots)), 0.005, 0.995)
    normal = norm.ppf(levels)
    scores = np.zeros(numbers.shape)
    for column in range(numbers.shape[1]):
        # Equal knots are one value: it has the mean of their scores.
        values, place = np.unique(knots[:, column], return_inverse=True)
        means = np.bincount(place, normal) / np.bincount(place)
        known = np.isfinite(numbers[:, column])
        scores[known, column] = np.interp(numbers[known, column], values, means)
    return scores
