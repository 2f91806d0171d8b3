"""Subtract the selection bias from the score of the best of many models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from manyminds.search.choice.mixture import Mixture
from manyminds.search.choice.resampling import Resampler, draw_counts
from manyminds.search.evaluation.metrics import PredictionScorer, nan_mean
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import NADEAU_2003, TSAMARDINOS_2018, cite

__all__ = [
    "HonestScore",
    "compare_choices",
    "correct_selection_bias",
    "replay_strategies",
    "subtract_optimism",
]

OUT_OF_BAG = np.exp(-1.0)  # share of the rows that a bootstrap sample does not draw

# Choose from in-bag rows, by strategies: (predictions, y, counts of the rows).
Choose = Callable[[np.ndarray, np.ndarray, np.ndarray], Mapping[str, Mixture]]
# Score all models on several samples: (predictions, y, counts) -> scores.
Criterion = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class HonestScore:
    """The score to expect of the chosen model, and the one by which it was chosen.

    Parameters
    ----------
    score : float
        Expected score of the chosen model on new rows: the naive score less the
        selection bias, never better than the naive score; equal to it if there was
        one candidate. NaN if the selection bias could not be estimated.
    low, high : float
        Confidence interval, within the range of the metric.
    naive : float
        Score of the pooled out-of-fold predictions by which the model was chosen.
    level : float
        Of the interval.
    n_candidates : int
        Number of models from which it was chosen.
    method : str
        "bootstrap" or "nested".
    reason : str, default=""
        Why the selection bias could not be estimated.

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
    reason: str = ""

    def __str__(self) -> str:
        if self.reason:
            return f"not estimated ({self.reason}), naive {self.naive:.4f}"
        return (
            f"{self.score:.4f} ({100 * self.level:g} % interval {self.low:.4f} to "
            f"{self.high:.4f}), naive {self.naive:.4f}, best of {self.n_candidates}"
        )


@fill_docstring(references=cite(TSAMARDINOS_2018, NADEAU_2003))
def correct_selection_bias(
    predictions: np.ndarray,
    y: np.ndarray,
    measure: PredictionScorer,
    n_bootstraps: int = 500,
    level: float = 0.95,
    random_state: Any = None,
) -> HonestScore:
    """Estimate the score of the best of many models without its selection bias.

    The choice is replayed on bootstrap samples of the rows, as in BBC-CV [1]_: on each,
    the model with the best score on the rows drawn is taken. It gains on the model that
    is best on all rows where it was chosen, and loses against it on the rows not drawn.
    The mean difference of the two gains estimates the selection bias, and is subtracted
    from the naive score. No model is fitted again, since all of them have out-of-fold
    predictions for all rows.

    Parameters
    ----------
    predictions : ndarray of shape (n_models, n_samples[, n_classes])
        Out-of-fold predictions of all candidates.
    y : ndarray of shape (n_samples,)
        Codes of classes, or numbers.
    measure : PredictionScorer
        More is better.
    n_bootstraps : int, default=500
    level : float, default=0.95
        Of the interval.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    honest : HonestScore
        In the measure's own direction: more is better. With one model it equals the
        naive score.

    Notes
    -----
    BBC-CV averages the scores on the rows not drawn. An average over small samples is
    biased for scores that are not means over rows, such as RMSE, balanced accuracy or
    the area under the curve, and does not count classes without a row there. In
    differences, taken over the same rows and classes, both cancel. Only the gain out of
    bag would be right for predictions that do not depend on each other. But models of
    one cross-validation share their training rows, so that their scores vary more [2]_
    than resampled rows show; the gain in bag makes up for that.

    {references}

    Examples
    --------
    Of models that guess, the best looks better than it is.

    >>> import numpy as np
    >>> from manyminds.search import correct_selection_bias
    >>> from manyminds.search.evaluation.metrics import PredictionScorer
    >>> rng = np.random.default_rng(2)
    >>> y = rng.integers(2, size=100)
    >>> guesses = rng.random((10, 100, 1))
    >>> predictions = np.concatenate([guesses, 1 - guesses], axis=2)
    >>> measure = PredictionScorer("accuracy", "classification", np.array([0, 1]))
    >>> honest = correct_selection_bias(predictions, y, measure, random_state=0)
    >>> round(honest.naive, 2), round(honest.score, 2)
    (0.61, 0.51)
    """
    rng = check_random_state(random_state)
    scores = measure.score_weighted(predictions, y, np.ones((1, len(y))))
    chosen = int(find_best(scores)[0])
    drawn = draw_counts(rng, n_bootstraps, len(y))
    gains = compare_choices(predictions, y, measure, drawn, chosen)
    return subtract_optimism(
        predictions[chosen], y, measure, gains, drawn, len(predictions), level
    )


