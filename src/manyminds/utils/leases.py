"""Leases: name the process that owns a piece of work, and check whether it lives."""

import os
import re
import socket

import psutil

__all__ = ["is_alive", "is_local", "name_owner"]

# "host:pid:start+uptime", and what a caller adds after a slash. The start is in seconds
# since the epoch; in older stores it is in clock ticks since the boot, without a point,
# and there is no uptime.
OWNER = re.compile(
    r"(?P<host>.+):(?P<pid>\d+):(?P<start>[\d.]*)(?:\+(?P<uptime>[\d.]+))?(?:/.*)?"
)
OLD_OWNER = re.compile(r"(?P<host>[^/]+)/(?P<pid>\d+)/\w*(?P<start>)(?P<uptime>)")
MAX_CLOCK_SHIFT = 2.0  # seconds by which the time of the boot is corrected afterwards
MAX_UPTIME_SHIFT = 0.05  # seconds: Linux counts ticks since the boot


def name_owner(pid: int | None = None) -> str:
    """Return a name of a process by which others can check whether it lives.

    Parameters
    ----------
    pid : int, default=None
        Of a process of this machine; None means this one.

    Returns
    -------
    owner : str
        ``"host:pid:start+uptime"``. When the process started, by the clock and since
        the boot, guards against process ids that are used again. Linux computes the
        first from the second, so that it changes when the clock is set; other systems
        store the first.

    Examples
    --------
    >>> from manyminds.utils.leases import is_alive, name_owner
    >>> is_alive(name_owner())
    True
    """
    pid = os.getpid() if pid is None else pid
    start, uptime = _measure_start(pid)
    return f"{socket.gethostname()}:{pid}:{start:.2f}+{uptime:.2f}"


def is_local(owner: str) -> bool:
    """Return whether an owner is, or was, a process of this machine.

    Parameters
    ----------
    owner : str
        What `name_owner` returned, here or elsewhere.
    """
    found = _parse(owner)
    return found is not None and found["host"] == socket.gethostname()


def is_alive(owner: str) -> bool:
    """Return whether the process of an owner lives, as far as this machine can tell.

    Parameters
    ----------
    owner : str
        What `name_owner` returned; text after a slash is ignored.

    Returns
    -------
    alive : bool
        True for processes of other machines (see `is_local`): their leases expire.
    """
    found = _parse(owner)
    if found is None or found["host"] != socket.gethostname():
        return True
    try:
        pid = int(found["pid"])
        if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return False
        start, uptime = _measure_start(pid)
        if found["uptime"] and abs(uptime - float(found["uptime"])) <= MAX_UPTIME_SHIFT:
            return True
        stated = _to_seconds(found["start"])
        return stated is None or abs(start - stated) <= MAX_CLOCK_SHIFT
    except psutil.AccessDenied:  # a process of another user
        return True
    except psutil.NoSuchProcess:
        return False


def _parse(owner: str) -> re.Match[str] | None:
    return OWNER.fullmatch(owner) or OLD_OWNER.fullmatch(owner)


def _measure_start(pid: int) -> tuple[float, float]:
    """Return when a process started, in seconds since the epoch and since the boot."""
    boot = psutil.boot_time()  # first: some versions use it for what follows
    start = psutil.Process(pid).create_time()
    return start, max(0.0, start - boot)


def _to_seconds(start: str) -> float | None:
    """Return a start as seconds since the epoch; None if the name has none."""
    if not start or ("." not in start and not hasattr(os, "sysconf")):
        return None
    if "." in start:
        return float(start)
    return psutil.boot_time() + int(start) / os.sysconf("SC_CLK_TCK")
