"""The members of a final model, and their fit to all rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from sklearn.pipeline import Pipeline

from manyminds.search.choice.fold_vote import FoldVoteClassifier, FoldVoteRegressor
from manyminds.search.choice.vote import VoteClassifier, VoteRegressor
from manyminds.search.evaluation.evaluator import Evaluator, limit_seconds
from manyminds.search.evaluation.folds import list_tested
from manyminds.search.evaluation.metrics import predict_class_probabilities
from manyminds.search.evaluation.row_arguments import pass_rows
from manyminds.search.evaluation.temperature import TINY, scale_temperature
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.clock import estimate_makespan, estimate_refit_seconds
from manyminds.search.study.prediction_store import StoredPredictions
from manyminds.search.study.trial_record import TrialRecord
from manyminds.utils.tables import take_rows
from manyminds.utils.threads import limit_threads

__all__ = [
    "Member",
    "add_seeds",
    "fit_member",
    "fit_members",
    "fit_pipeline",
    "replace_failed",
]

SLACK = 2.0  # times the seconds to expect that a fit may take if time is short
MIN_PARALLEL_SECONDS = 1.0  # fits that take longer are worth threads of their own
# Learners whose models differ by their seeds.
SEEDED = ("gb", "extra_gb", "symmetric_gb", "real_mlp")
N_SEEDS = 4  # models of a member at most
MIN_SHARE = 0.1  # weight of a member from which on it may have several
MAX_CHECKED = 1_000  # rows on which a fit to all rows is compared with the folds
MAX_ERRORS = 3.0  # standard errors by which it may be worse


@dataclass(frozen=True)
class Member:
    """A pipeline of a final model.

    Parameters
    ----------
    pipeline : dict
    text : str
        The pipeline in one line.
    stored : StoredPredictions
        Of the cross-validation.
    weight : float, default=1.0
        Share in the mean prediction.
    fit_seconds : float, default=0.0
        Of the fit in one fold.
    threshold : ndarray of shape (n_labels,), default=0.5
        Of labels: a row has those whose score is greater.
    temperature : float, default=1.0
        By which its probabilities are scaled, as those of its folds have been.
    is_kept : bool, default=False
        Whether the models of its folds are its model: there is no time for another fit.
    predict_seconds : float, default=0.0
        To predict one row.
    inputs : tuple of int, default=()
        Trials whose predictions the pipeline reads beside the table.
    """

    pipeline: PipelineSpec
    text: str
    stored: StoredPredictions
    weight: float = 1.0
    fit_seconds: float = 0.0
    threshold: np.ndarray = field(default_factory=lambda: np.array([0.5]))
    temperature: float = 1.0
    is_kept: bool = False
    predict_seconds: float = 0.0
    inputs: tuple[int, ...] = ()

    @classmethod
    def of(cls, record: TrialRecord, stored: StoredPredictions, **more: Any) -> Self:
        """Return the member of a complete trial and its predictions."""
        return cls(
            record.pipeline,
            record.text,
            stored,
            fit_seconds=record.fit_seconds,
            temperature=record.temperature,
            predict_seconds=record.predict_seconds,
            inputs=record.inputs,
            **more,
        )


def fit_member(
    evaluator: Evaluator,
    member: Member,
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None = None,
    seconds: float = np.inf,
    seed: int = 0,
) -> Any:
    """Fit the pipeline of a member, or take the models of its folds.

    Parameters
    ----------
    evaluator, X, y, sample_weight
        As for `fit_pipeline`.
    member : Member
    seconds : float, default=inf
        Left for its fit. Boosting that would take longer, and far longer than in the
        folds, where its time was limited, has fewer rounds.
    seed : int, default=0
        As for `fit_pipeline`.

    Returns
    -------
    model : estimator
    """
    if not member.is_kept or evaluator.kept is None:
        needed = estimate_refit_seconds(member.fit_seconds, len(evaluator.folds))
        limit = max(seconds, SLACK * needed)
        rows = X, y, sample_weight
        return fit_pipeline(evaluator, member.pipeline, *rows, limit, seed)
    return _average(evaluator, evaluator.kept.load(member.pipeline), y)


def _average(evaluator: Evaluator, models: Sequence[Any], y: np.ndarray) -> Any:
    """Return the model that predicts the mean of models of the folds."""
    is_numbers = evaluator.problem.task == "regression"
    kind = FoldVoteRegressor if is_numbers else FoldVoteClassifier
    return kind.of_fitted(models, y, isinstance(evaluator.X, np.ndarray))


def fit_pipeline(
    evaluator: Evaluator,
    pipeline: PipelineSpec,
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None = None,
    seconds: float = np.inf,
    seed: int = 0,
) -> Any:
    """Fit the whole model of a pipeline to all rows, or to the share that it takes.

    Parameters
    ----------
    evaluator : Evaluator
        Knows the space and the problem.
    pipeline : dict
    X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
        All rows of the evaluator, in their order.
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
    sample_weight : ndarray of shape (n_samples,), default=None
        Passed to the learner. One that does not take them has failed before.
    seconds : float, default=inf
        After which boosting adds no rounds.
    seed : int, default=0
        Of the learner, unless it is 0, which leaves it as it is.

    Returns
    -------
    model : estimator
    """
    rows = evaluator.choose_rows(pipeline, np.arange(len(y)))
    if len(rows) < len(y):
        X, y = take_rows(X, rows), y[rows]
        sample_weight = None if sample_weight is None else sample_weight[rows]
    model = evaluator.build(pipeline)
    learner = model[-1] if isinstance(model, Pipeline) else model
    limit_seconds(learner, seconds)
    if seed:
        names = [k for k in learner.get_params() if k.split("__")[-1] == "random_state"]
        learner.set_params(**dict.fromkeys(names, seed))
    given = pass_rows(model, sample_weight, evaluator.get_groups(rows))
    return model.fit(X, y, **given)


def fit_members(
    evaluator: Evaluator,
    members: Sequence[Member],
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None = None,
    n_jobs: int | None = None,
    seconds: float = np.inf,
    seed: int = 0,
) -> list[Any]:
    """Fit the pipeline of each member that is not kept, in threads if it takes long.

    Parameters
    ----------
    evaluator, X, y, sample_weight
        As for `fit_pipeline`.
    members : sequence of Member
    n_jobs : int or None, default=None
        Fits in parallel.
    seconds : float, default=inf
        Left for the fits.
    seed : int, default=0
        As for `fit_pipeline`.

    Returns
    -------
    models : list of estimator
    """
    needed = [0.0 if one.is_kept else one.fit_seconds for one in members]
    given = X, y, sample_weight, seconds, seed
    if sum(needed) <= MIN_PARALLEL_SECONDS or np.count_nonzero(needed) == 1:
        with parallel_config("threading", n_jobs=effective_n_jobs(n_jobs)):
            return [fit_member(evaluator, one, *given) for one in members]
    order = np.argsort(needed)[::-1]  # the longest first, so that all end early
    fits = (delayed(fit_member)(evaluator, members[k], *given) for k in order)
    # As in the folds: threads of BLAS beside threads of fits slow each other down.
    with limit_threads(1):
        fitted = Parallel(n_jobs, prefer="threads")(fits)
    return [fitted[place] for place in np.argsort(order)]


def replace_failed(
    evaluator: Evaluator,
    members: Sequence[Member],
    models: Sequence[Any],
    X: Any,
    y: np.ndarray,
) -> tuple[list[Member], list[Any]]:
    """Replace models by those of the folds, if these are better on rows left out.

    On all rows a step may find other columns than it did in the folds, without one that
    matters. A model should not be worse on rows to which it was fitted than models that
    had not seen them: if it clearly is, the score is not its own.

    Parameters
    ----------
    evaluator, members, X, y
        As for `fit_members`.
    models : sequence of estimator
        Of the members, fitted.

    Returns
    -------
    members : list of Member
        Those whose models were replaced are kept.
    models : list of estimator
    """
    found_members, found = list(members), list(models)
    if evaluator.problem.task == "multilabel":
        return found_members, found
    tested = list_tested(evaluator.folds)
    places = np.random.default_rng(0).permutation(len(tested))[:MAX_CHECKED]
    rows = tested[places]
    X_rows, target, classes = take_rows(X, rows), y[rows], None
    if evaluator.problem.task == "classification":
        classes = np.unique(y)
        target = np.searchsorted(classes, target)
    for k, (member, model) in enumerate(zip(members, models, strict=True)):
        if member.is_kept:
            continue
        made = _predict(model, X_rows, classes, member.temperature)
        before = np.asarray(member.stored.predictions)[places]
        rise = _lose(made, target) - _lose(before, target)
        if rise.mean() > MAX_ERRORS * rise.std() / np.sqrt(len(rise)):
            outside = range(len(evaluator.folds))
            of_folds = [evaluator.get_outside(member.pipeline, n) for n in outside]
            found[k] = _average(evaluator, of_folds, y)
            found_members[k] = replace(member, is_kept=True)
    return found_members, found


def _predict(
    model: Any, X: Any, classes: np.ndarray | None, temperature: float
) -> np.ndarray:
    """Predict numbers, or the probabilities of classes."""
    if classes is None:
        return np.asarray(model.predict(X)).ravel()
    made = predict_class_probabilities(model, X, classes)
    return scale_temperature(made, temperature)


def _lose(made: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return squared errors of numbers, or log losses of codes of classes."""
    if made.ndim == 1:
        return np.asarray((made - target) ** 2)
    given = made[np.arange(len(target)), target]
    return np.asarray(-np.log(np.maximum(given, TINY)))


