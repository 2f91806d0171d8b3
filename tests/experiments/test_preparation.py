"""The preparation turns any table into the numbers that a hand would write."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from manyminds.ensemble import ExtraTreesRegressor
from manyminds.experiments.preparation import (
    prepare_table,
    prepared,
    takes_raw_tables,
)
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.hashing import describe


def table(**columns):
    frame = pd.DataFrame(columns)
    words = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    return frame.astype(dict.fromkeys(words, "category"))


def test_worked_example():
    # The median of 1, 4 and 10 fills the gap; a missing hue is a hue of its own.
    X = table(size=[1.0, np.nan, 4.0, 10.0], hue=["red", "blue", None, "red"])
    prepare = prepare_table().fit(X)
    blue_red_none = [[0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert_array_equal(
        prepare.transform(X), np.column_stack([[1, 4, 4, 10], blue_red_none])
    )
    new = table(size=[np.nan, 7.0], hue=["green", "blue"])
    assert_array_equal(prepare.transform(new), [[4, 0, 0, 0], [7, 1, 0, 0]])


def test_only_numbers_are_scaled():
    X = table(size=[1.0, 3.0, np.nan, 2.0], hue=["red", "blue", "red", "red"])
    # Filled: 1, 3, 2, 2, of mean 2 and variance 1/2.
    expected = [[-(2**0.5), 0, 1], [2**0.5, 1, 0], [0, 0, 1], [0, 0, 1]]
    assert_allclose(prepare_table(scale=True).fit_transform(X), expected)


@pytest.mark.parametrize("scale", [False, True])
def test_odd_columns_do_no_harm(scale):
    X = table(empty=[np.nan] * 3, same=[5.0] * 3, word=["a"] * 3)
    X["lost"] = pd.Series([None] * 3, dtype="category")
    out = prepare_table(scale).fit(X).transform(X)
    assert out.shape == (3, 4)
    assert np.isfinite(out).all()


def test_tables_of_one_kind_only():
    numbers = table(a=[1.0, 2.0], b=[3.0, np.nan])
    assert_array_equal(prepare_table().fit_transform(numbers), [[1, 3], [2, 3]])
    words = table(a=["x", "y"])
    assert_array_equal(prepare_table().fit_transform(words), [[1, 0], [0, 1]])


def test_one_preparation_suits_all_tables():
    # It can be described, cloned and fitted to tables with other columns.
    first, second = prepare_table(scale=True), prepare_table(scale=True)
    assert describe(first) == describe(second) != describe(prepare_table())
    assert repr(first) == repr(second) and "0x" not in repr(first)
    first.fit(table(a=[1.0, 2.0], b=["x", "y"]))
    copy = clone(first).fit(table(c=["u", "v", "w"]))
    assert copy.transform(table(c=["v"])).tolist() == [[0, 1, 0]]


def test_units_do_not_matter_to_scaled_neighbors(seed):
    rng = np.random.default_rng(seed)
    X = table(a=rng.normal(size=80), b=rng.normal(size=80))
    y = rng.integers(0, 3, 80)
    # A power of two changes no digit, so that the distances are the same to the bit.
    other = X.assign(b=X["b"] * 2.0**20)
    model = prepared(KNeighborsClassifier(), scale=True)
    found = model.fit(X, y).predict(X)
    assert_array_equal(model.fit(other, y).predict(other), found)


def test_the_pipeline_is_that_of_a_plain_twin(seed):
    rng = np.random.default_rng(seed)
    X = table(a=rng.normal(size=60), b=rng.choice(["x", "y", "z"], 60))
    X.loc[rng.random(60) < 0.2, "a"] = np.nan
    y = rng.normal(size=60)
    plain = pd.get_dummies(X["b"]).astype(float)
    plain.insert(0, "a", X["a"].fillna(X["a"].median()))
    expected = LinearRegression().fit(plain.to_numpy(), y).predict(plain.to_numpy())
    assert_allclose(prepared(LinearRegression()).fit(X, y).predict(X), expected)


def test_who_takes_raw_tables():
    for model in (
        DecisionTreeClassifier(),
        ExtraTreesRegressor(),
        HistGradientBoostingClassifier(),
    ):
        assert takes_raw_tables(model), model
    for model in (
        SVC(),
        DecisionTreeClassifier(categorical_features=None),
        prepared(SVC()),
    ):
        assert not takes_raw_tables(model), model


def test_who_is_said_to_take_raw_tables_does():
    X = table(a=[1.0, np.nan, 2.0, 3.0] * 10, b=["x", "y", None, "x"] * 10)
    y = np.array([0, 1, 1, 0] * 10)
    assert_array_equal(DecisionTreeClassifier().fit(X, y).predict(X), y)
