"""Take the luck of the winner out of its score, by the bootstrap."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

__all__ = ["HonestScore", "correct_for_choosing", "score_strategies"]

# Chooses from in-bag rows: (predictions, y, weights of the rows) -> weights of models.
Strategy = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class HonestScore:
    """A score that is not fooled by the search, beside the one that is.

    Parameters
    ----------
    score : float
        What to expect of the chosen model on new rows.
    low, high : float
        Interval around it.
    naive : float
        Score of the chosen model by the very cross-validation that chose it.
    level : float
        Of the interval.
    n_candidates : int
        From how many models it was chosen.
    method : str
        "bootstrap" or "nested".

    Examples
    --------
    >>> from manyminds.search import HonestScore
    >>> print(HonestScore(0.9012, 0.87, 0.93, 0.9204, 0.95, 40, "bootstrap"))
    0.9012 (95 % interval 0.8700 to 0.9300), naive 0.9204, best of 40
    """

    score: float
    low: float
    high: float
    naive: float
    level: float
    n_candidates: int
    method: str

    def __str__(self) -> str:
        return (
            f"{self.score:.4f} ({100 * self.level:g} % interval {self.low:.4f} to "
            f"{self.high:.4f}), naive {self.naive:.4f}, best of {self.n_candidates}"
        )


def correct_for_choosing(
    predictions: np.ndarray,
    y: np.ndarray,
    measure: Any,
    n_bootstraps: int = 500,
    level: float = 0.95,
    random_state: Any = None,
) -> HonestScore:
    """Estimate the score of the best of many models without the luck of being best.

    The search is replayed on bootstrap samples of rows [1]_: on each, the model with
    the best score on the rows drawn is taken, and scored on the rows not drawn. No
    model is fitted again, since all of them have predictions for all rows, each made
    without the row. Choosing and judging never see the same row.

    Parameters
    ----------
    predictions : ndarray of shape (n_models, n_samples[, n_classes])
        Out-of-fold predictions of all candidates.
    y : ndarray of shape (n_samples,)
        Codes of classes, or numbers.
    measure : Measurer
        What scores predictions; more is better.
    n_bootstraps : int, default=500
    level : float, default=0.95
        Of the interval, which is that of the bootstrap's percentiles.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    honest : HonestScore
        In the measure's own direction: more is better.

    References
    ----------
    .. [1] Tsamardinos, Greasidou and Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107,
       2018.

    Examples
    --------
    Of a hundred models that guess, the luckiest looks better than it is.

    >>> import numpy as np
    >>> from manyminds.search import correct_for_choosing
    >>> from manyminds.search.measuring import Measurer
    >>> rng = np.random.default_rng(2)
    >>> y = rng.integers(2, size=100)
    >>> guesses = rng.random((100, 100, 1))
    >>> predictions = np.concatenate([guesses, 1 - guesses], axis=2)
    >>> measure = Measurer("accuracy", "classification", np.array([0, 1]))
    >>> honest = correct_for_choosing(predictions, y, measure, random_state=0)
    >>> round(honest.naive, 2), round(honest.score, 2)
    (0.61, 0.49)
    """
    rng = check_random_state(random_state)
    drawn = draw_counts(rng, n_bootstraps, y, classes=predictions.ndim == 3)
    inside = measure.weigh(predictions, y, drawn)
    outside = measure.weigh(predictions, y, (drawn == 0).astype(float))
    best = np.nanargmax(np.where(np.isnan(inside), -np.inf, inside), axis=1)
    scores = outside[np.arange(len(drawn)), best]
    naive = np.nanmax(measure.weigh(predictions, y, np.ones((1, len(y)))))
    return summarise(scores, float(naive), level, len(predictions))


def score_strategies(
    strategies: dict[str, Strategy],
    predictions: np.ndarray,
    y: np.ndarray,
    measure: Any,
    n_bootstraps: int = 50,
    random_state: Any = None,
) -> dict[str, np.ndarray]:
    """Replay ways of choosing on bootstrap samples; score them on the other rows.

    Parameters
    ----------
    strategies : dict of str to callable
        Each takes predictions, target and counts of the rows drawn, and gives the
        weights with which the predictions of the models are averaged.
    predictions, y, measure, random_state
        As for `correct_for_choosing`.
    n_bootstraps : int, default=50

    Returns
    -------
    scores : dict of str to ndarray of shape (n_kept,)
        On the rows not drawn; all strategies see the same samples. Samples that
        leave no row out, as a few do of very small tables, judge nothing and are
        dropped.
    """
    rng = check_random_state(random_state)
    drawn = draw_counts(rng, n_bootstraps, y, classes=predictions.ndim == 3)
    scores = {name: np.empty(len(drawn)) for name in strategies}
    for b, counts in enumerate(drawn):
        rest = np.flatnonzero(counts == 0)
        for name, choose in strategies.items():
            weights = choose(predictions, y, counts)
            members = np.flatnonzero(weights)
            mixed = np.tensordot(weights[members], predictions[members][:, rest], 1)
            scores[name][b] = measure(mixed, y[rest])
    return scores


def draw_counts(rng: Any, n: int, y: np.ndarray, classes: bool) -> np.ndarray:
    """Draw bootstrap samples as counts of the rows; within each class if there are.

    So no class is lost, of which a score could not be told. Samples that leave no row
    out, by which nothing can be judged, are dropped.
    """
    counts = np.zeros((n, len(y)))
    groups = (
        [np.flatnonzero(y == code) for code in np.unique(y)]
        if classes
        else [np.arange(len(y))]
    )
    for rows in groups:
        shares = np.full(len(rows), 1.0 / len(rows))
        counts[:, rows] = rng.multinomial(len(rows), shares, size=n)
    return counts[(counts == 0).any(axis=1)]


def summarise(
    scores: np.ndarray, naive: float, level: float, n_candidates: int
) -> HonestScore:
    scores = scores[np.isfinite(scores)]
    tail = 50.0 * (1.0 - level)
    low, high = np.percentile(scores, [tail, 100.0 - tail])
    mean = float(scores.mean())
    return HonestScore(
        mean, float(low), float(high), naive, level, n_candidates, "bootstrap"
    )
