"""Estimate honest scores on bootstrap samples: of the best pipeline, of a committee."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from manyminds.search.choice.committee import grow_committee
from manyminds.search.choice.resampling import MAX_ROWS, Resampler
from manyminds.search.choice.selection_bias import (
    Criterion,
    HonestScore,
    average_predictions,
    compare_choices,
    fail_to_estimate,
    find_best,
    replay_strategies,
    subtract_optimism,
)
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import list_tested, place_tests
from manyminds.search.evaluation.metrics import PredictionScorer, nan_mean

__all__ = ["N_CANDIDATES", "BootstrapJudge"]

N_CANDIDATES = 25  # pipelines from which a committee is grown
MAX_MEMBERS = 12  # pipelines in a committee
MIN_WEIGHT = 0.02
N_REPLAYS = 40
N_BAGS = 4  # of a committee that is replayed or chosen
MAX_WORK = 2e9  # array elements that all replays may read
N_BOOTSTRAPS, MIN_BOOTSTRAPS = 500, 30
JUDGING_SHARE = 0.3  # of the time left, for scorers that take long


class BootstrapJudge:
    """Judge the best pipeline and a committee on the same bootstrap samples of rows.

    Parameters
    ----------
    evaluator : Evaluator
        Knows the target, the folds and the score.
    P : ndarray of shape (n_candidates, n_tested[, n_classes])
        Out-of-fold predictions, those of the best pipeline first.
    n_complete : int
        Number of pipelines from which the best one was chosen.
    alpha : float
        Pipelines are ranked by their score less ``alpha`` standard deviations.
    seconds : float
        Left for judging and the final fit.
    seed : int
    """

    def __init__(
        self,
        evaluator: Evaluator,
        P: np.ndarray,
        n_complete: int,
        alpha: float,
        seconds: float,
        seed: int,
    ) -> None:
        tested, folds = list_tested(evaluator.folds), place_tests(evaluator.folds)
        self.P, self.y, self.measure = P, evaluator.y[tested], evaluator.measure
        self.n_complete, self.seed = n_complete, seed
        weights, groups, time = (
            None if one is None else one[tested]
            for one in (evaluator.sample_weight, evaluator.groups, evaluator.time)
        )
        self.resampler = Resampler(len(self.y), seed, groups, time, MAX_ROWS, weights)
        self.rows, self.weights = self.resampler.rows, self.resampler.weights
        self.rank = _make_criterion(self.measure, folds, alpha)
        self.rank_rows = _make_criterion(self.measure, folds, alpha, self.rows)
        self.criterion = self.rank_rows if alpha else None
        self.P_rows, self.y_rows = P[:, self.rows], self.y[self.rows]
        self.seconds = seconds

    @cached_property
    def n_bootstraps(self) -> int:
        """Number of bootstrap samples that the time allows."""
        return _count_samples(self.measure, self.P_rows, self.y_rows, self.seconds)

    def judge_best(self) -> HonestScore:
        """Return the honest score of the best pipeline, or why there is none."""
        try:
            drawn = self._draw(self.n_bootstraps)
            gains = compare_choices(
                self.P_rows, self.y_rows, self.measure, drawn, 0, self.criterion,
                self.weights[self.rows],
            )  # fmt: skip
            return self._subtract(self.P[0], gains)
        except Exception as error:  # a scorer may raise on samples of the rows
            naive = self.measure(self.P[0], self.y, self.weights)
            reason = str(error)
            honest = fail_to_estimate(naive, 0.95, self.n_complete, reason)
            return _to_display(honest, self.measure)

    def try_committee(
        self, eligible: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, HonestScore] | None:
        """Return weights, predictions and honest score of a better committee, if any.

        Parameters
        ----------
        eligible : ndarray of bool of shape (n_candidates,)
            Pipelines that may be members.
        """
        grow = partial(_take_committee, eligible, self.measure, self.seed)
        committee = grow(self.rank, self.P, self.y, self.weights)
        finals = {"best": np.eye(len(self.P))[0], "committee": committee}
        strategies = {
            "best": partial(_take_best, self.rank_rows),
            "committee": partial(grow, self.rank_rows),
        }
        work = N_BAGS * 20 * N_CANDIDATES / 2 * self.P_rows[0].size
        n_most = min(N_REPLAYS, self.n_bootstraps)
        drawn = self._draw(int(np.clip(MAX_WORK / work, 8, n_most)))
        replayed = replay_strategies(
            strategies, finals, self.P_rows, self.y_rows, self.measure, drawn,
            self.weights[self.rows],
        )  # fmt: skip
        better = replayed["committee"][..., 1, 0] - replayed["best"][..., 1, 0]
        if not nan_mean(nan_mean(better, 1)) > 0 or np.count_nonzero(committee) < 2:
            return None
        predictions = average_predictions(committee, self.P)
        terms = replayed["committee"]
        honest = self._subtract(predictions, terms[..., 0] - terms[..., 1])
        return committee, predictions, honest

    def _draw(self, n: int) -> np.ndarray:
        return self.resampler.draw(n)

    def _subtract(self, final: np.ndarray, gains: np.ndarray) -> HonestScore:
        honest = subtract_optimism(
            final, self.y, self.measure, gains, self._draw(self.n_bootstraps),
            self.n_complete, resampler=self.resampler,
        )  # fmt: skip
        return _to_display(honest, self.measure)


def _make_criterion(
    measure: PredictionScorer,
    folds: Sequence[tuple[np.ndarray, np.ndarray]],
    alpha: float,
    rows: np.ndarray | None = None,
) -> Criterion:
    """Return the criterion: the score less ``alpha`` standard deviations over folds."""
    if not alpha:
        return measure.score_weighted
    tests = [test for _, test in folds]
    if rows is not None:
        tests = [np.flatnonzero(np.isin(rows, test)) for test in tests]

    def rank(P: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # folds without a row
            scores = [
                measure.score_weighted(P[:, t], y[t], counts[:, t]) for t in tests
            ]
            return np.asarray(
                measure.score_weighted(P, y, counts) - alpha * np.nanstd(scores, axis=0)
            )

    return rank


def _take_best(
    rank: Criterion, P: np.ndarray, y: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Return weights that take the best model alone."""
    best = find_best(rank(P, y, counts[None]))[0]
    return np.asarray(np.arange(len(P)) == best, dtype=float)


