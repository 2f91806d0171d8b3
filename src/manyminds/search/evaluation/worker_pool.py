"""Processes that evaluate pipelines, and are ended if they take too long."""

import signal
import warnings
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from joblib import parallel_config

from manyminds.search.evaluation.compilation import load_kernels
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.resources import Resources
from manyminds.search.evaluation.sharing import SharedEvaluator, load_evaluator
from manyminds.search.evaluation.workers import RunningTrial
from manyminds.search.space.space import PipelineSpec
from manyminds.utils.scratch_folders import remove_orphans
from manyminds.utils.worker_processes import (
    WorkerProcesses,
    end_early_processes,
    make_worker_environment,
    open_processes,
)

try:
    import resource
except ImportError:  # on Windows, where memory is not limited
    resource = None  # type: ignore[assignment]

__all__ = ["WorkerPool"]

SECONDS_TO_START = 120.0  # for a process to import, and to compile where it never did
REOPENING = 10.0  # seconds for a process in the place of one that was ended
GRACE = 1.5  # times its limit that a trial may take before its process is ended

_evaluator: Evaluator | None = None  # in a worker process
_n_threads = 1


def prepare_process() -> None:
    """Load kernels once, in the process of which workers are forked."""
    load_kernels()


def _start(path: Path, resources: Resources) -> None:
    global _evaluator, _n_threads
    # Ctrl-C reaches all processes of a terminal; the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(resources.memory)
    _evaluator, _n_threads = load_evaluator(path), resources.n_threads


def _work(
    pipeline: PipelineSpec,
    incumbent: Sequence[float],
    limit: float,
    previous: Evaluation | None,
    level: int | None,
) -> Evaluation:
    assert _evaluator is not None
    with parallel_config("threading", n_jobs=_n_threads):
        return _evaluator(pipeline, incumbent, limit, previous, level)


def limit_memory(n_bytes: float) -> None:
    """Let allocations of this process fail beyond a number of bytes."""
    if resource is None or n_bytes == float("inf"):
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = int(n_bytes) if hard < 0 else min(int(n_bytes), hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


class WorkerPool:
    """Evaluate pipelines in processes, or in this process, where no fit can be ended.

    Parameters
    ----------
    evaluator : Evaluator
    resources : Resources
    """

    def __init__(self, evaluator: Evaluator, resources: Resources) -> None:
        self.evaluator, self.resources = evaluator, resources
        self.n_workers = resources.n_workers
        n_pools = self.n_workers if resources.has_processes else 0
        self._pools: list[Any] = [None] * n_pools
        self._opened: set[int] = set()
        self._shared: SharedEvaluator | None = None
        self._processes: WorkerProcesses | None = None
        self._running: dict[Future[Evaluation], RunningTrial] = {}

    def __enter__(self) -> "WorkerPool":
        self._exits = ExitStack()
        self._exits.enter_context(warnings.catch_warnings())
        # The caches of workers look like a leak to loky, which restarts them.
        warnings.filterwarnings("ignore", "A worker was restarted", UserWarning)
        if not self._pools:
            remove_orphans()  # of searches that were killed, as a folder of ours would
            return self
        self._shared = SharedEvaluator(self.evaluator)
        self._exits.callback(self._shared.close)
        env = make_worker_environment(self.resources.n_threads)
        self._processes = open_processes(__name__, env)
        return self

    def __exit__(self, *error: object) -> None:
        end_early_processes()
        if self._processes is not None:  # first, so that none is waited for
            self._processes.close()
        for place in range(len(self._pools)):
            self._end(place)
        self._exits.close()

    @property
    def n_free(self) -> int:
        """Number of trials that can be started."""
        return self.n_workers - len(self._running)

    def start(
        self,
        tag: Any,
        pipeline: PipelineSpec,
        incumbent: Sequence[float],
        limit: float,
        previous: Evaluation | None = None,
        level: int | None = None,
    ) -> None:
        """Start a trial, or continue one, as `Workers` describe it."""
        if not self._pools:
            done: Future[Evaluation] = Future()
            self._running[done] = RunningTrial(tag, limit, previous)
            with parallel_config("threading", n_jobs=self.resources.n_threads):
                made = self.evaluator(pipeline, incumbent, limit, previous, level)
            done.set_result(made)
            return
        busy = {one.place for one in self._running.values()}
        place = next(one for one in range(self.n_workers) if one not in busy)
        longest = GRACE * limit + 1.0
        if self._pools[place] is None:
            self._pools[place] = self._open()
            longest += SECONDS_TO_START if place not in self._opened else REOPENING
            self._opened.add(place)
        future = self._pools[place].submit(
            _work, pipeline, incumbent, limit, previous, level
        )
        self._running[future] = RunningTrial(tag, longest, previous, place)

    def finished(self, timeout: float) -> list[tuple[Any, Evaluation]]:
        """Wait for trials to finish; end those that are far over their limit."""
        if not self._running:
            return []
        nearest = min(one.seconds_left for one in self._running.values())
        left = min(timeout, max(0.0, nearest))
        done, _ = wait(self._running, timeout=left, return_when=FIRST_COMPLETED)
        found = []
        for future in done:
            trial = self._running.pop(future)
            found.append((trial.tag, self._result_of(future, trial.place)))
        for future, trial in list(self._running.items()):
            if trial.seconds_left < 0.0:
                del self._running[future]
                self._end(trial.place)
                found.append((trial.tag, trial.end()))
        return found

    def abandon(self) -> list[Any]:
        """End all running trials; return their tags."""
        tags = [one.tag for one in self._running.values()]
        for one in self._running.values():
            self._end(one.place)
        self._running.clear()
        return tags

    def _open(self) -> Any:
        assert self._shared is not None and self._processes is not None
        pool = self._processes.open()
        pool.submit(_start, self._shared.path, self.resources)
        return pool

    def _end(self, place: int) -> None:
        if self._pools and self._pools[place] is not None:
            self._pools[place].shutdown(wait=True, kill_workers=True)
            self._pools[place] = None

    def _result_of(self, future: Future[Evaluation], place: int) -> Evaluation:
        try:
            return future.result()
        except Exception as error:  # the process died, perhaps out of memory
            self._end(place)
            name = type(error).__name__
            return Evaluation("failed", reason=f"the process was lost ({name})")
