"""Dataclasses as plain values that JSON can hold, and back."""

import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def to_plain(value: Any) -> Any:
    """Convert a summary into plain values for JSON; NaN and infinity become None.

    Parameters
    ----------
    value : object
        A summary, or any part of one.

    Returns
    -------
    plain : None, bool, int, float, str, list or dict

    Examples
    --------
    >>> from manyminds.reports import to_plain
    >>> to_plain({"ranks": (1.0, float("nan"))})
    {'ranks': [1.0, None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def from_plain(kind: Any, value: Any) -> Any:
    """Convert the output of `to_plain` back into a dataclass."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        # Files of earlier versions lack newer fields, which have defaults.
        known = [f for f in fields(kind) if f.name in value or not _has_default(f)]
        given = {f.name: from_plain(hints[f.name], value[f.name]) for f in known}
        return kind(**given)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
        return tuple(from_plain(one, part) for one, part in zip(kinds, value))
    if origin is dict:
        return {key: from_plain(inner[1], part) for key, part in value.items()}
    if origin in (Union, UnionType):
        return None if value is None else from_plain(inner[0], value)
    return float("nan") if kind is float and value is None else value


def _has_default(one: Field[Any]) -> bool:
    return one.default is not MISSING or one.default_factory is not MISSING
