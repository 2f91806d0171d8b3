"""Warn of what was inferred of a column, and may be meant otherwise."""

from collections.abc import Mapping
from typing import Any

from manyminds.datasets.blank_cells import is_blank, without_blanks
from manyminds.datasets.dates import looks_like_dates, parse_date
from manyminds.datasets.marked_numbers import NumberMark, find_unit
from manyminds.datasets.texts import holds_sentences
from manyminds.utils.errors import InputError, Parameter, PythonHint, warn_caller

__all__ = [
    "make_error_of_words",
    "warn_of_blanks",
    "warn_of_categories",
    "warn_of_mark",
]

# When to suspect that words among numbers mean "missing", or that texts identify rows.
MAX_WORDS = 5
MAX_SHARE_OF_WORDS = 0.1
MIN_IDENTIFIERS = 20
ADD_MARKS = PythonHint(" or add them to missing_values")


def warn_of_mark(name: Any, text: str, mark: NumberMark) -> None:
    """Warn that texts such as "€1,234.50" or "84.3 kg" are read as numbers."""
    without = f", without their unit {mark.text}" if mark.is_unit else ""
    warn_caller(
        f"Column {name!r} holds numbers{mark.text and f' with {mark.text}'}, such as "
        f"{text!r}. It is read as numbers{without}",
        PythonHint("; declare it categorical to keep its texts"),
        ".",
    )


def warn_of_blanks(name: Any, kind: str, counts: Mapping[str, int]) -> None:
    """Warn that cells of dashes or dots among numbers or dates are missing values."""
    blanks = {text: n for text, n in counts.items() if is_blank(text)}
    warn_caller(
        f"Column {name!r} holds {kind}, except for {sum(blanks.values())} of "
        f"{sum(counts.values())} cells: {_quote(blanks)}. They are read as missing "
        "values",
        PythonHint("; declare the column categorical to keep its texts"),
        ".",
    )


def warn_of_categories(
    name: Any, counts: Mapping[str, int], words: Mapping[str, int]
) -> None:
    """Warn of categories that may be meant as numbers, dates or identifiers.

    Parameters
    ----------
    name : str
        Of the column.
    counts : mapping of str to int
        Number of cells of each text.
    words : mapping of str to int
        The same of those that are not numbers.
    """
    _warn_of_words(name, counts, words)
    _warn_of_dates(name, counts)
    _warn_of_identifiers(name, counts)


def make_error_of_words(name: Any, words: dict[str, int], n_cells: int) -> InputError:
    """Return the error of a column of numbers that holds words."""
    return InputError(
        f"Column {name!r} is declared numeric, but {sum(words.values())} of its "
        f"{n_cells} cells hold words: {_quote(words)}. If they represent missing "
        "values, leave these cells empty",
        ADD_MARKS,
        PythonHint("; if not, declare the column categorical"),
        ".",
    )


def _warn_of_words(
    name: Any, counts: Mapping[str, int], words: Mapping[str, int]
) -> None:
    """Warn of words among numbers, or among numbers of one unit."""
    n_cells, kind = sum(counts.values()), "numbers"
    units: dict[str, int] = {}
    for text, n in words.items():
        if unit := find_unit(text):
            units[unit] = units.get(unit, 0) + n
    if units:
        unit = max(units, key=units.__getitem__)
        if units[unit] >= (1.0 - MAX_SHARE_OF_WORDS) * n_cells:
            kind = f"numbers with {unit}"
            words = {t: n for t, n in counts.items() if find_unit(t) != unit}
    _warn_of_exceptions(name, kind, words, n_cells)


def _warn_of_dates(name: Any, counts: Mapping[str, int]) -> None:
    known = without_blanks(counts)
    if known and looks_like_dates(known):
        warn_caller(
            f"Column {name!r} seems to hold dates, such as {known[0]!r}, in a "
            "format that is not supported. It is read as categories; write dates as "
            "2024-01-31 or 2024-01-31T10:30."
        )
        return
    n_cells = sum(counts.values())
    others = {text: n for text, n in counts.items() if parse_date(text) is None}
    if not others:
        warn_caller(
            f"Column {name!r} holds dates, some with a time zone and some without. It "
            "is read as categories."
        )
    else:
        _warn_of_exceptions(name, "dates", others, n_cells)


def _warn_of_exceptions(
    name: Any, kind: str, others: Mapping[str, int], n_cells: int
) -> None:
    """Warn if few cells of a column prevent it from being numbers or dates."""
    n_others = sum(others.values())
    if 0 < len(others) <= MAX_WORDS and n_others <= MAX_SHARE_OF_WORDS * n_cells:
        warn_caller(
            f"Column {name!r} holds {kind}, except for {n_others} of {n_cells} cells: "
            f"{_quote(others)}. It is read as categories. If these represent missing "
            "values, leave these cells empty",
            ADD_MARKS,
            ".",
        )


def _warn_of_identifiers(name: Any, counts: Mapping[str, int]) -> None:
    n_cells = sum(counts.values())
    if holds_sentences(list(counts), n_cells):
        return
    if n_cells >= MIN_IDENTIFIERS and len(counts) == n_cells:
        warn_caller(
            f"Column {name!r} holds {n_cells} different texts in {n_cells} cells and "
            "looks like an identifier. If it is one, leave it out with ",
            Parameter("drop"),
            PythonHint("; declare it categorical to suppress this warning"),
            ".",
        )


def _quote(words: Mapping[str, int]) -> str:
    shown = [f"{word!r} ({count})" for word, count in list(words.items())[:MAX_WORDS]]
    return ", ".join(shown) + (", ..." if len(words) > MAX_WORDS else "")
