"""Metrics of decisions, computed from numbers of rows: of many models at once."""

from collections.abc import Callable
from functools import partial

import numpy as np

__all__ = ["DECISION_SCORES", "RATES", "score_decisions"]

# Takes right decisions, decisions and rows of each class, of shape (..., n_classes).
Rate = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def score_decisions(
    rate: Rate, P: np.ndarray, y: np.ndarray, W: np.ndarray
) -> np.ndarray:
    """Score the most likely classes of several models on several weightings of rows.

    Parameters
    ----------
    rate : callable
        One of ``RATES``.
    P : ndarray of shape (n_models, n_samples, n_classes)
    y : ndarray of shape (n_samples,)
        Codes of the classes.
    W : ndarray of shape (n_weightings, n_samples)

    Returns
    -------
    scores : ndarray of shape (n_weightings, n_models)
    """
    chosen = P.argmax(axis=2)
    right, decided, true = [], [], []
    for code in range(P.shape[2]):
        is_true = y == code
        rows = np.flatnonzero(is_true | (chosen == code).any(axis=0))
        is_chosen, is_true, weights = chosen[:, rows] == code, is_true[rows], W[:, rows]
        right.append(weights @ (is_chosen & is_true).T.astype(np.float64))
        decided.append(weights @ is_chosen.T.astype(np.float64))
        true.append(np.repeat((weights @ is_true)[:, None], len(P), axis=1))
    counts = [np.stack(one, axis=2) for one in (right, decided, true)]
    return rate(*counts)


def _accuracy(right: np.ndarray, decided: np.ndarray, true: np.ndarray) -> np.ndarray:
    return np.asarray(right.sum(axis=-1) / true.sum(axis=-1))


def _balanced_accuracy(
    right: np.ndarray, decided: np.ndarray, true: np.ndarray
) -> np.ndarray:
    return _average(_divide(right, true), true > 0)


def _recall(right: np.ndarray, decided: np.ndarray, true: np.ndarray) -> np.ndarray:
    return _average(_divide(right, true), true + decided > 0)


def _f1(right: np.ndarray, decided: np.ndarray, true: np.ndarray) -> np.ndarray:
    return _average(_divide(2.0 * right, decided + true), true + decided > 0)


def _weighted_f1(
    right: np.ndarray, decided: np.ndarray, true: np.ndarray
) -> np.ndarray:
    f1 = _divide(2.0 * right, decided + true)
    return np.asarray((f1 * true).sum(axis=-1) / true.sum(axis=-1))


def _jaccard(right: np.ndarray, decided: np.ndarray, true: np.ndarray) -> np.ndarray:
    return _average(_divide(right, decided + true - right), true + decided > 0)


def _matthews(right: np.ndarray, decided: np.ndarray, true: np.ndarray) -> np.ndarray:
    total = true.sum(axis=-1)
    covariance = right.sum(axis=-1) * total - (decided * true).sum(axis=-1)
    spreads = [total**2 - (one**2).sum(axis=-1) for one in (decided, true)]
    return _divide(covariance, np.sqrt(np.maximum(spreads[0] * spreads[1], 0.0)))


def _divide(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Divide; 0 where there is nothing to divide by."""
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=whole > 0)


def _average(shares: np.ndarray, is_counted: np.ndarray) -> np.ndarray:
    """Average over the classes that count."""
    return np.asarray((shares * is_counted).sum(axis=-1) / is_counted.sum(axis=-1))


RATES: dict[str, Rate] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "recall_macro": _recall,
    "f1_macro": _f1,
    "f1_weighted": _weighted_f1,
    "jaccard_macro": _jaccard,
    "matthews_corrcoef": _matthews,
}

# As functions of predictions, y and weightings, but for those that are means over rows
# or over classes.
DECISION_SCORES = {
    name: partial(score_decisions, rate)
    for name, rate in RATES.items()
    if name not in ("accuracy", "balanced_accuracy")
}
