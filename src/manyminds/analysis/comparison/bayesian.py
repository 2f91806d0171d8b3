"""Bayesian tests: the probability that a method is better, or both are equivalent."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from scipy import stats
from sklearn.utils import check_random_state

from manyminds.analysis._checks import check_not_negative, read_pair
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.resampled import compute_test_ratio
from manyminds.analysis.comparison.scores import differences

__all__ = [
    "BayesianSignedRankResult",
    "BayesianTTestResult",
    "bayesian_correlated_ttest",
    "bayesian_signed_rank_test",
]

# Numbers drawn at a time: enough for fast loops, few enough for the cache.
_DRAWS_AT_ONCE = 2**18


@dataclass(frozen=True)
class BayesianTTestResult:
    """Posterior of the mean difference of two methods on one data set.

    Parameters
    ----------
    a_better, equivalent, b_better : float
        Probabilities that sum to 1: the first method is better by more than the
        rope, the methods are practically equivalent, the second is better.
    rope : float
        Largest difference at which two methods are practically equivalent.
    location, scale, df : float
        Posterior of the first method's advantage: a Student distribution with ``df``
        degrees of freedom, shifted and scaled.
    """

    a_better: float
    equivalent: float
    b_better: float
    rope: float
    location: float
    scale: float
    df: float


@document_comparison
def bayesian_correlated_ttest(
    a, b, *, rope=0.0, test_share=None, n_train=None, n_test=None, higher_is_better=True
):
    r"""Compute the probability that one method is better on one data set.

    The Bayesian counterpart of `corrected_resampled_ttest`: scores of n folds are
    normal with correlation :math:`\rho = n_{test} / (n_{test} + n_{train})`. With a
    flat prior the posterior of the mean difference is a Student distribution with
    n - 1 degrees of freedom around the mean :math:`\bar d`, with scale
    :math:`\sqrt{(1 / n + \rho / (1 - \rho)) s^2}` [1]_.

    Parameters
    ----------
    {folds}
    {rope}
    {test_share}
    {direction}

    Returns
    -------
    result : BayesianTTestResult
        Three probabilities, and the posterior.

    References
    ----------
    .. [1] Corani and Benavoli, "A Bayesian approach for comparing cross-validated
       algorithms on multiple data sets", Machine Learning 100, 2015.

    Examples
    --------
    >>> from manyminds.analysis import bayesian_correlated_ttest
    >>> a = [0.82, 0.79, 0.85, 0.80, 0.84]
    >>> b = [0.80, 0.78, 0.80, 0.79, 0.81]
    >>> result = bayesian_correlated_ttest(a, b, rope=0.01, test_share=0.2)
    >>> print(f"{result.a_better:.2f} {result.equivalent:.2f} {result.b_better:.2f}")
    0.86 0.12 0.02
    """
    check_not_negative("rope", rope)
    ratio = compute_test_ratio(test_share, n_train, n_test)
    advantage = differences(*read_pair(a, b)).ravel()
    n = len(advantage)
    if n < 2:
        raise ValueError("a and b must hold two scores or more each; got one.")
    advantage = advantage if higher_is_better else -advantage

    location, df = advantage.mean(), n - 1.0
    if np.all(advantage == advantage[0]):  # the posterior is a single point
        location, scale = advantage[0], 0.0
        above, below = float(location > rope), float(location < -rope)
    else:
        scale = np.sqrt((1.0 / n + ratio) * advantage.var(ddof=1))
        above = stats.t.sf(rope, df, location, scale)
        below = stats.t.cdf(-rope, df, location, scale)
    return BayesianTTestResult(
        float(above),
        float(1.0 - above - below),
        float(below),
        float(rope),
        float(location),
        float(scale),
        df,
    )


@dataclass(frozen=True)
class BayesianSignedRankResult:
    """Probabilities that one of two methods is better over data sets.

    Parameters
    ----------
    a_better, equivalent, b_better : float
        Probabilities that sum to 1: the most frequent outcome on such data sets is an
        advantage of the first method beyond the rope, a difference within it, or an
        advantage of the second.
    rope : float
        Largest difference at which two methods are practically equivalent.
    expected_shares : tuple of three float
        Expected fractions of the three outcomes, in the same order.
    n_samples : int
        Number of draws from the posterior: the probabilities have a standard error
        of at most ``0.5 / sqrt(n_samples)``.
    """

    a_better: float
    equivalent: float
    b_better: float
    rope: float
    expected_shares: tuple[float, float, float]
    n_samples: int


@document_comparison
def bayesian_signed_rank_test(
    a,
    b,
    *,
    rope=0.0,
    prior_strength=0.5,
    prior_location=0.0,
    n_samples=50_000,
    higher_is_better=True,
    random_state=None,
):
    r"""Compute the probability that one method is better over data sets.

    The Bayesian counterpart of Wilcoxon's test [1]_. The differences
    :math:`z_1 ... z_n` and a pseudo-difference :math:`z_0` get random weights w,
    Dirichlet distributed with parameters 1 ... 1 and ``prior_strength``. In one draw of
    the weights,

    .. math:: \theta_a = \sum_{i, j} w_i w_j [z_i + z_j > 2 r]

    is the fraction of pairs of data sets with an advantage of the first method beyond
    the rope r, :math:`\theta_b` that of the second, and the rest are equivalent. The
    probabilities are the frequencies, over all draws, at which each fraction is the
    largest. Without a rope, sums of exactly zero are split equally.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of two methods, one pair per data set.
    {rope}
    prior_strength : float, default=0.5
        Weight of the pseudo-difference; a data set has weight 1.
    prior_location : float, default=0.0
        The pseudo-difference: 0 favors equivalence, a value above the rope the first
        method, a value below its negative the second.
    n_samples : int, default=50_000
        Number of draws.
    {direction}
    random_state : int, RandomState instance or None, default=None
        Determines random number generation.

    Returns
    -------
    result : BayesianSignedRankResult
        Three probabilities.

    Notes
    -----
    The differences are sorted, so that a draw costs a number of additions linear in
    the number of data sets, not quadratic.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar and Zaffalon, "Time for a change: a tutorial for
       comparing multiple classifiers through Bayesian analysis", Journal of Machine
       Learning Research 18, 2017.

    Examples
    --------
    >>> from manyminds.analysis import bayesian_signed_rank_test
    >>> a = [0.84, 0.79, 0.87, 0.80, 0.84, 0.91, 0.75]
    >>> b = [0.80, 0.78, 0.80, 0.79, 0.81, 0.86, 0.76]
    >>> result = bayesian_signed_rank_test(a, b, rope=0.01, random_state=0)
    >>> 0.87 < result.a_better < 0.90 and result.b_better < 0.01
    True
    """
    check_not_negative("rope", rope)
    check_not_negative("prior_strength", prior_strength)
    if not isinstance(n_samples, Integral) or n_samples < 1:
        raise ValueError(f"n_samples must be a count of 1 or more; got {n_samples!r}.")
    a, b = read_pair(a, b)
    if a.ndim != 1:
        raise ValueError(f"a and b must have one dimension; got {a.ndim}.")
    advantage = differences(a, b) if higher_is_better else differences(b, a)

    z = np.append(advantage, prior_location)
    order = np.argsort(z, kind="stable")
    draws = _draw_weights(
        check_random_state(random_state), len(a), prior_strength, int(n_samples)
    )
    won, total = np.zeros(3), np.zeros(3)
    for weights in draws:
        shares = _shares(z[order], weights[:, order], rope)
        best = shares == shares.max(axis=1, keepdims=True)
        won += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
        total += shares.sum(axis=0)
    won, total = (won / n_samples).tolist(), (total / n_samples).tolist()
    return BayesianSignedRankResult(*won, float(rope), tuple(total), int(n_samples))


def _draw_weights(rng, n_datasets, prior_strength, n_samples):
    """Yield blocks of Dirichlet weights, the pseudo-difference's in the last column."""
    at_once = max(1, _DRAWS_AT_ONCE // (n_datasets + 1))
    for start in range(0, n_samples, at_once):
        n_draws = min(at_once, n_samples - start)
        weights = np.empty((n_draws, n_datasets + 1))
        weights[:, :-1] = rng.standard_exponential((n_draws, n_datasets))
        weights[:, -1] = rng.standard_gamma(prior_strength, n_draws)
        yield weights / weights.sum(axis=1, keepdims=True)


def _shares(z, weights, rope):
    """Return the weight of pairs above, within and below the rope in each draw.

    z        (n,)           sorted
    weights  (n_draws, n)   of the same order, rows summing to 1
    """
    # By rounding, two differences at the edge of the rope may add up to slightly more
    # than twice the rope; the edge belongs to the rope.
    slack = 1e-10 * max(rope, np.abs(z).max())
    first_above = np.searchsorted(z, 2.0 * rope - z + slack, side="right")
    end_below = np.searchsorted(z, -2.0 * rope - z - slack, side="left")
    before = np.zeros((len(weights), len(z) + 1))
    np.cumsum(weights, axis=1, out=before[:, 1:])
    below = np.einsum("di,di->d", weights, before[:, end_below])
    above = np.einsum("di,di->d", weights, before[:, -1:] - before[:, first_above])
    within = np.maximum(1.0 - above - below, 0.0)
    if rope == 0:
        above, below, within = above + within / 2, below + within / 2, 0.0 * within
    return np.column_stack([above, within, below])
