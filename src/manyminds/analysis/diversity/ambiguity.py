"""Ambiguity: the variance of members around their ensemble."""

from dataclasses import dataclass, field

import numpy as np
from sklearn.utils import column_or_1d

from manyminds.analysis._checks import read_scores
from manyminds.analysis.diversity._reading import (
    read_pair,
    read_predictions,
    row_blocks,
)
from manyminds.analysis.diversity.voting import majority_vote

__all__ = [
    "AmbiguityDecomposition",
    "decompose_ambiguity",
    "member_ambiguity",
    "sample_ambiguity",
]


@dataclass(frozen=True, eq=False)
class AmbiguityDecomposition:
    """Squared error of an ensemble: that of its members minus their ambiguity.

    Parameters
    ----------
    ensemble_error : float
        Mean squared error of the weighted mean of the members.
    member_error : float
        Weighted mean of the members' mean squared errors.
    ambiguity : float
        Weighted mean squared difference of members and ensemble.
    sample_ambiguity : ndarray of shape (n_samples,)
        Ambiguity of each sample.
    """

    ensemble_error: float
    member_error: float
    ambiguity: float
    sample_ambiguity: np.ndarray = field(repr=False)


def decompose_ambiguity(y, predictions, *, weights=None):
    r"""Split an averaging ensemble's squared error into members' error and ambiguity.

    With :math:`H = \sum_t \alpha_t h_t`, on every sample and on average [1]_

    .. math::

       (H - y)^2 = \sum_t \alpha_t (h_t - y)^2 - \sum_t \alpha_t (h_t - H)^2 .

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True targets.
    predictions : array-like of shape (n_members, n_samples)
        Numeric predictions of each member, such as those of ``predict_all``.
    weights : array-like of shape (n_members,), default=None
        Non-negative weights of the members, normalized; by default equal.

    Returns
    -------
    result : AmbiguityDecomposition

    References
    ----------
    .. [1] Krogh and Vedelsby, "Neural network ensembles, cross validation, and active
       learning", NIPS 7, 1995.

    Examples
    --------
    >>> from manyminds.analysis.diversity import decompose_ambiguity
    >>> decompose_ambiguity([0.0, 0.0], [[1.0, 3.0], [-1.0, 1.0]])
    AmbiguityDecomposition(ensemble_error=2.0, member_error=3.0, ambiguity=1.0)
    """
    predictions, weights = _read_numbers(predictions, weights)
    y = column_or_1d(read_scores("y", y))
    if len(y) != predictions.shape[1]:
        raise ValueError(
            f"y must have one target for each of the {predictions.shape[1]} columns of "
            f"predictions; got {len(y)}."
        )
    around_mean, mean = _spread(predictions, weights)
    around_y, _ = _spread(predictions, weights, y)
    return AmbiguityDecomposition(
        float(np.mean((mean - y) ** 2)),
        float(around_y.mean()),
        float(around_mean.mean()),
        around_mean,
    )


def sample_ambiguity(predictions, *, weights=None):
    r"""Compute the variance of members around their ensemble on each sample.

    .. math:: a(x) = \sum_t \alpha_t (h_t(x) - H(x))^2, \qquad
              H(x) = \sum_t \alpha_t h_t(x)

    Parameters
    ----------
    predictions : array-like of shape (n_members, n_samples)
        Numeric predictions of each member: targets, or scores of a class.
    weights : array-like of shape (n_members,), default=None
        As in `decompose_ambiguity`.

    Returns
    -------
    ambiguity : ndarray of shape (n_samples,)
        0 if all members agree.

    Examples
    --------
    >>> from manyminds.analysis.diversity import sample_ambiguity
    >>> sample_ambiguity([[1.0, 3.0], [1.0, 1.0]])
    array([0., 1.])
    """
    return _spread(*_read_numbers(predictions, weights))[0]


def member_ambiguity(predictions, *, vote=None, tie_break="first", random_state=None):
    """Compute the fraction of samples on which each member differs from the ensemble.

    It is a criterion for adding or removing members; its mean over members is the
    ensemble's ambiguity [1]_.

    Parameters
    ----------
    predictions : array-like of shape (n_members, n_samples)
        Labels predicted by each member, such as those of ``predict_all``.
    vote : array-like of shape (n_samples,), default=None
        Prediction of the ensemble; by default the majority vote of these members.
    tie_break, random_state
        As in `majority_vote`.

    Returns
    -------
    ambiguity : ndarray of shape (n_members,)
        Between 0 and 1.

    References
    ----------
    .. [1] Zenobi and Cunningham, "Using diversity in preparing ensembles of classifiers
       based on different feature subsets to minimize generalization error", ECML,
       2001.

    Examples
    --------
    >>> from manyminds.analysis.diversity import member_ambiguity
    >>> member_ambiguity([["a", "a"], ["a", "b"], ["a", "b"]])
    array([0.5, 0. , 0. ])
    """
    if vote is None:
        vote = majority_vote(
            predictions, tie_break=tie_break, random_state=random_state
        )
    vote, predictions = read_pair(vote, predictions, min_members=1)
    return np.mean(predictions != vote, axis=1)


def _read_numbers(predictions, weights):
    predictions = read_predictions(predictions, min_members=1)
    predictions = read_scores("predictions", predictions)
    n_members = len(predictions)
    if weights is None:
        return predictions, np.full(n_members, 1.0 / n_members)
    weights = read_scores("weights", weights)
    if weights.shape != (n_members,) or weights.min() < 0.0 or weights.sum() == 0.0:
        raise ValueError(
            f"weights must be {n_members} numbers of 0 or more, one per member, not "
            f"all 0; got {weights.tolist()}."
        )
    return predictions, weights / weights.sum()


def _spread(predictions, weights, center=None):
    """Return weighted mean squares around a center or the mean; and the mean."""
    mean = weights @ predictions
    center = mean if center is None else center
    spread = np.empty(len(mean))
    for block in row_blocks(*predictions.shape, n_values=2**20):
        spread[block] = weights @ (predictions[:, block] - center[block]) ** 2
    return spread, mean
