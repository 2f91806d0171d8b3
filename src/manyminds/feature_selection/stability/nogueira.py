"""Nogueira's stability: an estimate, its confidence interval, and a test."""

from dataclasses import dataclass
from math import inf, isnan, nan, sqrt

import numpy as np
from scipy.stats import norm

from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.stability.selection_matrix import (
    count_by_feature,
    count_by_selection,
    read_selections,
    sum_over_selected,
)
from manyminds.utils.docstrings import fill_docstring


@dataclass(frozen=True)
class StabilityEstimate:
    """An estimate of stability with its confidence interval.

    Parameters
    ----------
    stability : float
        Estimate: 1 if all selections are the same, 0 on average if they are drawn at
        random.
    variance : float
        Estimated variance of the estimate.
    low, high : float
        Limits of the confidence interval, within the range of the measure.
    n_selections : int
        Number of selections.
    """

    stability: float
    variance: float
    low: float
    high: float
    n_selections: int


@dataclass(frozen=True)
class StabilityComparison:
    """The result of a test whether two procedures are equally stable.

    Parameters
    ----------
    difference : float
        Stability of the first minus that of the second.
    statistic : float
        The difference in units of its standard error.
    p_value : float
        Probability of a difference as large if both are equally stable.
    """

    difference: float
    statistic: float
    p_value: float


@fill_docstring(**PARAMETERS)
def nogueira_stability(
    selections, n_features=None, *, confidence_level=0.95, overlap=0.0
):
    r"""Estimate the stability of a procedure, with a confidence interval.

    With :math:`p_f` the share of the M selections that include feature f, and
    :math:`\bar k = \sum_f p_f` their mean size, the stability is [1]_

    .. math:: 1 - \frac{\frac{1}{p} \sum_f \frac{M}{M - 1} p_f (1 - p_f)}
                       {\frac{\bar k}{p} (1 - \frac{\bar k}{p})} :

    one minus the ratio of the mean variance of the selection of a feature to that of
    random selections. Selections may differ in size. For one size, it is the mean of
    Kuncheva's index over pairs.

    Parameters
    ----------
    {selections}
    confidence_level : float, default=0.95
        Coverage of the interval. It holds for many independent selections; the interval
        is too narrow for fewer than about twenty.
    overlap : float, default=0.0
        Mean share of samples that two selections have in common, if they were made on
        resamples of one data set: 0.5 for random halves. Such selections share random
        variation, so the variance is larger by the factor
        :math:`1 + M \rho / (1 - \rho)` for an overlap of :math:`\rho`, as that of
        cross-validated scores [2]_. The factor is conservative.

    Returns
    -------
    estimate : StabilityEstimate
        Stability, variance and interval, which is clipped to the range of the estimate,
        -1 / (M - 1) to 1. All are NaN if every selection is empty, or every one has all
        features.

    See Also
    --------
    paired_stability : For selections on disjoint halves.

    References
    ----------
    .. [1] Nogueira, Sechidis and Brown, "On the stability of feature selection
       algorithms", Journal of Machine Learning Research 18, 2018.
    .. [2] Nadeau and Bengio, "Inference for the generalization error", Machine
       Learning 52, 2003.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import nogueira_stability
    >>> found = nogueira_stability([[0, 1], [0, 2], [0, 1]], n_features=10)
    >>> round(found.stability, 3)
    0.583
    """
    if not 0.0 < confidence_level < 1.0:
        raise ValueError(
            f"confidence_level must lie between 0 and 1; got {confidence_level!r}."
        )
    if not 0.0 <= overlap <= 1.0:
        raise ValueError(f"overlap must be from 0 to 1; got {overlap!r}.")
    selections = read_selections(selections, n_features)
    n_selections, n_features = selections.shape
    share = count_by_feature(selections) / n_selections
    mean_size = share.sum() / n_features
    expected = mean_size * (1.0 - mean_size)
    if expected <= 0.0:
        return StabilityEstimate(nan, nan, nan, nan, n_selections)

    spread = n_selections / (n_selections - 1) * (share * (1.0 - share)).mean()
    stability = 1.0 - spread / expected
    influence = _weigh_influence(selections, share, stability) / expected
    variance = inf  # on the same samples: the variance cannot be estimated
    if overlap < 1.0:
        shared = overlap / (1.0 - overlap)
        variance = 4.0 * influence.var() * (1.0 / n_selections + shared)
    reach = norm.ppf(0.5 + confidence_level / 2.0) * sqrt(variance)
    return StabilityEstimate(
        float(stability),
        float(variance),
        float(max(stability - reach, -1.0 / (n_selections - 1))),
        float(min(stability + reach, 1.0)),
        n_selections,
    )


