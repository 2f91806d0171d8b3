"""Votes on a row: their likelihood under random voting, and weights of the row."""

import numpy as np
from scipy.stats import binom

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite

__all__ = [
    "ambiguity",
    "boost_by_majority_weights",
    "class_free_weights",
    "flag_negative_margins",
    "inclusion_probability",
    "majority_accuracy",
    "required_weight",
]


@fill_docstring(references=cite(f"{ROGERS_2007}, chapter 4"))
def ambiguity(n_right, n_votes, *, kind="w1"):
    r"""Return the likelihood of votes that are each the toss of a coin.

    With :math:`m` the smaller of the numbers of right and wrong votes among :math:`t`,

    .. math::

       W_1 = 2^{-t} \sum_{j=0}^{m} {t \choose j},  \qquad  W_2 = 2^{-t} {t \choose m}

    as in [1]_: large where the votes are divided, small where they agree, whether they
    are right or not. The first is the tail of a sign test of the margin.

    Parameters
    ----------
    n_right : array-like of int
        Right votes of each row.
    n_votes : array-like of int
        All votes of each row.
    kind : {"w1", "w2"}, default="w1"
        The tail, or the single outcome.

    Returns
    -------
    likelihood : ndarray
        Between 0 and 1. For thousands of votes that agree it becomes 0 without harm.

    {references}

    Examples
    --------
    >>> from manyminds.ensemble.boosting.vote_weights import ambiguity
    >>> ambiguity([0, 1, 2, 3], 3)
    array([0.125, 0.5  , 0.5  , 0.125])
    >>> ambiguity([0, 1, 2, 3], 3, kind="w2")
    array([0.125, 0.375, 0.375, 0.125])
    """
    return np.exp(log_ambiguity(n_right, n_votes, kind=kind))


def log_ambiguity(n_right, n_votes, *, kind="w1"):
    """Return the logarithm of `ambiguity`, also where that is too small for a float."""
    if kind not in ("w1", "w2"):
        raise ValueError(f"kind must be 'w1' or 'w2'; got {kind!r}.")
    n_right, n_votes = np.asarray(n_right), np.asarray(n_votes)
    smaller = np.minimum(n_right, n_votes - n_right)
    single = binom.logpmf(smaller, n_votes, 0.5)
    if kind == "w2":
        return single
    # So far out that the tail underflows, its terms shrink like a geometric series.
    series = np.log((n_votes - smaller + 1.0) / (n_votes - 2.0 * smaller + 1.0))
    tail = binom.cdf(smaller, n_votes, 0.5)
    return np.where(tail > 1e-300, np.log(np.maximum(tail, 1e-300)), single + series)


def flag_negative_margins(n_right, n_votes, *, level=0.05):
    """Flag rows that are voted wrong more often than random variation explains.

    Parameters
    ----------
    n_right : array-like of int
        Right votes of each row.
    n_votes : array-like of int
        All votes of each row.
    level : float, default=0.05
        Largest likelihood, by the sign test, that a row that most learners would get
        right has so few right votes.

    Returns
    -------
    is_negative : ndarray of bool
        True for a row with a significantly negative margin: an outlier.

    Examples
    --------
    >>> from manyminds.ensemble.boosting.vote_weights import flag_negative_margins
    >>> flag_negative_margins([0, 4, 5, 10], 10)
    array([ True, False, False, False])
    """
    n_right, n_votes = np.asarray(n_right), np.asarray(n_votes)
    is_negative = 2 * n_right < n_votes
    return is_negative & (ambiguity(n_right, n_votes) <= level)


def majority_accuracy(p, n_votes):
    """Return the accuracy of the majority if each vote is right with probability p.

    Parameters
    ----------
    p : array-like of float
        Probability that a single learner is right.
    n_votes : int
        Size of the ensemble; a tie counts as right.

    Returns
    -------
    accuracy : ndarray

    Examples
    --------
    >>> from manyminds.ensemble.boosting.vote_weights import majority_accuracy
    >>> print(round(float(majority_accuracy(0.6, 3)), 3))
    0.648
    """
    return binom.sf(np.ceil(n_votes / 2) - 1, n_votes, np.asarray(p))


