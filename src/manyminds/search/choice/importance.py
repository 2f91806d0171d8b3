"""Permutation importance of columns, on out-of-fold rows."""

import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import hstack, issparse

from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.space.space import PipelineSpec
from manyminds.search.study.prediction_store import StoredPredictions
from manyminds.utils.tables import take_rows

__all__ = ["measure_importance"]

MAX_COLUMNS = 100  # of more, single ones hardly matter
MAX_FOLDS = 5
MAX_ROWS = 500  # of a fold in which columns are shuffled
MIN_WAIT, MAX_WAIT = 60.0, 600.0  # seconds after which unfinished folds are dropped
WAIT_FACTOR = 5  # of the time after which no other fold is started


def measure_importance(
    evaluator: Evaluator,
    pipeline: PipelineSpec,
    stored: StoredPredictions,
    names: Sequence[str],
    seconds: float,
    seed: int,
) -> pd.DataFrame:
    """Measure by how much the score falls where the values of a column are shuffled.

    A pipeline is fitted outside a fold, and predicts the rows inside with one column
    after the other in random order. Columns are those of the table, whatever the
    pipeline makes of them.

    Parameters
    ----------
    evaluator : Evaluator
    pipeline : dict
    stored : StoredPredictions
        What the pipeline selected in the folds.
    names : sequence of str
        Of the table's columns.
    seconds : float
        After which no other fold is started.
    seed : int

    Returns
    -------
    importance : DataFrame
        Columns ``feature``, ``importance`` and ``std``, the standard deviation over
        the folds, NaN for one; the most important first. Empty if the pipeline always
        takes more than a hundred columns, of which single ones hardly matter.
    """
    columns = _choose_columns(stored, len(names))
    falls: list[list[float]] = []
    work = (evaluator, pipeline, columns, seconds, seed, falls)
    # In a thread that can be abandoned: where memory is short, a pool of threads may
    # wait forever for a thread that could not start.
    watched = threading.Thread(target=_measure_folds, args=work, daemon=True)
    try:
        watched.start()
    except RuntimeError:  # no memory for a thread
        return _list_falls([], columns, names)
    longest = max(MIN_WAIT, WAIT_FACTOR * seconds)
    watched.join(longest if np.isfinite(longest) else MAX_WAIT)
    return _list_falls(list(falls), columns, names)


def _measure_folds(
    evaluator: Evaluator,
    pipeline: PipelineSpec,
    columns: np.ndarray,
    seconds: float,
    seed: int,
    falls: list[list[float]],
) -> None:
    """Measure fold after fold until the time is used up; append to ``falls``."""
    rng, start = np.random.default_rng(seed), time.perf_counter()
    for number in range(min(len(evaluator.folds), MAX_FOLDS) if len(columns) else 0):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fall = _measure_fold(evaluator, pipeline, number, columns, rng)
        except Exception:  # of a fold; other folds are not lost by it
            continue
        if np.all(np.isfinite(fall)):  # not of rows that lack a class
            falls.append(fall)
        if time.perf_counter() - start > seconds:
            break


def _list_falls(
    falls: list[list[float]], columns: np.ndarray, names: Sequence[str]
) -> pd.DataFrame:
    """List the columns by the mean of what was measured, the greatest first."""
    if not falls:
        return pd.DataFrame({"feature": [], "importance": [], "std": []})
    mean = np.mean(falls, axis=0)
    std = np.std(falls, axis=0, ddof=1) if len(falls) > 1 else 0 * mean + np.nan
    order = np.argsort(-mean, kind="stable")
    return pd.DataFrame(
        {
            "feature": [str(names[columns[place]]) for place in order],
            "importance": mean[order],
            "std": std[order],
        }
    )


def _choose_columns(stored: StoredPredictions, n_columns: int) -> np.ndarray:
    """Choose the columns selected most often, as many as may be shuffled."""
    if stored.names or not stored.selected:  # made of other columns: any may matter
        frequency: np.ndarray = np.ones(n_columns)
    else:
        frequency = np.bincount(np.concatenate(stored.selected), minlength=n_columns)
    often = np.sort(frequency)[::-1]
    least = often[MAX_COLUMNS] if n_columns > MAX_COLUMNS else 0
    return np.flatnonzero(frequency > least)


def _measure_fold(
    evaluator: Evaluator,
    pipeline: PipelineSpec,
    number: int,
    columns: np.ndarray,
    rng: np.random.Generator,
) -> list[float]:
    """Fit outside a fold; return the fall of the score for each shuffled column."""
    model = evaluator.fit_outside(pipeline, number)
    rows = evaluator.folds[number][1]
    rows = rows if len(rows) <= MAX_ROWS else rng.choice(rows, MAX_ROWS, False)
    X = take_rows(evaluator.X, rows)
    made = evaluator.predict(model, X)
    threshold = evaluator.find_threshold(made, number)
    score = evaluator.score(made, rows, threshold)
    falls = []
    for column in columns:
        shuffled = _shuffle(X, column, rng.permutation(len(rows)))
        made = evaluator.predict(model, shuffled)
        falls.append(score - evaluator.score(made, rows, threshold))
    return falls


def _shuffle(X: Any, column: int, order: np.ndarray) -> Any:
    """Return a table with the values of one column in another order."""
    if issparse(X):
        X = X.tocsc()
        parts = [X[:, :column], X[:, [column]][order], X[:, column + 1 :]]
        return hstack(parts, format="csr")
    X = X.copy()
    if hasattr(X, "iloc"):
        X[X.columns[column]] = X.iloc[order, column].array
    else:
        X[:, column] = X[order, column]
    return X