def compare_choices(
    predictions: np.ndarray,
    y: np.ndarray,
    measure: PredictionScorer,
    drawn: np.ndarray,
    chosen: int,
    criterion: Criterion | None = None,
    row_weights: np.ndarray | None = None,
) -> np.ndarray:
    """Compare the choices of bootstrap samples with the model chosen on all rows.

    Parameters
    ----------
    predictions, y, measure
        As for `correct_selection_bias`.
    drawn : ndarray of shape (n_bootstraps, n_samples)
        How often each sample draws each row, times the weight of the row.
    chosen : int
        The model that is best on all rows.
    criterion : callable, default=None
        By which models are chosen; None: ``measure.score_weighted``.
    row_weights : ndarray of shape (n_samples,), default=None
        Weights of the rows; None: equal ones.

    Returns
    -------
    gains : ndarray of shape (n_terms, n_bootstraps, 2)
        Score of the sample's choice less that of the chosen model, on the rows that
        the sample has drawn, and on those that it has not: one term, or one for each
        class where the score is a mean over classes. NaN where there is no score.
    """
    if len(predictions) == 1:
        return np.zeros((1, len(drawn), 2))
    inside = measure.score_terms(predictions, y, drawn)
    weights = 1.0 if row_weights is None else row_weights
    outside = measure.score_terms(predictions, y, (drawn == 0) * weights)
    scores = (
        nan_mean(inside, 0) if criterion is None else criterion(predictions, y, drawn)
    )
    best, bags = find_best(scores), np.arange(len(drawn))
    gains = [one[:, bags, best] - one[:, :, chosen] for one in (inside, outside)]
    unscored = np.isnan(scores).all(axis=1, keepdims=True)  # they cannot choose
    return np.where(unscored, np.nan, np.stack(gains, axis=2))


