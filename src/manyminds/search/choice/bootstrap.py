"""Estimate honest scores on bootstrap samples: of the best pipeline, of a committee."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from manyminds.search.choice.mixture import Mixture
from manyminds.search.choice.resampling import MAX_ROWS, Resampler
from manyminds.search.choice.selection_bias import (
    Criterion,
    HonestScore,
    compare_choices,
    fail_to_estimate,
    replay_strategies,
    subtract_optimism,
)
from manyminds.search.choice.strategies import N_CANDIDATES, Strategies
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import list_tested, place_tests
from manyminds.search.evaluation.metrics import PredictionScorer, nan_mean

__all__ = ["BootstrapJudge"]

MAX_FITTED_ROWS = 100_000  # by which the weights of the final committee are fitted
N_REPLAYS, MIN_REPLAYS = 40, 4
N_READS = 10  # of all predictions, by the choices of a replay
N_GROWN = 1_000  # the same for a committee that is grown
MAX_WORK = 2e9  # array elements that all replays may read
MIN_ERRORS = 1.0  # standard errors by which tuning must be better
MAX_ERRORS = 2.0  # by which a committee may be worse on samples of many rows
N_BOOTSTRAPS = 500
MIN_BOOTSTRAPS = 12  # if a scorer takes long: 30 of 150 classes took twice a budget
JUDGING_SHARE = 0.3  # of the time left, for scorers that take long
TUNING_SHARE = 0.3  # of it, for what is tuned on all rows and in replays
TUNING_SECONDS = 0.5  # that this may take in any case


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

    def choose(
        self, strategies: Strategies, protected: Sequence[int] = ()
    ) -> tuple[Mixture, HonestScore] | None:
        """Return what the best strategy chooses, and its honest score.

        None if that is the best pipeline as it is, or if nothing else can be judged.

        Parameters
        ----------
        strategies : Strategies
            Each is replayed on the same samples of rows: it is better if what it
            chooses on the rows drawn scores better on the rows that are not.
        protected : sequence of int, default=()
            Positions of candidates than which nothing may be chosen that is worse out
            of fold on all rows.
        """
        n = len(self.y)
        fitted = self.weights
        if n > MAX_FITTED_ROWS:
            fitted = np.isin(np.arange(n), self.rows) * self.weights
        strategies = self._drop_slow_tuning(strategies)
        start = time.perf_counter()
        finals = strategies.choose(self.rank, self.P, self.y, self.weights, fitted)
        each = time.perf_counter() - start
        each *= len(self.rows) / np.count_nonzero(fitted)
        if "committee" in finals and finals["committee"].n_members < 2:
            strategies = strategies.without_committee()
            finals = {k: v for k, v in finals.items() if not k.startswith("committee")}
        if len(finals) < 2:
            return None
        replayed = replay_strategies(
            partial(strategies.choose, self.rank_rows), finals, self.P_rows,
            self.y_rows, self.measure,
            self._draw(self._count_replays(strategies, each)),
            self.weights[self.rows],
        )  # fmt: skip
        least = max((self._score(self.P[k]) for k in protected), default=-np.inf)
        worse = {
            name
            for name, one in finals.items()
            if name != "best" and self._score(one.decide(self.P)) < least
        }
        replayed = {k: v for k, v in replayed.items() if k not in worse}
        name = _find_winner(replayed, is_sampled=len(self.rows) < n)
        if name == "best":
            return None
        terms = replayed[name]
        final = finals[name].decide(self.P)
        return finals[name], self._subtract(final, terms[..., 0] - terms[..., 1])

    def _score(self, predictions: np.ndarray) -> float:
        """Score predictions out of fold on all rows."""
        return self.measure(predictions, self.y, self.weights)

    def _count_replays(self, strategies: Strategies, each: float = 0.0) -> int:
        """Count the replays that memory can be read for, and that time allows.

        ``each`` is what one is expected to take, if that is known.
        """
        grows = strategies.with_committee and self.measure.task == "multilabel"
        n_models = min(len(self.P), N_CANDIDATES)
        work = (N_GROWN if grows else N_READS) * n_models * self.P_rows[0].size
        n_most = min(N_REPLAYS, self.n_bootstraps)
        n = int(np.clip(MAX_WORK / work, 8, n_most))
        if np.isinf(self.seconds) or not each:
            return n
        return max(MIN_REPLAYS, min(n, int(JUDGING_SHARE * self.seconds / each)))

    def _drop_slow_tuning(self, strategies: Strategies) -> Strategies:
        """Return the strategies, without tuning if that would take too long."""
        if not strategies.can_tune or np.isinf(self.seconds):
            return strategies
        weights = self.weights[self.rows]
        each = strategies.time_tuning(self.P_rows, self.y_rows, weights)
        is_whole = len(self.y) <= MAX_FITTED_ROWS
        n_times = len(self.y) / len(self.rows) if is_whole else 1.0
        n_times += self._count_replays(strategies)
        n_tuned = 1 + strategies.with_committee
        limit = max(TUNING_SHARE * self.seconds, TUNING_SECONDS)
        is_slow = each * n_times * n_tuned > limit
        return strategies.without_tuning() if is_slow else strategies

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


def _find_winner(replayed: dict[str, np.ndarray], *, is_sampled: bool = False) -> str:
    """Find the strategy that is best out of bag; tuning must be clearly better.

    A committee must be clearly worse to be none where ``is_sampled``: its weights are
    fitted to all rows in the end, and to a sample of them here.
    """
    scores = {name: terms[..., 1, 0] for name, terms in replayed.items()}
    winner = "best"
    if "committee" in scores:
        mean, error = _gain(scores["committee"] - scores["best"])
        if mean > (-MAX_ERRORS * error if is_sampled else 0.0):
            winner = "committee"
    for name in [one for one in scores if one.endswith(", tuned")]:
        mean, error = _gain(scores[name] - scores[winner])
        if mean > MIN_ERRORS * error:
            winner = name
    return winner


def _gain(differences: np.ndarray) -> tuple[float, float]:
    """Return the mean of differences, and its standard error over samples.

    Means of its own let a class count in full that is out of bag in few samples.
    """
    each = nan_mean(differences, 0)
    error = np.sqrt(nan_mean((each - nan_mean(each)) ** 2) / max(1, len(each) - 1))
    return float(nan_mean(nan_mean(differences, 1))), float(error)


def _count_samples(
    measure: PredictionScorer, P: np.ndarray, y: np.ndarray, seconds: float
) -> int:
    """Count the bootstrap samples that can be scored in a share of the time."""
    if measure.is_vectorized and measure.kind != "auc":  # which sorts all rows
        return N_BOOTSTRAPS
    start = time.perf_counter()
    measure.score_weighted(P[:1], y, np.ones((4, len(y))))
    each = 2 * len(P) * (time.perf_counter() - start) / 4
    most = min(JUDGING_SHARE * seconds / max(each, 1e-9), N_BOOTSTRAPS)
    return max(MIN_BOOTSTRAPS, int(most))


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
