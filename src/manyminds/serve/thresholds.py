"""Decisions by a threshold on the probability of a class, and what they cost."""

from dataclasses import dataclass

import numpy as np

from manyminds.serve.measures import LabelPredictions, Predictions, normalize

__all__ = ["N_STEPS", "Decision", "ThresholdTable", "count_by_threshold", "decide"]

N_STEPS = 200


@dataclass(frozen=True)
class ThresholdTable:
    """Counts of the decisions at each threshold from 0 to 1.

    Parameters
    ----------
    label : str
        The class or label that a row is predicted to have from the threshold on.
    n_with, n_without : int
        Rows that have the class, and those that do not.
    true_positives, false_positives : tuple of int
        At thresholds of 0, 1/200, 2/200, and so on to 1.
    """

    label: str
    n_with: int
    n_without: int
    true_positives: tuple[int, ...]
    false_positives: tuple[int, ...]


@dataclass(frozen=True)
class Decision:
    """A confusion matrix of two classes, and what its errors cost.

    Parameters
    ----------
    threshold : float
    true_positives, false_positives, false_negatives, true_negatives : int
    cost : float
        Of all errors.
    """

    threshold: float
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    cost: float


def count_by_threshold(
    found: Predictions | LabelPredictions, label: str
) -> ThresholdTable:
    """Count true and false positives at each threshold.

    Parameters
    ----------
    found : Predictions or LabelPredictions
        Out of fold.
    label : str
        One of the classes or labels.

    Returns
    -------
    table : ThresholdTable
    """
    place = found.labels.index(label)
    if isinstance(found, LabelPredictions):
        share, has = found.probabilities[:, place], found.has[:, place]
    else:
        share = normalize(found.probabilities)[:, place]
        has = found.target == label
    limits = np.arange(N_STEPS + 1) / N_STEPS
    made = [_count_from(share[one], limits) for one in (has, ~has)]
    return ThresholdTable(
        label, int(has.sum()), int((~has).sum()), tuple(made[0]), tuple(made[1])
    )


def decide(
    table: ThresholdTable, place: int, false_positive: float, false_negative: float
) -> Decision:
    """Return the decisions at one threshold.

    Parameters
    ----------
    table : ThresholdTable
    place : int
        The threshold, in steps from 0.
    false_positive, false_negative : float
        Cost of one error of each kind.

    Returns
    -------
    decision : Decision
    """
    hits, alarms = table.true_positives[place], table.false_positives[place]
    missed = table.n_with - hits
    return Decision(
        threshold=place / N_STEPS,
        true_positives=hits,
        false_positives=alarms,
        false_negatives=missed,
        true_negatives=table.n_without - alarms,
        cost=alarms * false_positive + missed * false_negative,
    )


def _count_from(share: np.ndarray, limits: np.ndarray) -> list[int]:
    """Count how many shares are at each limit or above."""
    ordered = np.sort(share)
    # Shares such as 0.3 that were computed as 0.29999999999999998 count as 0.3.
    below = np.searchsorted(ordered, limits - 1e-12, side="left")
    counts: list[int] = (len(ordered) - below).tolist()
    return counts
