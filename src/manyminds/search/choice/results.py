"""Tables of the results of a search: leaderboard, trace and selected columns."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import t as student

from manyminds.feature_selection.stability import nogueira_stability
from manyminds.search.evaluation.fold_scores import keep_finite
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.study.prediction_store import StoredPredictions
from manyminds.search.study.trial_record import TrialRecord

__all__ = ["make_leaderboard", "make_selection", "make_trace"]


def make_leaderboard(
    records: Sequence[TrialRecord], measure: PredictionScorer, level: float = 0.95
) -> pd.DataFrame:
    """Return the table of pipelines that went through all folds, the best first.

    Parameters
    ----------
    records : sequence of TrialRecord
    measure : PredictionScorer
    level : float, default=0.95
        Of the intervals around the scores. They have the width of Student's t over the
        folds and stay within the range of the metric: they show how the folds vary,
        not the selection bias.

    Returns
    -------
    leaderboard : DataFrame
        Columns ``rank``, ``score``, ``std``, ``low``, ``high``, ``learner``,
        ``pipeline``, ``stage``, ``seconds``, ``fit_seconds`` and ``trial``. The score
        is that of the pooled out-of-fold predictions, the standard deviation that of
        the scores of single folds.
    """
    complete = [one for one in records if one.state == "complete"]
    complete.sort(key=lambda one: (-one.criterion, one.number))
    rows = []
    for rank, one in enumerate(complete, start=1):
        n = len(keep_finite(one.fold_scores))
        half = np.nan  # one fold does not show how folds vary
        if n > 1:
            error = one.std * np.sqrt(1.0 / (n - 1))
            half = float(student.ppf(0.5 + level / 2.0, n - 1)) * error
        ends = measure.bound(one.score - half, one.score + half)
        rows.append(
            {
                "rank": rank,
                "score": measure.show(one.score),
                "std": one.std,
                "low": ends[0],
                "high": ends[1],
                "learner": one.pipeline["learner"],
                "pipeline": one.text,
                "stage": one.stage,
                "seconds": one.seconds,
                "fit_seconds": one.fit_seconds,
                "trial": one.number,
            }
        )
    columns = (
        "rank", "score", "std", "low", "high", "learner", "pipeline", "stage",
        "seconds", "fit_seconds", "trial",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def make_trace(
    records: Sequence[TrialRecord], measure: PredictionScorer
) -> pd.DataFrame:
    """Return the table of all trials in their order, with the best score so far.

    Parameters
    ----------
    records : sequence of TrialRecord
    measure : PredictionScorer

    Returns
    -------
    trace : DataFrame
        Columns ``trial``, ``second``, ``stage``, ``state``, ``score``, ``best``,
        ``n_folds``, ``pipeline`` and ``reason``. The score is that of the pooled
        predictions of the folds that were done.
    """
    rows, best = [], -np.inf
    for one in records:
        if one.state == "complete":
            best = max(best, one.score)
        rows.append(
            {
                "trial": one.number,
                "second": one.at,
                "stage": one.stage,
                "state": one.state,
                "score": measure.show(one.score),
                "best": measure.show(best) if np.isfinite(best) else np.nan,
                "n_folds": len(one.fold_scores),
                "pipeline": one.text,
                "reason": one.reason,
            }
        )
    columns = (
        "trial", "second", "stage", "state", "score", "best", "n_folds", "pipeline",
        "reason",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def make_selection(
    stored: StoredPredictions, names: Sequence[str]
) -> tuple[pd.DataFrame, float]:
    """Count how often each column was selected over the folds.

    Parameters
    ----------
    stored : StoredPredictions
        Of one pipeline.
    names : sequence of str
        Of the table's columns.

    Returns
    -------
    selection : DataFrame
        Columns ``feature`` and ``frequency``, the most frequent first; empty if the
        learner gets linear combinations of columns.
    stability : float
        Nogueira's measure over the folds: 1 for always the same columns. NaN where it
        is not defined: all columns selected, or one fold.
    """
    columns = stored.names or list(names)
    masks = np.zeros((len(stored.selected), len(columns)), dtype=bool)
    for mask, selected in zip(masks, stored.selected, strict=True):
        mask[selected] = True
    if not len(masks):
        return pd.DataFrame({"feature": [], "frequency": []}), np.nan
    frequency = masks.mean(axis=0)
    order = np.argsort(-frequency, kind="stable")
    order = order[frequency[order] > 0]
    selection = pd.DataFrame(
        {
            "feature": [str(columns[place]) for place in order],
            "frequency": frequency[order],
        }
    )
    if len(masks) < 2 or masks.all() or not masks.any():
        return selection, np.nan
    return selection, float(nogueira_stability(masks).stability)
