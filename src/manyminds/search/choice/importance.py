"""How much a chain leans on each column, by shuffling it in rows it has not seen."""

import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import hstack, issparse

from manyminds.search.evaluation.evaluating import Evaluator
from manyminds.search.space.space import Chain
from manyminds.search.study.keeping import Kept
from manyminds.utils.tables import take_rows

__all__ = ["measure_importance"]

MAX_COLUMNS = 100  # of more, single ones hardly matter
MAX_FOLDS = 5
MAX_ROWS = 500  # of a fold in which columns are shuffled
MIN_WAIT, MAX_WAIT = 60.0, 600.0  # seconds after which folds not yet measured are left
FACTOR_OF_WAIT = 5  # of the time after which no other fold is begun


def measure_importance(
    evaluator: Evaluator,
    chain: Chain,
    kept: Kept,
    names: Sequence[str],
    seconds: float,
    seed: int,
) -> pd.DataFrame:
    """Measure by how much the score falls where a column's values are shuffled.

    A chain is fitted outside a fold, and asked about the rows inside, with one column
    after the other in random order. Columns are those of the table, whatever the chain
    makes of them.

    Parameters
    ----------
    evaluator : Evaluator
    chain : dict
    kept : Kept
        What the chain selected in the folds.
    names : sequence of str
        Of the table's columns.
    seconds : float
        After which no other fold is begun.
    seed : int

    Returns
    -------
    importance : DataFrame
        Columns ``feature``, ``importance`` and ``deviation``, the latter over the folds
        and NaN for one; the most important first. Empty if the chain always takes more
        than a hundred columns, of which single ones hardly matter.
    """
    columns = _choose_columns(kept, len(names))
    falls: list[list[float]] = []
    work = (evaluator, chain, columns, seconds, seed, falls)
    # In a thread that can be left behind: where memory is short, a pool of threads may
    # wait for one of its own that could not start, and never end.
    watched = threading.Thread(target=_measure_folds, args=work, daemon=True)
    try:
        watched.start()
    except RuntimeError:  # no memory for a thread
        return _list_falls([], columns, names)
    longest = max(MIN_WAIT, FACTOR_OF_WAIT * seconds)
    watched.join(longest if np.isfinite(longest) else MAX_WAIT)
    return _list_falls(list(falls), columns, names)


def _measure_folds(
    evaluator: Evaluator,
    chain: Chain,
    columns: np.ndarray,
    seconds: float,
    seed: int,
    falls: list[list[float]],
) -> None:
    """Measure fold after fold while there is time; append to ``falls``."""
    rng, start = np.random.default_rng(seed), time.perf_counter()
    for number in range(min(len(evaluator.folds), MAX_FOLDS) if len(columns) else 0):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fall = _measure_fold(evaluator, chain, number, columns, rng)
        except Exception:  # strange rows; what has been found must not be lost by them
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
        return pd.DataFrame({"feature": [], "importance": [], "deviation": []})
    mean = np.mean(falls, axis=0)
    deviation = np.std(falls, axis=0, ddof=1) if len(falls) > 1 else 0 * mean + np.nan
    order = np.argsort(-mean, kind="stable")
    return pd.DataFrame(
        {
            "feature": [str(names[columns[place]]) for place in order],
            "importance": mean[order],
            "deviation": deviation[order],
        }
    )


def _choose_columns(kept: Kept, n_columns: int) -> np.ndarray:
    """Choose the columns selected most often, as many as may be shuffled."""
    if kept.names or not kept.selected:  # made of other columns: any may matter
        frequency = np.ones(n_columns)
    else:
        frequency = np.bincount(np.concatenate(kept.selected), minlength=n_columns)
    often = np.sort(frequency)[::-1]
    least = often[MAX_COLUMNS] if n_columns > MAX_COLUMNS else 0
    return np.flatnonzero(frequency > least)


def _measure_fold(
    evaluator: Evaluator,
    chain: Chain,
    number: int,
    columns: np.ndarray,
    rng: np.random.Generator,
) -> list[float]:
    """Fit outside a fold; give the fall of the score for each column shuffled."""
    model = evaluator.fit_outside(chain, number)
    rows = evaluator.folds[number][1]
    rows = rows if len(rows) <= MAX_ROWS else rng.choice(rows, MAX_ROWS, False)
    X, y = take_rows(evaluator.X, rows), evaluator.y[rows]
    score = evaluator.measure(evaluator.answers(model, X), y)
    falls = []
    for column in columns:
        shuffled = _shuffle(X, column, rng.permutation(len(rows)))
        falls.append(score - evaluator.measure(evaluator.answers(model, shuffled), y))
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
