import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csc_array, csr_matrix, issparse
from sklearn.base import BaseEstimator

from manyminds.trees import columns
from manyminds.trees.columns import ColumnEncoder, encode_table

nan = np.nan


def encode(X, categorical_features="from_dtype", estimator=None):
    """Encode a table as ``fit`` does; return it as an array, and the encoder."""
    estimator = BaseEstimator() if estimator is None else estimator
    return encode_table(estimator, X, None, categorical_features, reset=True)


@pytest.fixture
def mixed():
    """Return a frame with columns of most kinds."""
    return pd.DataFrame(
        {
            "float": [0.5, nan, 1.5],
            "int": [1, 2, 3],
            "bool": [True, False, True],
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "object": pd.Series([1, pd.NA, None], dtype=object),
            "color": pd.Categorical(["red", None, "blue"], ["red", "gray", "blue"]),
            "size": pd.Categorical([3, 1, 3], ordered=True),
        }
    )


def test_mixed_pandas_frame(mixed):
    estimator = BaseEstimator()
    X, encoder = encode(mixed, estimator=estimator)
    assert_array_equal(
        X,
        [
            [0.5, 1, 1, 1, 1, 0, 1],
            [nan, 2, 0, nan, nan, nan, 0],
            [1.5, 3, 1, 3, nan, 1, 1],
        ],
    )
    assert X.dtype == np.float64 and X.flags.c_contiguous
    assert_array_equal(encoder.is_categorical, [False] * 5 + [True] * 2)
    assert encoder.categories == {5: ["red", "blue"], 6: [1, 3]}
    assert_array_equal(estimator.feature_names_in_, mixed.columns)
    assert estimator.n_features_in_ == 7


def test_new_tables_are_encoded_as_the_first(mixed):
    estimator = BaseEstimator()
    _, encoder = encode(mixed, estimator=estimator)
    encoder = pickle.loads(pickle.dumps(encoder))
    new = mixed.copy()
    new["color"] = pd.Categorical(["blue", "gray", "red"])
    new["size"] = [1.0, 2.0, nan]  # the same categories in another dtype
    X, _ = encode_table(estimator, new, encoder, reset=False)
    assert_array_equal(X[:, 5:], [[1, 0], [nan, nan], [0, nan]])
    new["color"] = ["black", "blue", None]
    new["size"] = pd.array([3, None, 1], dtype="Int64")
    X, _ = encode_table(estimator, new, encoder, reset=False)
    assert_array_equal(X[:, 5:], [[nan, 1], [1, nan], [nan, 0]])

    with pytest.warns(UserWarning, match="does not have valid feature names"):
        X, _ = encode_table(estimator, new.to_numpy(object), encoder, reset=False)
    assert_array_equal(X[:, 5:], [[nan, 1], [1, nan], [nan, 0]])


@pytest.mark.parametrize(
    "categorical_features",
    [
        ["b", "a"],
        [1, 0],
        (0, 1),
        [True, True, False],
        np.array([True, True, False]),
        np.array(["a", "b"], dtype=object),
        pd.Index(["a", "b"]),
    ],
)
def test_listed_columns(categorical_features):
    frame = pd.DataFrame({"a": [7, 5, 7], "b": ["y", None, "x"], "c": [7, 5, 7]})
    X, encoder = encode(frame, categorical_features)
    assert_array_equal(X, [[1, 1, 7], [0, nan, 5], [1, 0, 7]])
    assert encoder.categories == {0: [5.0, 7.0], 1: ["x", "y"]}


def test_numbers_of_a_wide_table_are_read_at_once(monkeypatch, seed):
    # A category beside 6,000 numbers made each fit look at every column six times.
    numbers = np.random.default_rng(seed).normal(size=(4, 50))
    X = pd.DataFrame(numbers).assign(
        kind=pd.Categorical(list("abab")), few=[1, 2, 3, 4]
    )
    fetched, get_column = [], columns._get_column
    monkeypatch.setattr(
        columns, "_get_column", lambda X, j: fetched.append(j) or get_column(X, j)
    )
    encoded = ColumnEncoder().fit(X)
    assert fetched == [50, 50]  # once to list the categories, once to encode them
    assert_array_equal(encoded, np.column_stack([numbers, [0, 1, 0, 1], [1, 2, 3, 4]]))


def test_listed_columns_of_arrays():
    X = np.array([[7.0, 1.0], [5.0, 2.0], [nan, 3.0], [-0.0, 4.0], [0.0, 5.0]])
    for table in X, np.asfortranarray(X), X.tolist(), X.astype(object):
        found, encoder = encode(table, [0])
        assert_array_equal(found, [[2, 1], [1, 2], [nan, 3], [0, 4], [0, 5]])
        assert_array_equal(encoder.is_categorical, [True, False])
        assert_array_equal(
            encoder.encode(np.array([[6, 6], [7, 7]])), [[nan, 6], [2, 7]]
        )
    for table in [["b", 0.5], ["a", 1.5]], np.array([["b", "0.5"], ["a", "1.5"]]):
        assert_array_equal(encode(table, [0])[0], [[1, 0.5], [0, 1.5]])


