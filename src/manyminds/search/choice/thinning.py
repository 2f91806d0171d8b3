"""Make committees smaller: drop members that are not missed, or that take too long."""

from collections.abc import Callable
from typing import Any

import numpy as np

from manyminds.search.choice.simplex import Losses

__all__ = ["drop_slow", "drop_spare", "trim_weights"]

MIN_WEIGHT = 0.02
MAX_MEMBERS = 12  # pipelines in a committee
MIN_ERRORS = 0.25  # standard errors by which a loss must rise to be measurable
ROUNDING = 1e-7


def trim_weights(weights: np.ndarray) -> np.ndarray:
    """Drop members of little weight, and those beyond the largest committee."""
    weights = np.where(weights < MIN_WEIGHT, 0.0, weights)
    order = np.argsort(-weights, kind="stable")
    weights[order[MAX_MEMBERS:]] = 0.0
    return np.asarray(weights / weights.sum())


def drop_spare(weights: np.ndarray, losses: Losses) -> np.ndarray:
    """Drop members without which the loss does not rise measurably.

    One after the other, the member is dropped without which the loss is least, and the
    others are weighed again. This ends where the loss would exceed that of the whole
    committee by more than a quarter of the standard error of the difference over rows.

    Parameters
    ----------
    weights : ndarray of shape (n_models,)
        They sum to 1.
    losses : Losses
        On the rows that made the weights.

    Returns
    -------
    weights : ndarray of shape (n_models,)
    """
    whole = losses.of_rows(weights)
    while np.count_nonzero(weights) > 1:
        members = np.flatnonzero(weights)
        fewer = [_leave_out(weights, member) for member in members]
        rises = [losses.counts @ (losses.of_rows(one) - whole) for one in fewer]
        left = np.delete(members, int(np.argmin(rises)))
        smaller = losses.minimize(left)
        if _is_measurable(losses.of_rows(smaller) - whole, losses):
            break
        weights = smaller
    return weights


def drop_slow(
    weights: np.ndarray,
    seconds: np.ndarray,
    limit: float,
    weigh: Callable[[np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:
    """Drop members until the rest predicts a row in ``limit`` seconds.

    The member that takes the most seconds for its weight is the first to go; the last
    one stays.

    Parameters
    ----------
    weights : ndarray of shape (n_models,)
        They sum to 1.
    seconds : ndarray of shape (n_models,)
        That each model takes to predict a row.
    limit : float
    weigh : callable or None, default=None
        Returns new weights of the models that have not been dropped; None: those that
        are left keep their shares.

    Returns
    -------
    weights : ndarray of shape (n_models,)
    """
    left = np.arange(len(weights))
    while np.count_nonzero(weights) > 1 and seconds[weights > 0].sum() > limit:
        members = np.flatnonzero(weights)
        slowest = members[np.argmax(seconds[members] / weights[members])]
        left = left[left != slowest]
        weights = _leave_out(weights, slowest) if weigh is None else weigh(left)
    return weights


def _leave_out(weights: np.ndarray, member: Any) -> np.ndarray:
    others = np.where(np.arange(len(weights)) == member, 0.0, weights)
    return np.asarray(others / others.sum())


def _is_measurable(rises: np.ndarray, losses: Losses) -> bool:
    """Return whether the mean rise of the loss is clear of its standard error."""
    mean = losses.counts @ rises
    variance = losses.counts @ (rises - mean) ** 2
    return bool(mean > MIN_ERRORS * np.sqrt(variance / losses.n_rows) + ROUNDING)
