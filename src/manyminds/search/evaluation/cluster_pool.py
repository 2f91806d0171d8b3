"""Evaluate pipelines on the workers of a cluster, of Dask or of Ray."""

import threading
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

from joblib import parallel_config

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.worker_pool import GRACE
from manyminds.search.evaluation.workers import RunningTrial
from manyminds.search.space.space import PipelineSpec

__all__ = ["ClusterPool", "evaluate_remotely"]

SECONDS_TO_START = 120.0  # for a worker to import and to fetch the table
N_RETRIES = 3  # of a trial whose worker is lost

_local = threading.local()  # evaluators of a thread of a worker, by their names


class ClusterPool(ABC):
    """Evaluate pipelines on a cluster, as `Workers` describe it.

    The table is sent to each worker once. A trial whose worker is lost runs again on
    another one; one whose table is lost is submitted again. A subclass connects, and
    submits, waits for and ends tasks.

    Parameters
    ----------
    evaluator : Evaluator
    address : str
        Of the cluster.
    """

    n_workers: int

    def __init__(self, evaluator: Evaluator, address: str) -> None:
        self.evaluator, self.address = evaluator, address
        self._name = uuid.uuid4().hex
        self._running: dict[Any, RunningTrial] = {}
        self._submitted: dict[Any, tuple[tuple[Any, ...], int]] = {}

    @abstractmethod
    def __enter__(self) -> Self: ...

    @abstractmethod
    def _submit(self, trial: tuple[Any, ...]) -> Any:
        """Let a worker call `evaluate_remotely`; return the task."""

    @abstractmethod
    def _wait(self, tasks: Sequence[Any], timeout: float) -> Sequence[Any]:
        """Wait until a task has ended; return those that have."""

    def _is_lost(self, error: Exception) -> bool:
        """Return whether the cluster lost what a task needs, or what it returned."""
        return False

    @abstractmethod
    def _get(self, task: Any) -> Evaluation:
        """Return what a task that has ended returned, or raise its error."""

    @abstractmethod
    def _end(self, tasks: Sequence[Any]) -> None:
        """End tasks that may be running."""

    @abstractmethod
    def _disconnect(self) -> None: ...

    def __exit__(self, *error: object) -> None:
        self.abandon()
        self._disconnect()

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
        longest = GRACE * limit + SECONDS_TO_START
        trial = RunningTrial(tag, longest, previous)
        self._run(trial, (pipeline, incumbent, limit, previous, level), N_RETRIES)

    def finished(self, timeout: float) -> list[tuple[Any, Evaluation]]:
        """Wait for trials to finish; end those that are far over their limit."""
        if not self._running:
            return []
        found = []
        for task in self._wait(list(self._running), timeout):
            trial, (arguments, n_retries) = self._forget(task)
            try:
                evaluation = self._get(task)
            except Exception as error:
                if n_retries and self._is_lost(error):
                    self._run(trial, arguments, n_retries - 1)
                    continue
                name = type(error).__name__
                evaluation = Evaluation(
                    "failed", reason=f"the worker was lost ({name})"
                )
            found.append((trial.tag, evaluation))
        for task, trial in list(self._running.items()):
            if trial.seconds_left < 0.0:
                self._forget(task)
                self._end([task])
                found.append((trial.tag, trial.end()))
        return found

    def abandon(self) -> list[Any]:
        """End all running trials; return their tags."""
        tags = [one.tag for one in self._running.values()]
        if self._running:
            self._end(list(self._running))
        self._running.clear()
        self._submitted.clear()
        return tags

    def _run(self, trial: RunningTrial, arguments: tuple[Any, ...], n: int) -> None:
        """Submit a trial that may be submitted ``n`` times more."""
        task = self._submit(arguments)
        self._running[task], self._submitted[task] = trial, (arguments, n)

    def _forget(self, task: Any) -> tuple[RunningTrial, tuple[tuple[Any, ...], int]]:
        return self._running.pop(task), self._submitted.pop(task)


def evaluate_remotely(
    name: str, get_parts: Callable[[], tuple[Any, ...]], trial: tuple[Any, ...]
) -> Evaluation:
    """Evaluate a pipeline on a worker; its evaluator is made once for each thread.

    Parameters
    ----------
    name : str
        Of the pool.
    get_parts : callable
        Returns what `manyminds.search.evaluation.sharing.list_parts` listed.
    trial : tuple
        Arguments of the evaluator.

    Returns
    -------
    evaluation : Evaluation
    """
    if getattr(_local, "name", None) != name:
        _local.name, _local.evaluator = name, Evaluator(*get_parts())
    with parallel_config("threading", n_jobs=1):
        return _local.evaluator(*trial)