@pytest.mark.parametrize("nothing", [None, [], [False] * 4, "from_dtype"])
def test_plain_numbers(nothing, seed):
    X = np.random.default_rng(seed).normal(size=(6, 4))
    X[2, 3] = nan
    for table in X, X[:2], np.asfortranarray(X), X.tolist(), pd.DataFrame(X):
        found, encoder = encode(table, nothing)
        assert_array_equal(found, table)
        assert encoder.is_categorical is None
    assert encode(X.astype(np.float32), nothing)[0].dtype == np.float64


def test_arrays_of_floats_are_not_copied(seed):
    X = np.random.default_rng(seed).normal(size=(6, 4))
    for table in X, np.asfortranarray(X), pd.DataFrame(X):
        assert np.shares_memory(encode(table)[0], np.asarray(table))
    X[0, 0] = nan
    assert np.shares_memory(encode(X)[0], X)


def test_categorical_dtype_may_be_meant_as_numbers():
    frame = pd.DataFrame({"a": pd.Categorical([2.5, 1.5, nan]), "b": [1, 2, 3]})
    X, encoder = encode(frame, None)
    assert_array_equal(X, [[2.5, 1], [1.5, 2], [nan, 3]])
    assert encoder.is_categorical is None


@pytest.mark.parametrize("make", [csc_array, csr_matrix, coo_array])
def test_sparse_matrices_pass_through(make):
    X = np.array([[0.0, 1.0], [2.0, nan]])
    estimator = BaseEstimator()
    found, encoder = encode(make(X), estimator=estimator)
    assert issparse(found) and found.format in ("csc", "csr")
    assert_array_equal(found.toarray(), X)
    found, _ = encode_table(estimator, make(X), encoder, reset=False)
    assert_array_equal(found.toarray(), X)
    with pytest.raises(ValueError, match="sparse X cannot have categorical columns"):
        encode(make(X), [0])
    _, encoder = encode(X, [0])
    with pytest.raises(ValueError, match="fitted with categorical columns"):
        encode_table(estimator, make(X), encoder, reset=False)


def test_sparse_pandas_columns():
    zeros = pd.arrays.SparseArray([0.0, 0.0, 1.0], fill_value=0.0)
    X, _ = encode(pd.DataFrame({"a": zeros}))
    assert_array_equal(X.toarray(), [[0], [0], [1]])
    frame = pd.DataFrame({"a": zeros, "b": pd.Categorical(list("xyx"))})
    assert_array_equal(encode(frame)[0], [[0, 0], [0, 1], [1, 0]])


# ---------------------------------------------------------------- polars, pyarrow


def test_polars_frame():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(
        {
            "float": [0.5, None, 1.5],
            "int": [1, None, 3],
            "bool": [True, None, False],
            "nothing": [None, None, None],
            "decimal": pl.Series([1, 2, 3]).cast(pl.Decimal(10, 2)),
            "color": pl.Series(["red", None, "blue"], dtype=pl.Categorical),
            "size": pl.Series(["S", "L", "S"], dtype=pl.Enum(["S", "M", "L"])),
        }
    )
    estimator = BaseEstimator()
    X, encoder = encode(frame, estimator=estimator)
    assert_array_equal(
        X,
        [
            [0.5, 1, 1, nan, 1, 1, 0],
            [nan, nan, nan, nan, 2, nan, 1],
            [1.5, 3, 0, nan, 3, 0, 0],
        ],
    )
    assert X.flags.c_contiguous
    assert encoder.categories == {5: ["blue", "red"], 6: ["S", "L"]}
    assert_array_equal(estimator.feature_names_in_, frame.columns)
    new = frame.with_columns(
        pl.Series("color", ["gray", "blue", "red"], dtype=pl.Categorical),
        pl.Series("size", ["L", "M", None]),
    )
    X, _ = encode_table(estimator, new, encoder, reset=False)
    assert_array_equal(X[:, 5:], [[nan, 1], [0, nan], [1, nan]])


def test_polars_columns_by_name_and_errors():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": ["y", "x", None], "b": [3, 2, 3]})
    X, _ = encode(frame, ["a", "b"])
    assert_array_equal(X, [[1, 1], [0, 0], [nan, 1]])
    with pytest.raises(ValueError, match=r"Columns \['a'\] hold neither"):
        encode(frame)
    with pytest.raises(ValueError, match="0 sample"):
        encode(frame[:0], ["a"])
    with pytest.raises(ValueError, match="contains infinity"):
        encode(pl.DataFrame({"a": [1.0, np.inf]}))


def test_pandas_and_polars_agree(seed):
    pl = pytest.importorskip("polars")
    rng = np.random.default_rng(seed)
    columns = {
        "number": rng.normal(size=40),
        "letter": rng.choice(list("abcdef"), 40),
    }
    pandas = pd.DataFrame(columns).astype({"letter": "category"})
    polars = pl.DataFrame(columns).with_columns(pl.col("letter").cast(pl.Categorical))
    assert_array_equal(encode(pandas)[0], encode(polars)[0])


