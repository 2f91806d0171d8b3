"""Time limits and progress of searches."""

import sys
import time


class TimeLimitWarning(UserWarning):
    """A search ended at its time limit: what it found is not complete."""


class Clock:
    """Measure the time of a search, and report its progress.

    Parameters
    ----------
    time_limit : float, default=None
        Seconds after which `is_over`; None: never.
    verbose : int, default=0
        Whether to report on the error stream.
    name : str, default=""
        Who works.

    Attributes
    ----------
    was_over : bool
        Whether a search was told that its time is over.

    Examples
    --------
    >>> from manyminds.networks.constraint.clock import Clock
    >>> Clock().is_over(), Clock(time_limit=0.0).is_over()
    (False, True)
    """

    def __init__(self, time_limit=None, verbose=0, name=""):
        self.time_limit = time_limit
        self.verbose = verbose
        self.name = name
        self.started = time.monotonic()
        self.was_over = False

    def is_over(self):
        """Return whether the time is over."""
        if self.time_limit is None:
            return False
        self.was_over |= time.monotonic() - self.started >= self.time_limit
        return self.was_over

    def report(self, text):
        """Print a line of progress, if asked to."""
        if self.verbose:
            spent = time.monotonic() - self.started
            print(f"{self.name}: {text}, {spent:.1f} s spent", file=sys.stderr)
