"""Rows and columns are taken by position, whatever kind of table it is."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, issparse

from manyminds.utils.tables import (
    is_frame,
    is_pandas,
    is_polars,
    name_columns,
    take_columns,
    take_rows,
)

VALUES = np.arange(12.0).reshape(4, 3)


def make_table(kind):
    if kind == "pandas":
        return pd.DataFrame(VALUES, columns=list("abc"), index=[3, 2, 1, 0])
    if kind == "polars":
        polars = pytest.importorskip("polars")
        return polars.DataFrame(dict(zip("abc", VALUES.T)))
    return csr_array(VALUES) if kind == "sparse" else VALUES


def read(table):
    return table.toarray() if issparse(table) else np.asarray(table)


@pytest.fixture(params=["array", "sparse", "pandas", "polars"])
def table(request):
    """Return the same numbers as a table of each kind."""
    return make_table(request.param)


def test_rows_are_taken_in_the_order_asked_for(table):
    assert (read(take_rows(table, [2, 0])) == VALUES[[2, 0]]).all()
    assert (read(take_rows(table, np.array([3, 3]))) == VALUES[[3, 3]]).all()


def test_columns_are_taken_by_position_or_mask(table):
    assert (read(take_columns(table, [2, 0])) == VALUES[:, [2, 0]]).all()
    mask = np.array([True, False, True])
    assert (read(take_columns(table, mask)) == VALUES[:, mask]).all()


def test_no_column_is_a_choice(table):
    assert take_columns(table, [False] * 3).shape[1] == 0
    assert take_columns(table, []).shape[1] == 0


def test_the_kind_of_table_stays(table):
    for taken in (take_rows(table, [0, 1]), take_columns(table, [0, 1])):
        assert type(taken) is type(table)


def test_duplicate_names_do_not_matter():
    frame = pd.DataFrame(VALUES, columns=["a", "a", "b"])
    assert take_columns(frame, [1]).to_numpy().ravel().tolist() == [1.0, 4.0, 7.0, 10.0]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("array", (False, False, False)),
        ("sparse", (False, False, False)),
        ("pandas", (True, False, True)),
        ("polars", (False, True, True)),
    ],
)
def test_frames_are_recognized(kind, expected):
    table = make_table(kind)
    assert (is_pandas(table), is_polars(table), is_frame(table)) == expected


def test_a_series_is_no_frame():
    assert not is_frame(pd.Series([1.0]))


def test_names_of_polars_are_readable():
    assert list(name_columns(make_table("polars")).columns) == ["a", "b", "c"]
    frame = make_table("pandas")
    assert name_columns(frame) is frame
