"""The candidates for a final model, and what is known of each."""

from collections.abc import Sequence

import numpy as np

from manyminds.search.choice.strategies import N_CANDIDATES, pick_candidates
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import list_tested
from manyminds.search.study.clock import estimate_refit_seconds
from manyminds.search.study.prediction_store import PredictionStore, StoredPredictions
from manyminds.search.study.trial_record import TrialRecord
from manyminds.utils.errors import InputError, Parameter, warn_caller

__all__ = [
    "LOADING",
    "estimate_fits",
    "estimate_prediction",
    "find_kept",
    "find_quick",
    "find_voters",
    "list_learners",
    "read_candidates",
]

LOADING = 0.1  # seconds to load kept models
MAX_BYTES = 400_000_000  # of predictions that are read together


def read_candidates(
    records: Sequence[TrialRecord],
    store: PredictionStore,
    evaluator: Evaluator,
    predict_limit: float | None,
) -> tuple[list[TrialRecord], dict[int, StoredPredictions]]:
    """Return the pipelines to choose from, the best first, and their predictions."""
    candidates = _list_candidates(records, evaluator, predict_limit)
    stored = store.read([one.number for one in candidates])
    candidates = [one for one in candidates if one.number in stored]
    _check_any(candidates, records)
    return candidates, stored


def _list_candidates(
    records: Sequence[TrialRecord], evaluator: Evaluator, predict_limit: float | None
) -> list[TrialRecord]:
    """List the pipelines to choose from, the best first, as many as memory holds.

    If there are more, the best of each learner is among them.

    Where each score of each bootstrap sample takes a call of a scorer, only those that
    may be the best of a sample.
    """
    complete = [one for one in records if one.state == "complete"]
    complete.sort(key=lambda one: (-one.criterion, one.number))
    if predict_limit is not None:
        complete = _keep_quick(complete, evaluator, predict_limit)
    problem = evaluator.problem
    n_columns = max(2, problem.n_classes, 2 * problem.n_labels)  # adapted to float64
    bytes_each = 4 * len(list_tested(evaluator.folds)) * n_columns
    n_most = max(10, MAX_BYTES // bytes_each)
    n_most = n_most if evaluator.measure.is_vectorized else N_CANDIDATES
    if len(complete) <= n_most:
        return complete
    picked = pick_candidates(list_learners(complete), n_most)
    return [complete[place] for place in picked]


def list_learners(candidates: Sequence[TrialRecord]) -> np.ndarray:
    """List what candidates differ in: learners, and whether they read predictions."""
    return np.array([f"{one.pipeline['learner']} {one.inputs}" for one in candidates])


def _keep_quick(
    candidates: Sequence[TrialRecord], evaluator: Evaluator, predict_limit: float
) -> list[TrialRecord]:
    """Keep the pipelines that predict enough rows per second, or the quickest."""
    seconds = [estimate_prediction(one, evaluator) for one in candidates]
    quick = [
        one for one, each in zip(candidates, seconds) if each * predict_limit <= 1.0
    ]
    if quick or not candidates:
        return quick
    quickest = int(np.argmin(seconds))
    warn_caller(
        f"No pipeline predicts {predict_limit:g} rows per second, as ",
        Parameter("predict_limit"),
        f" asks; the quickest, which predicts {1.0 / seconds[quickest]:.3g}, is "
        "chosen.",
    )
    return [candidates[quickest]]


def estimate_prediction(candidate: TrialRecord, evaluator: Evaluator) -> float:
    """Return the seconds to predict a row: by the models of all folds, if kept.

    Whether there is time for one fit to all rows instead is not known yet.
    """
    n_models = len(evaluator.folds) if evaluator.has_kept(candidate.pipeline) else 1
    return n_models * candidate.predict_seconds


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


def estimate_fits(candidates: Sequence[TrialRecord], n_folds: int) -> np.ndarray:
    """Return the seconds of fits to all rows, given those of fits in folds."""
    each = [estimate_refit_seconds(one.fit_seconds, n_folds) for one in candidates]
    return np.array(each)


def find_kept(candidates: Sequence[TrialRecord], evaluator: Evaluator) -> np.ndarray:
    """Mark the pipelines whose models of the folds are kept."""
    return np.array([evaluator.has_kept(one.pipeline) for one in candidates], bool)


def find_quick(fit_seconds: np.ndarray, limit: float) -> np.ndarray:
    """Mark the pipelines that can be fitted in time, and the best one."""
    quick = fit_seconds < limit
    quick[0] = True
    return quick


def find_voters(candidates: Sequence[TrialRecord], evaluator: Evaluator) -> np.ndarray:
    """Mark the pipelines that can vote: those with probabilities."""
    space, problem = evaluator.space, evaluator.problem
    if not problem.n_classes:
        return np.ones(len(candidates), dtype=bool)
    models = [space.build(one.pipeline, problem) for one in candidates]
    return np.array([hasattr(model, "predict_proba") for model in models])
