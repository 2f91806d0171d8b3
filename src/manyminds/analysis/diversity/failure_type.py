"""Sharkey and Sharkey's types: how bad it can get when members fail together."""

from dataclasses import dataclass, field

import numpy as np

from manyminds.analysis.diversity._reading import read_pair
from manyminds.analysis.diversity.voting import majority_vote

__all__ = ["FailureType", "failure_type"]


@dataclass(frozen=True, eq=False)
class FailureType:
    """Which type of diversity an ensemble has.

    Parameters
    ----------
    level : {1, 2, 3, 4}
        1 is best.
    name : {"I", "II", "III", "IV"}
        The same in the paper's numerals.
    in_the_way : ndarray of int
        Samples that keep the ensemble from the next better type; none for the best.
    """

    level: int
    name: str
    in_the_way: np.ndarray = field(repr=False)


def failure_type(y, predictions, *, tie_break="first", random_state=None):
    """Return which type of diversity an ensemble has, and which samples stand in the way.

    - Type I: on every sample, at most one member is wrong.
    - Type II: some are wrong together, but the vote is right on every sample.
    - Type III: the vote is wrong on some sample, but some member is right on each.
    - Type IV: on some sample, every member is wrong.

    Choosing among the members may lift a type III or II, but never a type IV [1]_.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    predictions : array-like of shape (n_members, n_samples)
        What each member predicts, such as ``predict_all`` gives; two members or more.
    tie_break, random_state
        Of the vote, as in `majority_vote`.

    Returns
    -------
    found : FailureType

    References
    ----------
    .. [1] Sharkey and Sharkey, "Combining diverse neural nets", The Knowledge
       Engineering Review 12, 1997.

    Examples
    --------
    >>> from manyminds.analysis.diversity import failure_type
    >>> failure_type([1, 1, 1], [[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    FailureType(level=1, name='I')
    >>> found = failure_type([1, 1, 1], [[1, 0, 0], [1, 0, 1], [1, 1, 1]])
    >>> found.name, found.in_the_way
    ('III', array([1]))
    """
    y, predictions = read_pair(y, predictions)
    vote = majority_vote(predictions, tie_break=tie_break, random_state=random_state)
    n_wrong = np.count_nonzero(predictions != y, axis=0)
    many_wrong = n_wrong > 1
    if (n_wrong == len(predictions)).any():
        return FailureType(4, "IV", np.flatnonzero(n_wrong == len(predictions)))
    if many_wrong.any() and (vote != y).any():
        return FailureType(3, "III", np.flatnonzero(vote != y))
    if many_wrong.any():
        return FailureType(2, "II", np.flatnonzero(many_wrong))
    return FailureType(1, "I", np.flatnonzero(many_wrong))
