"""Decide how long a chain may take, and whether one that takes longer goes on."""

from collections.abc import Sequence

import numpy as np

from manyminds.search.evaluation.evaluating import Evaluation

__all__ = ["count_refit_seconds", "count_seconds_to_finish", "is_ahead", "share_time"]

MIN_LIMIT = 3.0  # seconds that every trial may take
SHARE_OF_BUDGET = 0.15  # that a single trial may take without being ahead


def share_time(seconds: float, n_workers: int) -> float:
    """Return the seconds that a chain may take, whatever its scores are.

    Parameters
    ----------
    seconds : float
        Of the whole search; may be infinite.
    n_workers : int

    Returns
    -------
    limit : float

    Examples
    --------
    >>> from manyminds.search.study.scheduling import share_time
    >>> share_time(40.0, 2)
    6.0
    """
    return max(MIN_LIMIT, SHARE_OF_BUDGET * seconds * max(1, n_workers) / 2)


def is_ahead(scores: Sequence[float], incumbent: Sequence[float]) -> bool:
    """Check whether a chain is better than the incumbent on the folds that it has.

    Parameters
    ----------
    scores, incumbent : sequence of float
        Scores of the folds in their order; more is better. NaN: not to be scored.

    Returns
    -------
    ahead : bool
        Also if there is no incumbent, or no fold that both have a score of.

    Examples
    --------
    >>> from manyminds.search.study.scheduling import is_ahead
    >>> is_ahead([0.8], [0.3, 0.9, 0.9]), is_ahead([0.2], [0.3, 0.1])
    (True, False)
    """
    both = [pair for pair in zip(scores, incumbent) if np.all(np.isfinite(pair))]
    return not both or sum(ours - theirs for ours, theirs in both) > 0.0


def count_refit_seconds(fit_seconds: float, n_folds: int) -> float:
    """Return the seconds of a fit to all rows, by those of fits outside folds."""
    return fit_seconds * n_folds / max(1, n_folds - 1)


def count_seconds_to_finish(found: Evaluation, n_folds: int, reserve: float) -> float:
    """Return the seconds that an evaluation that has been begun still takes.

    Parameters
    ----------
    found : Evaluation
        With at least one fold.
    n_folds : int
    reserve : float
        Seconds that are there for the fit to all rows: what it takes beyond them
        counts as well.

    Returns
    -------
    seconds : float
    """
    n_done = len(found.fold_scores)
    folds = found.seconds / n_done * (n_folds - n_done)
    refit = count_refit_seconds(found.fit_seconds, n_folds)
    return folds + max(0.0, refit - reserve)
