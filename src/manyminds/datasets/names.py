"""Names of columns and data sets: make them unique, suggest similar ones, list them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import pandas as pd

from manyminds.utils.errors import InputError
from manyminds.utils.text import one_spelling

__all__ = [
    "check_unique",
    "find_close",
    "list_some",
    "suggest_close",
    "with_text_names",
]


def check_unique(names: Iterable[Any], what: str = "Columns") -> None:
    """Raise if a name occurs more than once."""
    names = list(names)
    if len(set(names)) < len(names):
        twice = [name for name, count in Counter(names).items() if count > 1]
        raise InputError(f"{what} must have different names; twice: {twice}.")


def with_text_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose column names are strings in Unicode's composed form."""
    names = [one_spelling(str(column)) for column in frame.columns]
    check_unique(names)
    return frame.set_axis(names, axis=1)


def find_close(name: str, known: list[str], n: int = 3) -> list[str]:
    """Return up to ``n`` known names that are similar to a name, ignoring case.

    Examples
    --------
    >>> from manyminds.datasets.names import find_close
    >>> find_close("Sise", ["color", "size"])
    ['size']
    """
    lower = {one.lower(): one for one in known}
    return [lower[one] for one in get_close_matches(name.lower(), lower, n)]


def suggest_close(name: str, known: list[str]) -> str:
    """Format similar names as a sentence, "Close: a, b. ", or as an empty text."""
    found = find_close(name, known)
    return f"Close: {', '.join(found)}. " if found else ""


def list_some(
    names: Sequence[Any], max_shown: int = 5, write: Callable[[Any], str] = repr
) -> str:
    """Format the first names of a sequence and the number of the others.

    Examples
    --------
    >>> from manyminds.datasets.names import list_some
    >>> list_some(["a", "b", "c", "d"], max_shown=2)
    "'a', 'b' and 2 more"
    """
    shown = ", ".join(write(name) for name in names[:max_shown])
    n_more = len(names) - max_shown
    return shown + (f" and {n_more} more" if n_more > 0 else "")
