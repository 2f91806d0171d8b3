"""Columns that say nothing go."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array

from manyminds.preprocessing import ColumnCleaner
from manyminds.preprocessing.column_cleaner import _count_values

NAN = np.nan
TABLE = np.array(
    [[1.0, NAN, 3.0, NAN, 0.0], [2.0, NAN, 3.0, 5.0, 0.0], [2.0, NAN, 3.0, 6.0, 0.0]]
)


def test_empty_and_constant_columns_go():
    kept = ColumnCleaner().fit(TABLE).get_support()
    assert kept.tolist() == [True, False, False, True, False]
    kept = ColumnCleaner(drop_constant=False).fit(TABLE).get_support()
    assert kept.tolist() == [True, False, True, True, True]


def test_one_column_may_be_kept_where_none_varies():
    table = np.array([[NAN, 3.0, 0.0], [NAN, 3.0, 0.0]])
    assert not ColumnCleaner().fit(table).get_support().any()
    kept = ColumnCleaner(keep_one=True).fit(table).get_support()
    assert kept.tolist() == [False, True, False]
    assert ColumnCleaner(keep_one=True).fit(table[:, :1]).get_support().all()
    kept = ColumnCleaner(keep_one=True).fit(TABLE).get_support()
    assert kept.tolist() == ColumnCleaner().fit(TABLE).get_support().tolist()


def test_frames_keep_their_categories_and_names():
    frame = pd.DataFrame(TABLE, columns=list("abcde"))
    frame["hue"] = pd.Categorical(["red", None, "blue"])
    frame["one"] = pd.Categorical(["red", None, "red"])
    cleaner = ColumnCleaner().fit(frame)
    made = cleaner.transform(frame)
    assert list(made) == ["a", "d", "hue"]
    assert isinstance(made["hue"].dtype, pd.CategoricalDtype)
    assert cleaner.get_feature_names_out().tolist() == ["a", "d", "hue"]


@pytest.mark.parametrize(
    ("column", "n_values"),
    [
        (pd.Series([NAN, NAN, NAN]), 0),
        (pd.Series([NAN, 7.0, 7.0]), 1),
        (pd.Series([-np.inf, NAN, np.inf]), 2),
        (pd.Series([None, 3, 4], dtype="Int64"), 2),
        (pd.Series([True, True, True]), 1),
        (pd.Series(["a", None, "a"]), 1),
        (pd.Series(["a", None, "b"]), 2),
        (pd.Categorical([None, None, None], ["a", "b"]), 0),
        (pd.Categorical(["b", "b", None], ["a", "b", "c"]), 1),
        (pd.Series(pd.to_datetime(["2020-01-01", None, "2020-01-02"])), 2),
    ],
    ids=range(10),
)
def test_values_of_every_dtype_are_counted(column, n_values):
    frame = pd.concat([pd.Series(column, name="a")] * 2, axis=1)  # two of one name
    assert _count_values(frame).tolist() == [n_values] * 2


def test_sparse_tables_stay_sparse():
    made = ColumnCleaner().fit_transform(csc_array(np.nan_to_num(TABLE)))
    assert made.shape == (3, 2)
