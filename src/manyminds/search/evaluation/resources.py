"""Decide how many processes and threads a search uses, and how much memory."""

from dataclasses import dataclass

import numpy as np
import psutil

from manyminds.search.space.problem import Problem
from manyminds.utils.errors import ParameterError

__all__ = ["Resources", "plan_resources", "read_bytes"]

UNITS = {"": 1, "b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
FREE_SHARE = 0.8  # of the free memory that a search takes by default
MAX_CELLS = 15_000_000  # of a table, beyond which one fit takes all cores
COPIES = 8  # of the table in numbers of eight bytes that a process may hold
BASE_BYTES = 400e6  # of a process with all libraries
THREAD_BYTES = 200e6  # of each further thread of a process: its stacks and buffers
# Of a process with its first fits: 280 MB before them, 310 to 400 MB for 200 rows.
MIN_BYTES = {"memory": 500e6}


@dataclass(frozen=True)
class Resources:
    """Processes, threads and memory of a search.

    Parameters
    ----------
    n_workers : int, default=1
        Pipelines that are evaluated at the same time.
    n_threads : int, default=1
        Threads of each fit.
    memory : float, default=inf
        Bytes that each process may take.
    has_processes : bool, default=False
        Whether pipelines are evaluated in processes of their own, which can be ended.
    """

    n_workers: int = 1
    n_threads: int = 1
    memory: float = np.inf
    has_processes: bool = False

    @property
    def n_cores(self) -> int:
        """Cores that all fits take together."""
        return self.n_workers * self.n_threads


def plan_resources(
    n_cores: int,
    problem: Problem,
    memory: float,
    is_timed: bool,
    is_bounded: bool = False,
) -> Resources:
    """Plan the resources of a search: many small fits, or few large ones.

    Parameters
    ----------
    n_cores : int
    problem : Problem
    memory : float
        Bytes for all processes.
    is_timed : bool
        Whether fits must be ended in time, for which they need a process.
    is_bounded : bool, default=False
        Whether a fit must fail that takes more memory, for which it needs one, too.

    Returns
    -------
    resources : Resources

    Examples
    --------
    >>> from manyminds.search import Problem
    >>> from manyminds.search.evaluation.resources import plan_resources
    >>> small = Problem("regression", 1_000, 20, n_encoded=20)
    >>> plan_resources(4, small, 8e9, True).n_workers
    4
    >>> large = Problem("regression", 1_000_000, 30, n_encoded=30)
    >>> plan = plan_resources(4, large, 8e9, True)
    >>> plan.n_workers, plan.n_threads
    (1, 4)
    """
    n_cells = problem.n_samples * max(1, problem.n_features)
    n_bytes = BASE_BYTES + 8 * COPIES * n_cells
    n_fitting = max(1, int(memory // n_bytes)) if np.isfinite(memory) else n_cores
    n_workers = 1 if n_cells > MAX_CELLS else min(n_cores, n_fitting)
    n_threads = max(1, n_cores // n_workers)
    free = max(0.0, memory / n_workers - n_bytes)
    return Resources(
        n_workers,
        int(min(n_threads, 1.0 + free / THREAD_BYTES)),
        memory / n_workers,
        n_workers > 1 or (is_timed and n_cores > 1) or is_bounded,
    )


def read_bytes(size: float | str | None, parameter: str = "memory") -> float:
    """Parse a size of memory: bytes, "4G", "500M", or None for most of what is free.

    Errors name ``parameter``; a search takes at least 500M of ``memory``.

    Examples
    --------
    >>> from manyminds.search.evaluation.resources import read_bytes
    >>> read_bytes("2G"), read_bytes(1e9)
    (2147483648.0, 1000000000.0)
    """
    if size is None:
        return FREE_SHARE * psutil.virtual_memory().available
    text = str(size).strip().lower().removesuffix("b")
    number, unit = (text[:-1], text[-1]) if text[-1:].isalpha() else (text, "")
    try:
        found = float(number) * UNITS[unit]
    except (ValueError, KeyError):
        found = 0.0
    if not 0.0 < found < np.inf:
        raise ParameterError(parameter, size, "bytes, or a text such as 500M or 4G")
    least = MIN_BYTES.get(parameter, 0.0)
    if found < least:
        takes = f"at least {least / 1e6:.0f}M, which a process takes for a small table"
        raise ParameterError(parameter, size, takes)
    return found
