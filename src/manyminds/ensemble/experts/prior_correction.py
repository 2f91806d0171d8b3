"""Correct probabilities for shares of classes that differ from the population's."""

import numpy as np

__all__ = ["correct_priors"]


def correct_priors(p, population, sample, how="king-zeng"):
    r"""Move probabilities from the priors of a sample to those of the population.

    The score of class k gets :math:`\log(\tau_k / \pi_k)`, with the prior
    :math:`\tau` of the population and :math:`\pi` of the sample; for two classes, this
    is King and Zeng's correction of the intercept [1]_. ``"paper-run"`` subtracts it
    instead.

    Parameters
    ----------
    p : ndarray of shape (n_samples, n_classes)
        Probabilities.
    population, sample : ndarray of shape (n_classes,)
        Priors. Classes that the sample lacks keep their probabilities of 0.
    how : {"none", "king-zeng", "paper-run"}, default="king-zeng"
        Which correction.

    Returns
    -------
    p : ndarray of shape (n_samples, n_classes)

    References
    ----------
    .. [1] King and Zeng, "Logistic regression in rare events data", Political Analysis
       9, 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.experts.prior_correction import correct_priors
    >>> p = np.array([[0.5, 0.5]])
    >>> correct_priors(p, np.array([0.9, 0.1]), np.array([0.5, 0.5]))
    array([[0.9, 0.1]])
    """
    is_seen = sample > 0.0
    if how == "none" or np.count_nonzero(is_seen) < 2:
        return p
    factor = np.where(is_seen, population, 0.0) / np.where(is_seen, sample, 1.0)
    if how == "paper-run":
        factor = np.divide(1.0, factor, out=np.zeros_like(factor), where=is_seen)
    moved = p * factor
    total = moved.sum(axis=1, keepdims=True)
    return np.divide(moved, total, out=p.copy(), where=total > 0.0)
