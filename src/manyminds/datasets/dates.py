"""Recognise dates, and bring them to one form: datetime64 in microseconds, UTC."""

import datetime
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

__all__ = [
    "as_dates",
    "date_in",
    "holds_dates",
    "holds_times",
    "is_dates",
    "looks_like_dates",
    "read_dates",
]

UNIT = "datetime64[us]"  # reaches from year 1 to 9999, as Python's dates do
ISO_DATE = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?P<zone> ?(?:Z|[+-]\d\d:?\d\d))?)?"
)
# Dates that are not read: whether the day or the month comes first cannot be told.
OTHER_DATE = re.compile(
    r"(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)|\d{4}([./])\d{1,2}\2\d{1,2})(?:[T ].*)?"
)


def is_dates(dtype: Any) -> bool:
    """Check whether a dtype is that of dates, with or without a time zone."""
    return bool(types.is_datetime64_any_dtype(dtype))


def holds_dates(column: pd.Series) -> bool:
    """Check whether the cells of a column are dates already: no text is looked at."""
    if is_dates(column.dtype) or isinstance(column.dtype, pd.PeriodDtype):
        return True
    return isinstance(_first_object(column), datetime.date)


def holds_times(column: pd.Series) -> bool:
    """Check whether the cells are times of day or spans of time, which are no dates."""
    if types.is_timedelta64_dtype(column.dtype):
        return True
    return isinstance(_first_object(column), datetime.time | datetime.timedelta)


def date_in(text: str) -> datetime.datetime | None:
    """Read a text as a date of ISO 8601, in UTC; None if it is not one.

    Takes ``2024-01-31``, alone or followed by a time: ``T`` or a blank, then
    ``10:30``, ``10:30:15`` or ``10:30:15.25``, then perhaps ``Z`` or ``+01:00``.

    Examples
    --------
    >>> from manyminds.datasets.dates import date_in
    >>> date_in("2024-01-31 00:30+01:00")
    datetime.datetime(2024, 1, 30, 23, 30)
    >>> date_in("31.01.2024"), date_in("2024-02-30")
    (None, None)
    """
    if ISO_DATE.fullmatch(text) is None:
        return None
    try:
        date = datetime.datetime.fromisoformat(re.sub(" (?=[Z+-])", "", text))
        return date if date.tzinfo is None else _to_utc(date)
    except (ValueError, OverflowError):  # no such day, or before year 1
        return None


def read_dates(texts: Iterable[str]) -> list[datetime.datetime] | None:
    """Read texts as dates; None unless all of them are, and all or none have zones."""
    found, with_zone = [], set()
    for text in texts:
        match = ISO_DATE.fullmatch(text)
        date = None if match is None else date_in(text)
        if match is None or date is None:
            return None
        found.append(date)
        with_zone.add(match["zone"] is not None)
    return found if len(with_zone) == 1 else None


def looks_like_dates(texts: Iterable[str]) -> bool:
    """Check whether texts are dates in a form that is not read, such as 31.01.2024."""
    return all(OTHER_DATE.fullmatch(text) is not None for text in texts)


def as_dates(column: pd.Series) -> pd.Series:
    """Bring a column of dates to datetime64[us] without a time zone, in UTC.

    Parameters
    ----------
    column : Series
        Dates of pandas, of NumPy or of Python, periods, or text that `date_in` reads.

    Returns
    -------
    dates : Series
        NaT where a cell is missing. Times without a zone are taken as they are.
    """
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if not is_dates(column.dtype):
        return _from_objects(column)
    if getattr(column.dtype, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    return pd.Series(column.to_numpy().astype(UNIT), column.index, name=column.name)


def _from_objects(column: pd.Series) -> pd.Series:
    cells = column.to_numpy(dtype=object, na_value=None)
    dates = np.array([_read_one(cell, column.name) for cell in cells], dtype=UNIT)
    return pd.Series(dates, column.index, name=column.name)


def _read_one(cell: Any, name: Any) -> Any:
    if cell is None or cell is pd.NaT:
        return None
    if isinstance(cell, datetime.datetime):  # of pandas as well
        date = cell.to_pydatetime(warn=False) if hasattr(cell, "asm8") else cell
        return date if date.tzinfo is None else _to_utc(date)
    if isinstance(cell, datetime.date):
        return cell
    date = date_in(str(cell).strip())
    if date is None:
        raise ValueError(
            f"Column {name!r} must hold dates such as 2024-01-31 or 2024-01-31T10:30; "
            f"got {str(cell)!r}."
        )
    return date


def _to_utc(date: datetime.datetime) -> datetime.datetime:
    return date.astimezone(datetime.UTC).replace(tzinfo=None)


def _first_object(column: pd.Series) -> Any:
    if column.dtype != object:
        return None
    place = column.first_valid_index()
    return None if place is None else column.loc[place]
