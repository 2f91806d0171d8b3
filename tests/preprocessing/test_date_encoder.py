"""Dates are taken apart, and all else is left alone."""

import datetime

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import from_frame
from manyminds.preprocessing import DateEncoder, encode_dates

DAYS = pd.to_datetime(["2024-01-31", "2024-02-29", None, "2023-12-31"])
FRAME = pd.DataFrame({"day": DAYS, "hue": pd.Categorical(["a", "b", "a", "b"])})


def test_worked_example():
    made = DateEncoder().fit_transform(FRAME)
    names = ["day_days", "day_year", "day_month", "day_day", "day_weekday", "hue"]
    assert list(made) == names
    # 2024-01-31 is a Wednesday, 54 years with 13 leap days and 30 days after 1970.
    assert_allclose(made.iloc[0, :5].astype(float), [19753, 2024, 1, 31, 2])
    assert made.iloc[2, :5].isna().all()
    assert isinstance(made["hue"].dtype, pd.CategoricalDtype)


def test_times_give_an_hour_and_parts_of_days():
    times = pd.to_datetime(["2024-01-31 06:00", "2024-01-31 18:30"])
    made = DateEncoder().fit_transform(pd.DataFrame({"at": times}))
    assert list(made) == ["at_days", "at_hour"]
    assert_allclose(made, [[19753.25, 6.0], [19753.0 + 18.5 / 24, 18.5]])


def test_parts_that_do_not_vary_in_training_are_left_out_later_too():
    encoder = DateEncoder().fit(FRAME.iloc[:2])
    assert encoder.parts_ == {0: ["days", "month", "day", "weekday"]}
    assert "day_year" not in encoder.transform(FRAME)
    empty = FRAME.assign(day=pd.Series([pd.NaT] * 4))
    assert list(DateEncoder().fit_transform(empty)) == ["hue"]


@pytest.mark.parametrize(
    "as_other",
    [
        lambda days: days.dt.strftime("%Y-%m-%d"),
        lambda days: days.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        lambda days: days.dt.date,
        lambda days: days.astype("datetime64[ns]"),
    ],
    ids=["text", "zone", "python", "nanoseconds"],
)
def test_any_form_of_the_same_dates_gives_the_same_parts(as_other):
    encoder = DateEncoder().fit(FRAME)
    made = encoder.transform(FRAME.assign(day=as_other(FRAME["day"])))
    pd.testing.assert_frame_equal(made, encoder.transform(FRAME))


def test_text_that_is_no_date_is_named():
    encoder = DateEncoder().fit(FRAME)
    with pytest.raises(ValueError, match=r"Column 'day' must hold dates .* got 'soon'"):
        encoder.transform(FRAME.assign(day="soon"))


def test_arrays_of_dates_become_arrays_of_numbers():
    days = np.array([["2024-01-31"], ["2024-02-01"]], dtype="datetime64[D]")
    encoder = DateEncoder().fit(days)
    assert_allclose(encoder.transform(days)[:, 0], [19753, 19754])
    assert encoder.get_feature_names_out()[0] == "x0_days"


def test_names_that_are_taken_get_a_mark():
    both = FRAME.assign(day_year=1.0)
    names = list(DateEncoder().fit_transform(both))
    assert "day_year_" in names and names[-1] == "day_year"


def test_polars_frames():
    polars = pytest.importorskip("polars")
    days = [datetime.date(2024, 1, 31), datetime.date(2024, 2, 29)]
    made = DateEncoder().fit_transform(polars.DataFrame({"day": days}))
    assert_allclose(made["day_days"], [19753, 19782])


def test_data_sets_without_dates_stay_as_they_are():
    data = from_frame(pd.DataFrame({"a": [1, 2], "target": [0.5, 1.5]}))
    assert encode_dates(data) is data
