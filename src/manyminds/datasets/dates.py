"""Parse dates, and convert them to one dtype: datetime64 in microseconds, UTC."""

import datetime
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

__all__ = [
    "DATE_DTYPE",
    "as_dates",
    "holds_dates",
    "holds_durations",
    "holds_times",
    "is_dates",
    "looks_like_dates",
    "parse_date",
    "parse_dates",
]

DATE_DTYPE = "datetime64[us]"  # reaches from year 1 to 9999, as Python's dates do
ISO_DATE = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?P<zone> ?(?:Z|[+-]\d\d:?\d\d))?)?"
)
# Dates that are not parsed: the order of day and month is ambiguous.
OTHER_DATE = re.compile(
    r"(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)|\d{4}([./])\d{1,2}\2\d{1,2})(?:[T ].*)?"
)


def is_dates(dtype: Any) -> bool:
    """Return whether a dtype is that of dates, with or without a time zone."""
    return bool(types.is_datetime64_any_dtype(dtype))


def holds_dates(column: pd.Series) -> bool:
    """Return whether the cells of a column are dates already; text is not parsed."""
    if is_dates(column.dtype) or isinstance(column.dtype, pd.PeriodDtype):
        return True
    return isinstance(_first_object(column), datetime.date)


def holds_times(column: pd.Series) -> bool:
    """Return whether the cells of a column are times of day or durations."""
    return holds_durations(column) or isinstance(_first_object(column), datetime.time)


def holds_durations(column: pd.Series) -> bool:
    """Return whether the cells of a column are durations."""
    if types.is_timedelta64_dtype(column.dtype):
        return True
    return isinstance(_first_object(column), datetime.timedelta)


def parse_date(text: str) -> datetime.datetime | None:
    """Convert a text in ISO 8601 to a date, in UTC; None if it is not one.

    The format is ``2024-01-31``, optionally followed by a time: ``T`` or a blank, then
    ``10:30``, ``10:30:15`` or ``10:30:15.25``, then optionally ``Z`` or ``+01:00``.

    Examples
    --------
    >>> from manyminds.datasets.dates import parse_date
    >>> parse_date("2024-01-31 00:30+01:00")
    datetime.datetime(2024, 1, 30, 23, 30)
    >>> parse_date("31.01.2024"), parse_date("2024-02-30")
    (None, None)
    """
    if ISO_DATE.fullmatch(text) is None:
        return None
    try:
        date = datetime.datetime.fromisoformat(re.sub(" (?=[Z+-])", "", text))
        return date if date.tzinfo is None else _to_utc(date)
    except (ValueError, OverflowError):  # no such day, or before year 1
        return None


def parse_dates(texts: Iterable[str]) -> list[datetime.datetime] | None:
    """Convert texts to dates; None unless all are dates and all or none have zones."""
    found, with_zone = [], set()
    for text in texts:
        match = ISO_DATE.fullmatch(text)
        date = None if match is None else parse_date(text)
        if match is None or date is None:
            return None
        found.append(date)
        with_zone.add(match["zone"] is not None)
    return found if len(with_zone) == 1 else None


def looks_like_dates(texts: Iterable[str]) -> bool:
    """Return whether texts are dates in an ambiguous format, such as 31.01.2024."""
    return all(OTHER_DATE.fullmatch(text) is not None for text in texts)


def as_dates(column: pd.Series) -> pd.Series:
    """Convert a column of dates to datetime64[us] without a time zone, in UTC.

    Parameters
    ----------
    column : Series
        Dates of pandas, NumPy or Python, periods, or text that `parse_date` accepts.

    Returns
    -------
    dates : Series
        NaT for missing values. Times without a zone are not converted.
    """
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if not is_dates(column.dtype):
        return _from_objects(column)
    if getattr(column.dtype, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    return pd.Series(
        column.to_numpy().astype(DATE_DTYPE), column.index, name=column.name
    )


def _from_objects(column: pd.Series) -> pd.Series:
    cells = column.to_numpy(dtype=object, na_value=None)
    dates = np.array([_convert(cell, column.name) for cell in cells], dtype=DATE_DTYPE)
    return pd.Series(dates, column.index, name=column.name)


def _convert(cell: Any, name: Any) -> Any:
    if cell is None or cell is pd.NaT:
        return None
    if isinstance(cell, datetime.datetime):  # of pandas as well
        if isinstance(cell, pd.Timestamp):
            cell = cell.to_pydatetime(warn=False)
        return cell if cell.tzinfo is None else _to_utc(cell)
    if isinstance(cell, datetime.date):
        return cell
    date = parse_date(str(cell).strip())
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
