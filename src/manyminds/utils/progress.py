"""Reports of progress on the error stream."""

import sys
import time

__all__ = ["print_progress"]


def print_progress(name: str, done: str, share: float, started: float) -> None:
    """Print which share of the work is done, and the time spent and left.

    Parameters
    ----------
    name : str
        Who works.
    done : str
        What is done, such as "trees grown".
    share : float
        How much of it, above 0 and up to 1.
    started : float
        When the work began, by ``time.monotonic``.
    """
    spent = time.monotonic() - started
    left = spent / share * (1.0 - share)
    print(
        f"{name}: {100 * share:3.0f}% of the {done}, {spent:.1f} s spent, "
        f"{left:.1f} s left",
        file=sys.stderr,
    )
