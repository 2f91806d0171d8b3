"""Calibrate prediction intervals or sets on the out-of-fold predictions of a search."""

from typing import Any

import numpy as np

from manyminds.analysis import ConformalIntervals, ConformalSets
from manyminds.search.evaluation.dependence import cut_times
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.utils.errors import InputError

__all__ = ["calibrate", "check_calibration", "describe_dependence"]


def calibrate(
    task: str, predictions: np.ndarray, codes: np.ndarray, weight: np.ndarray | None
) -> ConformalIntervals | ConformalSets | None:
    """Calibrate intervals of numbers, or sets of classes.

    Parameters
    ----------
    task : {"classification", "regression", "multilabel"}
    predictions : ndarray of shape (n_samples,) or (n_samples, n_classes)
        Out of fold; rows with NaN were never tested and are ignored.
    codes : ndarray of shape (n_samples,)
        Targets, or the numbers of their classes.
    weight : ndarray of shape (n_samples,) or None

    Returns
    -------
    calibration : ConformalIntervals, ConformalSets or None
        None for many labels, and if no row was predicted.
    """
    known = np.isfinite(predictions.reshape(len(predictions), -1)).all(axis=1)
    if weight is not None:
        known &= weight > 0.0
    if task == "multilabel" or not known.any():
        return None
    kind: Any = ConformalIntervals if task == "regression" else ConformalSets
    return kind.calibrate(predictions, codes, weight)


def describe_dependence(evaluator: Evaluator) -> dict[str, np.ndarray | None]:
    """Return what `measure_coverage` must know of the rows of a search.

    Returns
    -------
    rows : dict
        The ``sample_weight``, and as ``groups`` the rows that depend on each other:
        those of a group, or of a block of time.
    """
    groups, time = evaluator.groups, evaluator.time
    blocks = groups if time is None else cut_times(time)
    return {"sample_weight": evaluator.sample_weight, "groups": blocks}


def check_calibration(calibration: Any) -> Any:
    """Return the calibration of a search; raise if there is none."""
    if calibration is None:
        raise InputError(
            "Prediction sets are for classes, and intervals for numbers; this search "
            "was of many labels, or no row was predicted out of fold."
        )
    return calibration
