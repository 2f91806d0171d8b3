"""Read spans of time as people write them."""

import re
from typing import Any

__all__ = ["read_seconds"]

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def read_seconds(span: Any) -> float | None:
    """Read a span of time: 90, "90", "90s", "1.5m", "2h" or None.

    Parameters
    ----------
    span : float, str or None

    Returns
    -------
    seconds : float or None

    Examples
    --------
    >>> from manyminds.search.timing import read_seconds
    >>> read_seconds("1.5m"), read_seconds(10)
    (90.0, 10.0)
    >>> read_seconds("soon")
    Traceback (most recent call last):
    ...
    ValueError: budget must be seconds, or a text such as 60s, 5m or 1h; got 'soon'.
    """
    if span is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)\s*", str(span).lower())
    if found is None or found[2] not in UNITS or float(found[1]) <= 0:
        raise ValueError(
            f"budget must be seconds, or a text such as 60s, 5m or 1h; got {span!r}."
        )
    return float(found[1]) * UNITS[found[2]]
