"""Ctrl-C, SIGTERM and SIGHUP end a command in the same way."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["handle_signals", "stop_code"]

_last = int(signal.SIGINT)


@contextmanager
def handle_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP interrupt a command as Ctrl-C does.

    A signal that is ignored stays so, as SIGHUP under ``nohup``.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handled = [one for one in numbers if signal.getsignal(one) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _interrupt)
    before, sys.unraisablehook = sys.unraisablehook, _show_unraisable
    try:
        yield
    finally:
        sys.unraisablehook = before
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def stop_code() -> int:
    """Return the exit code of a command that a signal has ended.

    130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP, as shells define it.
    """
    return 128 + _last


def _interrupt(number: int, _: Any) -> None:
    global _last
    _last = number
    raise KeyboardInterrupt


def _show_unraisable(problem: Any) -> None:
    """Ignore interrupts in a destructor, which Python cannot raise."""
    if not issubclass(problem.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(problem)
