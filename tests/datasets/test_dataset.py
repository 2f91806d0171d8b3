"""A data set knows its size, its columns and its rows."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array, csr_matrix

from manyminds.datasets.dataset import Dataset


def toy(**changes):
    parts = {
        "name": "toy",
        "X": pd.DataFrame(
            {
                "size": [1.0, np.nan, 3.0],
                "color": pd.Categorical(
                    ["red", None, "blue"], ["red", "blue", "green"]
                ),
            }
        ),
        "y": np.array(["a", "b", "a"], dtype=object),
        "task": "classification",
    }
    return Dataset(**{**parts, **changes})


def test_it_counts():
    data = toy()
    assert (data.n_samples, data.n_features, data.n_missing) == (3, 2, 2)
    assert data.categorical == ["color"]
    assert_array_equal(data.classes, ["a", "b"])


def test_it_tells_what_it_is():
    assert repr(toy()) == (
        "Dataset('toy', 3 rows, 1 numeric and 1 categorical columns, 2 classes)"
    )
    told = toy(source="a field", note="small").describe().splitlines()
    assert told[2:] == [
        "task: classification, 2 classes: a 2, b 1",
        "source: a field",
        "note: small",
    ]
    many = toy(X=pd.DataFrame({"x": np.arange(12.0)}), y=np.arange(12))
    assert many.describe().endswith("and 2 more")


def test_regression_has_no_classes():
    data = toy(y=np.array([1.0, 2.0, 4.5]), task="regression")
    assert len(data.classes) == 0
    assert "from 1 to 4.5" in data.describe()


def test_several_labels():
    y = pd.DataFrame({"first": [0, 1, 1], "second": [0, 0, 1]})
    data = toy(y=y, task="multilabel")
    assert_array_equal(data.classes, ["first", "second"])
    assert "2 labels: first 2, second 1" in data.describe()
    assert_array_equal(data.take([2, 0]).y, [[1, 1], [0, 0]])


def test_sparse_table():
    data = toy(X=csr_array(np.array([[0, 1], [np.nan, 0], [2, 0.0]])))
    assert (data.n_features, data.n_missing, data.categorical) == (2, 1, [])
    assert "2 sparse columns" in repr(data)
    assert_array_equal(data.take([2]).X.toarray(), [[2, 0]])


@pytest.mark.parametrize("rows", [[2, 0], np.array([2, 0]), slice(2, None, -2)])
def test_take_gives_rows_in_their_order(rows):
    part = toy().take(rows, name="part")
    assert part.name == "part"
    assert_array_equal(part.X["size"], [3, 1])
    assert_array_equal(part.y, ["a", "a"])
    assert list(part.X.index) == [0, 1]
    assert list(part.X["color"].cat.categories) == ["red", "blue", "green"]


def test_take_by_a_mask_equals_take_by_positions(seed):
    mask = np.random.default_rng(seed).random(3) < 0.5
    positions = np.flatnonzero(mask)
    assert toy().take(mask).fingerprint == toy().take(positions).fingerprint


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task": "ranking"}, "task must be one of .* got 'ranking'"),
        ({"y": np.array(["a"], dtype=object)}, "the same number of rows; got 3 and 1"),
        ({"y": ["a", "b", "a"]}, "y must be a ndarray for classification; got list"),
        ({"y": np.zeros((3, 1))}, "one dimension"),
        ({"X": np.zeros((3, 1))}, "must be a pandas DataFrame or a csr_array"),
        ({"X": csr_matrix((3, 1))}, "must be a csr_array; got csr_matrix"),
        ({"X": pd.DataFrame({"n": [1, 2, 3]})}, "'n' is int64"),
        ({"X": pd.DataFrame(np.zeros((3, 2)), columns=["a", "a"])}, "twice: \\['a'\\]"),
    ],
)
def test_what_is_not_in_order_is_refused(changes, message):
    with pytest.raises((TypeError, ValueError), match=message):
        toy(**changes)


def test_a_data_set_cannot_be_reassigned():
    with pytest.raises(AttributeError):
        toy().name = "other"
