"""Which process owns a trial, and whether that process is alive."""

import os
import socket
from pathlib import Path

__all__ = ["is_alive", "is_local", "name_owner"]


def name_owner() -> str:
    """Return a name of this process by which others can check whether it is alive."""
    process = os.getpid()
    return f"{socket.gethostname()}:{process}:{_find_start(process)}"


def is_local(owner: str) -> bool:
    """Return whether an owner is, or was, a process of this machine."""
    return owner.rsplit(":", 2)[0] == socket.gethostname()


def is_alive(owner: str) -> bool:
    """Return whether the process of an owner is alive.

    Parameters
    ----------
    owner : str
        From `name_owner`.

    Returns
    -------
    alive : bool
        True for a process of another machine, which cannot be checked.
    """
    if not is_local(owner):
        return True
    _, process, start = owner.rsplit(":", 2)
    if _find_start(int(process)) != start:  # process numbers are used again
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it belongs to another user
        pass
    return True


def _find_start(process: int) -> str:
    """Return when a process started, where the system provides it."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return ""
    return status.rpartition(")")[2].split()[19]
