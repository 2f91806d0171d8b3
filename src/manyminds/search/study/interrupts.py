"""Record the signals that interrupt a search."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["watch_interrupts"]


@contextmanager
def watch_interrupts() -> Iterator[threading.Event]:
    """Record signals that interrupt: Python loses one raised in a destructor.

    Yields
    ------
    interrupted : threading.Event
        Set by Ctrl-C, and by each other signal that already has a handler, such as
        SIGTERM under the command line.
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
