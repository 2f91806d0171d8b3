"""Permutation importance of columns to the final model, on out-of-fold rows."""

import threading
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import hstack, issparse

from manyminds.ensemble import center_thresholds
from manyminds.search.choice.candidates import LOADING
from manyminds.search.choice.final_model import FinalModel
from manyminds.search.choice.mixture import Mixture
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.temperature import scale_temperature
from manyminds.search.study.prediction_store import StoredPredictions
from manyminds.utils.tables import take_rows

__all__ = ["MAX_COLUMNS", "measure_importance"]

MAX_COLUMNS = 100  # of more, single ones hardly matter
MAX_FOLDS = 5
MAX_ROWS = 500  # of a fold in which columns are shuffled
MIN_WAIT, MAX_WAIT = 0.5, 600.0  # seconds after which unfinished folds are dropped
WAIT_FACTOR = 1.5  # of the time after which no other fold is started


def measure_importance(
    evaluator: Evaluator,
    final: FinalModel,
    names: Sequence[str],
    seconds: float,
    seed: int,
) -> pd.DataFrame:
    """Measure by how much the score falls where the values of a column are shuffled.

    The members of the final model are fitted outside a fold, unless these models are
    kept, and predict the rows inside with one column after the other in random order.
    Columns are those of the table, whatever pipelines make of them. Of a committee that
    takes longer to fit than there is time, the members of most weight stand for all.

    Parameters
    ----------
    evaluator : Evaluator
    final : FinalModel
    names : sequence of str
        Of the table's columns.
    seconds : float
        After which no other fold is started.
    seed : int

    Returns
    -------
    importance : DataFrame
        Columns ``feature``, ``importance`` and ``std``, the standard deviation over
        the folds, NaN for one; the most important first. Empty if pipelines always
        take more than a hundred columns, of which single ones hardly matter.
    """
    final = _keep_heaviest(final, evaluator, seconds)
    columns = _choose_columns([one.stored for one in final.parts], len(names))
    falls: list[list[float]] = []
    stopped = threading.Event()
    work = (evaluator, final, columns, seconds, seed, falls, stopped)
    # In a thread that can be abandoned: where memory is short, a pool of threads may
    # wait forever for a thread that could not start.
    watched = threading.Thread(target=_measure_folds, args=work, daemon=True)
    try:
        watched.start()
    except RuntimeError:  # no memory for a thread
        return _list_falls([], columns, names)
    longest = MAX_WAIT if np.isinf(seconds) else max(MIN_WAIT, WAIT_FACTOR * seconds)
    watched.join(longest)
    stopped.set()  # a fit that goes on is its last
    return _list_falls(list(falls), columns, names)


def _keep_heaviest(
    final: FinalModel, evaluator: Evaluator, seconds: float
) -> FinalModel:
    """Keep the members of most weight that can be fitted to a fold in the time."""
    order = sorted(final.members, key=lambda one: -one.weight)
    total = np.cumsum(
        [
            LOADING if evaluator.has_kept(one.pipeline) else one.fit_seconds
            for one in order
        ]
    )
    kept = order[: max(1, int(np.count_nonzero(total <= seconds)))]
    weight = sum(one.weight for one in kept)
    return replace(
        final, members=[replace(one, weight=one.weight / weight) for one in kept]
    )


def _measure_folds(
    evaluator: Evaluator,
    final: FinalModel,
    columns: np.ndarray,
    seconds: float,
    seed: int,
    falls: list[list[float]],
    stopped: threading.Event,
) -> None:
    """Measure fold after fold until the time is used up; append to ``falls``."""
    rng, start = np.random.default_rng(seed), time.perf_counter()
    for number in range(min(len(evaluator.folds), MAX_FOLDS) if len(columns) else 0):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fall = _measure_fold(evaluator, final, number, columns, rng, stopped)
        except _StoppedError:
            return
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


def _choose_columns(stored: Sequence[StoredPredictions], n_columns: int) -> np.ndarray:
    """Choose the columns selected most often, as many as may be shuffled."""
    frequency = np.zeros(n_columns)
    for one in stored:
        if one.names or not one.selected:  # made of other columns: any may matter
            frequency += 1.0
        else:
            selected = np.concatenate(one.selected)
            frequency += np.bincount(selected, minlength=n_columns) / len(one.selected)
    often = np.sort(frequency)[::-1]
    least = often[MAX_COLUMNS] if n_columns > MAX_COLUMNS else 0
    return np.flatnonzero(frequency > least)


def _measure_fold(
    evaluator: Evaluator,
    final: FinalModel,
    number: int,
    columns: np.ndarray,
    rng: np.random.Generator,
    stopped: threading.Event,
) -> list[float]:
    """Fit outside a fold; return the fall of the score for each shuffled column."""
    models = []
    for one in final.parts:
        _check(stopped)
        if one.inputs:
            assert final.second is not None
            made = final.second.get_outside(evaluator, one.pipeline, number)
        else:
            made = evaluator.get_outside(one.pipeline, number)
        models.append(made)
    rows = evaluator.folds[number][1]
    rows = rows if len(rows) <= MAX_ROWS else rng.choice(rows, MAX_ROWS, False)
    X = take_rows(evaluator.X, rows)
    made = _predict(evaluator, final, models, X)
    thresholds = [evaluator.find_threshold(one, number) for one in made]
    score = _score(evaluator, final, made, thresholds, rows)
    falls = []
    for column in columns:
        _check(stopped)
        shuffled = _shuffle(X, column, rng.permutation(len(rows)))
        made = _predict(evaluator, final, models, shuffled)
        falls.append(score - _score(evaluator, final, made, thresholds, rows))
    return falls


class _StoppedError(Exception):
    """The caller waits no longer."""


def _check(stopped: threading.Event) -> None:
    if stopped.is_set():
        raise _StoppedError


def _predict(
    evaluator: Evaluator, final: FinalModel, models: Sequence[Any], X: Any
) -> list[np.ndarray]:
    """Return the predictions of members, with scaled probabilities."""
    parts = zip(models, final.parts, strict=True)
    return [
        scale_temperature(evaluator.predict(model, X), one.temperature)
        for model, one in parts
    ]


def _score(
    evaluator: Evaluator,
    final: FinalModel,
    made: Sequence[np.ndarray],
    thresholds: Sequence[np.ndarray],
    rows: np.ndarray,
) -> float:
    """Score the members' predictions of some rows together."""
    if evaluator.problem.task == "multilabel":
        made = [center_thresholds(*one) for one in zip(made, thresholds)]
    weights = np.array([one.weight for one in final.parts])
    mixture = Mixture(weights, final.temperature, final.class_weights)
    return evaluator.score_decided(mixture.decide(np.stack(made)), rows)


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
