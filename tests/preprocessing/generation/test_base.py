"""What generators share: targets, columns by kind, names and appended columns."""

import numpy as np
import pandas as pd
import polars
import pytest
from numpy.testing import assert_array_equal

from manyminds.preprocessing import ArithmeticFeatures, TargetMeans
from manyminds.preprocessing.generation.base import (
    append_columns,
    encode_levels,
    find_levels,
    list_categorical,
    list_numeric,
)

FRAME = pd.DataFrame(
    {
        "size": [1.0, 2.0, np.nan],
        "hue": pd.Categorical(["red", None, "blue"]),
        "word": ["x", "y", "x"],
        "day": pd.to_datetime(["2024-01-01"] * 3),
        "n": [1, 2, 3],
    }
)


def test_columns_by_kind():
    assert list_numeric(FRAME) == [0, 4]
    assert list_categorical(FRAME) == [1, 2]
    assert list_numeric(np.ones((2, 3))) == [0, 1, 2]
    assert list_categorical(np.ones((2, 3))) == []


def test_levels_missing_cells_and_unknown_levels():
    levels = find_levels(FRAME["hue"])
    assert levels == ["blue", "red"]
    assert_array_equal(encode_levels(FRAME["hue"], levels), [1, 2, 0])
    assert_array_equal(encode_levels(FRAME["hue"], ["red"]), [0, 1, 2])


def test_columns_are_appended_to_any_table():
    made = append_columns(np.ones((2, 1), np.float32), [np.array([2.0, 3.0])], ["new"])
    assert made.dtype == np.float32 and made.tolist() == [[1, 2], [1, 3]]
    frame = append_columns(FRAME, [np.arange(3.0)], ["new"])
    assert list(frame) == [*FRAME, "new"]
    assert isinstance(frame["hue"].dtype, pd.CategoricalDtype)
    assert append_columns(FRAME, [], []) is FRAME


def test_a_taken_name_gets_an_underscore():
    X = np.random.default_rng(0).uniform(size=(500, 2))
    y = X[:, 0] > X[:, 1]
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(**{"a / b": 1.0, "b / a": 1.0})
    names = ArithmeticFeatures().fit(frame, y).get_feature_names_out()
    assert names[-1] in ("a / b_", "b / a_", "a - b") and len(set(names)) == len(names)


def test_polars_is_read_as_pandas():
    hue = ["red", "blue"] * 20
    y = [1.0, 0.5] * 20
    frame = polars.DataFrame({"hue": hue}, schema={"hue": polars.Categorical})
    made = TargetMeans().fit(frame, y).transform(frame)
    expected = TargetMeans().fit(pd.DataFrame({"hue": pd.Categorical(hue)}), y)
    assert_array_equal(
        made["mean by hue"],
        expected.transform(pd.DataFrame({"hue": pd.Categorical(hue)}))["mean by hue"],
    )


@pytest.mark.parametrize("y", [None, [1.0, np.nan, 2.0]])
def test_a_target_is_needed(y):
    with pytest.raises(ValueError, match=r"requires y|contains NaN"):
        ArithmeticFeatures().fit(np.ones((3, 2)), y)
