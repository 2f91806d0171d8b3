"""The table of a search is read without columns that identify its rows."""

import warnings

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset, load_dataset
from manyminds.utils.errors import InputError, InputWarning
from manyminds.workflows.search_table import leave_out_identifiers, read_search_table

NO_ROLES = {"group": None, "time": None, "fold": None, "weight": None}
FRAME = pd.DataFrame(
    {
        "sample": [f"S-{i:03d}" for i in range(40)],
        "size": np.sin(np.arange(40.0)),
        "hue": ["red", "blue"] * 20,
        "remark": [f"remark {i} of many" for i in range(40)],
        "y": ["a", "b", "b", "a"] * 10,
    }
)


def read(frame=FRAME, **roles):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = read_search_table(frame, "y", NO_ROLES | roles, None)
    return made, [str(one.message) for one in caught]


def test_texts_that_identify_rows_are_left_out_with_one_note():
    (table, features, _), notes = read()
    assert list(table.X) == ["sample", "size", "hue", "remark"]
    assert list(features.X) == ["size", "hue", "remark"]
    assert features.left_out == ("sample",)
    assert [one for one in notes if "sample" in one] == [
        "sample is left out: a different text in each row."
    ]


def test_a_column_of_groups_is_taken_for_them():
    (_, features, rows), notes = read(group="sample")
    assert len(set(rows.groups)) == 40 and features.left_out == ("sample",)
    assert not any("sample" in one for one in notes)


def test_numbers_orders_and_few_rows_stay():
    ranks = [f"rank {i:02d}" for i in range(30)]
    X = pd.DataFrame(
        {
            "row": np.arange(30.0),
            "rank": pd.Categorical(ranks, ranks, ordered=True),
            "name": pd.Categorical([*ranks[:19], *[None] * 11]),
        }
    )
    data = Dataset("toy", X, np.arange(30) % 2, "classification")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert leave_out_identifiers(data) is data


def test_a_column_must_be_left():
    data = Dataset(
        "toy",
        FRAME[["sample"]].astype("category"),
        np.arange(40) % 2,
        "classification",
    )
    with (
        pytest.warns(InputWarning, match="sample is left out"),
        pytest.raises(InputError, match="toy has no column left to learn from"),
    ):
        leave_out_identifiers(data)


def test_a_data_set_stays_as_it_is():
    iris = load_dataset("iris")
    table, features, rows = read_search_table(iris, None, NO_ROLES, None)
    assert table is iris and features is iris and rows.is_independent
