"""What is chosen from a pool of models: weights, a temperature, weights of classes."""

from dataclasses import dataclass

import numpy as np

from manyminds.search.choice.class_weights import decide_by
from manyminds.search.evaluation.temperature import scale_temperature

__all__ = ["Mixture", "average_predictions"]


@dataclass(frozen=True)
class Mixture:
    """A weighted mean of the predictions of models, and what is done with it.

    Parameters
    ----------
    weights : ndarray of shape (n_models,)
        They sum to 1.
    temperature : float, default=1.0
        Of the mean probabilities.
    class_weights : ndarray of shape (n_classes,) or None, default=None
        The class of the greatest weighted probability is predicted.
    """

    weights: np.ndarray
    temperature: float = 1.0
    class_weights: np.ndarray | None = None

    @property
    def n_members(self) -> int:
        """Number of models with a weight."""
        return int(np.count_nonzero(self.weights))

    def average(self, predictions: np.ndarray) -> np.ndarray:
        """Return mean predictions: numbers, or calibrated probabilities."""
        mean = average_predictions(self.weights, predictions)
        return scale_temperature(mean, self.temperature)

    def decide(self, predictions: np.ndarray) -> np.ndarray:
        """Return mean predictions as a score takes them, with weighted classes."""
        return decide_by(self.average(predictions), self.class_weights)


def average_predictions(weights: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """Return the weighted mean of the predictions of models."""
    members = np.flatnonzero(weights)
    mixed = np.tensordot(weights[members], predictions[members].astype(np.float64), 1)
    return np.asarray(mixed)
