"""Evaluate pipelines on the workers of a Dask cluster."""

from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, Self

from manyminds.search.evaluation.cluster_pool import (
    N_RETRIES,
    ClusterPool,
    evaluate_remotely,
)
from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.sharing import list_parts
from manyminds.utils.errors import InputError, Parameter

__all__ = ["DaskPool"]

CONNECT_SECONDS = 20.0


class DaskPool(ClusterPool):
    """Evaluate pipelines on a Dask cluster, one for each thread of its workers.

    Parameters
    ----------
    evaluator : Evaluator
    address : str
        Of the scheduler, such as "tcp://10.0.0.1:8786".
    """

    def __enter__(self) -> Self:
        self._client = _connect(self.address)
        self.n_workers = sum(self._client.nthreads().values())
        if not self.n_workers:
            self._client.close()
            raise InputError(
                Parameter("cluster"), f": {self.address} has no workers; start some."
            )
        self._scatter()
        return self

    def _scatter(self) -> None:
        self._parts = self._client.scatter(
            list_parts(self.evaluator), broadcast=True, hash=False
        )

    def _submit(self, trial: tuple[Any, ...]) -> Any:
        # Dask removes copies that it finds superfluous: the worker that is lost may
        # have had the last one.
        if any(part.status != "finished" for part in self._parts):
            self._scatter()
        return self._client.submit(
            _work, self._name, self._parts, trial, pure=False, retries=N_RETRIES
        )

    def _wait(self, tasks: Sequence[Any], timeout: float) -> Sequence[Any]:
        from distributed import wait

        with suppress(TimeoutError, CancelledError), self._client.as_current():
            wait(tasks, timeout=timeout, return_when="FIRST_COMPLETED")
        return [task for task in tasks if task.done()]

    def _is_lost(self, error: Exception) -> bool:
        return isinstance(error, CancelledError)

    def _get(self, task: Any) -> Evaluation:
        return task.result()

    def _end(self, tasks: Sequence[Any]) -> None:
        """Cancel tasks, and restart the workers that run them: no fit can be ended."""
        keys = {task.key for task in tasks}
        busy = [
            worker
            for worker, running in self._client.processing().items()
            if keys & {str(key) for key in running}
        ]
        self._client.cancel(list(tasks), force=True)
        if busy:
            with suppress(Exception):  # without a nanny, a worker ends its fit first
                self._client.restart_workers(busy, timeout=CONNECT_SECONDS)

    def _disconnect(self) -> None:
        self._client.close()


def _connect(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            Parameter("cluster"), " needs the package distributed: install "
            "manyminds[cluster].",
        ) from error  # fmt: skip
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(
            Parameter("cluster"), f": no Dask scheduler answers at {address}."
        ) from error


def _work(name: str, parts: tuple[Any, ...], trial: tuple[Any, ...]) -> Evaluation:
    return evaluate_remotely(name, lambda: parts, trial)
