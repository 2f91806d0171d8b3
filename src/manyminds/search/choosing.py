"""Choose what to keep of a search: the best chain, or a committee of good ones."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import VotingClassifier, VotingRegressor

from manyminds.search.committee import grow_committee
from manyminds.search.honest import (
    Criterion,
    HonestScore,
    compare_choices,
    draw_counts,
    fail_to_estimate,
    find_best,
    mix,
    nan_mean,
    replay_strategies,
    subtract_optimism,
)
from manyminds.search.keeping import Kept
from manyminds.search.space.space import Chain
from manyminds.search.study import Study, Tried

__all__ = ["Chosen", "choose"]

MOST_BYTES = 400_000_000  # of predictions that are looked at together
MOST_ROWS = 8_000  # of which the bootstrap draws
N_MEMBERS = 25  # chains from which a committee is grown
MOST_KEPT = 12  # chains in a committee
LEAST_WEIGHT = 0.02
N_REPLAYS = 40
N_BAGS = 4  # of a committee that is replayed, or kept
MOST_WORK = 2e9  # numbers that all replays may touch
N_BOOTSTRAPS, LEAST_BOOTSTRAPS = 500, 30
SHARE_OF_JUDGING = 0.3  # of the time that is left, for scorers that take long
SECONDS_TO_SHARE = 10.0  # fits that take longer are worth processes of their own


@dataclass(frozen=True)
class Chosen:
    """What a search has chosen.

    Parameters
    ----------
    best : dict
        The best chain.
    members : list of dict
        Chains of the committee; empty if the best chain is better alone.
    weights : DataFrame-like list of (text, weight)
    honest : HonestScore
        As people read it.
    predictions : ndarray
        Out of fold, of what was chosen.
    kept : Kept
        Of the best chain.
    seconds : float, default=0.0
        That the fits of the members take, one after the other.
    """

    best: Chain
    members: list[Chain]
    weights: list[tuple[str, float]]
    honest: HonestScore
    predictions: np.ndarray
    kept: Kept
    seconds: float = 0.0

    def fit(
        self,
        evaluator: Any,
        X: Any,
        y: np.ndarray,
        sample_weight: np.ndarray | None,
        n_jobs: int | None,
    ) -> tuple[Any, Any]:
        """Fit the best chain to all rows, and the committee if there is one."""
        space, problem = evaluator.space, evaluator.problem
        weighted = {} if sample_weight is None else {"sample_weight": sample_weight}
        best = space.build(self.best, problem)
        if weighted and hasattr(best, "steps"):
            weighted = {"learner__sample_weight": sample_weight}
        best.fit(X, y, **weighted)
        if not self.members:
            return best, None
        named = [
            (f"chain_{place}", space.build(chain, problem))
            for place, chain in enumerate(self.members, start=1)
        ]
        shares = [weight for _, weight in self.weights]
        n_jobs = n_jobs if self.seconds > SECONDS_TO_SHARE else None
        if problem.task == "classification":
            vote: Any = VotingClassifier(
                named, voting="soft", weights=shares, n_jobs=n_jobs
            )
        else:
            vote = VotingRegressor(named, weights=shares, n_jobs=n_jobs)
        return best, vote.fit(X, y)


def choose(
    study: Study,
    tried: Sequence[Tried],
    with_committee: bool,
    seconds: float,
    seed: int,
) -> Chosen:
    """Choose the best chain or a committee, and judge the choice.

    The chain that is best by its criterion, and a committee grown from the predictions
    of good chains, are both replayed on bootstrap samples of the rows: what chooses
    never sees the rows that judge. The committee is kept only if it is better there.
    Where that cannot be judged, the best chain is chosen, and its honest score says
    why there is none.

    Parameters
    ----------
    study : Study
        Keeps the predictions of the trials.
    tried : sequence of Tried
        With at least one chain that went through all folds.
    with_committee : bool
        Whether a committee may be chosen.
    seconds : float
        For fitting what is chosen to all rows: chains that take too long are left out
        of the committee.
    seed : int

    Returns
    -------
    chosen : Chosen
    """
    candidates = _find_candidates(study, tried)
    kept = study.store.read([one.number for one in candidates])
    candidates = [one for one in candidates if one.number in kept]
    _check_found(tried, candidates)
    P = np.stack([kept[one.number].predictions for one in candidates])
    n_complete = sum(one.state == "complete" for one in tried)
    judge = _Judge(study, P, n_complete, seconds, seed)
    alone = Chosen(
        best=candidates[0].chain,
        members=[],
        weights=[(candidates[0].text, 1.0)],
        honest=judge.judge_best(),
        predictions=P[0],
        kept=kept[candidates[0].number],
    )
    weighted = study.evaluator.sample_weight is not None
    if not with_committee or len(candidates) < 3 or weighted:
        return alone
    quick = _find_quick(candidates, seconds) & _find_voters(study, candidates)
    if quick.sum() < 3:
        return alone
    try:
        found = judge.try_committee(quick)
    except Exception:  # a scorer of the user's own may raise on samples of the rows
        found = None
    if found is None:
        return alone
    weights, predictions, honest = found
    members = np.flatnonzero(weights)
    return replace(
        alone,
        members=[candidates[place].chain for place in members],
        weights=[(candidates[place].text, float(weights[place])) for place in members],
        honest=honest,
        predictions=predictions,
        seconds=sum(candidates[place].fit_seconds for place in members),
    )


class _Judge:
    """Judges the best chain and a committee on the same bootstrap samples of rows.

    Parameters
    ----------
    study : Study
    P : ndarray of shape (n_candidates, n_samples[, n_classes])
        Out-of-fold predictions, those of the best chain first.
    n_complete : int
        Number of chains from which the best one was chosen.
    seconds : float
        That are left.
    seed : int
    """

    def __init__(
        self, study: Study, P: np.ndarray, n_complete: int, seconds: float, seed: int
    ) -> None:
        evaluator = study.evaluator
        self.P, self.y, self.measure = P, evaluator.y, evaluator.measure
        self.n_complete, self.seed = n_complete, seed
        self.rows = _sample_rows(len(self.y), seed)
        self.rank = _make_criterion(self.measure, evaluator.folds, study.alpha)
        self.rank_rows = _make_criterion(
            self.measure, evaluator.folds, study.alpha, self.rows
        )
        self.P_rows, self.y_rows = P[:, self.rows], self.y[self.rows]
        self.n_bootstraps = _count_samples(
            self.measure, self.P_rows, self.y_rows, seconds
        )

    def judge_best(self) -> HonestScore:
        """Return the honest score of the best chain, or why there is none."""
        try:
            drawn = self._draw(self.n_bootstraps)
            gaps = compare_choices(
                self.P_rows, self.y_rows, self.measure, drawn, 0, self.rank_rows
            )
            return self._subtract(self.P[0], gaps)
        except Exception as error:  # a scorer may raise on samples of the rows
            naive, reason = self.measure(self.P[0], self.y), str(error)
            honest = fail_to_estimate(naive, 0.95, self.n_complete, reason)
            return _shown(honest, self.measure)

    def try_committee(
        self, quick: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, HonestScore] | None:
        """Return weights, predictions and honest score of a committee if it is better.

        Parameters
        ----------
        quick : ndarray of bool of shape (n_candidates,)
            Chains that may be members.
        """
        rank, rank_rows = partial(_take_best, self.rank), self.rank_rows
        grow = partial(_take_committee, self.rank, quick, self.measure, self.seed)
        every = np.ones(len(self.y))
        finals = {
            "best": rank(self.P, self.y, every),
            "committee": grow(self.P, self.y, every),
        }
        strategies = {
            "best": partial(_take_best, rank_rows),
            "committee": partial(
                _take_committee, rank_rows, quick, self.measure, self.seed
            ),
        }
        work = N_BAGS * 20 * N_MEMBERS / 2 * self.P_rows[0].size
        n_most = min(N_REPLAYS, self.n_bootstraps)
        drawn = self._draw(int(np.clip(MOST_WORK / work, 8, n_most)))
        replayed = replay_strategies(
            strategies, finals, self.P_rows, self.y_rows, self.measure, drawn
        )
        gains = replayed["committee"][..., 0] - replayed["best"][..., 0]
        if not nan_mean(nan_mean(gains, 1)) > 0:
            return None
        predictions = mix(finals["committee"], self.P)
        terms = replayed["committee"]
        honest = self._subtract(predictions, terms[..., 1] - terms[..., 0])
        return finals["committee"], predictions, honest

    def _draw(self, n: int) -> np.ndarray:
        return draw_counts(np.random.RandomState(self.seed), n, len(self.rows))

    def _subtract(self, final: np.ndarray, gaps: np.ndarray) -> HonestScore:
        honest = subtract_optimism(
            final, self.y, self.measure, gaps, self._draw(self.n_bootstraps),
            self.n_complete, rows=self.rows,
        )  # fmt: skip
        return _shown(honest, self.measure)


def _make_criterion(
    measure: Any, folds: Any, alpha: float, rows: np.ndarray | None = None
) -> Criterion:
    """Return what chooses chains: their score, less ``alpha`` times its deviation."""
    if not alpha:
        return measure.weigh  # type: ignore[no-any-return]
    tests = [test if rows is None else np.flatnonzero(np.isin(rows, test))
             for _, test in folds]  # fmt: skip

    def weigh(P: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # folds without a row
            scores = [measure.weigh(P[:, t], y[t], counts[:, t]) for t in tests]
            return np.asarray(
                measure.weigh(P, y, counts) - alpha * np.nanstd(scores, axis=0)
            )

    return weigh


def _take_best(
    rank: Criterion, P: np.ndarray, y: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Return weights that take the best model alone."""
    best = find_best(rank(P, y, counts[None]))[0]
    return np.asarray(np.arange(len(P)) == best, dtype=float)


