"""Tables to predict get the names, dtypes and categories of the training table."""

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from manyminds.datasets.model_input import as_table
from manyminds.search.choice.training_columns import TrainingColumns
from manyminds.utils.errors import InputError

DATES = ["2024-01-31", "2024-02-29", "2024-03-31"]
TABLE = pd.DataFrame(
    {
        "day": DATES,
        "whole": [1, 2, 3],
        "word": [" a", "b", None],
        "ordered": pd.Categorical([3.0, 1.0, 3.0], [3.0, 1.0], ordered=True),
        "empty": pd.Categorical([None, None, None]),
        "twins": pd.Categorical(["1", 1, "1"], ["1", 1]),
        "e\u0301": [0.5, None, 1.5],
    }
)


def test_the_training_table_is_read_as_it_was():
    X = as_table(TABLE)
    found = TrainingColumns.of(X).read(TABLE)
    twins = found.pop("twins")  # two categories of the same text are one
    assert twins.tolist() == ["1", "1", "1"] and twins.dtype == X["twins"].dtype
    assert_frame_equal(found, X.drop(columns="twins"))


def test_other_dtypes_of_the_same_cells_make_no_difference():
    X = as_table(TABLE)
    known = TrainingColumns.of(X)
    new = TABLE.assign(
        day=pd.to_datetime(DATES), whole=["1", "2", "3"], ordered=["3", "1", "3"]
    )
    assert_frame_equal(known.read(new[new.columns[::-1]]), known.read(TABLE))


def test_unseen_categories_are_missing():
    known = TrainingColumns.of(as_table(TABLE))
    with pytest.warns(UserWarning, match="'ordered' holds 1 categories that the model"):
        found = known.read(TABLE.assign(ordered=[3, 7, 1]))
    assert found["ordered"].isna().tolist() == [False, True, False]


def test_names_that_are_no_text_come_back():
    X = pd.DataFrame({0: [1.0, 2.0], 7: [3.0, 4.0]})
    assert_frame_equal(TrainingColumns.of(X).read(X[[7, 0]]), X)


def test_names_must_differ_as_text():
    with pytest.raises(InputError, match="names that differ as text"):
        TrainingColumns.of(pd.DataFrame({"1": [1.0], 1: [2.0]}))
