"""Checks of unusual tables X: a correct result, or an error that names the problem."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.utils import get_tags

from manyminds.testing.assertions import check_for, expect_error, must, try_or_explain
from manyminds.testing.cases import case_for, fit, ready, seeded, validates
from manyminds.testing.outputs import (
    METHODS,
    assert_same,
    assert_sound,
    depends_on_seed,
    outputs,
)

__all__ = [
    "check_constant_column",
    "check_contradicting_rows",
    "check_empty",
    "check_infinity",
    "check_missing_values",
    "check_missing_values_refused",
    "check_number_of_columns",
    "check_number_of_dimensions",
    "check_one_row",
    "check_text_columns",
]

# Patterns of errors about too few samples.
TOO_FEW = r"sample|row|class|at least|minimum|too (few|small)"


@check_for(validates)
def check_constant_column(estimator: BaseEstimator) -> None:
    """Check that a constant column is accepted, and one of zeros changes nothing.

    The second part is for deterministic predictors. Those that depend on the number of
    columns, such as by the width of a kernel, may fail it.
    """
    case = case_for(estimator)
    for value in (0.0, 3.0):
        X, X_new = (np.insert(A, 2, value, axis=1) for A in (case.X, case.X_new))
        fitted = fit(ready(estimator), X, case.y)
        assert_sound(fitted, X_new, f"a column of {value} only")
        if value == 0.0 and _is_deterministic_predictor(estimator):
            expected = outputs(fit(ready(estimator), case.X, case.y), case.X_new)
            when = "with a column of zeros, against without"
            assert_same(outputs(fitted, X_new), expected, when, tolerance=1e-6)
    X = np.full_like(case.X, 3.0)
    fitted = try_or_explain(
        fit,
        ready(estimator),
        X,
        case.y,
        match=r"constant|varia|feature|column|same value",
        when="all columns are constant",
    )
    if fitted is not None:
        assert_sound(fitted, X, "all columns constant")


def _is_deterministic_predictor(estimator: BaseEstimator) -> bool:
    case = case_for(estimator)

    def make(seed: int) -> BaseEstimator:
        return fit(seeded(ready(estimator), seed), case.X, case.y)

    predicts = is_classifier(estimator) or is_regressor(estimator)
    return predicts and not depends_on_seed(make, case.X_new)


@check_for(validates)
def check_one_row(estimator: BaseEstimator) -> None:
    """Check that one training sample suffices, or raises a clear error."""
    case = case_for(estimator)
    y = None if case.y is None else case.y[:1]

    def fit_and_predict() -> Any:
        fitted = fit(ready(estimator), case.X[:1], y)
        assert_sound(fitted, case.X_new, "fitted on one row")
        return fitted

    fitted = try_or_explain(fit_and_predict, match=TOO_FEW, when="there is one row")
    predicts = is_classifier(estimator) or is_regressor(estimator)
    if fitted is not None and y is not None and predicts:
        right = np.allclose(fitted.predict(case.X[:1]), y)
        must(right, "the prediction of the only training sample is not its target.")


@check_for(validates)
def check_contradicting_rows(estimator: BaseEstimator) -> None:
    """Check that equal rows with different targets have equal predictions."""
    case = case_for(estimator)
    half = len(case.X) // 2
    X = np.concatenate([case.X[:half], case.X[:half]])
    fitted = fit(ready(estimator), X, case.y)
    assert_sound(fitted, X, "equal rows with different targets")
    for name, values in outputs(fitted, X).items():
        same = np.array_equal(values[:half], values[half:])
        must(same or name == "labels_", f"{name} differs between equal rows.")
    two = try_or_explain(
        lambda: outputs(fit(ready(estimator), X[[0, half]], _two(case.y)), X),
        match=TOO_FEW + r"|constant|varia",
        when="there are two equal rows",
    )
    if two is not None and "predict_proba" in two:
        finite = np.isfinite(two["predict_proba"]).all()
        must(finite, "predict_proba is not finite after two equal rows.")


def _two(y: Any) -> Any:
    if y is None:
        return None
    other = (y != y[0]).reshape(len(y), -1).any(axis=1)
    return y[[0, other.argmax()]]


@check_for(lambda e: validates(e) and get_tags(e).input_tags.allow_nan)
def check_missing_values(estimator: BaseEstimator) -> None:
    """Check that NaN is supported if the tags allow it, in ``fit`` and afterwards."""
    case = case_for(estimator)
    X, X_new = case.X.copy(), case.X_new.copy()
    X[::5, 0] = X[1::3, 3] = np.nan
    X_new[::4, 0] = X_new[1] = np.nan
    assert_sound(fit(ready(estimator), X, case.y), X_new, "NaN in X")
    # Missing for the first time only after fit.
    fitted = fit(ready(estimator), case.X, case.y)
    assert_sound(fitted, X_new, "NaN in columns that had none in fit")
    X[:, 2] = np.nan
    fitted = fit(ready(estimator), X, case.y)
    assert_sound(fitted, case.X_new, "a column that is NaN throughout fit")
    assert_sound(fitted, X_new, "a column that is NaN throughout fit")


@check_for(lambda e: validates(e) and not get_tags(e).input_tags.allow_nan)
def check_missing_values_refused(estimator: BaseEstimator) -> None:
    """Check that NaN raises, by name, if the tags do not allow it."""
    _assert_refused(estimator, np.nan, r"\bNaN\b")


@check_for(validates)
def check_infinity(estimator: BaseEstimator) -> None:
    """Check that infinite numbers raise, by name."""
    for value in (np.inf, -np.inf):
        _assert_refused(estimator, value, r"\binf")


def _assert_refused(estimator: BaseEstimator, value: float, pattern: str) -> None:
    case = case_for(estimator)
    X, X_new = case.X.copy(), case.X_new.copy()
    X[3, 1] = X_new[3, 1] = value
    expect_error(
        fit, ready(estimator), X, case.y, match=pattern, when=f"X has {value} in fit"
    )
    fitted = fit(ready(estimator), case.X, case.y)
    for method in _methods_of(fitted):
        expect_error(
            getattr(fitted, method),
            X_new,
            match=pattern,
            when=f"X has {value} in {method}",
        )


def _methods_of(fitted: BaseEstimator) -> list[str]:
    return [method for method in METHODS if hasattr(fitted, method)]


@check_for(validates)
def check_number_of_columns(estimator: BaseEstimator) -> None:
    """Check that a table with more or fewer columns than in ``fit`` raises."""
    case = case_for(estimator)
    fitted = fit(ready(estimator), case.X, case.y)
    for X_new in (case.X_new[:, :3], np.hstack([case.X_new, case.X_new[:, :1]])):
        width = X_new.shape[1]
        for method in _methods_of(fitted):
            expect_error(
                getattr(fitted, method),
                X_new,
                match=rf"\b{width}\b.*\b4\b|\b4\b.*\b{width}\b",
                when=f"X has {width} columns in {method}, 4 in fit",
            )


@check_for(validates)
def check_empty(estimator: BaseEstimator) -> None:
    """Check that a table without rows or without columns raises."""
    case = case_for(estimator)
    no_target = None if case.y is None else case.y[:0]
    for X, y, match in (
        (case.X[:0], no_target, r"sample|row|empty"),
        (case.X[:, :0], case.y, r"feature|column|empty"),
    ):
        when = f"X has the shape {X.shape} in fit"
        expect_error(fit, ready(estimator), X, y, match=match, when=when)
    fitted = fit(ready(estimator), case.X, case.y)
    for method in _methods_of(fitted):
        # An empty result is allowed, too.
        found = try_or_explain(
            getattr(fitted, method),
            case.X_new[:0],
            match=r"sample|row|empty",
            when=f"X has no rows in {method}",
        )
        must(
            found is None or np.shape(found)[0] == 0,
            f"{method} returns rows for an empty X.",
        )


@check_for(validates)
def check_number_of_dimensions(estimator: BaseEstimator) -> None:
    """Check that X with one dimension or three raises."""
    case = case_for(estimator)
    tags = get_tags(estimator).input_tags
    match = r"[123] ?-?D|dim|reshape|shape"
    fitted = fit(ready(estimator), case.X, case.y)
    for allowed, shape in (
        (tags.one_d_array, lambda A: A[:, 0]),
        (tags.three_d_array, lambda A: A[:, :, None]),
    ):
        if allowed:
            continue
        X, X_new = shape(case.X), shape(case.X_new)
        when = f"X has {X.ndim} dimensions"
        expect_error(
            fit, ready(estimator), X, case.y, match=match, when=f"{when} in fit"
        )
        for method in _methods_of(fitted):
            answer = getattr(fitted, method)
            expect_error(answer, X_new, match=match, when=f"{when} in {method}")


def _takes_only_numbers(estimator: BaseEstimator) -> bool:
    tags = get_tags(estimator).input_tags
    return validates(estimator) and not tags.string


@check_for(_takes_only_numbers)
def check_text_columns(estimator: BaseEstimator) -> None:
    """Check that a column of words raises, in arrays and in dataframes."""
    case = case_for(estimator)
    words = np.where(case.X[:, 1] > 0, "yes", "no")
    table = case.X.astype(object)
    table[:, 1] = words
    frame = pd.DataFrame(case.X).assign(word=words)
    frame.columns = [str(name) for name in frame.columns]
    for X, kind in ((table, "an array of objects"), (frame, "a data frame")):
        expect_error(
            fit,
            ready(estimator),
            X,
            case.y,
            match=r"string|str\b|text|categor|numeric|convert",
            when=f"X has a column of words in {kind}",
        )
