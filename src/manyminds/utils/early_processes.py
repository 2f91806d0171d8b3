"""Worker processes that import while the program that needs them still does."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = [
    "early_processes",
    "end_early_processes",
    "make_worker_environment",
    "take_early_process",
]

MAX_PROCESSES = 8
MAX_BYTES = 100_000_000  # of a table that is divided among processes

THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
)  # fmt: skip

_spare: list[tuple[Mapping[str, str], Any]] = []


def make_worker_environment(n_threads: int = 1) -> dict[str, str]:
    """Return variables by which libraries of a process run on so many threads."""
    return dict.fromkeys(THREADS, str(n_threads)) | {"PYTHONWARNINGS": "ignore"}


@contextmanager
def early_processes(
    n_jobs: int, file: str | Path, module: str, env: Mapping[str, str]
) -> Iterator[None]:
    """Start processes that import a module; end those that nobody has taken.

    `take_early_process` returns their pools meanwhile.

    Parameters
    ----------
    n_jobs : int
        Number of processes; below 0, counted from the number of cores: -1 means all.
        None are started for one.
    file : str or Path
        Table that they will work on: none are started if there is no such file, or if
        it is large.
    module : str
        To import: none are started if this process has done so, as there is nothing to
        gain.
    env : dict
        Variables of their environment.
    """
    try:
        if module not in sys.modules and _is_small(file):
            _start(n_jobs, module, env)
        yield
    finally:
        end_early_processes()


def take_early_process(env: Mapping[str, str]) -> Any:
    """Return a pool of one process that was started early, for the caller to end.

    Parameters
    ----------
    env : dict
        Variables that it must have been started with.

    Returns
    -------
    pool : loky.ProcessPoolExecutor or None
        None if there is none left.
    """
    for place, (given, _) in enumerate(_spare):
        if given == env:
            return _spare.pop(place)[1]
    return None


def end_early_processes() -> None:
    """End the processes that nobody has taken."""
    while _spare:
        _spare.pop()[1].shutdown(wait=True, kill_workers=True)


def _start(n_jobs: int, module: str, env: Mapping[str, str]) -> None:
    from loky import ProcessPoolExecutor, cpu_count

    n_processes = n_jobs if n_jobs >= 0 else cpu_count() + 1 + n_jobs
    for _ in range(min(n_processes, MAX_PROCESSES) if n_processes > 1 else 0):
        pool = ProcessPoolExecutor(max_workers=1, env=dict(env))
        pool.submit(_prepare, os.getpid(), module)
        _spare.append((env, pool))


def _is_small(file: str | Path) -> bool:
    try:
        return os.stat(file).st_size <= MAX_BYTES
    except OSError:  # a bundled data set, or no file at all
        return not Path(file).suffix


def _prepare(parent: int, module: str) -> None:
    from manyminds.utils.parents import follow_parent

    follow_parent(parent)
    import_module(module)
