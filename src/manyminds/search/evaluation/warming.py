"""Compile kernels, or load them from the disk cache, before a search's clock runs."""

import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

from manyminds.kernels._jit import time_compiling
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import Space

__all__ = ["compile_kernels", "warm_up"]

N_ROWS, N_COLUMNS = 60, 6
MAX_SECONDS = 600.0  # that a second process may take to compile
# Options that run kernels, in two parts that take about as long to compile.
LEARNERS = (
    "forest", "quick_forest", "extra_trees", "rotation_forest", "local_trees",
    "ssv_tree", "projected_boosting",
)  # fmt: skip
SELECTORS = ("fcbf", "ssv", "ssv_tree", "mrmr", "forest_gain", "selection_committee")
CARRIERS = ("logistic", "ridge")  # learners by which selectors are tried

_warm: set[tuple[Any, ...]] = set()  # what this process has compiled or loaded


def compile_kernels(
    space: Space,
    problem: Problem,
    n_workers: int,
    on_first: Callable[[], None] | None = None,
) -> float:
    """Compile what chains of a space need; once, where Numba can keep it on disk.

    Parameters
    ----------
    space : Space
        Cut for the problem.
    problem : Problem
    n_workers : int
        With more than one, a second process compiles as well.
    on_first : callable or None, default=None
        Called when something is about to be compiled.

    Returns
    -------
    seconds : float
        That this took, if anything was compiled; 0 if all was loaded from disk.
    """
    helpers: list[Any] = []

    def tell_and_help() -> None:
        if on_first is not None:
            on_first()
        if n_workers > 1:
            helpers.append(_start_helper(space, problem))

    start = time.perf_counter()
    with time_compiling(tell_and_help) as first:
        warm_up(space, problem, LEARNERS)
    for helper in helpers:
        _wait_for(helper)
    with time_compiling(None if first.seconds else on_first) as second:
        warm_up(space, problem, SELECTORS)
    has_compiled = first.seconds + second.seconds > 0.0
    return time.perf_counter() - start if has_compiled else 0.0


def _start_helper(space: Space, problem: Problem) -> Any:
    """Start a process that compiles the selectors; return it and what it does."""
    from loky import ProcessPoolExecutor

    pool = ProcessPoolExecutor(max_workers=1, env={"PYTHONWARNINGS": "ignore"})
    return pool, pool.submit(warm_up, space, problem, SELECTORS)


def _wait_for(helper: Any) -> None:
    """Wait until a helper is done; if it was lost, this process compiles itself."""
    pool, done = helper
    wait([done], timeout=MAX_SECONDS)
    pool.shutdown(wait=True, kill_workers=True)


def warm_up(
    space: Space, problem: Problem, names: Sequence[str] = (*LEARNERS, *SELECTORS)
) -> None:
    """Fit chains with the named options to a few rows of the problem's form."""
    X, y = _make_rows(problem)
    shape = replace(
        Problem.of(X, y, problem.task, problem.metric), sparse=problem.sparse
    )
    carriers = [one.name for one in space.learner if one.name in CARRIERS]
    wanted = [{"learner": one.name} for one in space.learner if one.name in names]
    wanted += [
        {"learner": carriers[0], "select": one.name}
        for one in space.select
        if one.name in names and carriers
    ]
    for partial in wanted:
        kind = (*partial.values(), problem.task, problem.n_categorical > 0)
        if (kind := (*kind, problem.has_missing, problem.sparse)) in _warm:
            continue
        _warm.add(kind)
        chain = space.complete(partial, shape)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                space.build(chain, shape).fit(X, y).predict(X)
        except Exception:  # a trial will tell why
            continue


def _make_rows(problem: Problem) -> tuple[Any, np.ndarray]:
    """Draw a few rows with the dtypes of a problem; a column tells the class."""
    rng = np.random.default_rng(0)
    y: np.ndarray = np.arange(N_ROWS) % max(2, min(3, problem.n_classes))
    if not problem.n_classes:
        y = rng.normal(size=N_ROWS)
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    X[:, 0] += 3.0 * y
    if problem.sparse:
        return csr_matrix(np.abs(X)), y
    if problem.has_missing:
        X[:3, 1] = np.nan
    if not problem.n_categorical:
        return X, y
    frame = pd.DataFrame(X, columns=[f"x{place}" for place in range(N_COLUMNS)])
    return frame.assign(hue=pd.Categorical(rng.choice(["a", "b"], N_ROWS))), y
