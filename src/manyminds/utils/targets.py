"""Check the magnitude of targets, whose squares are summed."""

import numpy as np

__all__ = ["check_magnitude"]

MAX_TARGET = 1e100  # squares of greater numbers, times weights, overflow


def check_magnitude(y: np.ndarray, limit: float = MAX_TARGET) -> np.ndarray:
    """Raise if squares of targets could overflow.

    Parameters
    ----------
    y : ndarray
        Finite numbers.
    limit : float, default=1e100
        Greatest absolute value that is allowed.

    Returns
    -------
    y : ndarray
        The same.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.targets import check_magnitude
    >>> check_magnitude(np.array([1.0, 1e300]))
    Traceback (most recent call last):
    ...
    ValueError: y must be between -1e+100 and 1e+100; got 1e+300: divide y by a
    constant.
    """
    greatest = y.flat[np.abs(y).argmax()] if y.size else 0.0
    if abs(greatest) > limit:
        raise ValueError(
            f"y must be between {-limit:g} and {limit:g}; got {greatest:g}: "
            "divide y by a constant."
        )
    return y
