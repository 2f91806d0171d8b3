"""Warnings that point at the user's own line."""

import sys
import warnings

__all__ = ["warn_caller"]


def warn_caller(message: str) -> None:
    """Issue a UserWarning at the first stack frame outside this package."""
    depth, frame = 2, sys._getframe(1)  # the first level is this function
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("manyminds."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=depth)