def replay_strategies(
    choose: Choose,
    finals: Mapping[str, Mixture],
    predictions: np.ndarray,
    y: np.ndarray,
    measure: PredictionScorer,
    drawn: np.ndarray,
    row_weights: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Replay choices on bootstrap samples, and score them in and out of bag.

    Parameters
    ----------
    choose : callable
        Takes predictions, target and counts of the rows drawn, and returns the mixture
        that each strategy chooses: all that it tunes is tuned on the rows drawn.
    finals : dict of str to Mixture
        What each strategy has chosen on all rows.
    predictions, y, measure, drawn, row_weights
        As for `compare_choices`.

    Returns
    -------
    scores : dict of str to ndarray of shape (n_terms, n_bootstraps, 2, 2)
        On the rows drawn, and on those that are not: of what the strategy chooses in
        each sample, and of what it has chosen on all rows. All strategies see the same
        samples.
    """
    decided = {name: final.decide(predictions) for name, final in finals.items()}
    scores: dict[str, list[np.ndarray]] = {name: [] for name in finals}
    row_weights = np.ones(len(y)) if row_weights is None else row_weights
    for counts in drawn:
        weights = np.stack([counts, (counts == 0) * row_weights])
        for name, chosen in choose(predictions, y, counts).items():
            both = np.stack([chosen.decide(predictions), decided[name]])
            scores[name].append(measure.score_terms(both, y, weights))
    return {name: np.stack(terms, axis=1) for name, terms in scores.items()}


def subtract_optimism(
    final: np.ndarray,
    y: np.ndarray,
    measure: PredictionScorer,
    gains: np.ndarray,
    drawn: np.ndarray,
    n_candidates: int,
    level: float = 0.95,
    resampler: Resampler | None = None,
) -> HonestScore:
    """Subtract the selection bias from the naive score, and compute an interval.

    Parameters
    ----------
    final : ndarray of shape (n_samples[, n_classes])
        Out-of-fold predictions of what was chosen.
    y, measure
        As for `correct_selection_bias`.
    gains : ndarray of shape (n_terms, n_replays, 2)
        From `compare_choices`, or differences of scores of `replay_strategies`.
    drawn : ndarray of shape (n_bootstraps, n_rows)
        Bootstrap samples, from which the standard error comes.
    n_candidates : int
    level : float, default=0.95
    resampler : Resampler, default=None
        That has drawn the samples; None: from all rows, which are independent.

    Returns
    -------
    honest : HonestScore
        In the measure's own direction: more is better.
    """
    resampler = (
        Resampler(len(y), 0, max_rows=len(y)) if resampler is None else resampler
    )
    rows = resampler.rows
    naive = float(measure(final, y, resampler.weights))
    # A rare class is out of bag in few samples. Means of its own let it count in full.
    inside, outside = nan_mean(nan_mean(gains, 1), 0)
    if not np.isfinite(inside - outside):
        return fail_to_estimate(naive, level, n_candidates, _explain(y, measure))
    bias = max(float(inside - outside), 0.0)
    score = max(naive - bias, measure.range[0])
    spread = measure.score_weighted(final[rows][None], y[rows], drawn)[:, 0]
    # Gains out of bag vary as those of fewer rows do, OUT_OF_BAG of all.
    varying = _nan_variance(nan_mean(gains[..., 1], 0))
    variance = _nan_variance(spread) + OUT_OF_BAG * varying
    variance *= resampler.share
    n_effective = _count_effective(y, measure)
    if resampler.is_independent or variance == 0.0:  # no group differs from another
        n_effective *= resampler.n_units / len(y)
    quantile = resampler.find_quantile(level)
    low, high = _find_interval(
        score, np.sqrt(variance), measure.range, n_effective, quantile
    )
    low, high = float(min(low, score)), float(max(high, score))  # but for rounding
    return HonestScore(score, low, high, naive, level, n_candidates, "bootstrap")


def fail_to_estimate(
    naive: float, level: float, n_candidates: int, reason: str
) -> HonestScore:
    """Return an honest score that is not estimated, with the reason."""
    unknown = (np.nan, np.nan, np.nan)
    return HonestScore(*unknown, naive, level, n_candidates, "bootstrap", reason)


def _nan_variance(values: np.ndarray) -> float:
    return float(nan_mean((values - nan_mean(values)) ** 2))


def find_best(scores: np.ndarray) -> np.ndarray:
    """Return the first best model of each sample; NaN is less than any score."""
    return np.asarray(np.argmax(np.where(np.isnan(scores), -np.inf, scores), axis=1))


def _explain(y: np.ndarray, measure: PredictionScorer) -> str:
    """Explain why no bootstrap sample could be scored."""
    reason = f"no bootstrap sample could be scored by {measure.name}"
    if measure.classes is None:
        return reason
    counts = np.bincount(y, minlength=len(measure.classes))
    rarest = int(counts.argmin())
    rows = "row" if counts[rarest] == 1 else "rows"
    return f"{reason}: class {measure.classes[rarest]} has {counts[rarest]} {rows}"


def _count_effective(y: np.ndarray, measure: PredictionScorer) -> float:
    """Return the effective number of rows: few if classes count alike and are rare."""
    if measure.classes is None or measure.is_mean_over_rows:
        return float(len(y))
    counts = np.unique(y, return_counts=True)[1]
    return float(len(counts) ** 2 / (1.0 / counts).sum())


def _find_interval(
    score: float,
    error: float,
    limits: tuple[float, float],
    n_effective: float,
    z: float,
) -> tuple[float, float]:
    """Return the ends of an interval that stays within the limits of the score.

    Between two limits it is Wilson's, for as many rows as would have this standard
    error, ``n_effective`` at most: so it has a width even where no row was wrong. With
    one limit it is that of a normal distribution of the logarithm of the distance from
    it. The quantile ``z`` is that of the distance from the score in standard errors.
    """
    least, most = limits
    if np.isfinite(least):
        width = most - least
        share = (score - least) / width
        variance = max((error / width) ** 2, share * (1.0 - share) / n_effective)
        n = share * (1.0 - share) / variance if variance > 0 else n_effective
        middle = (share + z**2 / (2.0 * n)) / (1.0 + z**2 / n)
        half = np.sqrt(share * (1.0 - share) / n + (z / (2.0 * n)) ** 2)
        half *= z / (1.0 + z**2 / n)
        return least + width * (middle - half), least + width * (middle + half)
    if np.isfinite(most):
        distance = most - score
        # A loss of almost 0 has no logarithm to speak of.
        factor = np.exp(min(z * error / distance, 100.0)) if distance > 0 else 1.0
        return most - distance * factor, most - distance / factor
    return score - z * error, score + z * error
