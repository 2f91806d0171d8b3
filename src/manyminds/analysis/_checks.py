"""Checks of parameters and scores that all parts of the room share."""

from numbers import Real

import numpy as np

__all__ = [
    "check_not_negative",
    "check_option",
    "check_share",
    "read_pair",
    "read_scores",
]


def check_option(name, value, options):
    """Raise ValueError unless ``value`` is one of ``options``."""
    if value not in options:
        raise ValueError(f"{name} must be one of {list(options)}; got {value!r}.")


def check_share(name, value):
    """Raise unless ``value`` is a number strictly between 0 and 1."""
    if not isinstance(value, Real) or not 0.0 < value < 1.0:
        raise ValueError(f"{name} must be a number between 0 and 1; got {value!r}.")


def check_not_negative(name, value):
    """Raise unless ``value`` is a finite number of 0 or more."""
    if not isinstance(value, Real) or not 0.0 <= value < np.inf:
        raise ValueError(f"{name} must be a number of 0 or more; got {value!r}.")


def read_scores(name, scores):
    """Return finite scores as an array of float64; ``name`` is for messages."""
    scores = np.asarray(scores, dtype=np.float64)
    if scores.size == 0:
        raise ValueError(f"{name} must hold one score or more; got none.")
    if not np.isfinite(scores).all():
        n_bad = int((~np.isfinite(scores)).sum())
        raise ValueError(f"{name} must hold finite scores; got {n_bad} that are not.")
    return scores


def read_pair(a, b):
    """Return the scores of two methods as two arrays of one shape."""
    a, b = read_scores("a", a), read_scores("b", b)
    if a.shape != b.shape:
        raise ValueError(
            f"a and b must have the same shape, one score of each method under each "
            f"condition; got {a.shape} and {b.shape}."
        )
    return a, b
