"""Weights of classes by which probabilities become decisions for a metric."""

import numpy as np

from manyminds.search.evaluation.rates import RATES

__all__ = ["decide_by", "tune_class_weights"]

GRID = np.linspace(-4.0, 4.0, 33)  # logarithms of the weights that are compared
MAX_SWEEPS = 3
MIN_GAIN = 1e-6
TINY = 1e-12


def tune_class_weights(
    probabilities: np.ndarray,
    y: np.ndarray,
    metric: str,
    counts: np.ndarray | None = None,
) -> np.ndarray:
    """Choose weights of classes, so that the most likely weighted class scores best.

    One class after the other, the weight is taken from a coarse grid, for as long as
    the score rises. Of two classes, this is the choice of a threshold.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
        Of rows that had no part in the fit.
    y : ndarray of shape (n_samples,)
        Codes of the classes.
    metric : str
        One of ``RATES``.
    counts : ndarray of shape (n_samples,), default=None
        How often each row counts.

    Returns
    -------
    weights : ndarray of shape (n_classes,)
        Their geometric mean is 1.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.choice.class_weights import tune_class_weights
    >>> P = np.array([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.8, 0.2]])
    >>> weights = tune_class_weights(P, np.array([0, 0, 0, 1]), "balanced_accuracy")
    >>> (P * weights).argmax(axis=1)
    array([0, 0, 0, 1])
    """
    counts = np.ones(len(y)) if counts is None else np.asarray(counts, float)
    rows = np.flatnonzero(counts)
    counts, y = counts[rows], y[rows]
    logs = np.log(np.maximum(probabilities[rows].astype(np.float64), TINY))
    n_classes, rate = logs.shape[1], RATES[metric]
    weights = np.zeros(n_classes)
    best = float(rate(*_count_decisions(logs.argmax(axis=1), y, counts, n_classes)))
    tuned = range(n_classes) if n_classes > 2 else (1,)
    for _ in range(MAX_SWEEPS):
        before = best
        for code in tuned:
            scores = rate(*_count_for_grid(logs + weights, y, counts, code, weights))
            score, place = _find_middle(scores)
            if score > best + MIN_GAIN:
                best, weights[code] = score, GRID[place]
        if best <= before:
            break
    return np.asarray(np.exp(weights - weights.mean()))


def decide_by(probabilities: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Return weighted probabilities, normalized: the most likely class is predicted."""
    if weights is None:
        return probabilities
    weighted = probabilities * weights
    return np.asarray(weighted / weighted.sum(axis=-1, keepdims=True))


def _count_decisions(
    decided: np.ndarray, y: np.ndarray, counts: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count right decisions, decisions and rows of each class."""
    hits = counts * (decided == y)
    return (
        np.bincount(y, hits, n_classes),
        np.bincount(decided, counts, n_classes),
        np.bincount(y, counts, n_classes),
    )


def _count_for_grid(
    logs: np.ndarray,
    y: np.ndarray,
    counts: np.ndarray,
    code: int,
    weights: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count decisions of each class for each weight of one class in the grid.

    A row is decided for the class from some weight on, and before that for the best of
    the others.
    """
    n_classes = logs.shape[1]
    others = logs.copy()
    others[:, code] = -np.inf
    rest = others.argmax(axis=1)
    needed = others[np.arange(len(y)), rest] - (logs[:, code] - weights[code])
    first = np.searchsorted(GRID, needed, side="right")  # len(GRID): never
    shape = (len(GRID) + 1, n_classes)

    def accumulate(amounts: np.ndarray) -> np.ndarray:
        """Sum what rows take from the best other class, up to each weight."""
        flat = np.bincount(first * n_classes + rest, amounts, shape[0] * shape[1])
        return np.asarray(flat.reshape(shape).cumsum(axis=0)[:-1])

    right, decided, true = _count_decisions(rest, y, counts, n_classes)
    taken = accumulate(counts)
    right = right - accumulate(counts * (rest == y))
    decided = decided - taken
    decided[:, code] += taken.sum(axis=1)
    right[:, code] += accumulate(counts * (y == code)).sum(axis=1)
    return right, decided, np.broadcast_to(true, right.shape)


def _find_middle(scores: np.ndarray) -> tuple[float, int]:
    """Return the best score, and the middle of the first run of places that have it."""
    best = float(scores.max())
    is_best = scores >= best - 1e-12
    start = int(is_best.argmax())
    length = int(np.argmin(is_best[start:])) or len(scores) - start
    if start == 0 or start + length == len(scores):  # at an end: as little as needed
        return best, start + length - 1 if start == 0 else start
    return best, start + (length - 1) // 2
