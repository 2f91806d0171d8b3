"""Choose the final model of a search: the best pipeline, or a committee."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from manyminds.learners import KernelWidthSVC
from manyminds.search.choice.bootstrap import BootstrapJudge
from manyminds.search.choice.candidates import (
    LOADING,
    estimate_fits,
    estimate_prediction,
    find_kept,
    find_quick,
    find_voters,
    list_learners,
    read_candidates,
)
from manyminds.search.choice.label_committee import LabelCommittee
from manyminds.search.choice.level_fit import LevelFit, name_pipeline
from manyminds.search.choice.members import Member
from manyminds.search.choice.second_level import SecondLevel
from manyminds.search.choice.selection_bias import HonestScore
from manyminds.search.choice.strategies import (
    Strategies,
)
from manyminds.search.choice.vote import VoteClassifier, VoteRegressor
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import place_tests
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.clock import estimate_makespan, estimate_refit_seconds
from manyminds.search.study.cost_model import without_rows
from manyminds.search.study.prediction_store import PredictionStore, StoredPredictions
from manyminds.search.study.trial_record import TrialRecord

__all__ = ["FinalModel", "choose_final_model"]

FIT_SHARE = 0.55  # of the time left on each core, for the fits of a committee
REFIT_SHARE = 0.7  # of the time left then, for members that need not be fitted


@dataclass(frozen=True)
class FinalModel:
    """What a search has chosen.

    Parameters
    ----------
    best : Member
        The best pipeline.
    members : list of Member
        Of the committee; empty if the best pipeline is better alone.
    honest : HonestScore
        For display: a loss is a positive number.
    predictions : ndarray of shape (n_tested[, n_classes or n_labels])
        Out of fold, of what was chosen, for the rows that are tested.
    temperature : float, default=1.0
        Of the probabilities.
    class_weights : ndarray of shape (n_classes,) or None, default=None
        By which probabilities become decisions.
    predict_limit : float or None, default=None
        Rows per second that the model must predict.
    second : SecondLevel or None, default=None
        Whose pipelines may be chosen; its inputs are fitted if one of them is.
    """

    best: Member
    members: list[Member]
    honest: HonestScore
    predictions: np.ndarray
    temperature: float = 1.0
    class_weights: np.ndarray | None = None
    predict_limit: float | None = None
    second: SecondLevel | None = None

    @property
    def parts(self) -> list[Member]:
        """The members, or the best pipeline alone."""
        return self.members or [self.best]

    @property
    def weights(self) -> list[tuple[str, float]]:
        """Description and weight of each part."""
        return [(one.text, one.weight) for one in self.parts]

    @property
    def stored(self) -> StoredPredictions:
        """Predictions of the best pipeline, and the columns that it selected."""
        return self.best.stored

    def fit(
        self,
        evaluator: Evaluator,
        X: Any,
        y: np.ndarray,
        sample_weight: np.ndarray | None,
        n_jobs: int | None,
        seconds: float = np.inf,
    ) -> tuple[Any, Any]:
        """Fit the best pipeline and all members to all rows.

        In the time that is left then, members are fitted with other seeds.

        Parameters
        ----------
        evaluator : Evaluator
            Knows the space and the problem.
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        sample_weight : ndarray of shape (n_samples,) or None
        n_jobs : int or None
        seconds : float, default=inf
            Left for the fits: boosting has fewer rounds if it would take far longer.

        Returns
        -------
        best : estimator
            The best pipeline, also where it is a member.
        committee : VoteClassifier, VoteRegressor, LabelCommittee or None
        """
        wanted = list(self.members)
        if self.best.pipeline not in [one.pipeline for one in wanted]:
            wanted.append(replace(self.best, weight=0.0) if wanted else self.best)
        place = [one.pipeline for one in wanted].index(self.best.pipeline)
        ends = monotonic() + REFIT_SHARE * seconds
        first = LevelFit(evaluator, X, y, sample_weight, n_jobs)
        first.fit(self._list_first(wanted), seconds)
        levels = [first]
        if self.second is not None and any(one.inputs for one in wanted):
            table = self.second.append(X)
            rows = self.second.evaluator, table, y, sample_weight, n_jobs
            levels.append(LevelFit(*rows))
            levels[1].fit([one for one in wanted if one.inputs], seconds)
        single = self._stack(wanted, levels, y)
        if self.predict_limit is None:
            for level in levels:
                level.add_seeds(ends - monotonic())
        models = self._stack(wanted, levels, y)
        if not self.members:
            return self._wrap(models[place], y, evaluator.problem.task), None
        committee = self._vote(models[: len(self.members)], y, evaluator.problem.task)
        return self._center(single[place], y), committee

    def _list_first(self, wanted: Sequence[Member]) -> list[Member]:
        """List the pipelines of the first level: also those that others read."""
        first = [one for one in wanted if not one.inputs]
        if self.second is None or len(first) == len(wanted):
            return first
        known = [one.pipeline for one in first]
        others = [one for one in self.second.inputs if one.pipeline not in known]
        return [*first, *(replace(one, weight=0.0) for one in others)]

    def _stack(
        self, wanted: Sequence[Member], levels: Sequence[LevelFit], y: np.ndarray
    ) -> list[Any]:
        """Return the models of pipelines; those of the second level read the first."""
        models = []
        for one in wanted:
            model = levels[bool(one.inputs)].get(one)
            if one.inputs:
                assert self.second is not None
                inputs = [levels[0].get(other) for other in self.second.inputs]
                model = self.second.stack(inputs, model, y)
            models.append(model)
        return models

    def _wrap(self, best: Any, y: np.ndarray, task: str) -> Any:
        """Return the best model, as a vote of one if it decides by other weights."""
        is_tuned = self.temperature != 1.0 or self.class_weights is not None
        return self._vote([best], y, task) if is_tuned else self._center(best, y)

    def _center(self, best: Any, y: np.ndarray) -> Any:
        """Return the best model, so that it decides as it was scored.

        As a committee of one if labels begin elsewhere, and as a vote of one if it is a
        machine that does not predict the class that is most likely by its own account.
        """
        if (self.best.threshold != 0.5).any():
            return LabelCommittee.of_fitted([best], y, [1.0], [self.best.threshold])
        learner = best[-1] if isinstance(best, Pipeline) else best
        if isinstance(learner, KernelWidthSVC | SVC):
            return VoteClassifier.of_fitted([best], y, [1.0])
        return best

    def _vote(self, models: Sequence[Any], y: np.ndarray, task: str) -> Any:
        """Return the weighted vote of fitted models."""
        shares = [one.weight for one in self.parts]
        if task == "regression":
            return VoteRegressor.of_fitted(models, y, shares)
        if task == "multilabel":
            thresholds = [one.threshold for one in self.parts]
            return LabelCommittee.of_fitted(models, y, shares, thresholds)
        return VoteClassifier.of_fitted(
            models, y, shares, self.temperature, self.class_weights
        )


def choose_final_model(
    records: Sequence[TrialRecord],
    store: PredictionStore,
    evaluator: Evaluator,
    *,
    alpha: float,
    with_committee: bool,
    seconds: float,
    seed: int,
    n_cores: int = 1,
    predict_limit: float | None = None,
    protected: Sequence[PipelineSpec] = (),
    second: SecondLevel | None = None,
) -> FinalModel:
    """Choose the best pipeline or a committee, and estimate its honest score.

    The pipeline with the best criterion, and a committee of good pipelines whose
    weights have the least loss, are both replayed on bootstrap samples of the rows, as
    they are and tuned to the metric: what is chosen on a sample never sees the rows
    that judge it. The committee is kept only if it is better there on average, and so
    is tuning. Where that cannot be judged, the best pipeline is chosen, and its honest
    score says why there is none.

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
        For judging and for fitting the final model: members that take too long are
        left out of the committee.
    seed : int
    n_cores : int, default=1
        On which the members are fitted.
    predict_limit : float or None, default=None
        Rows per second that the model must predict; None: any number.
    protected : sequence of dict, default=()
        Pipelines than which a committee must not be worse out of fold.
    second : SecondLevel or None, default=None
        The second level, if trials that read its inputs are among the records.

    Returns
    -------
    final : FinalModel
    """
    ends = monotonic() + seconds
    candidates, stored = read_candidates(records, store, evaluator, predict_limit)
    made = [stored[one.number].predictions for one in candidates]
    y, measure = evaluator.y, evaluator.measure
    placed = place_tests(evaluator.folds)
    P = np.stack([measure.adapt(one, y, placed) for one in made])
    members = [
        Member.of(
            one,
            stored[one.number],
            threshold=measure.find_threshold(stored[one.number].predictions, y),
        )
        for one in candidates
    ]
    n_complete = sum(one.state == "complete" for one in records)
    judge = BootstrapJudge(evaluator, P, n_complete, alpha, seconds, seed)
    voters = find_voters(candidates, evaluator)
    refit_seconds = estimate_fits(candidates, len(evaluator.folds))
    kept = find_kept(candidates, evaluator)
    fit_seconds = np.where(kept, np.minimum(refit_seconds, LOADING), refit_seconds)
    fit_limit = FIT_SHARE * seconds * n_cores
    strategies = Strategies(
        measure,
        voters & find_quick(fit_seconds, fit_limit / 2) & with_committee,
        voters,
        seed,
        np.array([estimate_prediction(one, evaluator) for one in candidates]),
        1.0 / predict_limit if predict_limit else np.inf,
        fit_seconds,
        fit_limit,
        list_learners(candidates),
    )
    final = _choose(judge, strategies, members, _find(protected, candidates))
    final = replace(final, predict_limit=predict_limit, second=second)
    return _plan_fits(final, evaluator, REFIT_SHARE * (ends - monotonic()), n_cores)


def _plan_fits(
    final: FinalModel, evaluator: Evaluator, limit: float, n_cores: int
) -> FinalModel:
    """Mark the members for whose fit to all rows there is no time.

    Those that are not kept are fitted in any case, then those of the largest weights,
    at last the best pipeline if it has no part in a committee.
    """
    planned: list[float] = []
    n_folds = len(evaluator.folds)
    alone = replace(final.best, weight=0.0)
    chosen = [alone, *final.members]
    if final.second is not None and any(one.inputs for one in chosen):
        chosen = [*(replace(one, weight=0.0) for one in final.second.inputs), *chosen]
    parts = {name_pipeline(one.pipeline): one for one in chosen}
    is_kept = {key: evaluator.has_kept(one.pipeline) for key, one in parts.items()}
    for key in sorted(parts, key=lambda key: (is_kept[key], -parts[key].weight)):
        seconds = estimate_refit_seconds(parts[key].fit_seconds, n_folds)
        more = [*planned, seconds]
        is_kept[key] &= estimate_makespan(more, n_cores) > limit
        planned = planned if is_kept[key] else more

    def mark(members: Sequence[Member]) -> list[Member]:
        """Mark those that are kept; inputs that nothing reads stay as they are."""
        return [
            replace(one, is_kept=is_kept.get(name_pipeline(one.pipeline), False))
            for one in members
        ]

    second = final.second
    if second is not None:
        second = replace(second, inputs=mark(second.inputs))
    best, members = mark([final.best])[0], mark(final.members)
    return replace(final, best=best, members=members, second=second)


def _find(
    pipelines: Sequence[PipelineSpec], candidates: Sequence[TrialRecord]
) -> list[int]:
    """Return the positions of pipelines among the candidates, fitted to any rows."""
    known = [without_rows(one.pipeline) for one in candidates]
    return [k for k, one in enumerate(known) if one in pipelines]


def _choose(
    judge: BootstrapJudge,
    strategies: Strategies,
    members: Sequence[Member],
    protected: Sequence[int],
) -> FinalModel:
    """Return what the best strategy chooses: the best pipeline alone, if none does."""
    try:
        chosen = judge.choose(strategies, protected)
    except Exception:  # a scorer of the user's own may raise on samples of the rows
        chosen = None
    if chosen is None:
        return FinalModel(members[0], [], judge.judge_best(), judge.P[0])
    mixture, honest = chosen
    shares = [replace(one, weight=float(w)) for one, w in zip(members, mixture.weights)]
    is_one = mixture.n_members == 1
    return FinalModel(
        best=members[int(mixture.weights.argmax()) if is_one else 0],
        members=[] if is_one else [one for one in shares if one.weight],
        honest=honest,
        predictions=mixture.average(judge.P),
        temperature=mixture.temperature,
        class_weights=mixture.class_weights,
    )
