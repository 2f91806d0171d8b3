"""P-values of importances, counted or by a law fitted to importances of no meaning."""

import numpy as np
from scipy.special import digamma, polygamma
from scipy.stats import gamma, kstwo, lognorm, norm

DISTRIBUTIONS = ("normal", "lognormal", "gamma")
LOWEST_FIT = 0.05  # a law with a smaller p-value of the fit is not taken
_N_NEWTON_STEPS = 6


def find_p_values(observed, null, distribution):
    """Return how likely an importance as large as observed is by chance.

    Parameters
    ----------
    observed : ndarray of shape (n_features,)
        Importances for the true targets.
    null : ndarray of shape (n_permutations, n_features)
        Importances for shuffled targets.
    distribution : {"empirical", "auto", "normal", "lognormal", "gamma"}
        "empirical": counted; a name: by that law, fitted by maximum likelihood;
        "auto": by the law that fits best, counted where none does. A law that cannot be
        fitted (to values that are all the same, or not positive) is not taken, either.

    Returns
    -------
    p_values : ndarray of shape (n_features,)
        Chances of an importance of at least ``observed``.
    laws : ndarray of str of shape (n_features,)
        Where each p-value comes from.
    """
    n_null, n_features = null.shape
    p_values = (1.0 + (null >= observed).sum(axis=0)) / (n_null + 1.0)
    laws = np.full(n_features, "empirical", dtype="U9")
    if distribution == "empirical":
        return p_values, laws
    names = DISTRIBUTIONS if distribution == "auto" else (distribution,)
    nearest = np.full(n_features, np.inf)
    if distribution == "auto":
        nearest[:] = kstwo.isf(LOWEST_FIT, n_null)
    for name in names:
        usable = _can_be_fitted(null, name)
        law = fit_law(name, null[:, usable])
        distance = np.full(n_features, np.inf)
        distance[usable] = measure_distance(null[:, usable], law)
        better = distance < nearest
        p_values[better] = law.sf(observed[usable])[better[usable]]
        nearest[better], laws[better] = distance[better], name
    return p_values, laws


def fit_law(name, sample):
    """Fit a law to each column of a sample by maximum likelihood.

    Parameters
    ----------
    name : {"normal", "lognormal", "gamma"}
        The law. The last two need positive values.
    sample : ndarray of shape (n_values, n_columns)
        No column may be constant.

    Returns
    -------
    law : scipy's frozen distribution
        With a parameter for each column.
    """
    if name == "normal":
        return norm(sample.mean(axis=0), sample.std(axis=0))
    logs = np.log(sample)
    if name == "lognormal":
        return lognorm(logs.std(axis=0), scale=np.exp(logs.mean(axis=0)))
    mean = sample.mean(axis=0)
    shape = _solve_shape(np.log(mean) - logs.mean(axis=0))
    return gamma(shape, scale=mean / shape)


def measure_distance(sample, law):
    """Return Kolmogorov's distance between each column of a sample and its law."""
    share = law.cdf(np.sort(sample, axis=0))
    n_values = len(sample)
    steps = np.arange(n_values + 1)[:, np.newaxis] / n_values
    above, below = steps[1:] - share, share - steps[:-1]
    return np.maximum(above, below).max(axis=0, initial=0.0)


def _can_be_fitted(null, name):
    """Tell columns with a spread, and with positive values if the law needs them."""
    usable = null.max(axis=0) > null.min(axis=0)
    usable &= np.isfinite(null).all(axis=0)
    return usable if name == "normal" else usable & (null.min(axis=0) > 0.0)


def _solve_shape(gap):
    """Solve log(shape) - digamma(shape) = gap: the likelihood of the gamma law."""
    shape = (3.0 - gap + np.sqrt((gap - 3.0) ** 2 + 24.0 * gap)) / (12.0 * gap)
    for _ in range(_N_NEWTON_STEPS):
        slope = 1.0 / shape - polygamma(1, shape)
        step = (np.log(shape) - digamma(shape) - gap) / slope
        # Near a constant sample, differences of large numbers are all rounding.
        better = shape - step
        shape = np.where((better > 0.0) & np.isfinite(better), better, shape)
    return shape
