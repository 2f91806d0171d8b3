"""Columns become numbers or categories by rules that do not guess."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.columns import Cells, format_value, parse_number, read_column


def read(values, kind=None, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return read_column(pd.Series(values, name="x"), kind, **options)


def categories_of(values, kind=None, **options):
    return read(values, kind, **options).cat.categories.tolist()


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        np.array([1, 2, 3], dtype=np.uint8),
        pd.array([1, 2, 3], dtype="Int64"),
        pd.array([1, 2, 3], dtype="Float32"),
        ["1", " 2 ", "3e0"],
        pd.array(["1", "2", "3"], dtype="string"),
        np.array([1, "2", 3.0], dtype=object),
        [b"1", b"2", b"3"],
    ],
)
def test_numbers_in_all_their_clothes(values):
    column = read(values)
    assert column.dtype == np.float64
    assert_array_equal(column, [1, 2, 3])


@pytest.mark.parametrize(
    "values",
    [
        ["1", "?", "3"],
        ["1", " NA ", "3"],
        [1.0, None, 3.0],
        pd.array([1, None, 3], dtype="Int64"),
        ["1", None, "3"],
    ],
)
def test_missing_numbers(values):
    assert_array_equal(read(values), [1, np.nan, 3])


def test_text_becomes_trimmed_sorted_categories():
    column = read(["b", " a", "b ", "?", None])
    assert column.tolist() == ["b", "a", "b", np.nan, np.nan]
    assert column.cat.categories.tolist() == ["a", "b"]


def test_codes_are_never_guessed_to_be_categories():
    assert read([0, 1, 0, 1]).dtype == np.float64


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 10], ["1", "10", "2"]),
        ([1.0, np.nan, 2.0], ["1", "2"]),
        ([1.5, 2.0, 2.0], ["1.5", "2"]),
        (["01", "1", "1"], ["01", "1"]),
        ([True, False, True], ["False", "True"]),
    ],
)
def test_declared_categories_keep_their_text(values, expected):
    assert categories_of(values, "categorical") == expected


@pytest.mark.parametrize(
    "values",
    [
        [True, False, None],
        np.array([True, False]),
        pd.array([True, False, None], dtype="boolean"),
    ],
)
def test_booleans_are_words(values):
    assert categories_of(values) == ["False", "True"]


def test_booleans_declared_numeric():
    assert_array_equal(read([True, False], "numeric"), [1, 0])


def test_a_category_column_keeps_its_categories_and_their_order():
    column = pd.Categorical(["low", "?"], ["low", "?", "high"], ordered=True)
    assert categories_of(column) == ["low", "?", "high"]
    assert read(column).cat.ordered
    assert read(column).isna().sum() == 0  # a declared category is no mark
    assert categories_of(pd.Categorical([2, 1, 2])) == ["1", "2"]
    assert categories_of(pd.Categorical([2.0, 0.5])) == ["0.5", "2"]
    assert_array_equal(read(pd.Categorical(["2", "1"]), "numeric"), [2, 1])


def test_categories_that_become_equal_are_one():
    column = read(pd.Categorical(["a", "a ", None]))
    assert column.cat.categories.tolist() == ["a"]
    assert column.isna().tolist() == [False, False, True]


def test_nothing_but_missing_values_is_a_column_of_numbers():
    column = read([None, "?", ""])
    assert column.dtype == np.float64
    assert column.isna().all()
    assert len(categories_of([None, "?"], "categorical")) == 0


def test_marks_that_are_numbers():
    assert_array_equal(read([1, -9, 2], missing_values=("-9",)), [1, np.nan, 2])
    assert categories_of(["a", "-9", "b"], missing_values=("-9",)) == ["a", "b"]


def test_constant_columns_stay():
    assert read([5, 5]).tolist() == [5.0, 5.0]
    assert read(["a"] * 30).tolist() == ["a"] * 30


def test_a_few_words_among_numbers_are_told():
    values = [str(i) for i in range(997)] + ["none"] * 3
    with pytest.warns(UserWarning, match=r"'x'.*3 of 1000.*: 'none' \(3\)") as told:
        column = read_column(pd.Series(values, name="x"))
    assert isinstance(column.dtype, pd.CategoricalDtype)
    assert told[0].filename == __file__  # where it can be mended
    assert read(values, missing_values=("none",)).dtype == np.float64
    assert isinstance(read(values, "categorical").dtype, pd.CategoricalDtype)


def test_many_words_among_numbers_are_not_told():
    assert len(categories_of(["1", "2", "many", "few"] * 10)) == 4


def test_identifiers_are_told():
    names = pd.Series([f"person {i}" for i in range(20)], name="who")
    with pytest.warns(UserWarning, match="'who'.*20 different.*identifier.*with drop"):
        read_column(names)
    read(names.tolist()[:19])
    read([*names, "person 0"])
    read(names.tolist(), "categorical")
    read([f"remark {i} on something" for i in range(20)])  # free text is none


def test_words_in_a_numeric_column_are_refused():
    with pytest.raises(
        ValueError, match=r"'x' is declared numeric, but 2 of its 3 .*'b'"
    ):
        read(["1", "b", "b"], "numeric")


DAY = pd.Timestamp("2020-01-31")


@pytest.mark.parametrize(
    "values",
    [
        pd.to_datetime(["2020-01-31", None]),
        pd.PeriodIndex(["2020-01-31", None], freq="D"),
        pd.DatetimeIndex(["2020-01-31T09:00", None], tz="Asia/Tokyo"),
        [datetime.date(2020, 1, 31), None],
        ["2020-01-31", "?"],
        ["2020-01-31 00:00", ""],
        ["2020-01-31T00:00:00.000Z", None],
        ["2020-01-31T01:30:00+01:30", None],
    ],
)
def test_dates_in_any_form(values):
    column = read(values)
    assert column.dtype == "datetime64[us]"
    assert column.tolist() == [DAY, pd.NaT]
    assert len(categories_of(values, "categorical")) == 1
    with pytest.raises((TypeError, ValueError), match=r"'x' (holds dates|is declared)"):
        read(values, "numeric")


@pytest.mark.parametrize(
    ("cells", "warning"),
    [
        (["31.01.2020", "01.02.2020"], "seems to hold dates, such as '31.01.2020'"),
        (["2020-01-31 10:00Z", "2020-01-31"], "some with a time zone"),
        (["2020-01-31"] * 30 + ["0000-00-00"], "holds dates, except for 1 of 31 cells"),
    ],
)
def test_what_may_be_meant_as_dates_is_told(cells, warning):
    with pytest.warns(UserWarning, match=warning):
        assert read_column(pd.Series(cells, name="x")).dtype == "category"


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (pd.to_timedelta([1, 2], unit="D"), "durations"),
        ([None, datetime.timedelta(1)], "durations"),
        ([None, datetime.time(12, 30)], "times without a day"),
    ],
)
def test_times_without_a_day_are_refused_unless_declared(values, what):
    for kind in (None, "numeric"):
        with pytest.raises(TypeError, match=rf"'x' holds {what}\. Leave"):
            read(values, kind)
    assert len(categories_of(values, "categorical")) in (1, 2)


@pytest.mark.parametrize("values", [[1.0, -np.inf, np.inf], ["1", "-inf", "Infinity"]])
def test_infinite_numbers_are_counted_and_placed(values):
    for kind in (None, "numeric"):
        with pytest.raises(ValueError, match=r"'x' holds 2 infinite .*first in row 2"):
            read(values, kind)


def test_two_spellings_are_one_category():
    assert categories_of(["caf\u00e9", "cafe\u0301"]) == ["caf\u00e9"]


@pytest.mark.parametrize("values", [[[1], [2]], [{"a": 1}], [1j, 2j]])
def test_what_is_neither_number_nor_text_is_refused(values):
    with pytest.raises(TypeError, match=r"'x' holds .*with drop"):
        read(values)


def test_numbers_survive_the_way_through_text(seed):
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=200) * 10.0 ** rng.integers(-30, 30, 200)
    assert_array_equal(read([repr(float(number)) for number in numbers]), numbers)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1_000", None), ("nan", None), ("", None), ("1e3", 1000.0), ("-.5", -0.5)],
)
def test_which_texts_are_numbers(text, number):
    assert parse_number(text) == number


def test_text_of_large_whole_numbers_is_exact():
    assert format_value(2**60 + 1) == "1152921504606846977"
    assert format_value(np.int64(3)) == format_value(3.0) == format_value(" 3 ") == "3"


def test_cells_count_what_occurs():
    cells = Cells.of(pd.Series(["b", "a", "b", "?", None]), ("?",))
    assert cells.count_texts() == {"b": 2, "a": 1}
    assert cells.as_text().tolist() == ["b", "a", "b", None, None]
