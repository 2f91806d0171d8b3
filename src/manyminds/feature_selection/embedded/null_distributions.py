"""P-values of importances, empirical or by a fitted null distribution."""

import numpy as np
from scipy.special import digamma, polygamma
from scipy.stats import gamma, kstwo, lognorm, norm

DISTRIBUTIONS = ("normal", "lognormal", "gamma")
MIN_FIT = 0.05  # minimum p-value of the goodness-of-fit test
_N_NEWTON_STEPS = 6


def find_p_values(observed, null, distribution):
    """Compute the p-values of importances.

    Parameters
    ----------
    observed : ndarray of shape (n_features,)
        Importances for the original targets.
    null : ndarray of shape (n_permutations, n_features)
        Importances for permuted targets.
    distribution : {"empirical", "auto", "normal", "lognormal", "gamma"}
        "empirical": counted; a name: that distribution, fitted by maximum likelihood;
        "auto": the best-fitting distribution, "empirical" where none fits. A
        distribution that cannot be fitted (to constant or nonpositive values) is not
        used.

    Returns
    -------
    p_values : ndarray of shape (n_features,)
        Probabilities of an importance of at least ``observed``.
    chosen : ndarray of str of shape (n_features,)
        Distribution of each p-value.
    """
    n_null, n_features = null.shape
    p_values = (1.0 + (null >= observed).sum(axis=0)) / (n_null + 1.0)
    chosen = np.full(n_features, "empirical", dtype="U9")
    if distribution == "empirical":
        return p_values, chosen
    names = DISTRIBUTIONS if distribution == "auto" else (distribution,)
    nearest = np.full(n_features, np.inf)
    if distribution == "auto":
        nearest[:] = kstwo.isf(MIN_FIT, n_null)
    for name in names:
        usable = _can_be_fitted(null, name)
        fitted = fit_distribution(name, null[:, usable])
        distance = np.full(n_features, np.inf)
        distance[usable] = ks_statistic(null[:, usable], fitted)
        better = distance < nearest
        p_values[better] = fitted.sf(observed[usable])[better[usable]]
        nearest[better], chosen[better] = distance[better], name
    return p_values, chosen


def fit_distribution(name, sample):
    """Fit a distribution to each column of a sample by maximum likelihood.

    Parameters
    ----------
    name : {"normal", "lognormal", "gamma"}
        The distribution. The last two need positive values.
    sample : ndarray of shape (n_values, n_columns)
        No column may be constant.

    Returns
    -------
    distribution : scipy's frozen distribution
        With parameters for each column.
    """
    if name == "normal":
        return norm(sample.mean(axis=0), sample.std(axis=0))
    logs = np.log(sample)
    if name == "lognormal":
        return lognorm(logs.std(axis=0), scale=np.exp(logs.mean(axis=0)))
    mean = sample.mean(axis=0)
    shape = _solve_shape(np.log(mean) - logs.mean(axis=0))
    return gamma(shape, scale=mean / shape)


def ks_statistic(sample, distribution):
    """Compute the Kolmogorov-Smirnov statistic of each column of a sample."""
    share = distribution.cdf(np.sort(sample, axis=0))
    n_values = len(sample)
    steps = np.arange(n_values + 1)[:, np.newaxis] / n_values
    above, below = steps[1:] - share, share - steps[:-1]
    return np.maximum(above, below).max(axis=0, initial=0.0)


def _can_be_fitted(null, name):
    """Return which columns vary, and are positive if the distribution needs it."""
    usable = null.max(axis=0) > null.min(axis=0)
    usable &= np.isfinite(null).all(axis=0)
    return usable if name == "normal" else usable & (null.min(axis=0) > 0.0)


def _solve_shape(difference):
    """Solve log(shape) - digamma(shape) = difference: the gamma likelihood."""
    shape = 3.0 - difference + np.sqrt((difference - 3.0) ** 2 + 24.0 * difference)
    shape = shape / (12.0 * difference)
    for _ in range(_N_NEWTON_STEPS):
        slope = 1.0 / shape - polygamma(1, shape)
        step = (np.log(shape) - digamma(shape) - difference) / slope
        # Near a constant sample, differences of large numbers are rounding errors.
        better = shape - step
        shape = np.where((better > 0.0) & np.isfinite(better), better, shape)
    return shape