def _take_committee(
    eligible: np.ndarray,
    measure: PredictionScorer,
    seed: int,
    rank: Criterion,
    P: np.ndarray,
    y: np.ndarray,
    counts: np.ndarray,
) -> np.ndarray:
    """Return the weights of a committee grown from the best eligible models."""
    scores = np.where(eligible, rank(P, y, counts[None])[0], -np.inf)
    good = np.argsort(-scores, kind="stable")[: min(N_CANDIDATES, int(eligible.sum()))]
    weights = np.zeros(len(P))
    weights[good] = grow_committee(
        P[good], y, measure.as_vectorized(), counts=counts, n_bags=N_BAGS,
        random_state=seed,
    )  # fmt: skip
    return _trim(weights)


def _count_samples(
    measure: PredictionScorer, P: np.ndarray, y: np.ndarray, seconds: float
) -> int:
    """Count the bootstrap samples that can be scored in a share of the time."""
    if measure.is_vectorized:
        return N_BOOTSTRAPS
    start = time.perf_counter()
    measure.score_weighted(P[:1], y, np.ones((4, len(y))))
    each = 2 * len(P) * (time.perf_counter() - start) / 4
    most = min(JUDGING_SHARE * seconds / max(each, 1e-9), N_BOOTSTRAPS)
    return max(MIN_BOOTSTRAPS, int(most))


def _trim(weights: np.ndarray) -> np.ndarray:
    """Drop members of little weight, and those beyond the largest committee."""
    weights = np.where(weights < MIN_WEIGHT, 0.0, weights)
    order = np.argsort(-weights, kind="stable")
    weights[order[MAX_MEMBERS:]] = 0.0
    return np.asarray(weights / weights.sum())


def _to_display(honest: HonestScore, measure: PredictionScorer) -> HonestScore:
    """Return the score as it is displayed: a loss is a positive number."""
    low, high = measure.bound(honest.low, honest.high)
    return replace(
        honest,
        score=measure.show(honest.score),
        low=low,
        high=high,
        naive=measure.show(honest.naive),
    )
