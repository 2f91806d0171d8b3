"""End a worker process whose parent is gone."""

import inspect
import multiprocessing
import os
import threading
import time
from typing import Any

from joblib import Parallel

__all__ = ["follow_from_start", "follow_parent"]

SECONDS_BETWEEN_LOOKS = 0.5
_followed: set[int] = set()  # parents that a thread of this process watches


def follow_parent(parent: int) -> None:
    """Let this process end soon after its parent does, however that ended.

    A worker of a pool waits for its next task without end, and keeps the standard
    output open, so that whoever reads it waits as well.

    Parameters
    ----------
    parent : int
        Process that gave this one its work. Nothing is done if it is this process
        itself, or if another one started it, as on a cluster.
    """
    if parent == os.getpid() or parent in _followed or not _is_ours(parent):
        return
    _followed.add(parent)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def follow_from_start() -> dict[str, Any]:
    """Return options by which all workers of joblib follow this process.

    A worker that has not had a task yet does as well. joblib takes such options from
    version 1.6 on; before it, there are none to give.
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
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)  # no other thread may hold it up; nobody waits for what it does


def _is_alive(parent: int) -> bool:
    if os.name != "nt":  # orphans get another parent
        return os.getppid() == parent
    known = multiprocessing.parent_process()
    return known is None or known.is_alive()
