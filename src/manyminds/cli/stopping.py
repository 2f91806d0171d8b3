"""What Ctrl-C, SIGTERM and SIGHUP do to a command: all end it in the same way."""

import signal
import sys
from typing import Any

__all__ = ["handle_signals", "stop_code"]

_last = int(signal.SIGINT)


def handle_signals() -> None:
    """Let SIGTERM and SIGHUP interrupt a command as Ctrl-C does.

    A signal that is ignored stays so, as SIGHUP under ``nohup``.
    """
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
    sys.unraisablehook = _show_unraisable


def stop_code() -> int:
    """Return the exit code of a command that a signal has ended.

    130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP, as shells say it.
    """
    return 128 + _last


def _interrupt(number: int, _: Any) -> None:
    global _last
    _last = number
    raise KeyboardInterrupt


def _show_unraisable(problem: Any) -> None:
    """Pass over interrupts that come in a destructor, of which nobody learns more."""
    if not issubclass(problem.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(problem)
