"""Worker processes that import while the program that needs them still does."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

__all__ = [
    "WorkerProcesses",
    "early_processes",
    "end_early_processes",
    "make_worker_environment",
    "open_processes",
]

MAX_PROCESSES = 8
MAX_BYTES = 100_000_000  # of a table that is divided among processes
CAN_FORK = sys.platform == "linux"  # elsewhere libraries do not survive a fork

THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
)  # fmt: skip

_spare: list[tuple[Mapping[str, str], "WorkerProcesses"]] = []


class WorkerProcesses(Protocol):
    """Starts processes, each a pool of one with `submit` and `shutdown`."""

    def open(self) -> Any:
        """Start a process."""

    def close(self) -> None:
        """End what was started and is not the caller's."""


class ImportingProcesses:
    """Start processes that import a module each.

    Parameters
    ----------
    module : str
    env : dict
        Variables of their environment.
    n_early : int, default=0
        Number of processes to start now.
    """

    def __init__(self, module: str, env: Mapping[str, str], n_early: int = 0) -> None:
        self.module, self.env = module, env
        self._early = [self._start() for _ in range(n_early)]

    def open(self) -> Any:
        return self._early.pop() if self._early else self._start()

    def close(self) -> None:
        while self._early:
            self._early.pop().shutdown(wait=True, kill_workers=True)

    def _start(self) -> Any:
        from loky import ProcessPoolExecutor

        pool = ProcessPoolExecutor(max_workers=1, env=dict(self.env))
        pool.submit(_prepare, os.getpid(), self.module)
        return pool


def make_worker_environment(n_threads: int = 1) -> dict[str, str]:
    """Return variables by which libraries of a process run on so many threads."""
    return dict.fromkeys(THREADS, str(n_threads)) | {"PYTHONWARNINGS": "ignore"}


@contextmanager
def early_processes(n_jobs: int, file: str | Path, module: str) -> Iterator[None]:
    """Start processes that import a module; end them if nobody has taken them.

    `open_processes` returns them meanwhile. Their environment is that of one thread
    each; for a large table, of one process with all threads.

    Parameters
    ----------
    n_jobs : int
        Number of processes; below 0, counted from the number of cores: -1 means all.
        None are started for one.
    file : str or Path
        Table that they will work on: none are started if there is no such file.
    module : str
        To import: none are started if this process has done so, as there is nothing to
        gain.
    """
    try:
        n_bytes, n_cores = _measure(file), _count(n_jobs)
        if module not in sys.modules and n_bytes is not None and n_cores > 1:
            is_small = n_bytes <= MAX_BYTES
            n_processes, n_threads = (n_cores, 1) if is_small else (1, n_cores)
            env = make_worker_environment(n_threads)
            _spare.append((env, _start(module, env, n_processes)))
        yield
    finally:
        end_early_processes()


def open_processes(module: str, env: Mapping[str, str]) -> WorkerProcesses:
    """Return processes that were started early, or new ones, for the caller to close.

    Parameters
    ----------
    module : str
        That they import.
    env : dict
        Variables of their environment.
    """
    for place, (given, _) in enumerate(_spare):
        if given == env:
            return _spare.pop(place)[1]
    return _start(module, env, 0)


def end_early_processes() -> None:
    """End the processes that nobody has taken."""
    while _spare:
        _spare.pop()[1].close()


def _start(module: str, env: Mapping[str, str], n_early: int) -> WorkerProcesses:
    if CAN_FORK:
        from manyminds.utils.fork_server import ForkServer

        return ForkServer(module, env)
    return ImportingProcesses(module, env, min(n_early, MAX_PROCESSES))


def _count(n_jobs: int) -> int:
    if n_jobs >= 0:
        return n_jobs
    from loky import cpu_count

    return int(cpu_count()) + 1 + n_jobs


def _measure(file: str | Path) -> int | None:
    """Return the bytes of a file; None if there is none."""
    try:
        return os.stat(file).st_size
    except OSError:  # a bundled data set, or no file at all
        return None if Path(file).suffix else 0


def _prepare(parent: int, module: str) -> None:
    from manyminds.utils.collection import no_collection
    from manyminds.utils.parents import follow_parent

    follow_parent(parent)
    with no_collection():
        import_module(module)
