"""Texts of ISO 8601 are dates, in UTC; all others are not."""

import datetime

import pandas as pd
import pytest

from manyminds.datasets.dates import (
    as_dates,
    holds_dates,
    holds_times,
    looks_like_dates,
    parse_date,
    parse_dates,
)


@pytest.mark.parametrize("cell", ["2020-02-30", "2020-1-5", "20200131", "1-2-3"])
def test_what_is_no_date(cell):
    assert parse_date(cell) is None


def test_time_zones_are_all_or_none():
    with_zone = ["2020-01-31 10:00Z", "2020-01-31T12:00+02:00"]
    assert parse_dates(with_zone) == [datetime.datetime(2020, 1, 31, 10)] * 2
    assert parse_dates([*with_zone, "2020-01-31"]) is None
    assert parse_dates(["2020-01-31", "soon"]) is None


def test_objects_of_python_are_recognized():
    dates = pd.Series([None, datetime.date(2020, 1, 31)], dtype=object)
    times = pd.Series([datetime.time(12, 30)], dtype=object)
    assert holds_dates(dates) and not holds_times(dates)
    assert holds_times(times) and not holds_dates(times)
    assert as_dates(dates).tolist() == [pd.NaT, pd.Timestamp("2020-01-31")]
    with pytest.raises(ValueError, match=r"'x' must hold dates .*got 'soon'"):
        as_dates(pd.Series(["soon"], name="x", dtype=object))


def test_ambiguous_formats():
    assert looks_like_dates(["31.01.2020", "1/2/20"])
    assert not looks_like_dates(["31.01.2020", "version 1.2"])
