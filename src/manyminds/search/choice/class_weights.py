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
    found = _Decisions(probabilities[rows], y[rows], counts[rows])
    n_classes, rate = probabilities.shape[1], RATES[metric]
    best = float(rate(*_count_decisions(found.first, found.y, found.counts, n_classes)))
    tuned = range(n_classes) if n_classes > 2 else (1,)
    for _ in range(MAX_SWEEPS):
        before = best
        for code in tuned:
            score, place = _find_middle(rate(*found.count_for_grid(code)))
            if score > best + MIN_GAIN:
                best = score
                found.set_weight(code, GRID[place])
        if best <= before:
            break
    return np.asarray(np.exp(found.weights - found.weights.mean()))


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


class _Decisions:
    """The two most likely weighted classes of each row, as weights change.

    The best of all classes but one is then known without a look at the others: a sweep
    over the classes reads each probability once.
    """

    def __init__(
        self, probabilities: np.ndarray, y: np.ndarray, counts: np.ndarray
    ) -> None:
        floored = np.maximum(probabilities.T, TINY, dtype=np.float64, order="C")
        self.logs = np.log(floored, out=floored)  # of shape (n_classes, n_samples)
        self.y, self.counts = y, counts
        self.weights = np.zeros(len(self.logs))  # logarithms
        self._rows = np.arange(len(y))
        self.first, self.second = _find_two(self.logs.copy())

    def set_weight(self, code: int, weight: float) -> None:
        """Change the weight of a class, and the best two classes of each row."""
        known = np.flatnonzero((self.first == code) | (self.second == code))
        self.weights[code] = weight
        is_first = self._leads(code, self.first)
        is_second = self._leads(code, self.second)
        self.second = np.where(is_second, code, self.second)
        self.second = np.where(is_first, self.first, self.second)
        self.first = np.where(is_first, code, self.first)
        # A class that was one of the two may give way to a third.
        weighted = self.logs[:, known] + self.weights[:, None]
        self.first[known], self.second[known] = _find_two(weighted)

    def count_for_grid(self, code: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Count decisions of each class for each weight of one class in the grid.

        A row is decided for the class from some weight on, and before that for the best
        of the others.
        """
        n_classes, y = len(self.logs), self.y
        rest = np.where(self.first == code, self.second, self.first)
        needed = self._weigh(rest) - (self._weigh(code) - self.weights[code])
        right, decided, true = _count_decisions(rest, y, self.counts, n_classes)
        rows = np.flatnonzero(needed < GRID[-1])  # where it can be the best
        place = np.searchsorted(GRID, needed[rows], side="right")
        rest, y, counts = rest[rows], y[rows], self.counts[rows]
        taken = _accumulate(place, rest, counts, n_classes)
        right = right - _accumulate(place, rest, counts * (rest == y), n_classes)
        right[:, code] += _accumulate(place, 0, counts * (y == code), 1)[:, 0]
        decided = decided - taken
        decided[:, code] += taken.sum(axis=1)
        return right, decided, np.broadcast_to(true, right.shape)

    def _leads(self, code: int, others: np.ndarray) -> np.ndarray:
        """Mark the rows where a class comes before others: by number, if as likely."""
        own, other = self._weigh(code), self._weigh(others)
        return (own > other) | ((own == other) & (code < others))

    def _weigh(self, codes: int | np.ndarray) -> np.ndarray:
        """Return weighted log-probabilities of one class, or of one for each row."""
        rows = slice(None) if np.ndim(codes) == 0 else self._rows
        return np.asarray(self.logs[codes, rows] + self.weights[codes])


def _accumulate(
    place: np.ndarray, codes: np.ndarray | int, amounts: np.ndarray, n_classes: int
) -> np.ndarray:
    """Sum amounts of rows by class, over all rows up to each place in the grid."""
    n = len(GRID) * n_classes
    flat = np.bincount(place * n_classes + codes, amounts, n)
    return np.asarray(flat.reshape(-1, n_classes).cumsum(axis=0))


def _find_two(weighted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the best and the second class of each column; of equals, the first.

    The array is overwritten.
    """
    columns = np.arange(weighted.shape[1])
    first = weighted.argmax(axis=0)
    weighted[first, columns] = -np.inf
    return first, weighted.argmax(axis=0)


def _find_middle(scores: np.ndarray) -> tuple[float, int]:
    """Return the best score, and the middle of the first run of places that have it."""
    best = float(scores.max())
    is_best = scores >= best - 1e-12
    start = int(is_best.argmax())
    length = int(np.argmin(is_best[start:])) or len(scores) - start
    if start == 0 or start + length == len(scores):  # at an end: as little as needed
        return best, start + length - 1 if start == 0 else start
    return best, start + (length - 1) // 2
