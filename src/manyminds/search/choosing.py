"""Choose what to keep of a search: the best chain, or a committee of good ones."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.ensemble import VotingClassifier, VotingRegressor

from manyminds.search.committee import grow_committee
from manyminds.search.honest import (
    HonestScore,
    correct_for_choosing,
    score_strategies,
    summarise,
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
    evaluator = study.evaluator
    measure, y = evaluator.measure, evaluator.y
    P = np.stack([kept[one.number].predictions for one in candidates])
    rows = _sample_rows(len(y), seed)

    n_bootstraps = _count_samples(measure, P[:, rows], y[rows], seconds)
    honest = correct_for_choosing(
        P[:, rows], y[rows], measure, n_bootstraps, random_state=seed
    )
    alone = Chosen(
        best=candidates[0].chain,
        members=[],
        weights=[(candidates[0].text, 1.0)],
        honest=_shown(
            replace(honest, n_candidates=sum(one.state == "complete" for one in tried)),
            measure,
            naive=measure(P[0], y),
        ),
        predictions=P[0],
        kept=kept[candidates[0].number],
    )
    if not with_committee or len(candidates) < 3 or evaluator.sample_weight is not None:
        return alone
    return _try_committee(alone, candidates, P, rows, study, seconds, seed)


def _try_committee(
    alone: Chosen,
    candidates: list[Tried],
    P: np.ndarray,
    rows: np.ndarray,
    study: Study,
    seconds: float,
    seed: int,
) -> Chosen:
    """Grow a committee; give it if it does better than the best chain alone."""
    measure, y = study.evaluator.measure, study.evaluator.y
    grows_by = measure.make_quick()
    quick = _find_quick(candidates, seconds) & _find_voters(study, candidates)
    if quick.sum() < 3:
        return alone

    def take_best(P: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
        scores = measure.weigh(P, y, counts[None])[0]
        return np.asarray(np.arange(len(P)) == np.nanargmax(scores), dtype=float)

    def take_committee(P: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
        scores = np.where(quick, measure.weigh(P, y, counts[None])[0], -np.inf)
        good = np.argsort(-scores, kind="stable")[: min(N_MEMBERS, int(quick.sum()))]
        weights = np.zeros(len(P))
        weights[good] = grow_committee(
            P[good], y, grows_by, counts=counts, n_bags=N_BAGS, random_state=seed
        )
        return _trim(weights)

    strategies = {"best": take_best, "committee": take_committee}
    work = N_BAGS * 20 * N_MEMBERS / 2 * P[0, rows].size
    n_most = _count_samples(measure, P[:, rows], y[rows], seconds)
    n_replays = int(np.clip(MOST_WORK / work, 8, min(N_REPLAYS, n_most)))
    replayed = score_strategies(
        strategies, P[:, rows], y[rows], measure, n_replays, random_state=seed
    )
    if np.nanmean(replayed["committee"]) <= np.nanmean(replayed["best"]):
        return alone
    weights = take_committee(P, y, np.ones(len(y)))
    members = np.flatnonzero(weights)
    predictions = np.tensordot(weights[members], P[members].astype(np.float64), 1)
    naive = measure(predictions, y)
    honest = summarise(replayed["committee"], naive, 0.95, alone.honest.n_candidates)
    return replace(
        alone,
        members=[candidates[place].chain for place in members],
        weights=[(candidates[place].text, float(weights[place])) for place in members],
        honest=_shown(honest, measure, naive),
        predictions=predictions,
        seconds=sum(candidates[place].fit_seconds for place in members),
    )


def _count_samples(measure: Any, P: np.ndarray, y: np.ndarray, seconds: float) -> int:
    """Count the bootstrap samples that can be judged in a share of the time."""
    if measure.is_quick:
        return N_BOOTSTRAPS
    start = time.perf_counter()
    measure(P[0], y)
    each = 2 * len(P) * (time.perf_counter() - start)
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


def _shown(honest: HonestScore, measure: Any, naive: float) -> HonestScore:
    """Turn a score into what people read."""
    low, high = sorted([measure.show(honest.low), measure.show(honest.high)])
    return replace(
        honest,
        score=measure.show(honest.score),
        low=low,
        high=high,
        naive=measure.show(naive),
    )
