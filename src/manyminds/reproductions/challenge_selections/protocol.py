"""Errors of the challenge, and features that are left."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from manyminds.experiments.measures import Fold


@dataclass(frozen=True)
class ChallengeMeasures:
    """Error, error with classes that count alike, and how many features are left."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit selector and classifier together, and predict the test samples."""
        estimator.fit(fold.X_train, fold.y_train)
        truth, said = np.asarray(fold.y_test), estimator.predict(fold.X_test)
        return {
            "error": float(np.mean(said != truth)),
            "balanced_error": float(1.0 - balanced_accuracy_score(truth, said)),
            "n_features": float(_count_features(estimator, fold.X_train.shape[1])),
        }


def _count_features(pipeline: Any, n_features: int) -> int:
    """Count what the last selector of a pipeline lets pass."""
    for _, step in pipeline.steps:
        if hasattr(step, "get_support"):
            n_features = int(step.get_support().sum())
    return n_features
