"""Helpers of all generators: parameter checks and label noise."""

from numbers import Integral, Real

import numpy as np


def check_count(name, value, *, low=1, high=None):
    """Return ``value`` if it is an integer between ``low`` and ``high``."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < low or (high is not None and value > high):
        takes = f"{low} or more" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} must be an integer, {takes}; got {value!r}.")
    return int(value)


def check_number(name, value, *, low=0.0, high=np.inf):
    """Return ``value`` if it is a finite number between ``low`` and ``high``."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not np.isfinite(value) or not low <= value <= high:
        takes = f"of at least {low}" if high == np.inf else f"from {low} to {high}"
        raise ValueError(f"{name} must be a finite number {takes}; got {value!r}.")
    return float(value)


def check_option(name, value, options):
    """Return ``value`` if it is one of ``options``."""
    if value not in options:
        raise ValueError(f"{name} must be one of {list(options)}; got {value!r}.")
    return value


def flip_labels(y, label_noise, rng):
    """Swap the classes 0 and 1 in a fraction ``label_noise`` of the rows."""
    share = check_number("label_noise", label_noise, high=1.0)
    y = y.copy()
    flipped = rng.permutation(len(y))[: round(share * len(y))]
    y[flipped] = 1 - y[flipped]
    return y


def all_rows(*levels):
    """Return every combination of the levels; the last column changes fastest."""
    grid = np.meshgrid(*levels, indexing="ij")
    return np.stack([column.ravel() for column in grid], axis=1).astype(np.float64)
