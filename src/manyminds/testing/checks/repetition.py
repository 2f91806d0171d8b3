"""Checks of reproducibility: seeds, n_jobs, refits, clones and pickles."""

import copy
import io
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.base import BaseEstimator, clone

from manyminds.testing.assertions import check_for, must
from manyminds.testing.cases import (
    case_for,
    fit,
    has_n_jobs,
    ready,
    repeats_itself,
    seeded,
    takes_tables,
)
from manyminds.testing.outputs import assert_same, assert_sound, fitted_values, outputs

__all__ = [
    "check_clone",
    "check_global_random_state",
    "check_memory_mapped_model",
    "check_n_jobs",
    "check_pickle",
    "check_random_states",
    "check_refit",
    "check_same_seed",
]


@check_for(has_n_jobs)
def check_n_jobs(estimator: BaseEstimator) -> None:
    """Check that ``n_jobs`` changes neither the model nor predictions in any bit.

    For estimators that run only large work in parallel, also use
    ``assert_jobs_do_not_matter`` with enough work.
    """
    assert_jobs_do_not_matter(ready(estimator), n_samples=60, n_new=2_000)


def assert_jobs_do_not_matter(
    estimator: BaseEstimator, n_samples: int, n_new: int
) -> None:
    """Assert that ``n_jobs=2`` has the model and predictions of ``n_jobs=1``."""
    case = case_for(estimator, n_samples=n_samples, n_new=n_new)
    one = fit(clone(estimator).set_params(n_jobs=1), case.X, case.y)
    two = fit(clone(estimator).set_params(n_jobs=2), case.X, case.y)
    assert_same(fitted_values(two), fitted_values(one), "n_jobs=2 against n_jobs=1")
    expected = outputs(one, case.X_new)
    # Twice: the order of threads is random.
    for _ in range(2):
        found = outputs(two, case.X_new)
        assert_same(found, expected, "n_jobs=2 against n_jobs=1")


@check_for(repeats_itself)
def check_same_seed(estimator: BaseEstimator) -> None:
    """Check that two fits with the same seed on the same data are equal."""
    case = case_for(estimator)
    for make_seed in (lambda: 7, lambda: np.random.RandomState(7)):
        first = fit(seeded(ready(estimator), make_seed()), case.X, case.y)
        second = fit(seeded(ready(estimator), make_seed()), case.X, case.y)
        when = "two fits with the same random_state"
        assert_same(fitted_values(second), fitted_values(first), when)
        assert_same(outputs(second, case.X_new), outputs(first, case.X_new), when)


@check_for(repeats_itself)
def check_refit(estimator: BaseEstimator) -> None:
    """Check that a second ``fit`` does not depend on the first."""
    case, other = case_for(estimator), case_for(estimator, n_samples=30, seed=1)
    fresh = fit(ready(estimator), case.X, case.y)
    again = fit(ready(estimator), other.X[:, :3], other.y)
    again = fit(again, case.X, case.y)
    when = "fit after a fit on other data, against a first fit"
    assert_same(outputs(again, case.X_new), outputs(fresh, case.X_new), when)


@check_for(takes_tables)
def check_random_states(estimator: BaseEstimator) -> None:
    """Check that ``random_state`` may be None, an integer or a RandomState."""
    case = case_for(estimator)
    for seed in (None, 0, 2**31 - 1, np.random.RandomState(0)):
        fitted = fit(seeded(ready(estimator), seed), case.X, case.y)
        assert_sound(fitted, case.X_new, f"random_state={seed}")


@check_for(takes_tables)
def check_global_random_state(estimator: BaseEstimator) -> None:
    """Check that a seeded estimator does not use NumPy's global generator."""
    case = case_for(estimator)
    users = np.random.get_state()
    try:
        # A state of our own, so that the estimator does not happen to set the same.
        np.random.set_state(np.random.RandomState(20_000).get_state())
        before = pickle.dumps(np.random.get_state())
        outputs(fit(ready(estimator), case.X, case.y), case.X_new)
        same = pickle.dumps(np.random.get_state()) == before
    finally:
        np.random.set_state(users)
    must(same, "fit or predict with random_state=0 uses NumPy's global generator.")


@check_for(takes_tables)
def check_pickle(estimator: BaseEstimator) -> None:
    """Check that pickles and deep copies have the same predictions."""
    case = case_for(estimator)
    fitted = fit(ready(estimator), case.X, case.y)
    values, answers = fitted_values(fitted), outputs(fitted, case.X_new)
    ways: dict[str, Callable[[BaseEstimator], Any]]
    ways = {"pickle": _pickled, "joblib": _dumped, "copy.deepcopy": copy.deepcopy}
    for way, through in ways.items():
        twin = through(fitted)
        assert_same(fitted_values(twin), values, f"a copy by {way}")
        assert_same(outputs(twin, case.X_new), answers, f"a copy by {way}")
        if repeats_itself(estimator):
            twin = fit(through(ready(estimator)), case.X, case.y)
            when = f"a copy by {way} made before fit"
            assert_same(outputs(twin, case.X_new), answers, when)


def _pickled(estimator: BaseEstimator) -> Any:
    return pickle.loads(pickle.dumps(estimator, pickle.HIGHEST_PROTOCOL))


def _dumped(estimator: BaseEstimator) -> Any:
    file = io.BytesIO()
    joblib.dump(estimator, file)
    file.seek(0)
    return joblib.load(file)


@check_for(takes_tables)
def check_memory_mapped_model(estimator: BaseEstimator) -> None:
    """Check that a model with memory-mapped arrays has the same predictions.

    joblib passes models to worker processes in this way.
    """
    case = case_for(estimator)
    fitted = fit(ready(estimator), case.X, case.y)
    answers = outputs(fitted, case.X_new)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "model.joblib"
        joblib.dump(fitted, file)
        mapped = joblib.load(file, mmap_mode="r")
        found = outputs(mapped, case.X_new)
    assert_same(found, answers, "a model with memory-mapped arrays")


@check_for(takes_tables)
def check_clone(estimator: BaseEstimator) -> None:
    """Check that a clone has the parameters, no fitted state, and the same fit."""
    case = case_for(estimator)
    fitted = fit(ready(estimator), case.X, case.y)
    twin = clone(fitted)
    before, after = ready(estimator).get_params(), twin.get_params()
    must(before.keys() == after.keys(), "a clone has other parameters.")
    for name, value in before.items():
        same = joblib.hash(value) == joblib.hash(after[name])
        must(same, f"a clone has {name}={after[name]!r} rather than {value!r}.")
    fitted_names = [
        name for name in vars(twin) if name.endswith("_") and name[0] != "_"
    ]
    must(not fitted_names, f"a clone of a fitted estimator has {fitted_names}.")
    if repeats_itself(estimator):
        found = outputs(fit(twin, case.X, case.y), case.X_new)
        assert_same(found, outputs(fitted, case.X_new), "a clone, fitted")
