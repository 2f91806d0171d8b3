"""Checks of dataframes: same predictions as for arrays, and names of columns."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import has_fit_parameter

from manyminds.testing.assertions import check_for, expect_error, must
from manyminds.testing.cases import (
    case_for,
    fit,
    ready,
    repeats_itself,
    takes_polars,
    transforms,
    validates,
)
from manyminds.testing.outputs import METHODS, assert_same, outputs

__all__ = [
    "check_feature_names",
    "check_mixed_frame",
    "check_pandas",
    "check_polars",
    "check_set_output",
    "check_wrong_feature_names",
]

NAMES = ["width", "height", "depth", "weight"]
# A dataframe is often not in C order, which changes rounding errors of sums.
TOLERANCE = 1e-7


@check_for(repeats_itself)
def check_pandas(estimator: BaseEstimator) -> None:
    """Check that pandas input has the results of NumPy, whatever the index."""

    def frame(X: NDArray[Any]) -> pd.DataFrame:
        return pd.DataFrame(X, columns=NAMES, index=range(len(X))[::-1])

    def series(y: NDArray[Any]) -> Any:
        # Not the index of X: aligning the two would reverse the rows.
        return pd.Series(y) if y.ndim == 1 else pd.DataFrame(y)

    _assert_frames_match(estimator, frame, series, "pandas")


@check_for(takes_polars)
def check_polars(estimator: BaseEstimator) -> None:
    """Check that polars input has the results of NumPy."""
    import polars

    def frame(X: NDArray[Any]) -> Any:
        return polars.DataFrame(X, schema=NAMES)

    def series(y: NDArray[Any]) -> Any:
        return polars.Series(y) if y.ndim == 1 else polars.DataFrame(y)

    _assert_frames_match(estimator, frame, series, "polars")


def _assert_frames_match(
    estimator: BaseEstimator,
    frame: Callable[[NDArray[Any]], Any],
    series: Callable[[NDArray[Any]], Any],
    library: str,
) -> None:
    case = case_for(estimator)
    weights: dict[str, Any] = {}
    if has_fit_parameter(estimator, "sample_weight"):
        weights["sample_weight"] = np.linspace(0.5, 2.0, len(case.X))
    plain = fit(ready(estimator), case.X, case.y, **weights)
    framed = fit(
        ready(estimator),
        frame(case.X),
        None if case.y is None else series(case.y),
        **{name: series(value) for name, value in weights.items()},
    )
    expected = outputs(plain, case.X_new)
    for X_new, kind in ((frame(case.X_new), library), (case.X_new, "NumPy")):
        when = f"fitted on {library}, predicting {kind}"
        assert_same(outputs(framed, X_new), expected, when, TOLERANCE)


@check_for(repeats_itself)
def check_mixed_frame(estimator: BaseEstimator) -> None:
    """Check that columns of integers, booleans and floats are read as numbers."""
    case = case_for(estimator)

    def mixed(X: NDArray[Any]) -> pd.DataFrame:
        columns = [X[:, 0], np.rint(3 * X[:, 1]).astype(np.int32), X[:, 2] > 0.3]
        columns.append(np.rint(8 * X[:, 3]).astype(np.float32))
        return pd.DataFrame(dict(zip(NAMES, columns, strict=True)))

    frame, frame_new = mixed(case.X), mixed(case.X_new)
    X, X_new = (np.ascontiguousarray(F, dtype=float) for F in (frame, frame_new))
    framed = fit(ready(estimator), frame, case.y)
    expected = outputs(fit(ready(estimator), X, case.y), X_new)
    when = "a frame with columns of several types, against its numbers"
    assert_same(outputs(framed, frame_new), expected, when, TOLERANCE)


@check_for(validates)
def check_feature_names(estimator: BaseEstimator) -> None:
    """Check that ``feature_names_in_`` are the columns of the last dataframe."""
    case = case_for(estimator)
    frame = pd.DataFrame(case.X, columns=NAMES)
    fitted = fit(ready(estimator), frame, case.y)
    names = list(getattr(fitted, "feature_names_in_", []))
    must(names == NAMES, f"feature_names_in_ is {names} rather than {NAMES}.")
    width = fitted.n_features_in_
    must(width == len(NAMES), f"n_features_in_ is {width} rather than {len(NAMES)}.")
    if hasattr(fitted, "get_feature_names_out"):
        _assert_names_out(fitted, frame)
    fit(fitted, case.X, case.y)
    gone = not hasattr(fitted, "feature_names_in_")
    must(gone, "fit on an array keeps the feature_names_in_ of an earlier frame.")


def _assert_names_out(fitted: BaseEstimator, frame: pd.DataFrame) -> None:
    names = fitted.get_feature_names_out()
    texts = isinstance(names, np.ndarray) and names.ndim == 1
    texts = texts and all(isinstance(name, str) for name in names)
    must(texts, f"get_feature_names_out returns no array of texts: {names!r}.")
    if hasattr(fitted, "transform"):
        width = np.shape(fitted.transform(frame))[1]
        must(
            len(names) == width,
            f"get_feature_names_out names {len(names)} of {width} columns.",
        )


@check_for(validates)
def check_wrong_feature_names(estimator: BaseEstimator) -> None:
    """Check that renamed, reordered or absent columns raise after ``fit``."""
    case = case_for(estimator)
    fitted = fit(ready(estimator), pd.DataFrame(case.X, columns=NAMES), case.y)
    frame = pd.DataFrame(case.X_new, columns=NAMES)
    wrong = {
        "a column is renamed": frame.rename(columns={"width": "breadth"}),
        "the columns are reordered": frame[NAMES[::-1]],
        "a column is missing": frame[NAMES[:-1]],
    }
    for method in METHODS:
        if hasattr(fitted, method):
            for problem, X_new in wrong.items():
                expect_error(
                    getattr(fitted, method),
                    X_new,
                    match="feature names",
                    when=f"{problem} at {method}",
                )


@check_for(transforms)
def check_set_output(estimator: BaseEstimator) -> None:
    """Check that ``set_output`` changes the container of ``transform``, not values."""
    case = case_for(estimator)
    frame = pd.DataFrame(case.X, columns=NAMES, index=range(len(case.X))[::-1])
    fitted = fit(ready(estimator).set_output(transform="default"), frame, case.y)
    expected = fitted.transform(frame)
    must(not isinstance(expected, pd.DataFrame), "the default output is a frame.")

    found = fitted.set_output(transform="pandas").transform(frame)
    must(isinstance(found, pd.DataFrame), f"asked for pandas, got {type(found)}.")
    names = list(fitted.get_feature_names_out())
    must(list(found.columns) == names, f"columns are {list(found.columns)}: {names}.")
    must(found.index.equals(frame.index), "the pandas output loses the index of X.")
    values = {"transform": found.to_numpy()}
    assert_same(values, {"transform": np.asarray(expected)}, "set_output to pandas")

    if takes_polars(estimator):
        found = fitted.set_output(transform="polars").transform(frame)
        must(list(found.columns) == names, f"polars columns are {found.columns}.")
        values = {"transform": found.to_numpy()}
        assert_same(values, {"transform": np.asarray(expected)}, "set_output to polars")
