"""Measures of diversity per sample, from the votes of all members."""

import numpy as np
from scipy.special import entr

from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import (
    encode_labels,
    read_correct,
    read_predictions,
)
from manyminds.analysis.diversity.voting import count_votes

__all__ = ["ensemble_confidence", "minority_share", "vote_entropy"]


@document_measure
def vote_entropy(predictions):
    r"""Compute the entropy of the votes on each sample, in bits.

    .. math:: -\sum_c s_c \log_2 s_c

    where :math:`s_c` is the fraction of members that predict :math:`c` [1]_. It does
    not need the true labels.

    Parameters
    ----------
    {predictions}

    Returns
    -------
    entropy : ndarray of shape (n_samples,)
        0 if all members agree, 1 if two labels have half of the votes each.

    References
    ----------
    .. [1] Cunningham and Carney, "Diversity versus quality in classification ensembles
       based on feature selection", ECML, 2000.

    Examples
    --------
    >>> from manyminds.analysis.diversity import vote_entropy
    >>> vote_entropy([["a", "a"], ["a", "b"]])
    array([0., 1.])
    """
    return entropy_of_votes(_votes(predictions))


@document_measure
def minority_share(y, predictions):
    r"""Compute the normalized size of the minority among right and wrong members.

    .. math:: \frac{\min(l, T - l)}{\lfloor T / 2 \rfloor}

    where :math:`l` of :math:`T` members are right [1]_.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels. For two classes the result does not depend on them.
    predictions : array-like of shape (n_members, n_samples)
        Predictions of two members or more.

    Returns
    -------
    share : ndarray of shape (n_samples,)
        Between 0, all right or all wrong, and 1, an even split.

    {kuncheva}

    Examples
    --------
    >>> from manyminds.analysis.diversity import minority_share
    >>> minority_share([1, 1], [[1, 1], [1, 0], [1, 0]])
    array([0., 1.])
    """
    correct = read_correct(y, predictions)
    n_right = np.count_nonzero(correct, axis=0)
    return np.minimum(n_right, len(correct) - n_right) / (len(correct) // 2)


@document_measure
def ensemble_confidence(predictions):
    """Return the lead of the winning label over the second, in votes.

    For two classes encoded as -1 and 1 it is the absolute sum of the votes. Then
    `minority_share` is ``(n_members - lead) / (2 * (n_members // 2))``.

    Parameters
    ----------
    {predictions}

    Returns
    -------
    lead : ndarray of int of shape (n_samples,)
        Between 0, a tie, and the number of members.

    Examples
    --------
    >>> from manyminds.analysis.diversity import ensemble_confidence
    >>> ensemble_confidence([[1, 1], [1, -1], [1, -1]])
    array([3, 1])
    """
    votes = _votes(predictions)
    if votes.shape[1] == 1:
        return votes[:, 0]
    ranked = np.partition(votes, votes.shape[1] - 2, axis=1)
    return ranked[:, -1] - ranked[:, -2]


def entropy_of_votes(votes):
    """Return the entropy, in bits, of votes of shape (n_samples, n_classes)."""
    return entr(votes / votes.sum(axis=1, keepdims=True)).sum(axis=1) / np.log(2.0)


def _votes(predictions):
    predictions = read_predictions(predictions, min_members=1)
    classes, codes, _ = encode_labels(predictions)
    return count_votes(codes, len(classes))
