"""Convert a column of any content to numbers, dates or categories."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from numbers import Integral, Number
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from manyminds.datasets.dates import (
    DATE_DTYPE,
    as_dates,
    holds_dates,
    holds_times,
    looks_like_dates,
    parse_date,
    parse_dates,
)
from manyminds.datasets.marked_numbers import parse_marked_numbers
from manyminds.datasets.texts import holds_sentences
from manyminds.utils.errors import (
    InputError,
    InputTypeError,
    Parameter,
    PythonHint,
    warn_caller,
)
from manyminds.utils.text import one_spelling

__all__ = [
    "MISSING_VALUES",
    "Cells",
    "format_value",
    "holds_numbers",
    "parse_number",
    "read_column",
    "refuse_dates",
    "refuse_infinite_columns",
    "refuse_infinities",
    "refuse_times",
    "to_numbers",
    "warn_of_mark",
]

MISSING_VALUES = (
    "", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None",
)  # fmt: skip

# When to suspect that words among numbers mean "missing", or that texts identify rows.
MAX_WORDS = 5
MAX_SHARE_OF_WORDS = 0.1
MIN_IDENTIFIERS = 20
ADD_MARKS = PythonHint(" or add them to missing_values")


def read_column(
    column: pd.Series,
    kind: str | None = None,
    missing_values: Collection[str] = MISSING_VALUES,
) -> pd.Series:
    """Convert a column to float64 numbers, to dates or to categories.

    Without a ``kind``, a column of numbers stays one: codes are never guessed to be
    categories. Text that is all numbers, apart from missing values, becomes numbers,
    also if these have one mark, such as "€1,234.50" or "5 %", text that is all dates of
    ISO 8601 becomes dates, and all other text becomes categories, which are strings.
    Booleans become "False" and "True". A column that is categorical already keeps its
    categories, as text, and their order.

    Parameters
    ----------
    column : Series
        Cells of any type. Times of day, durations and infinite numbers are errors.
    kind : {"numeric", "date", "categorical"} or None, default=None
        Declared type of the column.
    missing_values : collection of str
        Texts that represent missing values. They do not apply to a column that is
        categorical already.

    Returns
    -------
    column : Series
        Of dtype float64, datetime64[us] or category.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.columns import read_column
    >>> read_column(pd.Series(["1.5", "?", "2"])).tolist()
    [1.5, nan, 2.0]
    >>> read_column(pd.Series(["no ", "yes", "no"])).cat.categories.tolist()
    ['no', 'yes']
    >>> read_column(pd.Series([1, 2, 1]), "categorical").tolist()
    ['1', '2', '1']
    """
    if kind != "categorical" and holds_dates(column):
        if kind == "numeric":
            refuse_dates(column)
        return as_dates(column)
    refuse_times(column, kind)
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    if declared and kind in (None, "categorical"):
        return _with_text_categories(column)
    if holds_numbers(column) and kind in (None, "numeric"):
        numbers = to_numbers(column, missing_values)
        return pd.Series(refuse_infinities(numbers, column.name), name=column.name)

    cells = Cells.of(column, () if declared else missing_values)
    if kind in (None, "numeric"):
        marked, mark = cells.parse_marked()
        if marked is not cells and kind is None:
            warn_of_mark(column.name, cells, mark)
        cells = marked
    kind = _find_kind(column.name, cells) if kind is None else kind
    if kind == "numeric":
        return pd.Series(_as_numbers(column, cells), name=column.name)
    if kind == "date":
        return pd.Series(cells.as_dates(column.name), name=column.name)
    return pd.Series(cells.as_categories(), name=column.name)


def _find_kind(name: Any, cells: "Cells") -> str:
    """Infer the type of text; warn of categories that may be meant as another one."""
    if not cells.words():
        return "numeric"
    if parse_dates(cells.texts) is not None:
        return "date"
    _warn_of_words(name, cells)
    _warn_of_dates(name, cells)
    _warn_of_identifiers(name, cells)
    return "categorical"


def _as_numbers(column: pd.Series, cells: "Cells") -> np.ndarray:
    if types.is_bool_dtype(column.dtype):
        return column.to_numpy(dtype=np.float64)
    if words := cells.words():
        raise _make_error_of_words(column.name, words, len(column))
    return refuse_infinities(cells.as_numbers(), column.name)


@dataclass(frozen=True)
class Cells:
    """A column as codes, which are positions in its distinct values; -1 is missing.

    Text is processed once for each distinct value, not once for each cell.
    """

    codes: np.ndarray
    texts: list[str]
    numbers: list[float | None]

    @classmethod
    def of(cls, column: pd.Series, missing_values: Collection[str] = ()) -> "Cells":
        """Encode a column by its distinct values."""
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.cat.remove_unused_categories()
            codes, values = column.cat.codes.to_numpy(), list(column.cat.categories)
        else:
            try:
                codes, values = pd.factorize(column)
            except TypeError as error:
                raise InputTypeError(
                    f"Column {column.name!r} holds values that are neither numbers nor "
                    "text; leave it out with ",
                    Parameter("drop"),
                    ".",
                ) from error
        texts = [format_value(value) for value in values]
        place = {text: p for p, text in enumerate(dict.fromkeys(texts))}
        for mark in missing_values:
            if mark in place:
                place[mark] = -1
        left = [text for text, p in place.items() if p >= 0]
        place.update({text: p for p, text in enumerate(left)})
        new = np.array([place[text] for text in texts] + [-1], dtype=np.int64)
        # A boolean is a word: its text is not a number, although it is one in Python.
        return cls(new[codes], left, [parse_number(text) for text in left])

    def counts(self) -> np.ndarray:
        """Count the cells of each value."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))

    def words(self) -> dict[str, int]:
        """Count the cells of each value that is not a number."""
        n_cells = zip(self.texts, self.numbers, self.counts())
        return {text: int(n) for text, number, n in n_cells if number is None}

    def parse_marked(self) -> tuple["Cells", str]:
        """Return the cells as numbers, and their mark, if all are such as "€1,234.50".

        Otherwise these cells as they are.
        """
        found = parse_marked_numbers(self.texts) if self.words() else None
        if found is None:
            return self, ""
        numbers, mark = found
        return replace(self, numbers=list(numbers)), mark

    def as_numbers(self) -> np.ndarray:
        """Return the cells as float64; all must be numbers."""
        return np.array([*self.numbers, np.nan], dtype=np.float64)[self.codes]

    def as_categories(self) -> pd.Categorical:
        """Return the cells as categories, sorted."""
        order = sorted(range(len(self.texts)), key=self.texts.__getitem__)
        rank = np.full(len(order) + 1, -1, dtype=np.int64)
        rank[order] = np.arange(len(order))
        categories = [self.texts[place] for place in order]
        return pd.Categorical.from_codes(rank[self.codes], _index(categories))

    def as_dates(self, name: Any) -> np.ndarray:
        """Return the cells as datetime64[us]; all must be dates."""
        dates = [parse_date(text) for text in self.texts]
        if None in dates:
            refused = self.texts[dates.index(None)]
            raise InputError(
                f"Column {name!r} must hold dates such as 2024-01-31 or "
                f"2024-01-31T10:30; got {refused!r}."
            )
        return np.array([*dates, None], dtype=DATE_DTYPE)[self.codes]

    def as_text(self) -> np.ndarray:
        """Return the cells as strings; None where missing."""
        return np.array([*self.texts, None], dtype=object)[self.codes]


