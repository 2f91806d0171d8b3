"""Evaluate pipelines on the workers of a Ray cluster."""

from collections.abc import Sequence
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

__all__ = ["RAY", "RayPool"]

RAY = "ray://"  # what addresses of Ray begin with


class RayPool(ClusterPool):
    """Evaluate pipelines on a Ray cluster, one for each of its processors.

    The table is put into the object store once, from which workers map it.

    Parameters
    ----------
    evaluator : Evaluator
    address : str
        "ray://auto": the cluster that this machine is a part of. "ray://HOST:PORT":
        that of a server of Ray's clients. If this process is connected to a cluster,
        that one is used.
    """

    def __enter__(self) -> Self:
        self._ray, self._context = _connect(self.address)
        self.n_workers = int(self._ray.cluster_resources().get("CPU", 0))
        if not self.n_workers:
            self._disconnect()
            raise InputError(
                Parameter("cluster"), f": {self.address} has no processors; start some."
            )
        self._parts = self._ray.put(list_parts(self.evaluator))
        self._work = self._ray.remote(num_cpus=1, max_retries=N_RETRIES)(_work)
        return self

    def _submit(self, trial: tuple[Any, ...]) -> Any:
        # In a list, it stays a reference: most calls do not need the table.
        return self._work.remote(self._name, [self._parts], trial)

    def _wait(self, tasks: Sequence[Any], timeout: float) -> Sequence[Any]:
        ended, _ = self._ray.wait(list(tasks), num_returns=1, timeout=timeout)
        return list(ended)

    def _get(self, task: Any) -> Evaluation:
        return self._ray.get(task)

    def _end(self, tasks: Sequence[Any]) -> None:
        for task in tasks:
            with suppress(Exception):  # it may have ended
                self._ray.cancel(task, force=True)

    def _disconnect(self) -> None:
        if self._context is not None:
            self._context.disconnect()


def _connect(address: str) -> tuple[Any, Any]:
    """Return the module of Ray, and the connection to close; None if it was there."""
    try:
        import ray
    except ImportError as error:
        raise InputError(
            Parameter("cluster"), " needs the package ray: install manyminds[ray]."
        ) from error
    if ray.is_initialized():
        return ray, None
    found = "auto" if address.removeprefix(RAY) == "auto" else address
    try:
        return ray, ray.init(found, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            Parameter("cluster"), f": no Ray cluster answers at {address}."
        ) from error


def _work(name: str, parts: list[Any], trial: tuple[Any, ...]) -> Evaluation:
    import ray

    return evaluate_remotely(name, lambda: ray.get(parts[0]), trial)
