"""Dashes, dots and question marks among numbers or dates are missing values."""

import warnings

import pandas as pd
import pytest

from manyminds.datasets import Column, match_columns, read_table
from manyminds.datasets.columns import read_column

DAYS = [f"2024-01-{k:02d}" for k in range(1, 18)]
NUMBERS = [str(k / 4) for k in range(17)]


def read(cells, kind=None):
    return read_column(pd.Series(cells, name="x"), kind)


@pytest.mark.parametrize("blank", ["-", "--", ".", "...", "??", "–"])
@pytest.mark.parametrize("n_blank", [1, 3, 17])
def test_blank_cells_are_missing_up_to_a_half(blank, n_blank):
    share = rf"except for {n_blank} of {17 + n_blank} cells: .*missing values"
    with pytest.warns(UserWarning, match=f"'x' holds dates, {share}"):
        days = read([*[blank] * n_blank, *DAYS])
    with pytest.warns(UserWarning, match=f"'x' holds numbers, {share}"):
        numbers = read([*[blank] * n_blank, *NUMBERS])
    assert days.dtype == "datetime64[us]" and days.isna().sum() == n_blank
    assert numbers.dtype == "float64" and numbers.isna().sum() == n_blank


def test_blank_cells_of_other_columns_are_categories():
    for cells in (["-"] * 18 + DAYS, ["-", "low", "high"], ["-", "--"], ["-", *DAYS]):
        kind = "categorical" if cells[1:] == DAYS else None
        assert "-" in list(read(cells, kind).cat.categories)


def test_declared_numbers_and_dates_have_blank_cells_too():
    with pytest.warns(UserWarning, match="missing values"):
        assert read(["1", "2", "-"], "numeric").tolist()[:2] == [1.0, 2.0]
    with pytest.warns(UserWarning, match="missing values"):
        assert read([*DAYS, "-"], "date").isna().sum() == 1


def test_decimal_commas_are_read_besides_blank_cells(tmp_path):
    rows = ["x;target", *[f"{k},25;{k % 2}" for k in range(8)], "-;0", "--;1"]
    for table in (rows, [rows[0], *rows[:0:-1]]):
        (tmp_path / "a.csv").write_text("\n".join(table))
        with pytest.warns(UserWarning, match="'x' holds numbers, except for 2 of 10"):
            x = read_table(tmp_path / "a.csv").X["x"]
        assert sorted(x.dropna()) == [k + 0.25 for k in range(8)]


@pytest.mark.parametrize("column", [Column("x"), Column("x", is_date=True)])
def test_rows_to_predict_may_be_blank(column):
    with pytest.warns(UserWarning, match="except for 1 of 1 cells: '-'"):
        X = match_columns(pd.DataFrame({"x": ["-"]}), [column])
    assert X["x"].isna().all()


def test_ambiguous_dates_are_noted_besides_blank_cells():
    days = ["31.01.2024", "01.02.2024", "-"] * 5
    with pytest.warns(UserWarning, match=r"seems to hold dates, such as '31\.01"):
        read(days)


def test_nothing_is_said_without_blank_cells():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read([*DAYS, None, "?"])
        read([*NUMBERS, "-1"])
