"""Quantiles of conformity scores, with the correction for few rows."""

from math import ceil

import numpy as np

from manyminds.utils.errors import ParameterError

__all__ = ["check_level", "find_quantile", "shorten"]

MAX_SCORES = 2_000  # stored; the rank of a quantile then errs by 0.0005 at most


def check_level(level):
    """Raise unless a level is between 0 and 1; return it as a float."""
    if not 0.0 < float(level) < 1.0:
        raise ParameterError("level", level, "between 0 and 1, such as 0.9")
    return float(level)


def shorten(scores, weight=None, max_scores=MAX_SCORES):
    """Sort scores, and replace many of them, or weighted ones, by their quantiles.

    Quantiles are rounded up to a score that occurs, so that coverage is not lost.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
    weight : ndarray of shape (n_samples,) or None, default=None
        Weights of the scores.
    max_scores : int, default=2000

    Returns
    -------
    scores : ndarray of shape (min(n_samples, max_scores),)
        Sorted.
    """
    order = np.argsort(scores, kind="stable")
    scores = scores[order]
    if weight is None and len(scores) <= max_scores:
        return scores
    weight = np.ones(len(scores)) if weight is None else weight[order]
    reached = np.cumsum(weight) / weight.sum()
    n_kept = min(len(scores), max_scores)
    wanted = np.arange(1, n_kept + 1) / n_kept
    places = np.searchsorted(reached, wanted - 1e-9)
    return scores[np.minimum(places, len(scores) - 1)]


def find_quantile(scores, level):
    """Return the score of rank ``ceil((n + 1) * level)``; infinity beyond the last.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
        Sorted.
    level : float

    Returns
    -------
    quantile : float

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.conformal.quantiles import find_quantile
    >>> find_quantile(np.arange(1.0, 10.0), 0.8), find_quantile(np.arange(3.0), 0.8)
    (8.0, inf)
    """
    # Rounded first: a product such as 3 * 0.1 may be too large in the last digit.
    rank = ceil(round((len(scores) + 1) * level, 9))
    return float(scores[rank - 1]) if rank <= len(scores) else np.inf
