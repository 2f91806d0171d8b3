"""Columns that a model was fitted on, and their match in another table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.column_notes import warn_of_blanks
from manyminds.datasets.columns import (
    MISSING_VALUES,
    Cells,
    format_value,
    holds_numbers,
    read_column,
    refuse_infinities,
)
from manyminds.datasets.dates import holds_dates, holds_times, is_dates
from manyminds.datasets.frames import as_pandas
from manyminds.datasets.marked_numbers import NumberMark
from manyminds.datasets.names import find_close, list_some, with_text_names
from manyminds.datasets.texts import is_free_text
from manyminds.utils.errors import InputError, warn_caller

__all__ = ["Column", "describe_columns", "match_columns"]

BOOLEANS = {"False", "True"}
BITS = {"0": "False", "1": "True"}


@dataclass(frozen=True)
class Column:
    """A column that a model was fitted on.

    Parameters
    ----------
    name : str
    levels : tuple of str or None, default=None
        Categories in their order; None for a column of numbers, dates or free text.
    ordered : bool, default=False
        Whether the categories are ordinal.
    is_date : bool, default=False
        Whether it holds dates.
    is_text : bool, default=False
        Whether it holds free text, which has no fixed categories.
    mark : NumberMark or None, default=None
        Currency, percent sign or unit of its numbers in the table of the fit.

    Examples
    --------
    >>> from manyminds.datasets import Column
    >>> Column("hue", ("blue", "red")).is_numeric
    False
    """

    name: str
    levels: tuple[str, ...] | None = None
    ordered: bool = False
    is_date: bool = False
    is_text: bool = False
    mark: NumberMark | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.levels is None and not self.is_date and not self.is_text


def describe_columns(
    X: pd.DataFrame, marks: Mapping[str, NumberMark] | None = None
) -> tuple[Column, ...]:
    """Return the names, types and categories of the columns of a data set.

    Parameters
    ----------
    X : DataFrame
        Columns of float64, of dates and of category, such as ``Dataset.X``.
    marks : mapping of str to NumberMark, default=None
        Of columns of numbers, such as ``Dataset.marks``.

    Returns
    -------
    columns : tuple of Column

    Examples
    --------
    >>> from manyminds.datasets import describe_columns, load_dataset
    >>> describe_columns(load_dataset("tic-tac-toe").X)[0].levels
    ('b', 'o', 'x')
    """
    dtypes, known = enumerate(zip(X.columns, X.dtypes)), marks or {}
    found = [_describe(X, place, str(name), dt) for place, (name, dt) in dtypes]
    return tuple(replace(one, mark=known.get(one.name)) for one in found)


def _describe(X: pd.DataFrame, place: int, name: str, dtype: Any) -> Column:
    if not isinstance(dtype, pd.CategoricalDtype):
        return Column(name, is_date=is_dates(dtype))
    if is_free_text(X.iloc[:, place]):
        return Column(name, is_text=True)
    return Column(name, tuple(map(str, dtype.categories)), bool(dtype.ordered))


def match_columns(frame: Any, columns: Sequence[Column]) -> pd.DataFrame:
    """Convert a table to the columns of a model: their names, order and dtypes.

    An absent column, text in a column of numbers or dates, and infinite numbers are
    errors. Unknown columns are left out, and unknown categories become missing values,
    both with a warning.

    Parameters
    ----------
    frame : DataFrame
        Of pandas or of polars.
    columns : sequence of Column

    Returns
    -------
    X : DataFrame
        Columns of float64, of dates, and of category with exactly the known
        categories; free text has the categories of this table.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets import Column, match_columns
    >>> known = [Column("hue", ("blue", "red")), Column("size")]
    >>> match_columns(pd.DataFrame({"size": ["3", "?"], "hue": ["red", "red"]}), known)
       hue  size
    0  red   3.0
    1  red   NaN
    >>> match_columns(pd.DataFrame({"sise": [3.0], "hue": ["red"]}), known)
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: The model needs the column 'size', which is not
    in the table (perhaps called 'sise').
    """
    frame = with_text_names(as_pandas(frame))
    names = [column.name for column in columns]
    known = set(names)
    extra = [name for name in frame.columns if name not in known]
    if absent := [name for name in names if name not in frame.columns]:
        raise InputError(_format_absent(absent, extra))
    if extra:
        warn_caller(
            f"{len(extra)} columns that the model does not know are left out: "
            f"{list_some(extra)}."
        )
    X = frame[names]
    if _are_ready(X, columns):
        return X
    found = {}
    for column in columns:
        read = _as_numbers if column.is_numeric else _as_levels
        read = _as_dates if column.is_date else read
        read = _as_texts if column.is_text else read
        found[column.name] = read(frame[column.name], column)
    return pd.DataFrame(found, index=frame.index, columns=names)


def _are_ready(X: pd.DataFrame, columns: Sequence[Column]) -> bool:
    """Return whether all columns are finite or missing float64, as a model has them."""
    if not all(one.is_numeric for one in columns):
        return False
    is_float = all(dtype == np.float64 for dtype in X.dtypes)
    return is_float and not np.isinf(X.to_numpy()).any()


def _format_absent(absent: list[str], others: list[str]) -> str:
    several = len(absent) > 1
    which = "columns" if several else "column"
    are = "are" if several else "is"
    text = f"The model needs the {which} {list_some(absent)}, which {are} not in the "
    close = [one for name in absent[:5] for one in find_close(name, others, 1)]
    return text + (f"table (perhaps called {list_some(close)})." if close else "table.")


def _as_numbers(cells: pd.Series, column: Column) -> np.ndarray:
    if holds_numbers(cells) or holds_dates(cells) or holds_times(cells):
        return read_column(cells, "numeric").to_numpy()
    known = _known_cells(cells, "numbers")
    if {text.capitalize() for text in known.texts} <= BOOLEANS:
        truth = [float(text.capitalize() == "True") for text in known.texts]
        return np.array([*truth, np.nan])[known.codes]
    known = known.parse_as(column.mark)
    if words := list(known.words()):
        mark = f" with {column.mark.text}" if column.mark and column.mark.text else ""
        raise InputError(
            f"Column {column.name!r} holds numbers{mark} in the model, but text in "
            f"this table: {list_some(words)}."
        )
    return refuse_infinities(known.as_numbers(), column.name)


def _known_cells(cells: pd.Series, kind: str) -> Cells:
    """Return the cells of text; dashes and dots are missing, however many there are."""
    found = Cells.of(cells, MISSING_VALUES)
    known = found.without_blanks()
    if known is not found:
        warn_of_blanks(cells.name, kind, found.count_texts())
    return known


def _as_dates(cells: pd.Series, column: Column) -> np.ndarray:
    try:
        if holds_numbers(cells) or holds_dates(cells) or holds_times(cells):
            return read_column(cells, "date").to_numpy()
        return _known_cells(cells, "dates").as_dates(column.name)
    except ValueError as error:
        raise InputError(
            f"{error} It was a column of dates when the model was fitted."
        ) from None


def _as_texts(cells: pd.Series, column: Column) -> pd.Categorical:
    return read_column(cells, "categorical").array


def _as_levels(cells: pd.Series, column: Column) -> pd.Categorical:
    levels = column.levels or ()
    marks = set(MISSING_VALUES).difference(levels)
    found = read_column(cells, "categorical", marks)
    texts = [str(text) for text in found.cat.categories]
    if set(levels) <= BOOLEANS:
        # Some readers convert true and TRUE to Python's True; some files have 0 and 1.
        texts = [BITS.get(text, text.capitalize()) for text in texts]
    place = {format_value(level): code for code, level in enumerate(levels)}
    codes = np.array([place.get(text, -1) for text in texts] + [-1])
    counts = np.bincount(found.cat.codes[found.notna()], minlength=len(texts))
    unseen = [text for text, n in zip(texts, counts) if n and text not in place]
    if unseen:
        warn_caller(
            f"Column {column.name!r} holds {len(unseen)} categories that the model has "
            f"never seen: {list_some(unseen)}. They are treated as missing."
        )
    index = pd.Index(list(levels)) if levels else pd.Index([], dtype=object)
    dtype = pd.CategoricalDtype(index, column.ordered)
    return pd.Categorical.from_codes(codes[found.cat.codes.to_numpy()], dtype=dtype)
