"""What a search asks of processes that evaluate pipelines, wherever they run."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from manyminds.search.evaluation.evaluation import Evaluation, end_as_slow
from manyminds.search.space.space import PipelineSpec

__all__ = ["RunningTrial", "Workers"]


@dataclass(frozen=True)
class RunningTrial:
    """A trial that a worker runs.

    Parameters
    ----------
    tag : object
        Of the caller.
    longest : float
        Seconds after which it is ended.
    previous : Evaluation or None
        What it continues.
    place : int, default=0
        Of the worker.
    started : float
        On the monotonic clock.
    """

    tag: Any
    longest: float
    previous: Evaluation | None
    place: int = 0
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float:
        """Seconds until it is ended; negative if it should have been."""
        return self.started + self.longest - time.monotonic()

    def end(self) -> Evaluation:
        """Return its evaluation if it is ended now: the folds that it continued."""
        return end_as_slow(self.previous, time.monotonic() - self.started)


class Workers(Protocol):
    """Evaluate pipelines side by side; a context that ends all of them.

    `manyminds.search.evaluation.worker_pool.WorkerPool` runs on this machine,
    `manyminds.search.evaluation.dask_pool.DaskPool` on a Dask cluster,
    `manyminds.search.evaluation.ray_pool.RayPool` on a Ray cluster.

    Attributes
    ----------
    n_workers : int
        Trials that can run at the same time.
    """

    n_workers: int

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    @property
    def n_free(self) -> int:
        """Number of trials that can be started."""

    def start(
        self,
        tag: Any,
        pipeline: PipelineSpec,
        incumbent: Sequence[float],
        limit: float,
        previous: Evaluation | None = None,
        level: int | None = None,
    ) -> None:
        """Start a trial, or continue one; `finished` returns its evaluation.

        Parameters
        ----------
        tag : object
            Returned with the evaluation.
        pipeline, incumbent, limit, previous, level
            See `manyminds.search.evaluation.evaluator.Evaluator`.
        """

    def finished(self, timeout: float) -> list[tuple[Any, Evaluation]]:
        """Wait for trials to finish; end those that are far over their limit.

        Parameters
        ----------
        timeout : float
            Seconds to wait at most.

        Returns
        -------
        found : list of (tag, Evaluation)
        """

    def abandon(self) -> list[Any]:
        """End all running trials; return their tags."""
