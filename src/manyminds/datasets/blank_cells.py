"""Recognize cells of dashes, dots or question marks, which stand for missing values."""

import re
from collections.abc import Iterable

__all__ = ["MAX_SHARE_OF_BLANKS", "is_blank", "without_blanks"]

BLANK = re.compile(r"[-–—.?]+")  # also of the two longer dashes
MAX_SHARE_OF_BLANKS = 0.5  # of the known cells of a column


def is_blank(text: str) -> bool:
    """Return whether a text consists of dashes, dots or question marks.

    Examples
    --------
    >>> from manyminds.datasets.blank_cells import is_blank
    >>> is_blank("--"), is_blank("-1"), is_blank("")
    (True, False, False)
    """
    return BLANK.fullmatch(text) is not None


def without_blanks(texts: Iterable[str]) -> list[str]:
    """Return the other texts."""
    return [text for text in texts if not is_blank(text)]
