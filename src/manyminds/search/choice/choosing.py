"""Choose what to keep of a search: the best chain, or a committee of good ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.ensemble import VotingClassifier, VotingRegressor

from manyminds.search.choice.honest import HonestScore
from manyminds.search.choice.judging import N_MEMBERS, Judge
from manyminds.search.space.space import Chain
from manyminds.search.study.keeping import Kept
from manyminds.search.study.study import Study, Tried
from manyminds.utils.errors import InputError, Parameter

__all__ = ["Chosen", "choose"]

MAX_BYTES = 400_000_000  # of predictions that are looked at together
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
    judge = Judge(study, P, n_complete, seconds, seed)
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


def _find_candidates(study: Study, tried: Sequence[Tried]) -> list[Tried]:
    """List the chains to choose from, the best first, as many as memory holds.

    Where each score of each bootstrap sample takes a call of a scorer, only those that
    have a chance to be the best of a sample.
    """
    complete = [one for one in tried if one.state == "complete"]
    complete.sort(key=lambda one: (-one.criterion, one.number))
    problem = study.evaluator.problem
    bytes_each = 4 * problem.n_samples * max(2, problem.n_classes)
    n_most = max(10, MAX_BYTES // bytes_each)
    return complete[: n_most if study.evaluator.measure.is_quick else N_MEMBERS]


def _check_found(tried: Sequence[Tried], candidates: list[Tried]) -> None:
    if candidates:
        return
    reasons = list(dict.fromkeys(one.reason for one in tried if one.reason))[:3]
    raise InputError(
        f"None of {len(tried)} chains went through all folds in the time given; raise ",
        Parameter("budget"),
        (f". Reasons: {'; '.join(reasons)}" if reasons else "") + ".",
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
