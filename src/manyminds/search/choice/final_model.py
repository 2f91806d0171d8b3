"""Choose the final model of a search: the best pipeline, or a committee."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.ensemble import VotingClassifier, VotingRegressor

from manyminds.search.choice.bootstrap import N_CANDIDATES, BootstrapJudge
from manyminds.search.choice.label_committee import LabelCommittee
from manyminds.search.choice.selection_bias import HonestScore
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import list_tested, place_tests
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.prediction_store import PredictionStore, StoredPredictions
from manyminds.search.study.trial_record import TrialRecord
from manyminds.utils.errors import InputError, Parameter

__all__ = ["FinalModel", "choose_final_model"]

MAX_BYTES = 400_000_000  # of predictions that are read together
MIN_PARALLEL_SECONDS = 10.0  # fits that take longer are worth processes of their own
MIN_CANDIDATES = 3  # pipelines from which a committee can be grown


@dataclass(frozen=True)
class FinalModel:
    """What a search has chosen.

    Parameters
    ----------
    best : dict
        The best pipeline.
    members : list of dict
        Pipelines of the committee; empty if the best pipeline is better alone.
    weights : list of (str, float)
        Description and weight of each pipeline.
    honest : HonestScore
        For display: a loss is a positive number.
    predictions : ndarray of shape (n_tested[, n_classes or n_labels])
        Out of fold, of what was chosen, for the rows that are tested.
    stored : StoredPredictions
        Of the best pipeline.
    fit_seconds : float, default=0.0
        That the fits of the members take, one after the other.
    threshold : ndarray of shape (n_labels,), default=0.5
        Of the best pipeline: a row has the labels whose score is greater.
    thresholds : list of ndarray, default=[]
        Of the members.
    """

    best: PipelineSpec
    members: list[PipelineSpec]
    weights: list[tuple[str, float]]
    honest: HonestScore
    predictions: np.ndarray
    stored: StoredPredictions
    fit_seconds: float = 0.0
    threshold: np.ndarray = field(default_factory=lambda: np.array([0.5]))
    thresholds: list[np.ndarray] = field(default_factory=list)

    def fit(
        self,
        evaluator: Evaluator,
        X: Any,
        y: np.ndarray,
        sample_weight: np.ndarray | None,
        n_jobs: int | None,
    ) -> tuple[Any, Any]:
        """Fit the best pipeline to all rows, and the committee if there is one.

        Parameters
        ----------
        evaluator : Evaluator
            Knows the space and the problem.
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        sample_weight : ndarray of shape (n_samples,) or None
        n_jobs : int or None

        Returns
        -------
        best : estimator
        committee : VotingClassifier, VotingRegressor, LabelCommittee or None
        """
        space, problem = evaluator.space, evaluator.problem
        fit_params: dict[str, Any] = {}
        if sample_weight is not None:
            fit_params = {"sample_weight": sample_weight}
        best: Any = space.build(self.best, problem)
        if fit_params and hasattr(best, "steps"):
            fit_params = {"learner__sample_weight": sample_weight}
        if (self.threshold != 0.5).any():
            best = LabelCommittee([best], [1.0], [self.threshold])
        best.fit(X, y, **fit_params)
        if not self.members:
            return best, None
        named = [
            (f"pipeline_{place}", space.build(pipeline, problem))
            for place, pipeline in enumerate(self.members, start=1)
        ]
        shares = [weight for _, weight in self.weights]
        n_jobs = n_jobs if self.fit_seconds > MIN_PARALLEL_SECONDS else None
        vote: Any
        if problem.task == "classification":
            vote = VotingClassifier(named, voting="soft", weights=shares, n_jobs=n_jobs)
        elif problem.task == "multilabel":
            models = [model for _, model in named]
            vote = LabelCommittee(models, shares, self.thresholds, n_jobs)
        else:
            vote = VotingRegressor(named, weights=shares, n_jobs=n_jobs)
        return best, vote.fit(X, y)


def choose_final_model(
    records: Sequence[TrialRecord],
    store: PredictionStore,
    evaluator: Evaluator,
    *,
    alpha: float,
    with_committee: bool,
    seconds: float,
    seed: int,
) -> FinalModel:
    """Choose the best pipeline or a committee, and estimate its honest score.

    The pipeline with the best criterion, and a committee grown from the predictions of
    good pipelines, are both replayed on bootstrap samples of the rows: the choice never
    sees the rows that judge it. The committee is chosen only if it is better there.
    Where that cannot be judged, the best pipeline is chosen, and its honest score says
    why there is none.

    Parameters
    ----------
    records : sequence of TrialRecord
        At least one of them complete.
    store : PredictionStore
        Predictions of the trials.
    evaluator : Evaluator
    alpha : float
        Pipelines are ranked by their score less ``alpha`` standard deviations.
    with_committee : bool
        Whether a committee may be chosen.
    seconds : float
        For fitting the final model: pipelines that take too long are left out of the
        committee.
    seed : int

    Returns
    -------
    final : FinalModel
    """
    candidates = _list_candidates(records, evaluator)
    stored = store.read([one.number for one in candidates])
    candidates = [one for one in candidates if one.number in stored]
    _check_any(candidates, records)
    made = [stored[one.number].predictions for one in candidates]
    y, measure = evaluator.y, evaluator.measure
    placed = place_tests(evaluator.folds)
    P = np.stack([measure.adapt(one, y, placed) for one in made])
    thresholds = [measure.find_threshold(one, y) for one in made]
    n_complete = sum(one.state == "complete" for one in records)
    judge = BootstrapJudge(evaluator, P, n_complete, alpha, seconds, seed)
    alone = FinalModel(
        best=candidates[0].pipeline,
        members=[],
        weights=[(candidates[0].text, 1.0)],
        honest=judge.judge_best(),
        predictions=P[0],
        stored=stored[candidates[0].number],
        threshold=thresholds[0],
    )
    is_weighted = evaluator.sample_weight is not None  # a vote cannot pass them on
    if not with_committee or is_weighted:
        return alone
    eligible = _find_quick(candidates, seconds) & _find_voters(candidates, evaluator)
    return _add_committee(alone, judge, candidates, eligible, thresholds)


def _add_committee(
    alone: FinalModel,
    judge: BootstrapJudge,
    candidates: Sequence[TrialRecord],
    eligible: np.ndarray,
    thresholds: Sequence[np.ndarray],
) -> FinalModel:
    """Return the committee of eligible pipelines if it is better than the best one."""
    if eligible.sum() < MIN_CANDIDATES:
        return alone
    try:
        committee = judge.try_committee(eligible)
    except Exception:  # a scorer of the user's own may raise on samples of the rows
        return alone
    if committee is None:
        return alone
    weights, predictions, honest = committee
    members = np.flatnonzero(weights).tolist()
    return replace(
        alone,
        members=[candidates[place].pipeline for place in members],
        weights=[(candidates[place].text, float(weights[place])) for place in members],
        honest=honest,
        predictions=predictions,
        fit_seconds=sum(candidates[place].fit_seconds for place in members),
        thresholds=[thresholds[place] for place in members],
    )


def _list_candidates(
    records: Sequence[TrialRecord], evaluator: Evaluator
) -> list[TrialRecord]:
    """List the pipelines to choose from, the best first, as many as memory holds.

    Where each score of each bootstrap sample takes a call of a scorer, only those that
    may be the best of a sample.
    """
    complete = [one for one in records if one.state == "complete"]
    complete.sort(key=lambda one: (-one.criterion, one.number))
    problem = evaluator.problem
    n_columns = max(2, problem.n_classes, 2 * problem.n_labels)  # adapted to float64
    bytes_each = 4 * len(list_tested(evaluator.folds)) * n_columns
    n_most = max(10, MAX_BYTES // bytes_each)
    return complete[: n_most if evaluator.measure.is_vectorized else N_CANDIDATES]


def _check_any(
    candidates: Sequence[TrialRecord], records: Sequence[TrialRecord]
) -> None:
    if candidates:
        return
    reasons = list(dict.fromkeys(one.reason for one in records if one.reason))[:3]
    raise InputError(
        f"None of {len(records)} pipelines went through all folds in the time given; "
        "raise ",
        Parameter("budget"),
        (f". Reasons: {'; '.join(reasons)}" if reasons else "") + ".",
    )


def _find_quick(candidates: Sequence[TrialRecord], seconds: float) -> np.ndarray:
    """Mark the pipelines of which several can be fitted in the time left."""
    quick = np.array([one.fit_seconds < seconds / 4.0 for one in candidates])
    quick[0] = True
    return quick


def _find_voters(candidates: Sequence[TrialRecord], evaluator: Evaluator) -> np.ndarray:
    """Mark the pipelines that can vote: those with probabilities."""
    space, problem = evaluator.space, evaluator.problem
    if not problem.n_classes:
        return np.ones(len(candidates), dtype=bool)
    models = [space.build(one.pipeline, problem) for one in candidates]
    return np.array([hasattr(model, "predict_proba") for model in models])
