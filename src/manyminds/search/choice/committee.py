"""Choose a committee of pipelines by their out-of-fold predictions."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from manyminds.search.evaluation.metrics import PredictionScorer

__all__ = ["grow_committee"]


def grow_committee(
    predictions: np.ndarray,
    y: np.ndarray,
    measure: PredictionScorer,
    *,
    counts: np.ndarray | None = None,
    n_rounds: int = 20,
    n_bags: int = 8,
    bag_share: float = 0.5,
    random_state: Any = None,
) -> np.ndarray:
    """Select a committee greedily by the score of its mean prediction.

    Each round adds the model that makes this score best. A model may be added several
    times, and so weighs more [1]_. Against overfitting, this is done in several bags,
    each with a random share of the models, and the weights of the bags are averaged.

    Parameters
    ----------
    predictions : ndarray of shape (n_models, n_samples[, n_classes or n_labels])
        Out-of-fold predictions.
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Codes of classes, numbers, or 0 and 1 of labels.
    measure : PredictionScorer
        More is better.
    counts : ndarray of shape (n_samples,), default=None
        How often each row counts.
    n_rounds : int, default=20
        Models added in each bag.
    n_bags : int, default=8
    bag_share : float, default=0.5
        Share of the models that a bag may take from; at least four.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    weights : ndarray of shape (n_models,)
        They sum to 1; most are 0.

    References
    ----------
    .. [1] Caruana, Niculescu-Mizil, Crew and Ksikes, "Ensemble selection from libraries
       of models", ICML 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search import grow_committee
    >>> from manyminds.search.evaluation.metrics import PredictionScorer
    >>> y = np.array([1.0, 2.0, 3.0])
    >>> predictions = np.array([[2.0, 2.0, 4.0], [0.0, 2.0, 2.0], [9.0, 0.0, 0.0]])
    >>> measure = PredictionScorer("rmse", "regression")
    >>> grow_committee(predictions, y, measure, n_rounds=4, n_bags=1, random_state=0)
    array([0.5, 0.5, 0. ])
    """
    rng = check_random_state(random_state)
    rows = np.arange(len(y)) if counts is None else np.flatnonzero(counts)
    weights_of_rows = np.ones(len(rows)) if counts is None else counts[rows]
    taken, target = predictions[:, rows].astype(np.float64), y[rows]
    n_models = len(predictions)
    per_bag = n_models if n_bags == 1 else max(4, round(bag_share * n_models))
    total = np.zeros(n_models)
    for _ in range(n_bags):
        bag = np.sort(rng.permutation(n_models)[:per_bag])
        total[bag] += _grow_bag(taken[bag], target, weights_of_rows, measure, n_rounds)
    return np.asarray(total / total.sum())


def _grow_bag(
    predictions: np.ndarray,
    y: np.ndarray,
    row_weights: np.ndarray,
    measure: PredictionScorer,
    n_rounds: int,
) -> np.ndarray:
    """Grow one committee; return the share of each model at its best size."""
    total = np.zeros_like(predictions[0])
    counts = np.zeros(len(predictions))
    best_score, best_counts = -np.inf, counts
    for size in range(1, n_rounds + 1):
        candidates = (total + predictions) / size
        scores = measure.score_weighted(candidates, y, row_weights[None])[0]
        if candidates.ndim == 3 and measure.kind != "log_loss":
            scores = scores + 1e-3 * _log_likelihood(candidates, y, row_weights)
        best = int(np.nanargmax(scores))
        total = total + predictions[best]
        counts = counts.copy()
        counts[best] += 1
        if scores[best] > best_score + 1e-9:
            best_score, best_counts = scores[best], counts
    return np.asarray(best_counts / best_counts.sum())


def _log_likelihood(P: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean log-likelihood, which breaks near ties of a coarse score."""
    if y.ndim == 2:  # of labels
        given = np.log(np.clip(np.where(y == 1, P, 1.0 - P), 1e-6, 1.0)).mean(axis=2)
        return np.asarray(given @ weights / weights.sum())
    given = np.clip(P[:, np.arange(len(y)), y], 1e-6, 1.0)
    return np.asarray(np.log(given) @ weights / weights.sum())
