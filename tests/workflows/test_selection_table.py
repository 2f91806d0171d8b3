"""Tables are prepared for a selection: identifiers, rare categories, missing values."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from manyminds.datasets import Dataset, from_arrays
from manyminds.utils.errors import InputError, InputWarning
from manyminds.workflows.selection_table import fill_missing, prepare_table


def make_data(**columns):
    X = pd.DataFrame(
        {
            name: pd.Categorical(values) if isinstance(values[0], str) else values
            for name, values in columns.items()
        }
    )
    return Dataset("toy", X, np.arange(len(X)) % 2, "classification")


def test_a_plain_table_stays_as_it_is():
    data = make_data(size=np.sin(np.arange(40.0)), hue=["red", "blue"] * 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, identifiers = prepare_table(data)
    pd.testing.assert_frame_equal(found.X, data.X)
    assert identifiers == {}
    sparse = from_arrays(csr_array(np.eye(4)), [0, 1, 0, 1])
    assert prepare_table(sparse)[0] is sparse


def test_texts_that_identify_rows_are_left_out_and_counters_are_not():
    data = make_data(
        size=np.sin(np.arange(40.0)),
        row=np.arange(40.0),
        key=[f"k{i}" for i in range(40)],
    )
    with pytest.warns(InputWarning, match="key is left out"):
        found, identifiers = prepare_table(data)
    assert list(found.X) == ["size", "row"] and set(identifiers) == {"key", "row"}


def test_many_identifiers_are_counted():
    keys = {f"key{i}": [f"k{j}" for j in range(40)] for i in range(7)}
    with pytest.warns(InputWarning) as caught:
        prepare_table(make_data(size=np.sin(np.arange(40.0)), **keys))
    texts = [str(one.message) for one in caught]
    assert len(texts) == 6
    assert texts[-1] == "2 more columns are left out as well."


def test_without_a_column_there_is_nothing_to_select_from():
    with (
        pytest.warns(InputWarning),
        pytest.raises(InputError, match="all columns of toy have a different text"),
    ):
        prepare_table(make_data(key=[f"k{i}" for i in range(40)]))


def test_rare_categories_are_merged_into_one():
    # "often" has ten rows, "b" and "c" have fewer, "unused" has none.
    data = make_data(hue=["often"] * 10 + ["b"] * 9 + ["c"] * 2)
    data.X["hue"] = data.X["hue"].cat.add_categories("unused")
    before = data.X.copy()
    with pytest.warns(InputWarning, match="fewer than 10 rows count as one: hue"):
        found, _ = prepare_table(data)
    assert found.X["hue"].tolist() == ["often"] * 10 + ["(rare)"] * 11
    pd.testing.assert_frame_equal(data.X, before)


def test_a_single_rare_category_keeps_its_name():
    data = make_data(hue=["often"] * 30 + ["rare"] * 3)
    data.X["hue"] = data.X["hue"].cat.add_categories("unused")
    assert prepare_table(data)[0].X["hue"].tolist() == data.X["hue"].tolist()


def test_too_many_categories_are_an_error():
    data = make_data(hue=[f"h{i % 256}" for i in range(2560)])
    with pytest.raises(InputError, match=r"hue \(256\)\. Leave them out with drop"):
        prepare_table(data)
    fewer = make_data(hue=[f"h{i % 255}" for i in range(2550)])
    assert prepare_table(fewer)[0].X["hue"].nunique() == 255


def test_missing_values_become_medians_and_a_category():
    X = pd.DataFrame(
        {
            "size": [1.0, np.nan, 3.0, 8.0],
            "void": [np.nan] * 4,
            "hue": pd.Categorical(["red", None, "red", "blue"]),
            "whole": pd.Categorical(["a", "b", "a", "b"]),
        }
    )
    filled = fill_missing(X)
    assert filled["size"].tolist() == [1.0, 3.0, 3.0, 8.0]
    assert filled["void"].tolist() == [0.0] * 4
    assert filled["hue"].tolist() == ["red", "(missing)", "red", "blue"]
    assert "(missing)" not in filled["whole"].cat.categories
    assert X["size"].isna().sum() == 1  # a copy


def test_sparse_tables_are_not_filled():
    with pytest.raises(InputError, match="fill them first"):
        fill_missing(csr_array(np.eye(2)))