def to_numbers(column: pd.Series, missing_values: Collection[str] = ()) -> np.ndarray:
    """Convert a column of numbers to float64; markers of missing values become NaN."""
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    parsed = [parse_number(text.strip()) for text in missing_values]
    marks = [number for number in parsed if number is not None]
    return np.where(np.isin(values, marks), np.nan, values) if marks else values


def parse_number(text: str) -> float | None:
    """Convert a text to a number; None if it is a word."""
    if "_" in text:  # Python parses 1_000 as a number; tables do not mean it so.
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def format_value(value: Any) -> str:
    """Format a value as text: stripped, and an integer without a decimal point."""
    if isinstance(value, bytes):
        return one_spelling(value.decode("utf-8", "replace").strip())
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, Number) and not isinstance(value, bool | np.bool_):
        number = float(value)  # type: ignore[arg-type]
        return str(int(number)) if number.is_integer() else repr(number)
    return one_spelling(str(value).strip())


def holds_numbers(column: pd.Series) -> bool:
    """Return whether the dtype of a column is integer or float; raise if complex."""
    if types.is_complex_dtype(column.dtype):
        raise InputTypeError(
            f"Column {column.name!r} holds complex numbers; leave it out with ",
            Parameter("drop"),
            ", or store its real and imaginary parts as separate columns.",
        )
    return types.is_numeric_dtype(column.dtype) and column.dtype.kind in "iuf"


def refuse_dates(column: pd.Series) -> None:
    """Raise if a column holds dates or times, which are no numbers and no classes."""
    if holds_dates(column) or holds_times(column):
        raise InputTypeError(
            f"Column {column.name!r} holds dates or times, which are neither numbers "
            "nor classes. Extract numbers from it first, such as the year or a number "
            "of days."
        )


def refuse_times(column: pd.Series, kind: str | None = None) -> None:
    """Raise if a column holds times of day or durations, unless it is categorical."""
    if kind != "categorical" and holds_times(column):
        raise InputTypeError(
            f"Column {column.name!r} holds times without a day. Leave it out with ",
            Parameter("drop"),
            PythonHint(", declare it categorical"),
            ", or convert it to numbers (hours, seconds) first.",
        )


