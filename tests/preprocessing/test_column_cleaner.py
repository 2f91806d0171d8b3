"""Columns that say nothing go."""

import numpy as np
import pandas as pd
from scipy.sparse import csc_array

from manyminds.preprocessing import ColumnCleaner

NAN = np.nan
TABLE = np.array(
    [[1.0, NAN, 3.0, NAN, 0.0], [2.0, NAN, 3.0, 5.0, 0.0], [2.0, NAN, 3.0, 6.0, 0.0]]
)


def test_empty_and_constant_columns_go():
    kept = ColumnCleaner().fit(TABLE).get_support()
    assert kept.tolist() == [True, False, False, True, False]
    kept = ColumnCleaner(drop_constant=False).fit(TABLE).get_support()
    assert kept.tolist() == [True, False, True, True, True]


def test_frames_keep_their_categories_and_names():
    frame = pd.DataFrame(TABLE, columns=list("abcde"))
    frame["hue"] = pd.Categorical(["red", None, "blue"])
    frame["one"] = pd.Categorical(["red", None, "red"])
    cleaner = ColumnCleaner().fit(frame)
    made = cleaner.transform(frame)
    assert list(made) == ["a", "d", "hue"]
    assert isinstance(made["hue"].dtype, pd.CategoricalDtype)
    assert cleaner.get_feature_names_out().tolist() == ["a", "d", "hue"]


def test_sparse_tables_stay_sparse():
    made = ColumnCleaner().fit_transform(csc_array(np.nan_to_num(TABLE)))
    assert made.shape == (3, 2)
