"""Compile all kernels ahead of the first call, for installers and containers."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from joblib import effective_n_jobs
from numba import config

from manyminds.experiments import Progress, RunError
from manyminds.kernels._jit import (
    count_cached,
    find_cache,
    list_kernels,
    time_compiling,
)
from manyminds.utils.errors import InputError, Parameter, WriteError
from manyminds.workflows.tables import check_n_jobs
from manyminds.workflows.warm_up_calls import WAVES, Fit

CACHE_VARIABLE = "NUMBA_CACHE_DIR"

Waves = Sequence[Mapping[str, Sequence[Fit]]]


@dataclass(frozen=True)
class KernelState:
    """What the disk cache has of one kernel.

    Parameters
    ----------
    name : str
        File and function, such as "walking.walk".
    n_cached : int
        Number of signatures, that is, types of arguments, for which it is in the cache.
    n_new : int
        How many of them were not there before.
    reason : str
        Why there are none; empty if there are some.
    """

    name: str
    n_cached: int
    n_new: int
    reason: str = ""


@dataclass(frozen=True)
class WarmUpResult:
    """Result of `run_warm_up`.

    Parameters
    ----------
    kernels : tuple of KernelState
        All kernels of the library.
    folder : Path
        Folder of the cache.
    seconds : float
        Time of all calls.
    compile_seconds : float
        Time that Numba compiled, summed over processes.
    failures : dict of str to str
        Calls that failed, by the name of the estimator, and why.
    note : str
        What the user should know about the folder; may be empty.
    """

    kernels: tuple[KernelState, ...]
    folder: Path
    seconds: float
    compile_seconds: float
    failures: Mapping[str, str]
    note: str = ""

    @property
    def n_cached(self) -> int:
        """Number of signatures in the cache, of all kernels together."""
        return sum(one.n_cached for one in self.kernels)

    @property
    def n_new(self) -> int:
        """Number of signatures that were not in the cache before."""
        return sum(one.n_new for one in self.kernels)

    @property
    def cold(self) -> tuple[KernelState, ...]:
        """Kernels that are not in the cache."""
        return tuple(one for one in self.kernels if not one.n_cached)

    @property
    def succeeded(self) -> bool:
        """Whether no call failed."""
        return not self.failures


def run_warm_up(
    *,
    n_jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    waves: Waves | None = None,
) -> WarmUpResult:
    """Compile all kernels into Numba's disk cache, so that first calls do not wait.

    Estimators are fitted to small tables of every dtype: numbers, missing values,
    categories, sparse matrices, arrays and dataframes. What is in the cache already is
    loaded, not compiled again. ``manyminds warm-up`` calls this function.

    The machine code is that of this processor and of these versions of manyminds and
    Numba; on another one it is compiled anew.

    Parameters
    ----------
    n_jobs : int, default=1
        Number of processes that compile; -1 means all cores.
    on_progress : callable, default=None
        Called with a `manyminds.experiments.Progress` after each call.
    waves : sequence of mappings, default=None
        The calls, in groups by name; None means those of all kernels. Waves run one
        after the other, their groups in parallel.

    Returns
    -------
    result : WarmUpResult

    Raises
    ------
    WriteError
        If no folder of a cache can be written.

    Examples
    --------
    >>> from manyminds.workflows import run_warm_up
    >>> run_warm_up(n_jobs=0)
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.ParameterError: n_jobs must be from 1 to 1024, or -1 for
    all cores; got 0.
    """
    check_n_jobs(n_jobs)
    waves = WAVES if waves is None else waves
    kernels = list_kernels()
    folder = _find_folder(kernels)

    before = {name: count_cached(one) for name, one in kernels.items()}
    watch = _Watch(sum(len(calls) for wave in waves for calls in wave.values()))
    n_workers = effective_n_jobs(n_jobs)
    run = _run_here(waves) if n_workers == 1 else _run_in_pool(waves, n_workers)
    for outcome in run:
        state = watch.add(outcome)
        if on_progress is not None:
            on_progress(state)
    return WarmUpResult(
        _list_states(kernels, before, watch.failures),
        folder,
        watch.elapsed,
        watch.compile_seconds,
        watch.failures,
        _note_folder(folder),
    )


def _find_folder(kernels: Mapping[str, Any]) -> Path:
    """Return the folder that holds all caches; raise if there is none."""
    if getattr(config, "DISABLE_JIT", False):
        raise InputError(
            "NUMBA_DISABLE_JIT is set, so nothing is compiled: unset it for a warm-up."
        )
    folders = [find_cache(one) for one in kernels.values()]
    if any(folder is None for folder in folders):
        package = Path(__file__).parents[1]
        raise WriteError(
            f"Compiled functions cannot be cached: neither {package} nor the user's "
            f"cache folder can be written. Set {CACHE_VARIABLE} to a folder that can, "
            "here and wherever manyminds is to run."
        )
    return Path(os.path.commonpath([str(folder) for folder in folders]))


def _note_folder(folder: Path) -> str:
    """Return a note if the cache is not where the user wants it."""
    wanted = getattr(config, "CACHE_DIR", "")
    if not wanted or folder.is_relative_to(Path(wanted).absolute()):
        return ""
    return (
        f"{CACHE_VARIABLE}={wanted} cannot be written; Numba uses {folder} instead, "
        "which other users may not have."
    )


@dataclass(frozen=True)
class _CallOutcome:
    """Seconds that Numba compiled during a call, and why it failed if it did."""

    name: str
    compile_seconds: float
    failure: str


class _Watch:
    """Add up the outcomes of calls."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self.compile_seconds = 0.0
        self.failures: dict[str, str] = {}
        self._start = time.monotonic()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def add(self, outcome: _CallOutcome) -> Progress:
        """Count a call; return the progress."""
        self.done += 1
        self.compile_seconds += outcome.compile_seconds
        if outcome.failure:
            self.failures[outcome.name] = outcome.failure
        elapsed = self.elapsed
        left = elapsed / self.done * (self.total - self.done)
        return Progress(
            self.done, len(self.failures), self.total, elapsed, left, outcome.name
        )


