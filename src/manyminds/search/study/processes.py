"""Whose a trial is, whether its process still lives, and how Ctrl-C reaches us."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

__all__ = ["heed_interrupts", "is_lost", "name_owner", "start_of"]

SECONDS_TO_ASK = timedelta(minutes=1)


@contextmanager
def heed_interrupts() -> Iterator[threading.Event]:
    """Remember signals that interrupt: Python loses one raised in a destructor.

    Yields
    ------
    interrupted : threading.Event
        Set by Ctrl-C, and by each other signal that a function handles already, as the
        command line lets SIGTERM be.
    """
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return
    found = {number: signal.getsignal(number) for number in _list_signals()}
    before = {number: one for number, one in found.items() if callable(one)}

    def interrupt(number: int, frame: Any) -> None:
        interrupted.set()
        before[number](number, frame)

    for number in before:
        signal.signal(number, interrupt)
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _list_signals() -> list[int]:
    names = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def name_owner() -> str:
    """Name this process so that others can tell whether it lives."""
    process = os.getpid()
    return f"{socket.gethostname()}:{process}:{start_of(process)}"


def is_lost(trial: Any, alone: bool) -> bool:
    """Return whether the process of a running trial is gone.

    alone : bool
        Whether no other process can be asking for a trial at the moment.
    """
    asked = trial.user_attrs.get("asked")
    age = datetime.now() - (trial.datetime_start or datetime.now())
    if asked is None:  # being asked for at the moment, or never again
        return alone or age > SECONDS_TO_ASK
    host, process, start = asked["owner"].rsplit(":", 2)
    if host == socket.gethostname():
        return not _is_alive(int(process), start)
    return age > timedelta(days=1)


def _is_alive(process: int, start: str) -> bool:
    if process == os.getpid():
        return False  # a number used again: this process has begun no trial yet
    if start_of(process) != start:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # there is one, of another user
        pass
    return True


def start_of(process: int) -> str:
    """Return when a process began, where the system says so: numbers are used again."""
    try:
        told = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return ""
    return told.rpartition(")")[2].split()[19]
