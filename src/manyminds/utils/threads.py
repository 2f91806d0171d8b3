"""Threads: calls on several of them, and BLAS on one."""

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cache
from threading import Thread
from typing import Any

from threadpoolctl import ThreadpoolController

__all__ = ["limit_blas_threads", "limit_threads", "run_in_threads"]


def run_in_threads(
    function: Callable[[Any], object], items: Iterable[Any], n_threads: int
) -> None:
    """Call a function that releases the GIL for each item, over threads.

    Threads of joblib take milliseconds to start, longer than a small table to walk.

    Parameters
    ----------
    function : callable
        Takes an item; what it returns is not used.
    items : iterable
    n_threads : int
        1: no threads.
    """
    waiting = deque(items)
    errors: list[BaseException] = []

    def work() -> None:
        while waiting and not errors:
            try:
                item = waiting.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                function(item)
            except BaseException as error:
                errors.append(error)

    threads = [Thread(target=work) for _ in range(min(n_threads, len(waiting)) - 1)]
    for thread in threads:
        thread.start()
    work()  # this thread is one of them
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def limit_threads(n_threads: int) -> AbstractContextManager[Any]:
    """Return a context in which BLAS and OpenMP run on so many threads at most.

    For searches of neighbors by scikit-learn, which take all processors whatever
    ``n_jobs`` is, and wait for those that are busy.

    Parameters
    ----------
    n_threads : int
    """
    return _get_controller().limit(limits=n_threads)


def limit_blas_threads() -> AbstractContextManager[Any]:
    """Return a context in which each call of BLAS runs on one thread.

    For loops over many small matrices, which may run on threads themselves: threads of
    BLAS that wait for each other take several times as long on a busy machine.
    """
    return _get_controller().limit(limits=1, user_api="blas")


@cache
def _get_controller() -> ThreadpoolController:
    """Return what knows the loaded libraries; to look for them takes milliseconds."""
    return ThreadpoolController()
