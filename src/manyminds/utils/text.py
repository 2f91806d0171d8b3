"""One spelling for texts that look the same, and texts that are safe to show."""

import re
import unicodedata
from difflib import get_close_matches
from typing import Any

__all__ = ["format_count", "hint_at", "one_spelling", "printable"]

# Control characters steer terminals and are not allowed in XML. So do the marks that
# turn the direction of writing; halves of surrogate pairs cannot be written at all.
UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def one_spelling(text: str) -> str:
    r"""Return a text in Unicode's composed form (NFC), the same for all its spellings.

    A letter with an accent can be written as one sign or as two; without this, what
    looks like one class or column would be two.

    Examples
    --------
    >>> from manyminds.utils.text import one_spelling
    >>> len("e\u0301"), len(one_spelling("e\u0301"))
    (2, 1)
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def printable(text: Any, keep: str = "") -> str:
    r"""Return a text that a terminal, a figure or a page can show.

    Control characters become what Python writes for them, so that a name in a table
    cannot steer the terminal. The name itself stays as it is in the data.

    Parameters
    ----------
    text : object
        What to show.
    keep : str, default=""
        Control characters that are meant, such as ``"\n"``.

    Returns
    -------
    text : str

    Examples
    --------
    >>> from manyminds.utils.text import printable
    >>> print(printable("size\x1b[2J\tof\nleaf"))
    size\x1b[2J\tof\nleaf
    """
    return UNSAFE.sub(
        lambda found: found[0] if found[0] in keep else repr(found[0])[1:-1], str(text)
    )


def format_count(number: int, noun: str, ending: str = "s") -> str:
    """Format a number with its noun, in the singular or with the ending of the plural.

    Examples
    --------
    >>> from manyminds.utils.text import format_count
    >>> format_count(1, "row"), format_count(1200, "row")
    ('1 row', '1,200 rows')
    >>> format_count(2, "class", "es")
    '2 classes'
    """
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def hint_at(name: str, known: list[str]) -> str:
    """Describe which known name may be meant, or else all of them."""
    close = get_close_matches(str(name), known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}."
