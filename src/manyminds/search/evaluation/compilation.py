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
from manyminds.search.evaluation.compile_stamp import add_to_stamp, read_stamp
from manyminds.search.space.problem import Problem
from manyminds.search.space.space import Space, default_space

__all__ = ["compile_kernels", "load_kernels", "warm_up"]

N_ROWS, N_COLUMNS = 60, 6
MAX_SECONDS = 600.0  # that a second process may take to compile
# Options that run kernels, in two groups that take about as long to compile.
LEARNERS = (
    "rf", "quick_rf", "et", "gb", "extra_gb", "symmetric_gb", "quick_gb",
    "rotation_forest", "flt",
    "ssv_tree", "rpboost", "aode", "tan", "real_mlp",
    "mlforest", "ecc", "rakel", "mlknn", "br_rf", "br_gb",
)  # fmt: skip
SELECTORS = ("fcbf", "ssv", "ssv_tree", "mrmr", "forest_gain", "selection_committee")
FIRST = ("rf", "gb")  # that every search begins with
CARRIERS = ("logistic", "ridge")  # learners that follow selectors

_warm: set[str] = set()  # compiled or loaded by this process


def compile_kernels(
    space: Space,
    problem: Problem,
    n_workers: int,
    on_first: Callable[[], None] | None = None,
) -> float:
    """Compile the kernels of a space; once, where Numba can cache them on disk.

    Parameters
    ----------
    space : Space
        Restricted to the problem.
    problem : Problem
    n_workers : int
        With more than one, a second process compiles too.
    on_first : callable or None, default=None
        Called before the first compilation.

    Returns
    -------
    seconds : float
        Spent, if anything was compiled; 0 if all was loaded from disk.
    """
    wanted = _list_kinds(space, problem, (*LEARNERS, *SELECTORS))
    if wanted <= read_stamp():
        return 0.0
    helpers: list[Any] = []

    def start_helping() -> None:
        if on_first is not None:
            on_first()
        if n_workers > 1:
            helpers.append(_start_helper(space, problem))

    start = time.perf_counter()
    with time_compiling(start_helping) as first:
        warm_up(space, problem, LEARNERS)
    for helper in helpers:
        _wait_for(helper)
    with time_compiling(None if first.seconds else on_first) as second:
        warm_up(space, problem, SELECTORS)
    has_compiled = first.seconds + second.seconds > 0.0
    add_to_stamp(wanted)
    return time.perf_counter() - start if has_compiled else 0.0


def _start_helper(space: Space, problem: Problem) -> Any:
    """Start a process that compiles the selectors; return its pool and future."""
    from loky import ProcessPoolExecutor

    pool = ProcessPoolExecutor(max_workers=1, env={"PYTHONWARNINGS": "ignore"})
    return pool, pool.submit(warm_up, space, problem, SELECTORS)


def _wait_for(helper: Any) -> None:
    """Wait for a helper; what it did not compile, this process will."""
    pool, done = helper
    wait([done], timeout=MAX_SECONDS)
    pool.shutdown(wait=True, kill_workers=True)


def warm_up(
    space: Space, problem: Problem, names: Sequence[str] = (*LEARNERS, *SELECTORS)
) -> None:
    """Fit pipelines with the named options to a few rows of the problem's dtypes."""
    X, y = _make_rows(problem)
    shape = replace(
        Problem.of(X, y, problem.task, problem.metric), sparse=problem.sparse
    )
    for partial in _list_partial(space, names):
        kind = _name_kind(partial, problem)
        if kind in _warm:
            continue
        _warm.add(kind)
        pipeline = space.complete(partial, shape)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                space.build(pipeline, shape).fit(X, y).predict(X)
        except Exception:  # a trial will report the reason
            continue


def load_kernels() -> None:
    """Load what every search begins with, if it is compiled, and start no thread."""
    X, y = np.zeros((2, 1)), np.arange(2)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").suiting(problem)
    if _list_kinds(space, problem, FIRST) <= read_stamp():
        warm_up(space, problem, FIRST)


def _list_partial(space: Space, names: Sequence[str]) -> list[dict[str, str]]:
    """List pipelines with the named options of a space, a learner after selectors."""
    carriers = [one.name for one in space.learner if one.name in CARRIERS]
    wanted = [{"learner": one.name} for one in space.learner if one.name in names]
    return wanted + [
        {"learner": carriers[0], "select": one.name}
        for one in space.select
        if one.name in names and carriers
    ]


def _list_kinds(space: Space, problem: Problem, names: Sequence[str]) -> set[str]:
    """List what must be compiled for a problem, each kind as one line of text."""
    return {_name_kind(one, problem) for one in _list_partial(space, names)}


def _name_kind(partial: dict[str, str], problem: Problem) -> str:
    """Name an option and the dtypes of a table, on which compiled code depends."""
    dtypes = (problem.n_categorical > 0, problem.has_missing, problem.sparse)
    return " ".join([*partial.values(), problem.task, *map(str, dtypes)])


def _make_rows(problem: Problem) -> tuple[Any, np.ndarray]:
    """Draw a few rows with the dtypes of a problem; one column is informative."""
    rng = np.random.default_rng(0)
    y: np.ndarray = np.arange(N_ROWS) % max(2, min(3, problem.n_classes))
    if problem.task == "regression":
        y = rng.normal(size=N_ROWS)
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    X[:, 0] += 3.0 * y
    if problem.task == "multilabel":
        y = np.column_stack([y == 1, rng.permutation(y) == 1, X[:, 1] > 0.0])
        y = y.astype(np.uint8)
    if problem.sparse:
        return csr_matrix(np.abs(X)), y
    if problem.has_missing:
        X[:3, 1] = np.nan
    if not problem.n_categorical:
        return X, y
    frame = pd.DataFrame(X, columns=[f"x{place}" for place in range(N_COLUMNS)])
    return frame.assign(hue=pd.Categorical(rng.choice(["a", "b"], N_ROWS))), y
