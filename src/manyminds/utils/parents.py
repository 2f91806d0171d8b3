"""End a worker process whose parent is gone."""

import inspect
import multiprocessing
import os
import threading
import time
from typing import Any

from joblib import Parallel

__all__ = ["follow_from_start", "follow_parent"]

POLL_SECONDS = 0.5
_followed: set[int] = set()  # parents that a thread of this process watches


def follow_parent(parent: int) -> None:
    """Terminate this process soon after its parent ends, even if that was killed.

    Otherwise a worker of a pool waits forever for its next task, with the standard
    output open, so that its reader waits as well.

    Parameters
    ----------
    parent : int
        Id of the process that dispatched the work. Nothing is done if it is this
        process, or if another one started this process, as on a cluster.
    """
    if parent == os.getpid() or parent in _followed or not _is_ours(parent):
        return
    _followed.add(parent)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def follow_from_start() -> dict[str, Any]:
    """Return options by which all workers of joblib follow this process.

    This includes workers without a task so far. joblib takes such options from
    version 1.6 on; for older versions there are none.
    """
    kinds = [one.kind for one in inspect.signature(Parallel).parameters.values()]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        return {}
    return {"initializer": follow_parent, "initargs": (os.getpid(),)}


def _is_ours(parent: int) -> bool:
    # The parent of a worker of loky may be gone before its first task is begun.
    kind = type(multiprocessing.current_process()).__name__
    return os.getppid() == parent or kind.startswith("Loky")


def _watch(parent: int) -> None:
    while _is_alive(parent):
        time.sleep(POLL_SECONDS)
    os._exit(1)  # without waiting for other threads: nobody needs their results


def _is_alive(parent: int) -> bool:
    if os.name != "nt":  # orphans get another parent
        return os.getppid() == parent
    known = multiprocessing.parent_process()
    return known is None or known.is_alive()
