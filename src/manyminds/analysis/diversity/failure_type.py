"""Sharkey and Sharkey's types of joint failures of members."""

from dataclasses import dataclass, field

import numpy as np

from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import read_pair
from manyminds.analysis.diversity.voting import majority_vote

__all__ = ["FailureType", "failure_type"]


@dataclass(frozen=True, eq=False)
class FailureType:
    """Type of diversity of an ensemble.

    Parameters
    ----------
    level : {1, 2, 3, 4}
        1 is best.
    name : {"I", "II", "III", "IV"}
        The level in Roman numerals, as in the paper.
    blocking : ndarray of int
        Samples that prevent the next better type; empty for the best.
    """

    level: int
    name: str
    blocking: np.ndarray = field(repr=False)


@document_measure
def failure_type(y, predictions, *, tie_break="first", random_state=None):
    """Return the type of diversity of an ensemble, and the samples that block a better.

    - Type I: on every sample, at most one member is wrong.
    - Type II: several are wrong on a sample, but the vote is right on every sample.
    - Type III: the vote is wrong on a sample, but some member is right on each.
    - Type IV: on a sample, every member is wrong.

    Selecting members may improve types III and II, but not type IV [1]_.

    Parameters
    ----------
    {pair_predictions}
    tie_break, random_state
        As in `majority_vote`.

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
    >>> found.name, found.blocking
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
