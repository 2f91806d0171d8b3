"""How probable it is that one method is better, or that it makes no odds."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from scipy import stats
from sklearn.utils import check_random_state

from manyminds.analysis.comparison._checks import (
    check_not_negative,
    differences,
    read_pair,
)
from manyminds.analysis.comparison.resampled import ratio_of_test_rows

__all__ = [
    "BayesianSignedRankResult",
    "BayesianTTestResult",
    "bayesian_correlated_ttest",
    "bayesian_signed_rank_test",
]

# Numbers drawn at once: enough to make loops cheap, few enough for the cache.
_DRAWS_AT_ONCE = 2**18


@dataclass(frozen=True)
class BayesianTTestResult:
    """Posterior of the mean difference of two methods on one data set.

    Parameters
    ----------
    a_better, equivalent, b_better : float
        Probabilities that sum to 1: the first method is better by more than the
        rope, neither is, the second is.
    rope : float
        Difference up to which methods count as equivalent.
    location, scale, df : float
        The posterior of the first method's advantage: Student's distribution with
        ``df`` degrees of freedom, moved and scaled.
    """

    a_better: float
    equivalent: float
    b_better: float
    rope: float
    location: float
    scale: float
    df: float


def bayesian_correlated_ttest(
    a, b, *, rope=0.0, test_share=None, n_train=None, n_test=None, higher_is_better=True
):
    r"""Find how probable it is that one method is better on one data set.

    The Bayesian twin of `corrected_resampled_ttest`: scores of n folds are normal
    with correlation :math:`\rho = n_{test} / (n_{test} + n_{train})`, and with a flat
    prior the mean difference is, afterwards, Student's with n - 1 degrees of freedom
    about the mean :math:`\bar d`, with scale
    :math:`\sqrt{(1 / n + \rho / (1 - \rho)) s^2}` [1]_.

    Parameters
    ----------
    a, b : array-like of shape (n_folds,) or (n_repeats, n_splits)
        Scores of two methods on the same folds.
    rope : float, default=0.0
        Difference up to which methods are equivalent in practice.
    test_share : float, default=None
        Share of the rows that each fold tests on: 0.1 in ten-fold
        cross-validation. Give this, or ``n_train`` and ``n_test``.
    n_train, n_test : float, default=None
        Rows trained and tested on in each fold.
    higher_is_better : bool, default=True
        Whether higher or lower scores are better.

    Returns
    -------
    result : BayesianTTestResult
        Three probabilities, and the posterior they come from.

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
    ratio = ratio_of_test_rows(test_share, n_train, n_test)
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
    """Which method is better over data sets, with what probability.

    Parameters
    ----------
    a_better, equivalent, b_better : float
        Probabilities that sum to 1: that among data sets like these, advantages of
        the first method beyond the rope, or differences within it, or advantages of
        the second, are the most frequent kind.
    rope : float
        Difference up to which methods count as equivalent.
    expected_shares : tuple of three float
        Expected shares of the three kinds, in the same order.
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


def bayesian_signed_rank_test(
    a,
    b,
    *,
    rope=0.0,
    prior_strength=0.5,
    prior_place=0.0,
    n_samples=50_000,
    higher_is_better=True,
    random_state=None,
):
    r"""Find how probable it is that one method is better over data sets.

    The Bayesian twin of Wilcoxon's test [1]_. The differences :math:`z_1 ... z_n`
    and a pseudo-difference :math:`z_0` get random weights w, Dirichlet distributed
    with parameters 1 ... 1 and ``prior_strength``. One draw of the weights says that

    .. math:: \theta_a = \sum_{i, j} w_i w_j [z_i + z_j > 2 r]

    of the pairs of data sets show an advantage of the first method beyond the rope r,
    likewise :math:`\theta_b` of the second, and the rest neither. Counted is which
    share is the largest, over all draws. Without a rope, sums of exactly zero go to
    both sides in equal parts.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of two methods, one pair per data set.
    rope : float, default=0.0
        Difference up to which methods are equivalent in practice.
    prior_strength : float, default=0.5
        Weight of the pseudo-difference; a data set has weight 1.
    prior_place : float, default=0.0
        The pseudo-difference: 0 is in favor of equality, beyond the rope in favor
        of the first method, below its negative of the second.
    n_samples : int, default=50_000
        Number of draws.
    higher_is_better : bool, default=True
        Whether higher or lower scores are better.
    random_state : int, RandomState instance or None, default=None
        Makes the draws repeatable.

    Returns
    -------
    result : BayesianSignedRankResult
        Three probabilities.

    Notes
    -----
    With sorted differences, the j that go with an i are all those from a place on,
    so that a draw costs additions in the number of data sets, not in its square.

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

    z = np.append(advantage, prior_place)
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
    """Return each draw's weight of pairs above, within and below the rope.

    z        (n,)           sorted
    weights  (n_draws, n)   of the same order, rows summing to 1
    """
    # Two differences at the rope's edge may add up to a little more than twice the
    # rope by rounding; the edge belongs to the rope.
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
