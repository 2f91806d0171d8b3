"""Columns of groups, times, folds and weights leave the features, or are refused."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import from_arrays, from_frame
from manyminds.utils.errors import InputError, ParameterError
from manyminds.workflows.row_columns import (
    MAX_FOLDS,
    RowColumns,
    take_row_columns,
)

FRAME = pd.DataFrame(
    {
        "x": [1.0, 2.0, 4.0, 8.0],
        "patient": ["a", "a", "b", "b"],
        "day": ["2024-01-02", "2024-01-01", "2024-01-03", "2024-01-03"],
        "part": [1, 2, 1, 2],
        "area": [0.5, 0.0, 1.5, 2.0],
        "debt": [-1.0, 1.0, 1.0, 1.0],
        "same": [3, 3, 3, 3],
        "holes": [1.0, None, 2.0, 3.0],
        "y": [0.5, 1.5, 2.5, 3.5],
    }
)
DATA = from_frame(FRAME, "y", task="regression", name="toy")


def test_nothing_is_taken_without_names():
    data, known = take_row_columns(DATA, {"group": None, "time": None})
    assert data is DATA and known == RowColumns() and known.is_independent
    assert known.fit_params == {}


def test_columns_are_read_and_are_no_features():
    names = {"group": "patient", "fold": "patient", "weight": "area"}
    data, known = take_row_columns(DATA, names)
    assert list(data.X) == ["x", "day", "part", "debt", "same", "holes"]
    assert data.left_out == ("patient", "area")
    assert_array_equal(known.fit_params["groups"], [0, 0, 1, 1])
    assert_array_equal(known.fit_params["sample_weight"], FRAME["area"])
    tests = [test.tolist() for _, test in known.splitter.split()]
    assert tests == [[0, 1], [2, 3]] and not known.is_independent
    data, known = take_row_columns(DATA, {"time": "day"})
    assert "day" not in data.X and not known.is_independent
    assert_array_equal(known.fit_params["time"], [1, 0, 2, 2])


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"group": "pateint"}, "group must be the name of a column of toy; got 'pat"),
        ({"group": "y"}, "group must be another column than the target; got 'y'"),
        ({"group": "same"}, "group must be a column with at least two different"),
        ({"fold": "same"}, "fold must be a column with at least two different"),
        ({"time": "same"}, "time must be a column with at least two different"),
        ({"time": "holes"}, "time must be a column with a value in each row; 'holes'"),
        ({"time": "patient"}, "time must be a column of numbers or dates"),
        ({"weight": "debt"}, "weight must be a column of numbers that are 0 or more"),
        ({"weight": "patient"}, "weight must be a column of numbers that are 0"),
        ({"group": "patient", "time": "day"}, "group and time exclude each other"),
        ({"fold": "part", "time": "day"}, "fold and time exclude each other"),
    ],
)
def test_columns_that_cannot_be_used_are_refused(names, message):
    with pytest.raises(InputError, match=message):
        take_row_columns(DATA, names)


def test_folds_of_a_column_have_no_number():
    with pytest.raises(InputError, match="fold and cv exclude each other"):
        take_row_columns(DATA, {"fold": "part"}, 5)


def test_folds_of_a_column_are_not_too_many():
    def split(n_values):
        X = pd.DataFrame({"x": np.arange(202.0), "part": np.arange(202) % n_values})
        data = from_arrays(X, np.arange(202.0), name="toy")
        return take_row_columns(data, {"fold": "part"})[1].splitter.get_n_splits()

    assert split(MAX_FOLDS) == MAX_FOLDS
    message = "fold must be a column of at most 100 different values.* 'part' has 101"
    with pytest.raises(InputError, match=f"{message}, .* in one fold by group"):
        split(MAX_FOLDS + 1)


def test_a_feature_must_be_left():
    data = from_frame(FRAME[["patient", "y"]], "y", task="regression", name="toy")
    with pytest.raises(InputError, match="toy has no column left"):
        take_row_columns(data, {"group": "patient"})


def test_sparse_columns_have_no_names():
    from scipy.sparse import csr_array

    data = from_arrays(csr_array(np.eye(4)), np.arange(4) % 2)
    with pytest.raises(ParameterError) as caught:
        take_row_columns(data, {"group": "x0"})
    assert caught.value.parameter == "group"
