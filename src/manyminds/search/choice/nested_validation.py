"""Nested validation: repeat the whole search outside each of some test folds."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import t as student
from sklearn.base import clone

from manyminds.search.choice.selection_bias import HonestScore
from manyminds.search.evaluation.fold_scores import keep_finite
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.metrics import (
    PredictionScorer,
    predict_class_probabilities,
)
from manyminds.utils.errors import InputError
from manyminds.utils.tables import take_rows

__all__ = ["check_repetitions", "score_nested"]


def check_repetitions(
    search: Any,
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None,
    seed: int,
    groups: np.ndarray | None = None,
    time: np.ndarray | None = None,
) -> None:
    """Raise unless the search can be repeated outside of each outer fold.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Whose table has been checked.
    X, y, sample_weight, seed, groups, time
        As in `score_nested`.

    Raises
    ------
    InputError
        If the folds cannot be drawn, or training rows outside of one, such as those of
        a single group, cannot be searched.
    """
    rows = _collect_rows(sample_weight, groups, time)
    try:
        for train, _ in _draw_folds(search, X, y, seed, **rows):
            known = [None if one is None else one[train] for one in rows.values()]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the search itself will warn
                again = _copy_plain(search, seed)
                again._prepare(take_rows(X, train), y[train], *known)
    except ValueError as error:
        raise InputError(
            "The search cannot be repeated outside of each outer fold, as "
            f"validation='nested' does with outer_cv={search.outer_cv}: {error}"
        ) from error


def score_nested(
    search: Any,
    X: Any,
    y: np.ndarray,
    sample_weight: np.ndarray | None,
    seed: int,
    groups: np.ndarray | None = None,
    time: np.ndarray | None = None,
) -> HonestScore:
    """Repeat a search outside each of some folds, and score its model inside.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted; each repetition takes the same budget.
    X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
    sample_weight : ndarray of shape (n_samples,) or None
    seed : int
    groups, time : ndarray of int of shape (n_samples,), default=None
        Which outer and inner folds respect.

    Returns
    -------
    honest : HonestScore
        Mean over the folds, with an interval of Student's t within the range of the
        metric.
    """
    measure = search._measure
    task = search.task_
    classes: Any = getattr(search, "classes_", None)
    codes = _encode(search, y)
    rows = _collect_rows(sample_weight, groups, time)
    scores = []
    for train, test in _draw_folds(search, X, y, seed, **rows):
        again = _copy_plain(search, seed)
        known = {name: one[train] for name, one in rows.items() if one is not None}
        again.fit(take_rows(X, train), y[train], **known)
        X_test = take_rows(X, test)
        if task == "regression":
            made = again.predict(X_test)
        elif task == "multilabel":
            made = again.predict_proba(X_test)
        else:
            made = _decide(again, X_test, classes)
        weight = None if sample_weight is None else sample_weight[test]
        scores.append(measure(made, codes[test], weight))
    return _average(keep_finite(scores), measure, search.honest_score_)


def _collect_rows(
    sample_weight: np.ndarray | None,
    groups: np.ndarray | None,
    time: np.ndarray | None,
) -> dict[str, np.ndarray | None]:
    return {"sample_weight": sample_weight, "groups": groups, "time": time}


def _draw_folds(
    search: Any,
    X: Any,
    y: np.ndarray,
    seed: int,
    **rows: np.ndarray | None,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draw the outer folds, the same whenever they are drawn."""
    return make_folds(
        search.outer_cv, X, _encode(search, y), search.task_, seed,
        groups=rows["groups"], time=rows["time"], sample_weight=rows["sample_weight"],
    )  # fmt: skip


def _encode(search: Any, y: np.ndarray) -> np.ndarray:
    """Return the codes of classes; other targets as they are."""
    if search.task_ != "classification":
        return y
    return np.searchsorted(search.classes_, y)


def _copy_plain(search: Any, seed: int) -> Any:
    """Return an unfitted search with the same settings that is not nested."""
    return clone(search).set_params(
        validation="bootstrap", storage=None, random_state=seed, on_progress=None
    )


def _decide(search: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    """Return probabilities of classes, weighted as the search decides by them."""
    made = predict_class_probabilities(search, X, classes)
    if search.class_weights_ is None:
        return made
    made[:, np.searchsorted(classes, search.classes_)] *= search.class_weights_
    return made


def _average(
    scores: list[float], measure: PredictionScorer, before: HonestScore
) -> HonestScore:
    """Return the mean of the scores of outer folds, and its interval."""
    n = len(scores)
    if n < 2:
        reason = f"{n} outer fold{'' if n == 1 else 's'} could be scored"
        return replace(
            before, score=np.nan, low=np.nan, high=np.nan, method="nested",
            reason=reason,
        )  # fmt: skip
    mean = float(np.mean(scores))
    half = float(student.ppf(0.975, n - 1) * np.std(scores, ddof=1) / np.sqrt(n))
    low, high = measure.bound(mean - half, mean + half)
    return replace(
        before, score=measure.show(mean), low=low, high=high, level=0.95,
        method="nested", reason="",
    )  # fmt: skip
