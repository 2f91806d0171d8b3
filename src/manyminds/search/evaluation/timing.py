"""Parse durations, and measure the seconds of work without compiling."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from manyminds.kernels._jit import CompileClock, time_compiling
from manyminds.utils.errors import ParameterError

__all__ = ["Stopwatch", "read_seconds", "start_stopwatch"]

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def read_seconds(span: Any) -> float | None:
    """Parse a duration: 90, "90", "90s", "1.5m", "2h" or None.

    Parameters
    ----------
    span : float, str or None

    Returns
    -------
    seconds : float or None

    Examples
    --------
    >>> from manyminds.search.evaluation.timing import read_seconds
    >>> read_seconds("1.5m"), read_seconds(10)
    (90.0, 10.0)
    >>> read_seconds("soon")
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.ParameterError: budget must be seconds, or a
    text such as 60s, 5m or 1h; got 'soon'.
    """
    if span is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)\s*", str(span).lower())
    if found is None or found[2] not in UNITS or float(found[1]) <= 0:
        takes = "seconds, or a text such as 60s, 5m or 1h"
        raise ParameterError("budget", span, takes)
    return float(found[1]) * UNITS[found[2]]


class Stopwatch:
    """Measure the seconds of work, without those of compiling kernels."""

    def __init__(self, compiling: CompileClock, spent: float) -> None:
        self._compiling, self._spent = compiling, spent
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Return the seconds until now."""
        elapsed = time.perf_counter() - self._start
        return float(self._spent + elapsed - self._compiling.seconds)


@contextmanager
def start_stopwatch(spent: float = 0.0) -> Iterator[Stopwatch]:
    """Measure the seconds of work while the context is open.

    Parameters
    ----------
    spent : float, default=0.0
        Seconds to start from.

    Yields
    ------
    watch : Stopwatch
    """
    with time_compiling() as compiling:
        yield Stopwatch(compiling, spent)
