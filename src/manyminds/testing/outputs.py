"""Collect and compare the outputs of fitted estimators."""

from collections.abc import Callable, Iterator
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier

from manyminds.testing.assertions import must

__all__ = [
    "METHODS",
    "Arrays",
    "assert_same",
    "assert_sound",
    "depends_on_seed",
    "fitted_values",
    "outputs",
]

Arrays = dict[str, NDArray[Any]]

METHODS = (
    "predict",
    "predict_proba",
    "decision_function",
    "score_samples",
    "transform",
)


def outputs(fitted: BaseEstimator, X: Any) -> Arrays:
    """Return the results of all methods that take X.

    An estimator without such a method is represented by its ``labels_``.
    """
    found: Arrays = {}
    for method in METHODS:
        if hasattr(fitted, method):
            found.update(_arrays(method, getattr(fitted, method)(X)))
    if not found and hasattr(fitted, "labels_"):
        found["labels_"] = np.asarray(fitted.labels_)
    return found


def _arrays(name: str, answer: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    # Multiple outputs are a list with one array each.
    if isinstance(answer, list):
        for k, part in enumerate(answer):
            yield from _arrays(f"{name}[{k}]", part)
    elif hasattr(answer, "toarray"):
        yield name, answer.toarray()
    else:
        yield name, np.asarray(answer)


def fitted_values(fitted: BaseEstimator) -> Arrays:
    """Return the public numbers and numeric arrays that ``fit`` has set."""
    found: Arrays = {}
    for name in dir(fitted):
        # Times differ from run to run.
        if not name.endswith("_") or name.startswith("_") or "time" in name:
            continue
        value = getattr(fitted, name, None)
        if isinstance(value, Number | np.ndarray):
            array = np.asarray(value)
            if array.dtype.kind in "biufc":
                found[name] = array
    return found


def assert_same(
    actual: Arrays, expected: Arrays, when: str, tolerance: float = 0.0
) -> None:
    """Assert equal arrays: exactly, or floats up to a relative tolerance.

    The tolerance is relative to the largest absolute value of the array.
    """
    must(
        actual.keys() == expected.keys(),
        f"{when}: has {sorted(actual)} rather than {sorted(expected)}.",
    )
    for name, right in expected.items():
        left = actual[name]
        must(
            left.shape == right.shape,
            f"{name} has shape {left.shape} rather than {right.shape}: {when}.",
        )
        unequal = _unequal(left, right, tolerance)
        must(
            not unequal.any(),
            f"{name} differs in {unequal.sum()} of {unequal.size} values"
            f"{_format_difference(left, right)}: {when}.",
        )


def _unequal(
    left: NDArray[Any], right: NDArray[Any], tolerance: float
) -> NDArray[np.bool_]:
    if left.dtype.kind not in "fc" and right.dtype.kind not in "fc":
        return np.asarray(left != right)
    left, right = np.asarray(left, float), np.asarray(right, float)
    both_nan = np.isnan(left) & np.isnan(right)
    if tolerance == 0.0:
        return np.asarray((left != right) & ~both_nan)
    finite = np.abs(right[np.isfinite(right)])
    allowed = tolerance * (finite.max() if finite.size else 1.0)
    return ~(np.isclose(left, right, rtol=0.0, atol=allowed) | both_nan)


def _format_difference(left: NDArray[Any], right: NDArray[Any]) -> str:
    if left.dtype.kind not in "iuf" or right.dtype.kind not in "iuf":
        return ""
    with np.errstate(invalid="ignore"):  # of two infinities
        difference = np.abs(left.astype(float) - right.astype(float))
    return (
        f" (by {np.nanmax(difference):.3g} at most)"
        if np.isfinite(difference).any()
        else ""
    )


def depends_on_seed(make: Callable[[int], BaseEstimator], X: Any) -> bool:
    """Return whether the outputs of models with the seeds 0 to 3 differ."""
    first = outputs(make(0), X)
    for seed in range(1, 4):
        try:
            assert_same(outputs(make(seed), X), first, "another seed", 1e-9)
        except AssertionError:
            return True
    return False


def assert_sound(fitted: BaseEstimator, X: Any, when: str) -> None:
    """Assert one finite output per row; for classifiers, labels and probabilities.

    A transformer may return missing values.
    """
    n_rows, found = np.shape(X)[0], outputs(fitted, X)
    for name, values in found.items():
        must(len(values) == n_rows, f"{name} has {len(values)} rows: {when}.")
        if values.dtype.kind == "f" and name != "transform":
            must(np.isfinite(values).all(), f"{name} is not finite: {when}.")
    classes = getattr(fitted, "classes_", None)
    if is_classifier(fitted) and isinstance(classes, np.ndarray):
        _assert_probable(classes, found, when)


def _assert_probable(classes: NDArray[Any], found: Arrays, when: str) -> None:
    predicted = found["predict"]
    if predicted.ndim > 1:
        return
    known = np.isin(predicted, classes).all()
    must(known, f"predict returns labels that are not in classes_: {when}.")
    if "predict_proba" not in found:
        return
    p = found["predict_proba"]
    must(p.shape[1] == len(classes), f"predict_proba has shape {p.shape}: {when}.")
    must(
        (p >= 0).all() and np.allclose(p.sum(axis=1), 1.0, rtol=0, atol=1e-6),
        f"rows of predict_proba are no probabilities: {when}.",
    )
    # A tie may be broken either way.
    clear = p.max(axis=1) > np.sort(p, axis=1)[:, -2:].min(axis=1) + 1e-9
    clear |= p.shape[1] == 1
    must(
        (classes[p.argmax(axis=1)] == predicted)[clear].all(),
        f"predict is not the class with the highest predict_proba: {when}.",
    )
