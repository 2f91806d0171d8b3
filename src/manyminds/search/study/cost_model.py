"""Predict the seconds of a trial from those of the trials so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.search.space.parameters import Number
from manyminds.search.space.space import PipelineSpec, Space
from manyminds.search.study.trial_record import TrialRecord

__all__ = [
    "CostModel",
    "Frozen",
    "Measured",
    "freeze",
    "measure_records",
    "without_rows",
]

GROWTH, GROWTH_STD = 1.1, 0.3  # of log seconds with log rows, before anything is known
MIN_GROWTH = 1.0  # the same for a pipeline that has been measured on many rows
MANY_ROWS, MANY_GROWTH = 200_000, 1.2  # caches are too small, rounds are more
MIN_MEASURED = 1.0  # seconds; of shorter trials, much does not depend on the rows
LEVEL_STD = 1.5  # of a learner's log seconds around those of all learners
SLOPE_STD = 0.5  # of log seconds over half the range of a hyperparameter
NOISE_STD = 0.4
MIN_SECONDS = 1e-3
OVER_LIMIT = 2.0  # times its limit that a trial which was ended is taken to need


Frozen = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Measured:
    """Seconds of a pipeline in all folds, fitted to a number of rows."""

    pipeline: PipelineSpec
    rows: float
    seconds: float


class CostModel:
    """Predict seconds by a Bayesian linear regression for each learner.

    The logarithm of the seconds is linear in that of the rows and in the
    hyperparameters of the learner. A pipeline that has been measured on fewer rows is
    predicted from there.

    Parameters
    ----------
    space : Space
    measured : sequence of Measured

    Examples
    --------
    >>> from manyminds.search import default_space
    >>> from manyminds.search.study.cost_model import CostModel, Measured
    >>> space = default_space("classification")
    >>> model = CostModel(space, [Measured({"learner": "nb"}, 1000, 2.0)])
    >>> 8.0 < model.predict({"learner": "nb"}, 4000) < 10.0
    True
    """

    def __init__(self, space: Space, measured: Sequence[Measured]) -> None:
        self.space = space
        self.measured = sorted(measured, key=lambda one: one.rows)
        self._last = {freeze(one.pipeline): one for one in self.measured}
        self._fitted: dict[str, np.ndarray] = {}
        self._largest = max((one.rows for one in self.measured), default=1.0)
        logs = [
            np.log(one.seconds) - GROWTH * self._scale(one.rows) for one in measured
        ]
        self._mean = float(np.mean(logs)) if logs else np.nan

    def predict(self, pipeline: PipelineSpec, rows: float) -> float:
        """Return the seconds of a pipeline in all folds; NaN if nothing is known.

        Parameters
        ----------
        pipeline : dict
        rows : float
            To which it is fitted.
        """
        if not self.measured:
            return np.nan
        coefficients = self._fit(pipeline["learner"])
        found = float(self._describe(pipeline, rows) @ coefficients)
        nearest = self._last.get(freeze(pipeline))  # on the most rows
        if nearest is not None:
            known = self._describe(pipeline, nearest.rows)
            found += np.log(nearest.seconds) - known @ coefficients
            if rows > nearest.rows and nearest.seconds > MIN_MEASURED:
                # A first trial loads kernels: growth may look smaller than it is.
                more = self._scale(rows) - self._scale(nearest.rows)
                least = MIN_GROWTH if rows <= MANY_ROWS else MANY_GROWTH
                found += max(0.0, least - coefficients[1]) * more
        return float(np.exp(found))

    def _fit(self, learner: str) -> np.ndarray:
        """Return the coefficients of a learner: their posterior mean."""
        if learner not in self._fitted:
            own = [one for one in self.measured if one.pipeline["learner"] == learner]
            n = 2 + len(self._list_numbers(learner))
            mean = np.array([self._mean, GROWTH] + [0.0] * (n - 2))
            precision = np.diag([LEVEL_STD, GROWTH_STD] + [SLOPE_STD] * (n - 2)) ** 2
            precision = np.linalg.inv(precision)
            A = np.array([self._describe(one.pipeline, one.rows) for one in own])
            A = A.reshape(len(own), n) / NOISE_STD
            b = np.array([np.log(one.seconds) for one in own]) / NOISE_STD
            self._fitted[learner] = np.linalg.solve(
                precision + A.T @ A, precision @ mean + A.T @ b
            )
        return self._fitted[learner]

    def _describe(self, pipeline: PipelineSpec, rows: float) -> np.ndarray:
        values = [
            number.to_unit(pipeline.get(key, number.default))
            for key, number in self._list_numbers(pipeline["learner"])
        ]
        return np.array([1.0, self._scale(rows), *values])

    def _scale(self, rows: float) -> float:
        return float(np.log(max(rows, 1.0) / self._largest))

    def _list_numbers(self, learner: str) -> list[tuple[str, Number]]:
        """List the numeric hyperparameters of a learner, by their keys."""
        option = self.space.find("learner", learner)
        return [
            (option.key(name), one)
            for name, one in option.parameters.items()
            if isinstance(one, Number)
        ]


def without_rows(pipeline: PipelineSpec) -> PipelineSpec:
    """Return a pipeline without the share of rows that it is fitted to."""
    return {key: value for key, value in pipeline.items() if key != "rows"}


def freeze(pipeline: PipelineSpec) -> Frozen:
    """Return a pipeline as a key of sets, whatever rows it is fitted to."""
    return tuple(sorted(without_rows(pipeline).items()))


def measure_records(
    records: Sequence[TrialRecord], n_folds: int, n_rows: Sequence[int]
) -> list[Measured]:
    """Return what trials took, or would have taken in all folds.

    Parameters
    ----------
    records : sequence of TrialRecord
    n_folds : int
    n_rows : sequence of int
        Rows of each level.
    """
    measured = []
    for one in records:
        rows = n_rows[one.level] * one.pipeline.get("rows", 1.0)
        n_done = len(one.fold_scores)
        if n_done:
            # What was in a cache takes its time again on other rows.
            each = max(one.seconds / n_done, np.nan_to_num(one.fit_seconds))
            seconds = max(each * n_folds, MIN_SECONDS)
        elif one.state == "slow" and np.isfinite(one.limit):
            seconds = OVER_LIMIT * one.limit
        else:
            continue
        measured.append(Measured(one.pipeline, rows, seconds))
    return measured
