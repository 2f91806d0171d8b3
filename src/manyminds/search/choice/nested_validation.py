"""Nested validation: repeat the whole search outside each of some test folds."""

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
from manyminds.utils.tables import take_rows

__all__ = ["score_nested"]


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
    codes = np.searchsorted(classes, y) if task == "classification" else y
    scores = []
    outer = make_folds(search.outer_cv, X, codes, task, seed, groups=groups, time=time)
    for train, test in outer:
        again = clone(search).set_params(
            validation="bootstrap", storage=None, random_state=seed, on_progress=None
        )
        given = {"sample_weight": sample_weight, "groups": groups, "time": time}
        known = {name: one[train] for name, one in given.items() if one is not None}
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
