"""Checks of storage: dtypes, memory layouts, sparse formats, unchanged inputs."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from manyminds.testing.assertions import check_for, expect_error, must, try_or_explain
from manyminds.testing.cases import (
    Case,
    case_for,
    fit,
    ready,
    repeats_itself,
    takes_tables,
    validates,
)
from manyminds.testing.outputs import assert_same, assert_sound, outputs

__all__ = [
    "check_inputs_unchanged",
    "check_memory_layout",
    "check_memory_map",
    "check_number_types",
    "check_read_only",
    "check_sparse",
    "check_sparse_refused",
]

# Another order of summation has other rounding errors.
TOLERANCE = 1e-7


@check_for(takes_tables)
def check_inputs_unchanged(estimator: BaseEstimator) -> None:
    """Check that no method changes X, y or the weights in place."""
    case = case_for(estimator)
    inputs = {"X": case.X, "the X to predict": case.X_new}
    weights = {}
    if has_fit_parameter(estimator, "sample_weight"):
        weights["sample_weight"] = np.linspace(0.5, 2.0, len(case.X))
    inputs |= weights
    if case.y is not None:
        inputs["y"] = case.y
    before = {name: array.tobytes() for name, array in inputs.items()}
    outputs(fit(ready(estimator), case.X, case.y, **weights), case.X_new)
    for name, array in inputs.items():
        must(array.tobytes() == before[name], f"{name} is changed in place.")


@check_for(repeats_itself)
def check_read_only(estimator: BaseEstimator) -> None:
    """Check that read-only arrays have the same results."""
    case = case_for(estimator)
    expected = outputs(fit(ready(estimator), case.X, case.y), case.X_new)
    for array in (case.X, case.y, case.X_new):
        if array is not None:
            array.flags.writeable = False
    found = outputs(fit(ready(estimator), case.X, case.y), case.X_new)
    assert_same(found, expected, "read-only arrays")


@check_for(repeats_itself)
def check_memory_map(estimator: BaseEstimator) -> None:
    """Check that memory-mapped arrays have the same results."""
    case = case_for(estimator)
    expected = outputs(fit(ready(estimator), case.X, case.y), case.X_new)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:

        def mapped(name: str, array: NDArray[Any] | None) -> Any:
            if array is None:
                return None
            file = Path(folder) / f"{name}.npy"
            np.save(file, array)
            return np.load(file, mmap_mode="r")

        fitted = fit(ready(estimator), mapped("X", case.X), mapped("y", case.y))
        found = outputs(fitted, mapped("X_new", case.X_new))
    assert_same(found, expected, "memory-mapped arrays")


@check_for(repeats_itself)
def check_memory_layout(estimator: BaseEstimator) -> None:
    """Check that lists, Fortran order, strided views and byte order do not matter."""
    case = case_for(estimator)
    expected = outputs(fit(ready(estimator), case.X, case.y), case.X_new)
    layouts: dict[str, Callable[[NDArray[Any]], Any]] = {
        "lists": lambda array: array.tolist(),
        "Fortran order": np.asfortranarray,
        "every other row of a larger array": _spread,
        "views that run backwards": lambda array: array[::-1].copy()[::-1],
        "numbers with swapped bytes": _swapped,
    }
    for layout, laid in layouts.items():
        y = None if case.y is None else laid(case.y)
        found = outputs(fit(ready(estimator), laid(case.X), y), laid(case.X_new))
        assert_same(found, expected, layout, TOLERANCE)


def _spread(array: NDArray[Any]) -> NDArray[Any]:
    wide = np.full([2 * n for n in array.shape], -1, dtype=array.dtype)
    every_other = tuple(slice(None, None, 2) for _ in array.shape)
    wide[every_other] = array
    return wide[every_other]


def _swapped(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("S"))


@check_for(repeats_itself)
def check_number_types(estimator: BaseEstimator) -> None:
    """Check that integers of any size are read as numbers, and float32 accepted."""
    case = case_for(estimator)
    X, X_new = (np.rint(20 * np.abs(A)) % 100 for A in (case.X, case.X_new))
    expected = outputs(fit(ready(estimator), X, case.y), X_new)
    for name in ("int64", "int32", "uint8"):
        fitted = fit(ready(estimator), X.astype(name), case.y)
        for rows in (X_new, X_new.astype(name)):
            assert_same(outputs(fitted, rows), expected, f"X of type {name}", TOLERANCE)
    # An estimator may compute in single precision: results may differ.
    for name in ("float32", "float16"):
        fitted = fit(ready(estimator), case.X.astype(name), case.y)
        assert_sound(fitted, case.X_new.astype(name), f"X of type {name}")


@check_for(lambda e: repeats_itself(e) and get_tags(e).input_tags.sparse)
def check_sparse(estimator: BaseEstimator) -> None:
    """Check that sparse input of common formats has the results of dense input."""
    case = _mostly_zero(case_for(estimator))
    dense = fit(ready(estimator), case.X, case.y)
    expected = outputs(dense, case.X_new)
    for kind, to_sparse in _sparse_kinds().items():
        X, X_new = to_sparse(case.X), to_sparse(case.X_new)
        before = X.data.tobytes(), X.indices.tobytes(), X.indptr.tobytes()
        fitted = fit(ready(estimator), X, case.y)
        after = X.data.tobytes(), X.indices.tobytes(), X.indptr.tobytes()
        must(before == after, f"X is changed in place: {kind}.")
        assert_same(outputs(fitted, X_new), expected, kind, TOLERANCE)
        # A neighbor index of one format may not support the other.
        for model, rows in ((fitted, case.X_new), (dense, X_new)):
            when = f"fitted on dense rows and predicting {kind}, or conversely"
            found = try_or_explain(outputs, model, rows, match="sparse", when=when)
            if found is not None:
                assert_same(found, expected, when, TOLERANCE)


def _mostly_zero(case: Case) -> Case:
    X, X_new = (np.where(np.abs(A) > 0.7, A, 0.0) for A in (case.X, case.X_new))
    return Case(X, case.y, X_new)


def _sparse_kinds() -> dict[str, Any]:
    return {
        "csr_matrix": sparse.csr_matrix,
        "csc_matrix": sparse.csc_matrix,
        "csr_array": sparse.csr_array,
        "csc_array": sparse.csc_array,
        "csr_array with stored zeros, out of order": _untidy,
    }


def _untidy(X: NDArray[Any]) -> Any:
    n_rows, n_columns = X.shape
    columns = np.tile(np.arange(n_columns, dtype=np.int32)[::-1], n_rows)
    starts = np.arange(n_rows + 1, dtype=np.int32) * np.int32(n_columns)
    return sparse.csr_array((X[:, ::-1].ravel(), columns, starts), shape=X.shape)


@check_for(lambda e: validates(e) and not get_tags(e).input_tags.sparse)
def check_sparse_refused(estimator: BaseEstimator) -> None:
    """Check that sparse input raises if the tags do not allow it."""
    case = _mostly_zero(case_for(estimator))
    for to_sparse in (sparse.csr_matrix, sparse.csc_array):
        expect_error(
            fit,
            ready(estimator),
            to_sparse(case.X),
            case.y,
            match="sparse",
            when=f"X is a {to_sparse.__name__}",
        )
