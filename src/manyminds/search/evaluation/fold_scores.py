"""Compare pipelines by the scores of the folds that both have."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import t as student

__all__ = ["is_ahead", "keep_finite", "should_prune"]

PRUNING_RATE = 0.05  # probability of pruning a pipeline as good as the incumbent


def should_prune(
    scores: Sequence[float],
    incumbent: Sequence[float],
    false_rate: float = PRUNING_RATE,
) -> bool:
    """Return whether a pipeline is clearly worse than the incumbent on common folds.

    A paired, one-sided t-test. Two or three folds estimate their own variance poorly,
    so the variance of the incumbent's scores counts as two folds more.

    Parameters
    ----------
    scores, incumbent : sequence of float
        Scores of the folds in their order; the incumbent may have more of them.
    false_rate : float, default=0.05
        Probability of pruning a pipeline that is as good as the incumbent.

    Returns
    -------
    prune : bool

    Examples
    --------
    >>> from manyminds.search.evaluation.fold_scores import should_prune
    >>> should_prune([0.70, 0.72], [0.90, 0.91, 0.89])
    True
    >>> should_prune([0.89, 0.90], [0.90, 0.91, 0.89])
    False
    """
    pairs = _pair_finite(scores, incumbent)
    n = len(pairs)
    if n < 2:
        return False
    loss = pairs[:, 1] - pairs[:, 0]
    prior = np.var(keep_finite(incumbent), ddof=1)
    variance = (((loss - loss.mean()) ** 2).sum() + 2.0 * prior) / (n + 1)
    error = np.sqrt(variance / n)
    if error == 0.0:
        return bool(loss.mean() > 0)
    return bool(loss.mean() / error > student.ppf(1.0 - false_rate, n + 1))


def is_ahead(scores: Sequence[float], incumbent: Sequence[float]) -> bool:
    """Return whether a pipeline is better than the incumbent on the folds it has.

    Parameters
    ----------
    scores, incumbent : sequence of float
        Scores of the folds in their order; more is better. NaN where a fold could not
        be scored.

    Returns
    -------
    ahead : bool
        True if there is no incumbent, or no fold in which both have a score.

    Examples
    --------
    >>> from manyminds.search.evaluation.fold_scores import is_ahead
    >>> is_ahead([0.8], [0.3, 0.9, 0.9]), is_ahead([0.2], [0.3, 0.1])
    (True, False)
    """
    pairs = _pair_finite(scores, incumbent)
    return not len(pairs) or bool(sum(ours - theirs for ours, theirs in pairs) > 0.0)


def keep_finite(scores: Sequence[float]) -> list[float]:
    """Return the scores without those of folds that could not be scored."""
    return [float(score) for score in scores if np.isfinite(score)]


def _pair_finite(scores: Sequence[float], incumbent: Sequence[float]) -> np.ndarray:
    """Pair the scores of the folds in which both are finite."""
    pairs = [pair for pair in zip(scores, incumbent) if np.all(np.isfinite(pair))]
    return np.array(pairs, dtype=np.float64).reshape(len(pairs), 2)