def test_other_frames_become_pandas():
    pa = pytest.importorskip("pyarrow")
    words = pa.array(["x", "y", "x"]).dictionary_encode()
    estimator = BaseEstimator()
    X, encoder = encode(pa.table({"a": [1, 2, None], "b": words}), estimator=estimator)
    assert_array_equal(X, [[1, 0], [2, 1], [nan, 0]])
    assert encoder.categories == {1: ["x", "y"]}
    assert_array_equal(estimator.feature_names_in_, ["a", "b"])


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "values",
    [
        ["x", "y"],
        ["1", "2"],
        pd.Categorical(["x", "y"]),
        pd.array(["x", "y"], dtype="string"),
        pd.Series([1, "2"], dtype=object),
        pd.Series([[1], [2]], dtype=object),
        pd.date_range("2020-01-01", periods=2),
    ],
)
def test_columns_that_are_no_numbers_are_named(values):
    frame = pd.DataFrame({"a": [1, 2], "b": values, "c": [1, 2]})
    with pytest.raises(ValueError, match=r"Columns \['b'\] hold neither numbers nor"):
        encode(frame, ["a"])
    with pytest.raises(ValueError, match="list them in categorical_features"):
        encode(frame, None)


@pytest.mark.parametrize(
    "given, message",
    [
        (["a", "z"], r"names \['z'\] that X has not"),
        ([2], "between 0 and 1"),
        ([-1], "between 0 and 1"),
        ([True], r"must have shape \(2,\)"),
        ([0.5], "bool, int or str; got float"),
        (np.array(["a", 1], dtype=object), "got int, str"),
    ],
)
def test_wrong_categorical_features(given, message):
    with pytest.raises(ValueError, match=message):
        encode(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), given)


def test_names_need_a_frame():
    with pytest.raises(ValueError, match="X is not a dataframe"):
        encode(np.ones((2, 2)), ["a"])


def test_categories_of_several_types():
    with pytest.raises(ValueError, match=r"column 'a' are of several types \(\['int'"):
        encode(pd.DataFrame({"a": pd.Series([1, "x"], dtype=object)}), ["a"])


@pytest.mark.parametrize("categorical_features", ["from_dtype", [0]])
@pytest.mark.parametrize(
    "X, message",
    [
        (np.ones(3), "Expected 2D array"),
        (np.ones((0, 2)), "0 sample"),
        (np.ones((2, 0)), "0 feature"),
        (np.ones((2, 2)) * 1j, "Complex data not supported"),
        (np.array([[1.0, np.inf], [np.inf, 2.0]]), "Input X contains infinity"),
        (np.array([[1.0, np.inf], [-np.inf, nan]]), "Input X contains infinity"),
        (pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, -np.inf]}), "X contains infinity"),
        (pd.DataFrame({"a": [np.inf, 2.0], "b": [1.0, 2.0]}), "X contains infinity"),
    ],
)
def test_usual_errors_in_fit(X, message, categorical_features):
    with pytest.raises(ValueError, match=message):
        encode(X, categorical_features)


@pytest.mark.parametrize("categorical_features", ["from_dtype", [0]])
def test_usual_errors_after_fit(categorical_features):
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    estimator = BaseEstimator()
    _, encoder = encode(frame, categorical_features, estimator)

    def ask(X):
        return encode_table(estimator, X, encoder, categorical_features, reset=False)[0]

    with pytest.raises(ValueError, match="feature names should match"):
        ask(frame.rename(columns={"a": "z"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert_array_equal(ask(frame.to_numpy()), ask(frame))
    for wrong, message in (
        (np.ones((2, 3)), "X has 3 features, but"),
        (np.ones(2), "Expected 2D array"),
        (np.array([[1.0, np.inf]]), "Input X contains infinity"),
    ):
        with warnings.catch_warnings(action="ignore"):  # of the missing names
            with pytest.raises(ValueError, match=message):
                ask(wrong)


def test_huge_numbers_are_not_infinite():
    X = np.full((3, 2), 1e308)
    assert_array_equal(encode(X)[0], X)


def test_fit_again_forgets(mixed):
    estimator = BaseEstimator()
    encode(mixed, estimator=estimator)
    _, encoder = encode(np.ones((2, 3)), estimator=estimator)
    assert encoder.is_categorical is None
    assert estimator.n_features_in_ == 3
    assert not hasattr(estimator, "feature_names_in_")


def test_input_is_left_as_it_was(mixed):
    before = mixed.copy()
    encode(mixed)
    encode(mixed, ["int", "object", "color", "size"])
    pd.testing.assert_frame_equal(mixed, before)
    X = np.array([[5.0, 1.0], [3.0, 2.0]])
    ColumnEncoder().fit(X, [0])
    assert_array_equal(X, [[5, 1], [3, 2]])
