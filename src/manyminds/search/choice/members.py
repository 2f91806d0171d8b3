"""The members of a final model, and their fit to all rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from sklearn.pipeline import Pipeline

from manyminds.search.choice.fold_vote import FoldVoteClassifier, FoldVoteRegressor
from manyminds.search.evaluation.evaluator import Evaluator, limit_seconds
from manyminds.search.evaluation.row_arguments import pass_rows
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.clock import estimate_refit_seconds
from manyminds.search.study.prediction_store import StoredPredictions
from manyminds.utils.tables import take_rows
from manyminds.utils.threads import limit_threads

__all__ = ["Member", "fit_member", "fit_members", "fit_pipeline"]

SLACK = 2.0  # times the seconds to expect that a fit may take if time is short
MIN_PARALLEL_SECONDS = 1.0  # fits that take longer are worth threads of their own


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
    """

    pipeline: PipelineSpec
    text: str
    stored: StoredPredictions
    weight: float = 1.0
    fit_seconds: float = 0.0
    threshold: np.ndarray = field(default_factory=lambda: np.array([0.5]))
    temperature: float = 1.0
    is_kept: bool = False


def fit_member(
    evaluator: Evaluator,
    member: Member,
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None = None,
    seconds: float = np.inf,
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

    Returns
    -------
    model : estimator
    """
    if not member.is_kept or evaluator.kept is None:
        needed = estimate_refit_seconds(member.fit_seconds, len(evaluator.folds))
        limit = max(seconds, SLACK * needed)
        return fit_pipeline(evaluator, member.pipeline, X, y, sample_weight, limit)
    is_numbers = evaluator.problem.task == "regression"
    kind = FoldVoteRegressor if is_numbers else FoldVoteClassifier
    models = evaluator.kept.load(member.pipeline)
    return kind.of_fitted(models, y, isinstance(evaluator.X, np.ndarray))


def fit_pipeline(
    evaluator: Evaluator,
    pipeline: PipelineSpec,
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None = None,
    seconds: float = np.inf,
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

    Returns
    -------
    model : estimator
    """
    rows = evaluator.choose_rows(pipeline, np.arange(len(y)))
    if len(rows) < len(y):
        X, y = take_rows(X, rows), y[rows]
        sample_weight = None if sample_weight is None else sample_weight[rows]
    model = evaluator.build(pipeline)
    limit_seconds(model[-1] if isinstance(model, Pipeline) else model, seconds)
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

    Returns
    -------
    models : list of estimator
    """
    needed = [0.0 if one.is_kept else one.fit_seconds for one in members]
    given = X, y, sample_weight, seconds
    if sum(needed) <= MIN_PARALLEL_SECONDS or len(members) == 1:
        with parallel_config("threading", n_jobs=effective_n_jobs(n_jobs)):
            return [fit_member(evaluator, one, *given) for one in members]
    order = np.argsort(needed)[::-1]  # the longest first, so that all end early
    fits = (delayed(fit_member)(evaluator, members[k], *given) for k in order)
    # As in the folds: threads of BLAS beside threads of fits slow each other down.
    with limit_threads(1):
        fitted = Parallel(n_jobs, prefer="threads")(fits)
    return [fitted[place] for place in np.argsort(order)]
