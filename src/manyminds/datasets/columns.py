"""Convert a column of any content to numbers, dates or categories."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from numbers import Integral, Number
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from manyminds.datasets.blank_cells import MAX_SHARE_OF_BLANKS, is_blank
from manyminds.datasets.column_notes import (
    make_error_of_words,
    warn_of_blanks,
    warn_of_categories,
    warn_of_mark,
)
from manyminds.datasets.dates import (
    DATE_DTYPE,
    as_dates,
    holds_dates,
    holds_durations,
    holds_times,
    parse_date,
    parse_dates,
)
from manyminds.datasets.marked_numbers import (
    NumberMark,
    parse_marked_numbers,
    parse_with_mark,
)
from manyminds.utils.errors import InputError, InputTypeError, Parameter, PythonHint
from manyminds.utils.text import one_spelling

__all__ = [
    "MISSING_VALUES",
    "Cells",
    "format_value",
    "holds_numbers",
    "parse_number",
    "read_column",
    "read_marked_column",
    "refuse_dates",
    "refuse_infinite_columns",
    "refuse_infinities",
    "refuse_times",
    "to_numbers",
]

MISSING_VALUES = (
    "", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None",
)  # fmt: skip

Read = tuple[pd.Series, NumberMark | None]


def read_column(
    column: pd.Series,
    kind: str | None = None,
    missing_values: Collection[str] = MISSING_VALUES,
) -> pd.Series:
    """Convert a column to float64 numbers, to dates or to categories.

    Without a ``kind``, a column of numbers stays one: codes are never guessed to be
    categories. Text that is all numbers, apart from missing values, becomes numbers,
    also if these have one mark or unit, such as "€1,234.50", "5 %" or "84.3 kg", text
    that is all dates of ISO 8601 becomes dates, and all other text becomes categories,
    which are strings. Among numbers or dates, up to half of the cells may consist of
    dashes, dots or question marks: they are missing values. Booleans become "False" and
    "True". A column that is categorical already keeps its categories, as text, and
    their order.

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
    return read_marked_column(column, kind, missing_values)[0]


def read_marked_column(
    column: pd.Series,
    kind: str | None = None,
    missing_values: Collection[str] = MISSING_VALUES,
) -> Read:
    """Convert a column as `read_column` does; return it and the mark of its numbers.

    Parameters
    ----------
    column, kind, missing_values
        See `read_column`.

    Returns
    -------
    column : Series
    mark : NumberMark or None
        None if its numbers have no mark, or if it holds none.
    """
    if kind != "categorical" and holds_dates(column):
        if kind == "numeric":
            refuse_dates(column)
        return as_dates(column), None
    refuse_times(column, kind)
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    if declared and kind in (None, "categorical"):
        return _with_text_categories(column), None
    if holds_numbers(column) and kind in (None, "numeric"):
        numbers = to_numbers(column, missing_values)
        refuse_infinities(numbers, column.name)
        return pd.Series(numbers, name=column.name), None
    return _read_cells(
        column, kind, Cells.of(column, () if declared else missing_values)
    )


def _read_cells(column: pd.Series, kind: str | None, cells: "Cells") -> Read:
    mark = None
    if kind != "categorical":
        cells = _without_blanks(column.name, cells, kind)
    if kind in (None, "numeric"):
        marked, mark = cells.parse_marked()
        if mark is not None and kind is None:
            warn_of_mark(column.name, next(iter(cells.words())), mark)
        cells = marked
    kind = _find_kind(column.name, cells) if kind is None else kind
    found: Any
    if kind == "numeric":
        found = _as_numbers(column, cells)
    else:
        is_date = kind == "date"
        found = cells.as_dates(column.name) if is_date else cells.as_categories()
    return pd.Series(found, name=column.name), mark


def _without_blanks(name: Any, cells: "Cells", kind: str | None) -> "Cells":
    """Return cells without dashes and dots if all others are numbers or all dates."""
    known = cells.without_blanks()
    n_cells, n_known = int((cells.codes >= 0).sum()), int((known.codes >= 0).sum())
    if n_known in (0, n_cells) or n_cells - n_known > MAX_SHARE_OF_BLANKS * n_cells:
        return cells
    if kind != "date" and not known.parse_marked()[0].words():
        warn_of_blanks(name, "numbers", cells.count_texts())
        return known
    if kind != "numeric" and parse_dates(known.texts) is not None:
        warn_of_blanks(name, "dates", cells.count_texts())
        return known
    return cells


def _find_kind(name: Any, cells: "Cells") -> str:
    """Infer the type of text; warn of categories that may be meant as another one."""
    if not cells.words():
        return "numeric"
    if parse_dates(cells.texts) is not None:
        return "date"
    warn_of_categories(name, cells.count_texts(), cells.words())
    return "categorical"


def _as_numbers(column: pd.Series, cells: "Cells") -> np.ndarray:
    if types.is_bool_dtype(column.dtype):
        return column.to_numpy(dtype=np.float64)
    if words := cells.words():
        raise make_error_of_words(column.name, words, len(column))
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

    def count_texts(self) -> dict[str, int]:
        """Count the cells of each value."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))
        return dict(zip(self.texts, counts.tolist()))

    def words(self) -> dict[str, int]:
        """Count the cells of each value that is not a number."""
        n_cells = zip(self.count_texts().items(), self.numbers)
        return {text: n for (text, n), number in n_cells if number is None}

    def without_blanks(self) -> "Cells":
        """Return the cells with those of dashes, dots or question marks missing."""
        kept = np.array([not is_blank(text) for text in self.texts], dtype=bool)
        if kept.all():
            return self
        new = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
        places = np.flatnonzero(kept)
        texts = [self.texts[place] for place in places]
        return Cells(new[self.codes], texts, [self.numbers[place] for place in places])

    def parse_marked(
        self, with_units: bool = True
    ) -> tuple["Cells", NumberMark | None]:
        """Return the cells as numbers, and their mark, if all are such as "€1,234.50".

        Otherwise these cells as they are, and None.
        """
        texts = self.texts if self.words() else []
        found = parse_marked_numbers(texts, with_units)
        if found is None:
            return self, None
        numbers, mark = found
        return replace(self, numbers=list(numbers)), mark

    def parse_as(self, mark: NumberMark | None) -> "Cells":
        """Return the cells with numbers of a known mark; of None, without units."""
        if mark is None:
            return self.parse_marked(with_units=False)[0]
        return replace(self, numbers=parse_with_mark(self.texts, mark))

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
        what = "durations" if holds_durations(column) else "times without a day"
        raise InputTypeError(
            f"Column {column.name!r} holds {what}. Leave it out with ",
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
