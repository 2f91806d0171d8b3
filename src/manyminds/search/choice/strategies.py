"""Strategies of choosing from a pool of models: the best, a committee, and tuned."""

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from manyminds.search.choice.class_weights import tune_class_weights
from manyminds.search.choice.committee import grow_committee
from manyminds.search.choice.mixture import Mixture, average_predictions
from manyminds.search.choice.selection_bias import Criterion, find_best
from manyminds.search.choice.simplex import Losses
from manyminds.search.choice.thinning import drop_slow, drop_spare, trim_weights
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.rates import RATES
from manyminds.search.evaluation.temperature import CALIBRATED, fit_temperature
from manyminds.search.space.space import EVEN_METRICS

__all__ = ["N_CANDIDATES", "Strategies", "pick_candidates"]

N_CANDIDATES = 25  # pipelines from which a committee is made
N_FAMILIES = 12  # of which the best one is always among them
MIN_CANDIDATES = 3
N_BAGS = 4  # of a committee that is grown


@dataclass(frozen=True)
class Strategies:
    """Choose from predictions of models on some rows, in several ways at once.

    The strategies are "best", the model with the best score; "committee", a weighted
    mean of good models; and each of them "tuned": with a temperature if the metric is
    one of probabilities, with weights of classes if it is one of decisions.

    Parameters
    ----------
    measure : PredictionScorer
    eligible : ndarray of bool of shape (n_models,)
        Models that may be members of a committee. It takes three at least.
    voters : ndarray of bool of shape (n_models,)
        Models that may be tuned: those with probabilities.
    seed : int
    predict_seconds : ndarray of shape (n_models,) or None, default=None
        That each model takes to predict a row.
    limit : float, default=inf
        Seconds that a committee may take to predict a row.
    fit_seconds : ndarray of shape (n_models,) or None, default=None
        That each model takes to be fitted to all rows.
    fit_limit : float, default=inf
        Seconds that the fits of a committee may take together.
    families : ndarray of shape (n_models,) or None, default=None
        Learner of each model: a long search finds many variants of the best one, which
        would leave no place for others that err on other rows. None: all differ.
    with_tuning : bool, default=True
        Whether there are tuned strategies.
    """

    measure: PredictionScorer
    eligible: np.ndarray
    voters: np.ndarray
    seed: int
    predict_seconds: np.ndarray | None = None
    limit: float = np.inf
    fit_seconds: np.ndarray | None = None
    fit_limit: float = np.inf
    families: np.ndarray | None = None
    with_tuning: bool = True

    def choose(
        self,
        rank: Criterion,
        P: np.ndarray,
        y: np.ndarray,
        counts: np.ndarray,
        fitted: np.ndarray | None = None,
    ) -> dict[str, Mixture]:
        """Choose by each strategy.

        Parameters
        ----------
        rank : callable
            Scores all models on several samples of rows.
        P : ndarray of shape (n_models, n_samples[, n_classes])
            Out-of-fold predictions.
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        counts : ndarray of shape (n_samples,)
            How often each row counts.
        fitted : ndarray of shape (n_samples,), default=None
            The same for what is fitted: weights, temperature. None: ``counts``.

        Returns
        -------
        mixtures : dict of str to Mixture
        """
        scores = rank(P, y, counts[None])
        best = int(find_best(scores)[0])
        counts = counts if fitted is None else fitted
        chosen = {"best": Mixture(np.eye(len(P))[best])}
        if self.with_committee:
            weights = self._weigh(scores[0], P, y, counts)
            chosen["committee"] = Mixture(weights)
        if not self.can_tune:
            return chosen
        return chosen | {
            f"{name}, tuned": self._tune(one, P, y, counts)
            for name, one in chosen.items()
        }

    @property
    def with_committee(self) -> bool:
        """Whether there are enough models to make a committee."""
        return bool(self.eligible.sum() >= MIN_CANDIDATES)

    def without_committee(self) -> "Strategies":
        """Return the same strategies of the best model alone."""
        return replace(self, eligible=np.zeros_like(self.eligible))

    def without_tuning(self) -> "Strategies":
        """Return the same strategies, none of them tuned."""
        return replace(self, with_tuning=False)

    def time_tuning(self, P: np.ndarray, y: np.ndarray, counts: np.ndarray) -> float:
        """Return the seconds to tune a model, for predictions as in ``choose``."""
        one = Mixture(np.eye(len(P))[int(self.voters.argmax())])
        start = perf_counter()
        self._tune(one, P, y, counts)
        return perf_counter() - start

    @property
    def can_tune(self) -> bool:
        """Whether there is something to tune for the metric."""
        measure = self.measure
        if measure.task != "classification" or not self.with_tuning:
            return False
        return measure.kind in CALIBRATED or self._tunes_classes

    @property
    def _tunes_classes(self) -> bool:
        return self.measure.kind in RATES and self.measure.kind != "accuracy"

    def _weigh(
        self, scores: np.ndarray, P: np.ndarray, y: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Return the weights of a committee of the best eligible models."""
        scores = np.where(self.eligible, np.nan_to_num(scores, nan=-np.inf), -np.inf)
        n_good = min(N_CANDIDATES, int(self.eligible.sum()))
        order = np.argsort(-scores, kind="stable")[: self.eligible.sum()]
        families = order if self.families is None else self.families[order]
        good = order[pick_candidates(families, n_good)]
        weights = np.zeros(len(P))
        weights[good] = self._weigh_good(P[good], y, counts, good)
        return weights

    def _weigh_good(
        self, P: np.ndarray, y: np.ndarray, counts: np.ndarray, good: np.ndarray
    ) -> np.ndarray:
        """Weigh good models: by their loss, or greedily where there are labels."""
        to_predict = _take(self.predict_seconds, good), self.limit
        to_fit = _take(self.fit_seconds, good), self.fit_limit
        if self.measure.task == "multilabel":
            grown = grow_committee(
                P, y, self.measure.as_vectorized(), counts=counts, n_bags=N_BAGS,
                random_state=self.seed,
            )  # fmt: skip
            return drop_slow(drop_slow(trim_weights(grown), *to_predict), *to_fit)
        is_absolute = self.measure.kind == "mae"
        losses = Losses(P, y, self._balance(y, counts), is_absolute=is_absolute)

        def weigh(models: np.ndarray) -> np.ndarray:
            return trim_weights(losses.minimize(models))

        whole = weigh(np.arange(len(P)))
        quick = drop_slow(whole, *to_predict, weigh)
        small = drop_spare(quick, losses)
        # Models that are not in the small committee any more are not weighed again.
        return drop_slow(small, *to_fit)

    def _balance(self, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return how much rows count: all classes alike, where the metric does so."""
        if self.measure.kind not in EVEN_METRICS:
            return counts
        sizes = np.bincount(y, counts)
        shares = sizes.sum() / len(sizes) / np.where(sizes > 0, sizes, 1.0)
        return np.asarray(counts * shares[y])

    def _tune(
        self, chosen: Mixture, P: np.ndarray, y: np.ndarray, counts: np.ndarray
    ) -> Mixture:
        """Return the mixture with a temperature, or with weights of classes."""
        if not self.voters[chosen.weights > 0].all():
            return chosen
        mean = average_predictions(chosen.weights, P)
        if self._tunes_classes:
            weights = tune_class_weights(mean, y, self.measure.kind, counts)
            return replace(chosen, class_weights=weights)
        return replace(chosen, temperature=fit_temperature(mean, y, counts))


def pick_candidates(families: np.ndarray, n: int) -> np.ndarray:
    """Pick models that a committee is made from: of each family, and of the best.

    Parameters
    ----------
    families : ndarray of shape (n_models,)
        Of models in their order, the best first.
    n : int
        Number of models to pick, if there are so many.

    Returns
    -------
    places : ndarray of int
        Sorted: the best of each of the better families, then the best of all others.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.choice.strategies import pick_candidates
    >>> pick_candidates(np.array(["gb", "gb", "gb", "gb", "net"]), 3)
    array([0, 1, 4])
    """
    first = np.sort(np.unique(families, return_index=True)[1])[: min(N_FAMILIES, n)]
    others = np.setdiff1d(np.arange(len(families)), first)
    return np.sort(np.concatenate([first, others[: n - len(first)]]))


def _take(seconds: np.ndarray | None, models: np.ndarray) -> np.ndarray:
    """Return the seconds of some models, 0 if unknown."""
    return np.zeros(len(models)) if seconds is None else seconds[models]
