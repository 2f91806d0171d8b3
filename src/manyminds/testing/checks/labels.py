"""Checks of labels and probabilities of classifiers."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from manyminds.testing.assertions import check_for, must
from manyminds.testing.cases import (
    case_for,
    classifies,
    fit,
    labels_of,
    n_classes,
    ready,
    repeats_itself,
)
from manyminds.testing.outputs import Arrays, assert_same, assert_sound, outputs

__all__ = ["check_label_names", "check_label_types", "check_probabilities"]

# Sorted, so that each set is encoded as 0, 1, 2 in the same order.
LABELS = {
    "strings": np.array(["ant", "bee", "wasp"]),
    "strings as objects": np.array(["ant", "bee", "wasp"], dtype=object),
    "negative integers": np.array([-7, -1, 3]),
    "small integers": np.array([0, 1, 200], dtype=np.uint8),
    "whole floats": np.array([-1.0, 1.0, 2.0]),
    "booleans": np.array([False, True]),
}


@check_for(classifies)
def check_label_types(estimator: BaseEstimator) -> None:
    """Check that ``classes_`` and ``predict`` preserve the labels and their dtype."""
    case, score = _scored(estimator)
    for kind, names in LABELS.items():
        names = names[: n_classes(estimator)]
        y = names[labels_of(score, len(names))]
        fitted = fit(ready(estimator), case.X, y)
        _assert_classes(fitted, names, f"labels are {kind}")
        predicted = fitted.predict(case.X_new)
        must(
            predicted.dtype.kind == y.dtype.kind,
            f"predict returns {predicted.dtype} rather than {y.dtype}: {kind}.",
        )
        assert_sound(fitted, case.X_new, f"labels are {kind}")
        if names.dtype.kind in "UO":
            for series in (pd.Series(y), pd.Series(y, dtype="category")):
                fitted = fit(ready(estimator), case.X, series)
                _assert_classes(fitted, names, f"labels are {series.dtype}")
                assert_sound(fitted, case.X_new, f"labels are {series.dtype}")


def _scored(estimator: BaseEstimator) -> tuple[Any, NDArray[Any]]:
    case = case_for(estimator)
    return case, case.X[:, 0] - case.X[:, 1]


def _assert_classes(fitted: BaseEstimator, names: NDArray[Any], when: str) -> None:
    classes = np.asarray(fitted.classes_)
    same = len(classes) == len(names) and (classes == names).all()
    must(same, f"classes_ is {classes} rather than {names}: {when}.")


@check_for(lambda e: classifies(e) and repeats_itself(e))
def check_label_names(estimator: BaseEstimator) -> None:
    """Check that results depend on the order of the labels only."""
    case, score = _scored(estimator)
    for kind, names in LABELS.items():
        names = names[: n_classes(estimator)]
        code = labels_of(score, len(names))
        expected = outputs(fit(ready(estimator), case.X, code), case.X_new)
        expected["predict"] = names[expected["predict"].astype(int)]
        found = outputs(fit(ready(estimator), case.X, names[code]), case.X_new)
        assert_same(found, expected, f"labels are {kind}, against 0, 1, ...", 1e-12)


@check_for(lambda e: classifies(e) and hasattr(e, "predict_proba"))
def check_probabilities(estimator: BaseEstimator) -> None:
    """Check that probabilities sum to one, and ``predict`` is their argmax."""
    case = case_for(estimator, n_new=200)
    fitted = fit(ready(estimator), case.X, case.y)
    for rows in (case.X, case.X_new, 100.0 * np.abs(case.X_new)):
        assert_sound(fitted, rows, "three or two classes")
    if hasattr(fitted, "predict_log_proba"):
        found: Arrays = {"exp": np.exp(fitted.predict_log_proba(case.X_new))}
        expected = {"exp": fitted.predict_proba(case.X_new)}
        assert_same(found, expected, "exp of predict_log_proba", 1e-9)