def class_free_weights(scores):
    """Weigh rows by AdaBoost's rule without the class: most weight to close votes.

    Parameters
    ----------
    scores : array-like of shape (n_samples, n_classes)
        Sum of the members' weights that each class has got.

    Returns
    -------
    weights : ndarray of shape (n_samples,)
        ``exp(-margin)``, where the margin is between the two leading classes; the
        largest is 1.

    Examples
    --------
    >>> from manyminds.ensemble.boosting.vote_weights import class_free_weights
    >>> class_free_weights([[1.0, 1.0], [0.0, 2.0]])
    array([1.        , 0.13533528])
    """
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape[1] < 2:
        return np.ones(len(scores))
    two = np.sort(scores, axis=1)[:, -2:]
    margin = two[:, 1] - two[:, 0]
    return np.exp(margin.min() - margin)


def boost_by_majority_weights(n_right, n_cast, n_votes, edge):
    r"""Weigh rows by the probability that remaining votes leave them one vote short.

    After :math:`t` of :math:`T` votes, of which :math:`h` were right, with learners
    that are right with probability :math:`1/2 + \tau`, the weight is [1]_

    .. math::

       {T - t - 1 \choose \lfloor T/2 \rfloor - h}
       (1/2 + \tau)^{\lfloor T/2 \rfloor - h}
       (1/2 - \tau)^{\lceil T/2 \rceil - t - 1 + h}

    Parameters
    ----------
    n_right : array-like of int
        Right votes of each row so far.
    n_cast : int
        Votes cast so far, less than ``n_votes``.
    n_votes : int
        Size that the ensemble will have.
    edge : float
        Accuracy of every learner above 1/2, between 0 and 1/2.

    Returns
    -------
    weights : ndarray
        0 for rows that no remaining votes can change.

    References
    ----------
    .. [1] Freund, "Boosting a weak learning algorithm by majority", Information and
       Computation 121, 1995.

    Examples
    --------
    Before the last of three votes, only a row with one right vote is open.

    >>> from manyminds.ensemble.boosting.vote_weights import boost_by_majority_weights
    >>> boost_by_majority_weights([0, 1, 2], 2, 3, edge=0.1)
    array([0., 1., 0.])
    """
    if not 0 <= n_cast < n_votes:
        raise ValueError(
            f"n_cast={n_cast} must be from 0 to n_votes - 1 = {n_votes - 1}."
        )
    n_left = n_votes - n_cast - 1
    short = n_votes // 2 - np.asarray(n_right)
    return np.where(
        (short >= 0) & (short <= n_left), binom.pmf(short, n_left, 0.5 + edge), 0.0
    )


def inclusion_probability(share, n_draws):
    """Return the probability that a row is drawn at all, with replacement.

    Parameters
    ----------
    share : array-like of float
        The row's share of all weight.
    n_draws : int
        Number of draws.

    Returns
    -------
    probability : ndarray

    Examples
    --------
    >>> from manyminds.ensemble.boosting.vote_weights import inclusion_probability
    >>> print(round(float(inclusion_probability(1 / 100, 100)), 3))
    0.634
    """
    return -np.expm1(n_draws * np.log1p(-np.asarray(share, dtype=np.float64)))


@fill_docstring(references=cite(f"{ROGERS_2007}, chapter 4"))
def required_weight(p_in, p_out, n_draws):
    r"""Return the share of the weight at which most learners get a row right.

    A learner gets the row right with probability :math:`P_1` if it was drawn and
    :math:`P_2` if not. To be above one half on the whole, it must be drawn with
    probability :math:`r = (1/2 - P_2) / (P_1 - P_2)`, for which
    :math:`1 - (1 - r)^{1/N}` of the weight is enough [1]_.

    Parameters
    ----------
    p_in, p_out : array-like of float
        How often the row is right among learners that drew it, and among the others:
        shares of in-bag and out-of-bag votes estimate them.
    n_draws : int
        Size of a sample.

    Returns
    -------
    share : ndarray
        0 for a row that is right without being drawn; infinite if no weight is
        enough, which marks an outlier.

    {references}

    Examples
    --------
    >>> from manyminds.ensemble.boosting.vote_weights import required_weight
    >>> required_weight([0.9, 0.9, 0.4], [0.6, 0.1, 0.2], 1)
    array([0. , 0.5, inf])
    """
    p_in, p_out = np.broadcast_arrays(
        np.asarray(p_in, dtype=np.float64), np.asarray(p_out, dtype=np.float64)
    )
    needed = np.full(p_in.shape, np.inf)
    needed[p_out > 0.5] = 0.0
    helps = (p_out <= 0.5) & (p_in > 0.5)
    r = (0.5 - p_out[helps]) / (p_in[helps] - p_out[helps])
    needed[helps] = -np.expm1(np.log1p(-r) / n_draws)
    return needed