def _take_committee(
    rank: Criterion,
    quick: np.ndarray,
    measure: Any,
    seed: int,
    P: np.ndarray,
    y: np.ndarray,
    counts: np.ndarray,
) -> np.ndarray:
    """Return the weights of a committee grown from the best models that are quick."""
    scores = np.where(quick, rank(P, y, counts[None])[0], -np.inf)
    good = np.argsort(-scores, kind="stable")[: min(N_MEMBERS, int(quick.sum()))]
    weights = np.zeros(len(P))
    weights[good] = grow_committee(
        P[good], y, measure.make_quick(), counts=counts, n_bags=N_BAGS,
        random_state=seed,
    )  # fmt: skip
    return _trim(weights)


def _count_samples(measure: Any, P: np.ndarray, y: np.ndarray, seconds: float) -> int:
    """Count the bootstrap samples that can be judged in a share of the time."""
    if measure.is_quick:
        return N_BOOTSTRAPS
    start = time.perf_counter()
    measure.weigh(P[:1], y, np.ones((4, len(y))))
    each = 2 * len(P) * (time.perf_counter() - start) / 4
    most = min(SHARE_OF_JUDGING * seconds / max(each, 1e-9), N_BOOTSTRAPS)
    return max(LEAST_BOOTSTRAPS, int(most))


