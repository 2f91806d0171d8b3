"""What a search asks of processes that evaluate pipelines, wherever they run."""

from collections.abc import Sequence
from typing import Any, Protocol, Self

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.space.space import PipelineSpec

__all__ = ["Workers"]


class Workers(Protocol):
    """Evaluate pipelines side by side; a context that ends all of them.

    `manyminds.search.evaluation.worker_pool.WorkerPool` runs on this machine,
    `manyminds.search.evaluation.cluster_pool.ClusterPool` on a Dask cluster.

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