def compare_stability(first, second, n_features=None):
    """Test whether two procedures are equally stable.

    The difference of the two estimates of `nogueira_stability`, divided by its standard
    error, is compared with the normal distribution [1]_.

    Parameters
    ----------
    first, second : array-like, sparse matrix or list of array-like of int
        Selections by the two procedures, as in `nogueira_stability`. They must be
        independent: not on the same resamples.
    n_features : int, default=None
        Number of features, needed with positions.

    Returns
    -------
    comparison : StabilityComparison
        Difference, statistic and two-sided p-value.

    References
    ----------
    .. [1] Nogueira, Sechidis and Brown, "On the stability of feature selection
       algorithms", Journal of Machine Learning Research 18, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.stability import compare_stability
    >>> rng = np.random.default_rng(0)
    >>> steady = rng.random((50, 20)) < np.repeat([0.9, 0.1], 10)
    >>> shaky = rng.random((50, 20)) < np.repeat([0.6, 0.4], 10)
    >>> compare_stability(steady, shaky).p_value < 0.001
    True
    """
    one = nogueira_stability(first, n_features)
    two = nogueira_stability(second, n_features)
    difference = one.stability - two.stability
    error = sqrt(one.variance + two.variance)
    if isnan(error):
        return StabilityComparison(difference, nan, nan)
    if error > 0.0:
        statistic = difference / error
    else:
        statistic = 0.0 if difference == 0.0 else float(np.copysign(np.inf, difference))
    return StabilityComparison(
        difference, statistic, float(2.0 * norm.sf(abs(statistic)))
    )


def stability_by_size(rankings, sizes=None, *, confidence_level=0.95):
    """Estimate the stability of the best k features of some rankings for several k.

    Parameters
    ----------
    rankings : array-like of shape (n_rankings, n_features)
        Rank of each feature, 1 for the best, such as selectors' ``ranking_``.
    sizes : array-like of int, default=None
        Numbers of features k; by default up to thirty between 1 and all but one, in
        geometric progression.
    confidence_level : float, default=0.95
        See `nogueira_stability`.

    Returns
    -------
    estimates : dict of int to StabilityEstimate
        The estimate for each size.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import stability_by_size
    >>> found = stability_by_size([[1, 2, 3, 4], [1, 3, 2, 4], [1, 2, 3, 4]])
    >>> [round(found[k].stability, 3) for k in (1, 2, 3)]
    [1.0, 0.333, 1.0]
    """
    rankings = np.asarray(rankings)
    if rankings.ndim != 2 or rankings.dtype.kind not in "iuf":
        raise ValueError(
            "rankings must have shape (n_rankings, n_features); got an array of shape "
            f"{rankings.shape}."
        )
    if sizes is None:
        most = max(rankings.shape[1] - 1, 1)
        sizes = np.unique(np.rint(np.geomspace(1, most, min(most, 30))).astype(int))
    return {
        int(size): nogueira_stability(
            rankings <= size, confidence_level=confidence_level
        )
        for size in sizes
    }


def _weigh_influence(selections, share, stability):
    """Return the influence of each selection on the estimate, up to a constant.

    Theorem 7 of the paper, times the variance of a random selection.
    """
    n_features = selections.shape[1]
    sizes = count_by_selection(selections) / n_features
    agreement = sum_over_selected(selections, share) / n_features
    mean_size = share.sum() / n_features
    return agreement - sizes * mean_size + stability * sizes * (mean_size - 0.5)