def _find_candidates(study: Study, tried: Sequence[Tried]) -> list[Tried]:
    """List the chains to choose from, the best first, as many as memory holds.

    Where each score of each bootstrap sample takes a call of a scorer, only those that
    have a chance to be the best of a sample.
    """
    complete = [one for one in tried if one.state == "complete"]
    complete.sort(key=lambda one: (-one.criterion, one.number))
    problem = study.evaluator.problem
    bytes_each = 4 * problem.n_samples * max(2, problem.n_classes)
    n_most = max(10, MOST_BYTES // bytes_each)
    return complete[: n_most if study.evaluator.measure.is_quick else N_MEMBERS]


def _check_found(tried: Sequence[Tried], candidates: list[Tried]) -> None:
    if candidates:
        return
    reasons = list(dict.fromkeys(one.reason for one in tried if one.reason))[:3]
    raise ValueError(
        f"None of {len(tried)} chains went through all folds in the time given; raise "
        "budget" + (f". Reasons: {'; '.join(reasons)}" if reasons else "") + "."
    )


def _find_quick(candidates: list[Tried], seconds: float) -> np.ndarray:
    """Mark the chains of which several can be fitted in the time that is left."""
    quick = np.array([one.fit_seconds < seconds / 4.0 for one in candidates])
    quick[0] = True
    return quick


def _find_voters(study: Study, candidates: list[Tried]) -> np.ndarray:
    """Mark the chains that can take part in a vote: those with probabilities."""
    space, problem = study.evaluator.space, study.evaluator.problem
    if not problem.n_classes:
        return np.ones(len(candidates), dtype=bool)
    models = [space.build(one.chain, problem) for one in candidates]
    return np.array([hasattr(model, "predict_proba") for model in models])


def _trim(weights: np.ndarray) -> np.ndarray:
    """Drop members that hardly count, and those beyond the largest committee."""
    weights = np.where(weights < LEAST_WEIGHT, 0.0, weights)
    order = np.argsort(-weights, kind="stable")
    weights[order[MOST_KEPT:]] = 0.0
    return np.asarray(weights / weights.sum())


def _sample_rows(n: int, seed: int) -> np.ndarray:
    if n <= MOST_ROWS:
        return np.arange(n)
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(n, MOST_ROWS, replace=False))


def _shown(honest: HonestScore, measure: Any) -> HonestScore:
    """Turn a score into what people read."""
    low, high = measure.bound(honest.low, honest.high)
    return replace(
        honest,
        score=measure.show(honest.score),
        low=low,
        high=high,
        naive=measure.show(honest.naive),
    )
