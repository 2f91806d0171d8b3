"""Fit the pipelines of one level of a final model to all rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from manyminds.search.choice.members import (
    Member,
    add_seeds,
    fit_members,
    replace_failed,
)
from manyminds.search.choice.vote import VoteClassifier
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.space.space import PipelineSpec

__all__ = ["LevelFit", "name_pipeline", "scale_model"]


class LevelFit:
    """The fits of the pipelines of one level to all rows of its table."""

    def __init__(
        self,
        evaluator: Evaluator,
        X: Any,
        y: np.ndarray,
        sample_weight: np.ndarray | None,
        n_jobs: int | None,
    ) -> None:
        self.evaluator, self.rows = evaluator, (X, y, sample_weight, n_jobs)

    def fit(self, members: Sequence[Member], seconds: float) -> None:
        """Fit each pipeline, unless the models of its folds are better."""
        models = fit_members(self.evaluator, members, *self.rows, seconds)
        X, y, *_ = self.rows
        fitted = replace_failed(self.evaluator, members, models, X, y)
        self.members, self.models = fitted
        self._scale()

    def add_seeds(self, seconds: float) -> None:
        """Average models of several seeds, as the time allows."""
        self.models = add_seeds(
            self.evaluator, self.members, self.models, *self.rows, seconds
        )
        self._scale()

    def get(self, member: Member) -> Any:
        """Return the model of a pipeline, with scaled probabilities."""
        return self._scaled[name_pipeline(member.pipeline)]

    def _scale(self) -> None:
        y = self.rows[1]
        self._scaled = {
            name_pipeline(one.pipeline): scale_model(model, one.temperature, y)
            for one, model in zip(self.members, self.models, strict=True)
        }


def name_pipeline(pipeline: PipelineSpec) -> tuple[Any, ...]:
    """Return a pipeline as a key of a dictionary."""
    return tuple(sorted(pipeline.items()))


def scale_model(model: Any, temperature: float, y: np.ndarray) -> Any:
    """Return a classifier, as a vote of one if its probabilities are scaled."""
    if temperature == 1.0:
        return model
    return VoteClassifier.of_fitted([model], y, [1.0], temperature)
