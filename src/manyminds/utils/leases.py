"""Leases: name the process that owns a piece of work, and check whether it lives."""

import hashlib
import os
import re
import socket
import uuid
from functools import cache
from pathlib import Path

import psutil

__all__ = ["is_alive", "is_local", "name_owner"]

# "machine:pid:start+uptime", and what a caller adds after a slash. In older stores the
# machine is a hostname alone. Others may have the same, so that these owners are of
# unknown machines.
OWNER = re.compile(
    r"(?P<machine>.+):(?P<pid>\d+):"
    r"(?P<start>\d+\.\d+)(?:\+(?P<uptime>\d+\.\d+))?(?:/.*)?"
)
NOBODY = 0  # id that no process of a user has
MACHINE_ID = Path("/etc/machine-id")
PROCESS_IDS = Path("/proc/self/ns/pid")  # those of containers begin at 1 again
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
        ``"machine:pid:start+uptime"``. The machine is a hostname and a hash of what
        distinguishes clones and containers of the same hostname. When the process
        started, by the clock and since the boot, guards against process ids that are
        used again. Linux computes the first from the second, so that it changes when
        the clock is set; other systems store the first.

    Examples
    --------
    >>> from manyminds.utils.leases import is_alive, name_owner
    >>> is_alive(name_owner())
    True
    """
    pid = os.getpid() if pid is None else pid
    start, uptime = _measure_start(pid)
    return f"{_name_machine()}:{pid}:{start:.2f}+{uptime:.2f}"


def is_local(owner: str) -> bool:
    """Return whether an owner is, or was, a process of this machine.

    Parameters
    ----------
    owner : str
        What `name_owner` returned, here or elsewhere.
    """
    found = OWNER.fullmatch(owner)
    return found is not None and found["machine"] == _name_machine()


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
        False for the process id 0, which stands for nobody.
    """
    found = OWNER.fullmatch(owner)
    if found is not None and int(found["pid"]) == NOBODY:
        return False
    if found is None or found["machine"] != _name_machine():
        return True
    try:
        pid = int(found["pid"])
        if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return False
        start, uptime = _measure_start(pid)
        if found["uptime"] and abs(uptime - float(found["uptime"])) <= MAX_UPTIME_SHIFT:
            return True
        return abs(start - float(found["start"])) <= MAX_CLOCK_SHIFT
    except psutil.AccessDenied:  # a process of another user
        return True
    except psutil.NoSuchProcess:
        return False


def _name_machine() -> str:
    return f"{socket.gethostname()}@{_hash_machine()}"


@cache
def _hash_machine() -> str:
    """Return what distinguishes machines, and containers, of the same hostname."""
    try:
        machine = MACHINE_ID.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        machine = ""
    if not machine and not (address := uuid.getnode()) >> 40 & 1:  # else a random one
        machine = str(address)
    try:
        container = os.readlink(PROCESS_IDS)
    except OSError:
        container = ""
    return hashlib.sha256(f"{machine}/{container}".encode()).hexdigest()[:8]


def _measure_start(pid: int) -> tuple[float, float]:
    """Return when a process started, in seconds since the epoch and since the boot."""
    boot = psutil.boot_time()  # first: some versions use it for what follows
    start = psutil.Process(pid).create_time()
    return start, max(0.0, start - boot)
