"""What a search found: the table of chains, its trace, what was selected how often."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from manyminds.feature_selection.stability import nogueira_stability
from manyminds.search.evaluation.evaluating import keep_finite
from manyminds.search.evaluation.measuring import Measurer
from manyminds.search.study.keeping import Kept
from manyminds.search.study.study import Tried

__all__ = ["make_leaderboard", "make_selection", "make_trace"]


def make_leaderboard(
    tried: Sequence[Tried], measure: Measurer, level: float = 0.95
) -> pd.DataFrame:
    """Make the table of chains that went through all folds, the best first.

    Parameters
    ----------
    tried : sequence of Tried
    measure : Measurer
    level : float, default=0.95
        Of the intervals around the scores. They have the width of Student's t over the
        folds and stay within the range of the metric: they show how the folds vary,
        not what choosing has added.

    Returns
    -------
    leaderboard : DataFrame
        Columns ``rank``, ``score``, ``deviation``, ``low``, ``high``, ``learner``,
        ``chain``, ``stage``, ``seconds``, ``fit_seconds`` and ``trial``. The score is
        that of the pooled out-of-fold predictions, the deviation that of the scores
        of single folds.
    """
    complete = [one for one in tried if one.state == "complete"]
    complete.sort(key=lambda one: (-one.criterion, one.number))
    rows = []
    for rank, one in enumerate(complete, start=1):
        n = len(keep_finite(one.fold_scores))
        half = np.nan  # one fold does not show how folds vary
        if n > 1:
            error = one.deviation * np.sqrt(1.0 / (n - 1))
            half = float(student.ppf(0.5 + level / 2.0, n - 1)) * error
        ends = measure.bound(one.score - half, one.score + half)
        rows.append(
            {
                "rank": rank,
                "score": measure.show(one.score),
                "deviation": one.deviation,
                "low": ends[0],
                "high": ends[1],
                "learner": one.chain["learner"],
                "chain": one.text,
                "stage": one.stage,
                "seconds": one.seconds,
                "fit_seconds": one.fit_seconds,
                "trial": one.number,
            }
        )
    columns = (
        "rank", "score", "deviation", "low", "high", "learner", "chain", "stage",
        "seconds", "fit_seconds", "trial",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def make_trace(tried: Sequence[Tried], measure: Measurer) -> pd.DataFrame:
    """Make the table of all trials in their order, with the best score so far.

    Parameters
    ----------
    tried : sequence of Tried
    measure : Measurer

    Returns
    -------
    trace : DataFrame
        Columns ``trial``, ``second``, ``stage``, ``state``, ``score``, ``best``,
        ``n_folds``, ``chain`` and ``reason``. The score is that of the pooled
        predictions of the folds that were done.
    """
    rows, best = [], -np.inf
    for one in tried:
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
                "chain": one.text,
                "reason": one.reason,
            }
        )
    columns = (
        "trial", "second", "stage", "state", "score", "best", "n_folds", "chain",
        "reason",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def make_selection(kept: Kept, names: Sequence[str]) -> tuple[pd.DataFrame, Any]:
    """Count how often each column was selected over the folds.

    Parameters
    ----------
    kept : Kept
        Of one chain.
    names : sequence of str
        Of the table's columns.

    Returns
    -------
    selection : DataFrame
        Columns ``feature`` and ``frequency``, the most frequent first; empty if the
        chain mixes columns.
    stability : float
        Nogueira's measure over the folds: 1 for always the same columns. NaN where it
        says nothing: all columns taken, or one fold.
    """
    columns = kept.names or list(names)
    masks = np.zeros((len(kept.selected), len(columns)), dtype=bool)
    for mask, selected in zip(masks, kept.selected, strict=True):
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
    says_something = len(masks) > 1 and not masks.all() and masks.any()
    return selection, float(
        nogueira_stability(masks).stability
    ) if says_something else np.nan
