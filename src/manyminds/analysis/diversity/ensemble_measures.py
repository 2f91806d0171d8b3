"""Measures of an ensemble, from the number of correct members per sample."""

import numpy as np

from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import read_correct

__all__ = [
    "coincident_failure_diversity",
    "difficulty",
    "ensemble_coincident_errors",
    "entropy_measure",
    "generalized_diversity",
    "interrater_agreement",
    "kohavi_wolpert_variance",
]


@document_measure
def kohavi_wolpert_variance(y, predictions):
    r"""Compute the variance of being right, averaged over samples.

    .. math:: \frac{1}{N T^2} \sum_i l_i (T - l_i)

    where :math:`l_i` of :math:`T` members get sample :math:`i` right. It is
    :math:`(T - 1) / 2T` times the mean disagreement in being right [1]_.

    Parameters
    ----------
    {pair_predictions}

    Returns
    -------
    variance : float
        Between 0 and 1/4: higher is more diverse.

    {kuncheva}

    Examples
    --------
    >>> from manyminds.analysis.diversity import kohavi_wolpert_variance
    >>> kohavi_wolpert_variance([1, 1], [[1, 1], [1, 0]])
    0.125
    """
    n_right, n_members = _count_right(y, predictions)
    return float(np.mean(n_right * (n_members - n_right)) / n_members**2)


@document_measure
def interrater_agreement(y, predictions):
    r"""Compute the interrater agreement (Fleiss's kappa) of being right.

    .. math:: 1 - \frac{\sum_i l_i (T - l_i)}{N T (T - 1)\, \bar p\, (1 - \bar p)}

    where :math:`\bar p` is the members' mean accuracy.

    Parameters
    ----------
    {as_whole}

    Returns
    -------
    kappa : float
        1 for equal members, 0 for independent ones: lower is more diverse. NaN if all
        members are always right, or always wrong.

    Examples
    --------
    >>> from manyminds.analysis.diversity import interrater_agreement
    >>> interrater_agreement([1, 1], [[1, 0], [1, 0]])
    1.0
    """
    n_right, n_members = _count_right(y, predictions)
    accuracy = n_right.mean() / n_members
    if accuracy in (0.0, 1.0):
        return float("nan")
    split = np.mean(n_right * (n_members - n_right)) / (n_members * (n_members - 1))
    return float(1.0 - split / (accuracy * (1.0 - accuracy)))


@document_measure
def entropy_measure(y, predictions):
    """Average `minority_share` over samples.

    Kuncheva and Whitaker call it an entropy, although it has no logarithm. The mean of
    `vote_entropy` is an entropy with a logarithm.

    Parameters
    ----------
    {as_whole}

    Returns
    -------
    entropy : float
        Between 0 and 1: higher is more diverse.

    Examples
    --------
    >>> from manyminds.analysis.diversity import entropy_measure
    >>> entropy_measure([1, 1], [[1, 1], [1, 0], [1, 0]])
    0.5
    """
    n_right, n_members = _count_right(y, predictions)
    return float(np.minimum(n_right, n_members - n_right).mean() / (n_members // 2))


@document_measure
def difficulty(y, predictions):
    """Compute the variance, over samples, of the fraction of correct members.

    It is large if samples are easy for all members or hard for all members [1]_.

    Parameters
    ----------
    {as_whole}

    Returns
    -------
    variance : float
        Between 0 and 1/4: lower is more diverse.

    References
    ----------
    .. [1] Hansen and Salamon, "Neural network ensembles", IEEE Transactions on Pattern
       Analysis and Machine Intelligence 12, 1990.

    Examples
    --------
    >>> from manyminds.analysis.diversity import difficulty
    >>> difficulty([1, 1], [[1, 0], [1, 0]])
    0.25
    """
    n_right, n_members = _count_right(y, predictions)
    return float(np.var(n_right / n_members))


@document_measure
def generalized_diversity(y, predictions):
    r"""Compute the generalized diversity, from failures of one and of two members.

    .. math::

       1 - \frac{p(2)}{p(1)}, \qquad
       p(1) = \sum_i \frac{i}{T} p_i, \qquad
       p(2) = \sum_i \frac{i (i - 1)}{T (T - 1)} p_i

    where :math:`p_i` is the fraction of samples on which :math:`i` of :math:`T` members
    fail: :math:`p(1)` is the probability that a random member fails, :math:`p(2)` that
    two random members do [1]_.

    Parameters
    ----------
    {as_whole}

    Returns
    -------
    diversity : float
        1 if failures never coincide, 0 if they always do. NaN without failures.

    {partridge}

    Examples
    --------
    >>> from manyminds.analysis.diversity import generalized_diversity
    >>> generalized_diversity([1, 1, 1], [[1, 1, 0], [1, 0, 1]])
    1.0
    """
    n_right, n_members = _count_right(y, predictions)
    n_wrong = n_members - n_right
    if not n_wrong.any():
        return float("nan")
    two_fail = np.mean(n_wrong * (n_wrong - 1)) / (n_members * (n_members - 1))
    return float(1.0 - two_fail / (n_wrong.mean() / n_members))


@document_measure
def coincident_failure_diversity(y, predictions):
    r"""Compute the coincident failure diversity.

    .. math:: \frac{1}{1 - p_0} \sum_{i=1}^{T} \frac{T - i}{T - 1}\, p_i

    and 0 without failures; :math:`p_i` is the fraction of samples on which :math:`i` of
    :math:`T` members fail [1]_.

    Parameters
    ----------
    {as_whole}

    Returns
    -------
    diversity : float
        1 if failures never coincide, 0 if all members always fail together.

    {partridge}

    Examples
    --------
    >>> from manyminds.analysis.diversity import coincident_failure_diversity
    >>> coincident_failure_diversity([1, 1, 1], [[1, 1, 0], [1, 0, 0]])
    0.5
    """
    n_right, n_members = _count_right(y, predictions)
    some_fail = n_right < n_members
    if not some_fail.any():
        return 0.0
    return float(n_right[some_fail].mean() / (n_members - 1))


@document_measure
def ensemble_coincident_errors(y, predictions):
    r"""Compute the coincident errors of all members together.

    .. math:: \frac{T n_0}{N - n_0 - n_1 + T n_0}

    where all members are wrong on :math:`n_0` of :math:`N` samples, and all are right
    on :math:`n_1`. With two members it is `coincident_errors` [1]_.

    Parameters
    ----------
    {as_whole}

    Returns
    -------
    fraction : float
        Between 0 and 1: lower is more diverse. NaN without failures.

    {goebel}

    Examples
    --------
    >>> from manyminds.analysis.diversity import ensemble_coincident_errors
    >>> ensemble_coincident_errors([1, 1, 1], [[1, 0, 0], [1, 1, 0], [1, 1, 0]])
    0.75
    """
    n_right, n_members = _count_right(y, predictions)
    n_none = np.count_nonzero(n_right == 0)
    n_some = np.count_nonzero(n_right < n_members) - n_none
    shared = n_members * n_none
    return float(shared / (n_some + shared)) if n_some + shared else float("nan")


def _count_right(y, predictions):
    """Return the number of correct members per sample, and of all members."""
    correct = read_correct(y, predictions)
    return np.count_nonzero(correct, axis=0), len(correct)
