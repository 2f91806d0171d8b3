"""Parse numbers with a mark, such as "€1,234.50", "5 %", "1.234,50 €" or "84.3 kg"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

__all__ = ["NumberMark", "find_unit", "parse_marked_numbers", "parse_with_mark"]

SYMBOLS = "€$£¥₹"
STYLES = ((",", "."), (".", ","))  # between groups of three digits, before decimals
MARKED = (
    r"(?P<sign>[+-]?)(?P<before>[{symbols}]?)\s?"
    r"(?P<digits>(?:\d{{1,3}}(?:{group}\d{{3}})+|\d+)(?:{decimal}\d+)?)"
    r"\s?(?P<after>[{symbols}]|(?:[^\W\d_]|[°%/²³]){{1,10}})?"
)
NO_UNITS = {"st", "nd", "rd", "th", "am", "pm"}  # of places and times of day
MIN_NUMBERS = 3  # different ones with a unit; fewer are categories
CODE = re.compile(r"\D*0\d")  # 007 is a code
PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True)
class NumberMark:
    """The mark that all numbers of a column have, and how they are written.

    Parameters
    ----------
    text : str, default=""
        A currency, "%" or a unit such as "kg".
    decimal : {".", ",", ""}, default=""
        Decimal mark; empty if no number shows it.
    """

    text: str = ""
    decimal: str = ""

    @property
    def is_unit(self) -> bool:
        """Whether it is neither a currency nor a percent sign."""
        return self.text not in ("", "%", *SYMBOLS)


Marked = tuple[list[float], NumberMark]


def parse_marked_numbers(
    texts: Sequence[str], with_units: bool = True
) -> Marked | None:
    """Convert texts to numbers, and return the mark that they have.

    All must be numbers in one style, with points or with commas as decimal marks, and
    have the same mark of a currency, of percent or of a unit, or none: units are not
    converted. A unit has at most ten letters or signs and at least three different
    numbers. Numbers without a mark or with a unit must show which mark is the decimal
    one: "1,234" alone may be read in two ways, beside "1,234.50" it may not.

    Parameters
    ----------
    texts : sequence of str
        Distinct cells of a column, missing values left out.
    with_units : bool, default=True
        Whether the mark may be a unit.

    Returns
    -------
    numbers, mark : list of float and NumberMark, or None
        5.0 for "5 %". None if the texts are something else.

    Examples
    --------
    >>> from manyminds.datasets.marked_numbers import parse_marked_numbers
    >>> parse_marked_numbers(["€1,234.50", "-€3"])
    ([1234.5, -3.0], NumberMark(text='€', decimal='.'))
    >>> parse_marked_numbers(["84,3 kg", "77 kg", "68,9 kg"])
    ([84.3, 77.0, 68.9], NumberMark(text='kg', decimal=','))
    >>> parse_marked_numbers(["€3", "$3"]), parse_marked_numbers(["1,234"])
    (None, None)
    """
    read = [found for style in STYLES if (found := _read(texts, style)) is not None]
    if not read:
        return None
    numbers, mark = read[0]
    if mark.is_unit:
        is_clear = all(others == numbers for others, _ in read)
        is_clear &= with_units and _may_be_units(*read[0], texts)
        return read[0] if is_clear else None
    return read[0] if mark.text or any(map(_has_clear_groups, texts)) else None


def parse_with_mark(texts: Sequence[str], mark: NumberMark) -> list[float | None]:
    """Convert texts to numbers as in a column with a known mark.

    Numbers without the mark are taken, too. The decimal mark is the known one unless
    all texts agree on the other.

    Parameters
    ----------
    texts : sequence of str
    mark : NumberMark

    Returns
    -------
    numbers : list of float or None
        None for a text that is no such number, or may be read in two ways.

    Examples
    --------
    >>> from manyminds.datasets.marked_numbers import NumberMark, parse_with_mark
    >>> parse_with_mark(["84,3 kg", "77", "84 g"], NumberMark("kg", ","))
    [84.3, 77.0, None]
    """
    read = [[_convert(text, style, mark.text) for text in texts] for style in STYLES]
    if mark.decimal == ",":
        read.reverse()
    if mark.decimal:
        return read[1] if None in read[0] and None not in read[1] else read[0]
    first, second = read
    if None in first or None in second:
        return second if None in first and None not in second else first
    return [one if one == other else None for one, other in zip(first, second)]


def find_unit(text: str) -> str:
    """Return the unit of a number; "" for another text.

    Examples
    --------
    >>> from manyminds.datasets.marked_numbers import find_unit
    >>> find_unit("84,3 kg"), find_unit("kg"), find_unit("5 %")
    ('kg', '', '')
    """
    for style in STYLES:
        found = _compile(*style).fullmatch(text)
        if found is not None and not found["before"]:
            mark = NumberMark(found["after"] or "")
            return mark.text if mark.is_unit else ""
    return ""


@cache
def _compile(group: str, decimal: str) -> re.Pattern[str]:
    return re.compile(
        MARKED.format(
            symbols=SYMBOLS, group=re.escape(group), decimal=re.escape(decimal)
        )
    )


def _read(texts: Sequence[str], style: tuple[str, str]) -> Marked | None:
    """Convert texts of one style; None if they are not, or if their marks differ."""
    pattern = _compile(*style)
    found = [one for text in texts if (one := pattern.fullmatch(text)) is not None]
    marks = {(one["before"] or "") + (one["after"] or "") for one in found}
    if len(found) < len(texts) or len(marks) != 1:
        return None
    if any(one["before"] and one["after"] for one in found):
        return None
    shows = any(sign in one["digits"] for sign in style for one in found)
    mark = NumberMark(marks.pop(), style[1] if shows else "")
    return [_as_number(one, style) for one in found], mark


def _as_number(found: re.Match[str], style: tuple[str, str]) -> float:
    group, decimal = style
    digits = found["digits"].replace(group, "").replace(decimal, ".")
    return float(found["sign"] + digits)


def _has_clear_groups(text: str) -> bool:
    """Return whether groups of three digits cannot be decimals."""
    return any(
        group in text and (decimal in text or text.count(group) > 1)
        for group, decimal in STYLES
    )


def _may_be_units(numbers: list[float], mark: NumberMark, texts: Sequence[str]) -> bool:
    if mark.text.lower() in NO_UNITS or len(set(numbers)) < MIN_NUMBERS:
        return False
    return not any(CODE.match(text) for text in texts)


def _convert(text: str, style: tuple[str, str], mark: str) -> float | None:
    """Convert a text that has a known mark, or none."""
    found = _compile(*style).fullmatch(text)
    if found is not None and not (found["before"] and found["after"]):
        if (found["before"] or "") + (found["after"] or "") in ("", mark):
            return _as_number(found, style)
        return None
    return float(text) if PLAIN.fullmatch(text) else None
