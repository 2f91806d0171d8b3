"""Frames of pandas and polars, and arrays, become the same data sets."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_matrix, csr_array

from manyminds.datasets.frames import from_arrays, from_frame


def frame():
    return pd.DataFrame(
        {
            "size": ["1", "?", "3.5"],
            "color": ["red", "blue ", None],
            "flag": [True, False, True],
            "class": ["a", "b", "a"],
        }
    )


def test_worked_example():
    data = from_frame(frame(), name="toy", source="here", note="small")
    assert (data.name, data.source, data.note) == ("toy", "here", "small")
    assert data.task == "classification"
    assert data.categorical == ["color", "flag"]
    assert_array_equal(data.X["size"], [1, np.nan, 3.5])
    assert data.X["color"].tolist() == ["red", "blue", np.nan]
    assert data.X["flag"].tolist() == ["True", "False", "True"]
    assert data.y.tolist() == ["a", "b", "a"]


def test_columns_keep_their_order(seed):
    order = np.random.default_rng(seed).permutation(list("abcdef"))
    values = {"a": [1, 2], "b": ["x", "y"], "c": [0.5, 1.5], "d": ["1", "2"]}
    values |= {"e": pd.array([1, None], dtype="Int64"), "f": [True, False]}
    data = from_frame(pd.DataFrame({**values, "y": [0, 1]})[[*order, "y"]], "y")
    assert list(data.X.columns) == list(order)
    assert data.X["a"].tolist() == [1.0, 2.0]


def test_schema_and_arguments():
    schema = {"categorical": ["n"], "target": "t", "drop": ["id"], "missing": ["-"]}
    table = pd.DataFrame({"id": [1, 2], "n": [1, 2], "m": ["-", "4"], "t": [5.5, 6]})
    data = from_frame(table, schema=schema)
    assert list(data.X.columns) == ["n", "m"]
    assert data.categorical == ["n"]
    assert_array_equal(data.X["m"], [np.nan, 4])
    assert data.task == "regression"
    assert from_frame(table, "n", schema={"target": "t"}).task == "classification"
    assert from_frame(table, "t", categorical="all").n_missing == 0
    assert from_frame(table, -1, categorical="all").categorical == ["id", "n", "m"]


def test_a_target_declared_categorical_keeps_its_text():
    table = pd.DataFrame({"x": [1, 2, 3], "y": ["1", "2", "2"]})
    assert from_frame(table, "y", task="classification").y.tolist() == [1, 2, 2]
    data = from_frame(table, "y", categorical=["y"])
    assert data.y.tolist() == ["1", "2", "2"]
    assert data.categorical == []


def test_rows_without_a_target():
    table = pd.DataFrame({"x": [1, 2, 3], "y": ["a", "?", "b"]})
    with pytest.raises(
        ValueError, match=r"missing in 1 of 3 .*drop_missing_target=True"
    ):
        from_frame(table, "y")
    data = from_frame(table, "y", drop_missing_target=True)
    assert data.X["x"].tolist() == [1, 3]
    assert data.y.tolist() == ["a", "b"]


def test_several_labels():
    table = pd.DataFrame({"x": [1, 2], "p": [0, 1], "q": [1, 1]})
    data = from_frame(table, ["p", "q"])
    assert data.task == "multilabel"
    assert_array_equal(data.y, [[0, 1], [1, 1]])
    assert list(data.X.columns) == ["x"]
    assert from_frame(table, ["p"]).task == "classification"
    assert from_frame(table, ["p"], task="multilabel").y.shape == (2, 1)
    with pytest.raises(ValueError, match="need task='multilabel'; got 'regression'"):
        from_frame(table, ["p", "q"], task="regression")


def test_the_index_does_not_matter():
    odd = frame().set_axis([7, 7, 1], axis=0)
    assert from_frame(odd).fingerprint == from_frame(frame()).fingerprint
    assert list(from_frame(odd).X.index) == [0, 1, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": ["class"]}, "drop names the target: class"),
        ({"drop": ["sise"]}, "drop names the column 'sise'.* Close: size"),
        ({"categorical": ["nothing"]}, "categorical names the column 'nothing'"),
        ({"target": "klass"}, "target='klass' is not a column"),
    ],
)
def test_names_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        from_frame(frame(), **options)


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="DataFrame of pandas or polars; got list"):
        from_frame([[1]], 0)
    twice = pd.DataFrame([[1, 2, 3]], columns=["a", "a", "y"])
    with pytest.raises(ValueError, match=r"different names; twice: \['a'\]"):
        from_frame(twice, "y")


def test_polars_gives_what_pandas_gives():
    pl = pytest.importorskip("polars")
    theirs = pl.DataFrame(
        {
            "size": ["1", "?", "3.5"],
            "color": ["red", "blue ", None],
            "flag": [True, False, True],
            "class": ["a", "b", "a"],
        }
    )
    assert from_frame(theirs).fingerprint == from_frame(frame()).fingerprint


def test_kinds_of_polars_columns():
    pl = pytest.importorskip("polars")
    theirs = pl.DataFrame(
        {
            "whole": pl.Series([1, None, 3], dtype=pl.Int16),
            "category": pl.Series(["b", None, "a"], dtype=pl.Categorical),
            "enum": pl.Series(["lo", "hi", "lo"], dtype=pl.Enum(["lo", "mid", "hi"])),
            "flag": pl.Series([True, None, False]),
            "y": pl.Series([0.5, 1.5, 2.5], dtype=pl.Float32),
        }
    )
    data = from_frame(theirs, "y")
    assert_array_equal(data.X["whole"], [1, np.nan, 3])
    assert data.X["category"].tolist() == ["b", np.nan, "a"]
    assert data.X["enum"].cat.categories.tolist() == ["lo", "mid", "hi"]
    assert data.X["flag"].tolist() == ["True", np.nan, "False"]
    assert data.task == "regression"
    dated = theirs.with_columns(day=pl.date(2020, 1, 1))
    dated = dated.with_columns(at=pl.datetime(2020, 1, 1, 6, time_zone="Asia/Tokyo"))
    data = from_frame(dated, "y")
    assert data.dates == ["day", "at"]
    assert data.X["at"].tolist() == [pd.Timestamp("2019-12-31 21:00")] * 3


def test_arrays(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (12, 3)), np.arange(12) / 7
    data = from_arrays(X, y, categorical=[1], name="toy")
    assert list(data.X.columns) == ["x0", "x1", "x2"]
    assert data.categorical == ["x1"]
    assert data.task == "regression"
    assert_array_equal(data.X["x0"], X[:, 0])
    named = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    for same in (named, named.set_axis(range(5, 17), axis=0)):
        other = from_arrays(same, pd.Series(y, name="z"), categorical=["x1"])
        assert other.fingerprint == data.fingerprint
    given = from_arrays(X, y, feature_names=["p", "q", "r"])
    assert list(given.X.columns) == ["p", "q", "r"]


def test_arrays_of_several_labels():
    X, y = np.zeros((4, 2)), np.array([[0, 1], [1, 1], [0, 0], [1, 0]])
    assert list(from_arrays(X, y).y.columns) == ["label0", "label1"]
    labels = pd.DataFrame(y, columns=["p", "q"])
    assert_array_equal(from_arrays(X, labels).y, y)
    assert from_arrays(X, y[:, :1]).task == "classification"
    with pytest.raises(ValueError, match="one or two dimensions; got 3"):
        from_arrays(X, np.zeros((4, 2, 2)))


def test_a_target_called_like_a_feature_does_no_harm():
    X = pd.DataFrame({"target": [1.0, 2.0]})
    data = from_arrays(X, ["a", "b"])
    assert list(data.X.columns) == ["target"]
    assert data.y.tolist() == ["a", "b"]


def test_sparse_arrays():
    X = coo_matrix(np.array([[0, 1], [2, 0], [0, 0]]))
    data = from_arrays(X, [1, 0, 1], name="toy")
    assert isinstance(data.X, csr_array)
    assert data.X.dtype == np.float64
    assert_array_equal(data.X.toarray(), [[0, 1], [2, 0], [0, 0]])
    kept = from_arrays(X, ["a", None, "b"], drop_missing_target=True)
    assert_array_equal(kept.X.toarray(), [[0, 1], [0, 0]])
    with pytest.raises(ValueError, match="categorical does not apply"):
        from_arrays(X, [1, 0, 1], categorical=[0])


@pytest.mark.parametrize("X", [np.zeros((3, 1)), csr_array((3, 1))])
def test_rows_must_match(X):
    with pytest.raises(ValueError, match="the same number of rows; got 3 and 2"):
        from_arrays(X, [0, 1])