def add_seeds(
    evaluator: Evaluator,
    members: Sequence[Member],
    models: Sequence[Any],
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None = None,
    n_jobs: int | None = None,
    seconds: float = 0.0,
) -> list[Any]:
    """Fit more models of members in the time that is left over, and average them.

    The mean of models that differ by chance alone is better than each of them on
    average. Where there is no limit of time, there is one model: results do not depend
    on the speed of a machine.

    Parameters
    ----------
    evaluator, members, X, y, sample_weight, n_jobs
        As for `fit_members`.
    models : sequence of estimator
        Of the members, fitted.
    seconds : float, default=0.0
        Left for the fits.

    Returns
    -------
    models : list of estimator
        Of the members; some may be means of up to four models.
    """
    chosen = [k for k, one in enumerate(members) if _gains_by_seeds(one, evaluator)]
    several = {k: [models[k]] for k in chosen}
    ends = monotonic() + seconds
    again = [members[k] for k in chosen]
    n_folds, n_cores = len(evaluator.folds), effective_n_jobs(n_jobs)
    each = [estimate_refit_seconds(one.fit_seconds, n_folds) for one in again]
    needed = SLACK * estimate_makespan(each, n_cores)
    for seed in range(1, N_SEEDS):
        left = ends - monotonic()
        if np.isinf(left) or not again or needed > left:
            break
        given = X, y, sample_weight, n_jobs, left, seed
        for k, model in zip(chosen, fit_members(evaluator, again, *given), strict=True):
            several[k].append(model)
    found = list(models)
    is_numbers = evaluator.problem.task == "regression"
    kind = VoteRegressor if is_numbers else VoteClassifier
    for k, some in several.items():
        if len(some) > 1:
            found[k] = kind.of_fitted(some, y, [1.0 / len(some)] * len(some))
    return found


def _gains_by_seeds(member: Member, evaluator: Evaluator) -> bool:
    """Return whether another model of a member differs, and is worth its time."""
    has_seeds = member.pipeline["learner"] in SEEDED
    is_free = not member.is_kept and member.weight >= MIN_SHARE
    return has_seeds and is_free and evaluator.problem.task != "multilabel"
