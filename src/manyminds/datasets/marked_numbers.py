"""Parse numbers with a mark, such as "€1,234.50", "5 %" or "1.234,50 €"."""

import re
from collections.abc import Sequence

__all__ = ["parse_marked_numbers"]

SYMBOLS = "€$£¥₹"
STYLES = ((",", "."), (".", ","))  # between groups of three digits, before decimals
MARKED = (
    r"(?P<sign>[+-]?)(?P<before>[{symbols}]?)\s?"
    r"(?P<digits>(?:\d{{1,3}}(?:{group}\d{{3}})+|\d+)(?:{decimal}\d+)?)"
    r"\s?(?P<after>[{symbols}%]?)"
)


def parse_marked_numbers(texts: Sequence[str]) -> tuple[list[float], str] | None:
    """Convert texts to numbers, and return the mark that they have.

    All must be numbers in one style, with points or with commas as decimal marks, and
    have the same mark of a currency or of percent, or none: units are not converted.
    Numbers without any mark must show which mark is the decimal one: "1,234" alone may
    be read in two ways, beside "1,234.50" it may not.

    Parameters
    ----------
    texts : sequence of str
        Distinct cells of a column, missing values left out.

    Returns
    -------
    numbers, mark : list of float and str, or None
        5.0 for "5 %". None if the texts are something else.

    Examples
    --------
    >>> from manyminds.datasets.marked_numbers import parse_marked_numbers
    >>> parse_marked_numbers(["€1,234.50", "-€3"])
    ([1234.5, -3.0], '€')
    >>> parse_marked_numbers(["1.234,50 €", "950 €"])
    ([1234.5, 950.0], '€')
    >>> parse_marked_numbers(["€3", "$3"]), parse_marked_numbers(["1,234"])
    (None, None)
    """
    for style in STYLES:
        pattern = _compile(*style)
        found = [pattern.fullmatch(text) for text in texts]
        if found and None not in found:
            return _convert([one for one in found if one is not None], *style)
    return None


def _compile(group: str, decimal: str) -> re.Pattern[str]:
    return re.compile(
        MARKED.format(
            symbols=SYMBOLS, group=re.escape(group), decimal=re.escape(decimal)
        )
    )


def _convert(
    found: Sequence[re.Match[str]], group: str, decimal: str
) -> tuple[list[float], str] | None:
    """Convert matches of one style; None if their marks differ or say too little."""
    marks = {one["before"] + one["after"] for one in found}
    if len(marks) > 1 or any(one["before"] and one["after"] for one in found):
        return None
    digits = [one["digits"] for one in found]
    is_clear = any(
        group in one and (decimal in one or one.count(group) > 1) for one in digits
    )
    mark = marks.pop()
    if not mark and not is_clear:
        return None
    numbers = [
        float(one["sign"] + one["digits"].replace(group, "").replace(decimal, "."))
        for one in found
    ]
    return numbers, mark