def _run_here(waves: Waves) -> Iterator[_CallOutcome]:
    for wave in waves:
        for calls in wave.values():
            yield from map(_time_call, calls)


def _run_in_pool(waves: Waves, n_workers: int) -> Iterator[_CallOutcome]:
    """Run the groups of each wave in parallel, the calls of each in their order."""
    from loky import ProcessPoolExecutor

    with ProcessPoolExecutor(max_workers=n_workers) as pool:
        try:
            for wave in waves:
                yield from _run_wave(wave, pool)
        except BrokenProcessPool as failure:
            raise RunError(
                "A compiling process was killed, perhaps for lack of memory. Lower ",
                Parameter("n_jobs"),
                " and run it again. What was compiled is cached.",
            ) from failure


def _run_wave(
    wave: Mapping[str, Sequence[Fit]], pool: Executor
) -> Iterator[_CallOutcome]:
    left = [list(calls) for calls in wave.values()]
    running = {pool.submit(_time_call, calls.pop(0)): calls for calls in left}
    while running:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            calls = running.pop(future)
            if calls:
                running[pool.submit(_time_call, calls.pop(0))] = calls
            yield future.result()


def _time_call(call: Fit) -> _CallOutcome:
    """Make a call; a failure is reported, and the others go on."""
    failure = ""
    with time_compiling() as clock:
        try:
            call()
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
    return _CallOutcome(call.estimator, clock.seconds, failure)


def _list_states(
    kernels: Mapping[str, Any], before: Mapping[str, int], failures: Mapping[str, str]
) -> tuple[KernelState, ...]:
    reason = "a call failed" if failures else "no call of the warm-up uses it"
    states = []
    for name, one in kernels.items():
        n_cached = count_cached(one)
        n_new = n_cached - before[name]
        states.append(KernelState(name, n_cached, n_new, "" if n_cached else reason))
    return tuple(states)
