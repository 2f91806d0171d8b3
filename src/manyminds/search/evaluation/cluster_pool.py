"""Evaluate pipelines on the workers of a Dask cluster."""

import threading
import uuid
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from joblib import parallel_config

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.sharing import list_parts
from manyminds.search.evaluation.worker_pool import GRACE
from manyminds.search.evaluation.workers import RunningTrial
from manyminds.search.space.space import PipelineSpec
from manyminds.utils.errors import InputError, Parameter

__all__ = ["ClusterPool"]

CONNECT_SECONDS = 20.0
SECONDS_TO_START = 120.0  # for a worker to import and to fetch the table
N_RETRIES = 3  # of a trial whose worker is lost

_local = threading.local()  # evaluators of a thread of a worker, by their names


class ClusterPool:
    """Evaluate pipelines on a Dask cluster, one for each thread of its workers.

    The table is sent to each worker once. A trial whose worker is lost runs again on
    another one.

    Parameters
    ----------
    evaluator : Evaluator
    address : str
        Of the scheduler, such as "tcp://10.0.0.1:8786".
    """

    def __init__(self, evaluator: Evaluator, address: str) -> None:
        self.evaluator, self.address = evaluator, address
        self._name = uuid.uuid4().hex
        self._running: dict[Any, RunningTrial] = {}

    def __enter__(self) -> "ClusterPool":
        self._client = _connect(self.address)
        self.n_workers = sum(self._client.nthreads().values())
        if not self.n_workers:
            self._client.close()
            raise InputError(
                Parameter("cluster"), f": {self.address} has no workers; start some."
            )
        self._parts = self._client.scatter(
            list_parts(self.evaluator), broadcast=True, hash=False
        )
        return self

    def __exit__(self, *error: object) -> None:
        self.abandon()
        self._client.close()

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
        trial = (pipeline, incumbent, limit, previous, level)
        future = self._client.submit(
            _work, self._name, self._parts, trial, pure=False, retries=N_RETRIES
        )
        longest = GRACE * limit + SECONDS_TO_START
        self._running[future] = RunningTrial(tag, longest, previous)

    def finished(self, timeout: float) -> list[tuple[Any, Evaluation]]:
        """Wait for trials to finish; end those that are far over their limit."""
        from distributed import wait

        if not self._running:
            return []
        with suppress(TimeoutError), self._client.as_current():
            wait(list(self._running), timeout=timeout, return_when="FIRST_COMPLETED")
        found = []
        for future, trial in list(self._running.items()):
            if future.done():
                del self._running[future]
                found.append((trial.tag, _result_of(future)))
            elif trial.seconds_left < 0.0:
                del self._running[future]
                self._end([future])
                found.append((trial.tag, trial.end()))
        return found

    def abandon(self) -> list[Any]:
        """End all running trials; return their tags."""
        tags = [one.tag for one in self._running.values()]
        if self._running:
            self._end(list(self._running))
        self._running.clear()
        return tags

    def _end(self, futures: Sequence[Any]) -> None:
        """Cancel trials, and restart the workers that run them: no fit can be ended."""
        keys = {future.key for future in futures}
        busy = [
            worker
            for worker, running in self._client.processing().items()
            if keys & {str(key) for key in running}
        ]
        self._client.cancel(list(futures), force=True)
        if busy:
            with suppress(Exception):  # without a nanny, a worker ends its fit first
                self._client.restart_workers(busy, timeout=CONNECT_SECONDS)


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
    """Evaluate a pipeline on a worker; its evaluator is made once for each thread."""
    if getattr(_local, "name", None) != name:
        _local.name, _local.evaluator = name, Evaluator(*parts)
    with parallel_config("threading", n_jobs=1):
        return _local.evaluator(*trial)


def _result_of(future: Any) -> Evaluation:
    try:
        return future.result()
    except Exception as error:
        name = type(error).__name__
        return Evaluation("failed", reason=f"the worker was lost ({name})")