def refuse_infinities(
    numbers: np.ndarray, name: Any, what: str = "Column"
) -> np.ndarray:
    """Return a column of numbers; raise if it holds infinite ones."""
    infinite = np.isinf(numbers)
    if infinite.any():
        rows = np.flatnonzero(infinite)
        raise InputError(
            f"{what} {name!r} holds {len(rows)} infinite "
            f"{'values' if len(rows) > 1 else 'value'}, first in row {rows[0] + 1}: "
            "models take finite numbers. Correct them, or leave the cells empty if "
            "they are missing."
        )
    return numbers


def refuse_infinite_columns(values: np.ndarray, names: Any) -> None:
    """Raise if a table of numbers holds infinite ones; name the first such column."""
    infinite = np.isinf(values).any(axis=0)
    if infinite.any():
        place = int(infinite.argmax())
        refuse_infinities(values[:, place], names[place])


def _with_text_categories(column: pd.Series) -> pd.Series:
    texts = [format_value(category) for category in column.cat.categories]
    place = {text: p for p, text in enumerate(dict.fromkeys(texts))}
    codes = np.array([place[text] for text in texts] + [-1], dtype=np.int64)
    categories = pd.Categorical.from_codes(
        codes[column.cat.codes.to_numpy()], _index(list(place)), column.cat.ordered
    )
    return pd.Series(categories, name=column.name)


def _index(categories: list[str]) -> pd.Index:
    return pd.Index(categories) if categories else pd.Index([], dtype=object)


def _make_error_of_words(name: Any, words: dict[str, int], n_cells: int) -> InputError:
    return InputError(
        f"Column {name!r} is declared numeric, but {sum(words.values())} of its "
        f"{n_cells} cells hold words: {_quote(words)}. If they represent missing "
        "values, leave these cells empty",
        ADD_MARKS,
        PythonHint("; if not, declare the column categorical"),
        ".",
    )


def warn_of_mark(name: Any, cells: Cells, mark: str) -> None:
    """Warn that texts such as "€1,234.50" are read as numbers."""
    warn_caller(
        f"Column {name!r} holds numbers{mark and f' with {mark}'}, such as "
        f"{next(iter(cells.words()))!r}. It is read as numbers",
        PythonHint("; declare it categorical to keep its texts"),
        ".",
    )


def _warn_of_words(name: Any, cells: Cells) -> None:
    words, n_cells = cells.words(), int(np.sum(cells.codes >= 0))
    _warn_of_exceptions(name, "numbers", words, n_cells)


def _warn_of_dates(name: Any, cells: Cells) -> None:
    if looks_like_dates(cells.texts):
        warn_caller(
            f"Column {name!r} seems to hold dates, such as {cells.texts[0]!r}, in a "
            "format that is not supported. It is read as categories; write dates as "
            "2024-01-31 or 2024-01-31T10:30."
        )
        return
    others = dict(zip(cells.texts, cells.counts().tolist()))
    n_cells = sum(others.values())
    others = {text: n for text, n in others.items() if parse_date(text) is None}
    if not others:
        warn_caller(
            f"Column {name!r} holds dates, some with a time zone and some without. It "
            "is read as categories."
        )
    else:
        _warn_of_exceptions(name, "dates", others, n_cells)


def _warn_of_exceptions(
    name: Any, kind: str, others: dict[str, int], n_cells: int
) -> None:
    """Warn if few cells of a column prevent it from being numbers or dates."""
    n_others = sum(others.values())
    if len(others) <= MAX_WORDS and n_others <= MAX_SHARE_OF_WORDS * n_cells:
        warn_caller(
            f"Column {name!r} holds {kind}, except for {n_others} of {n_cells} cells: "
            f"{_quote(others)}. It is read as categories. If these represent missing "
            "values, leave these cells empty",
            ADD_MARKS,
            ".",
        )


def _warn_of_identifiers(name: Any, cells: Cells) -> None:
    n_cells = int(np.sum(cells.codes >= 0))
    if holds_sentences(cells.texts, n_cells):
        return
    if n_cells >= MIN_IDENTIFIERS and len(cells.texts) == n_cells:
        warn_caller(
            f"Column {name!r} holds {n_cells} different texts in {n_cells} cells and "
            "looks like an identifier. If it is one, leave it out with ",
            Parameter("drop"),
            PythonHint("; declare it categorical to suppress this warning"),
            ".",
        )


def _quote(words: dict[str, int]) -> str:
    shown = [f"{word!r} ({count})" for word, count in list(words.items())[:MAX_WORDS]]
    return ", ".join(shown) + (", ..." if len(words) > MAX_WORDS else "")
