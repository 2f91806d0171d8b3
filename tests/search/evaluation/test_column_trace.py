"""Columns are followed through the steps of a pipeline to its learner."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from manyminds.preprocessing import ArithmeticFeatures, ColumnCleaner, TextEncoder
from manyminds.search.evaluation.column_trace import (
    Trace,
    as_names,
    number_columns,
    trace_members,
)

NAMES = as_names(["a", "b", "c"])
START = Trace(NAMES, NAMES)
X = np.array([[0.0, 1.0, 5.0], [1.0, 1.0, 7.0], [2.0, 1.0, 5.0]])  # b is constant


def follow(step, table=X):
    return START.follow(step.fit(table), step.transform(table).shape[1])


def test_a_selector_keeps_its_columns():
    found = follow(VarianceThreshold())
    assert found.columns.tolist() == ["a", "c"] and found.is_selected
    assert found.every.tolist() == ["a", "b", "c"]


def test_cleaning_is_no_selection():
    found = follow(ColumnCleaner())
    assert found.columns.tolist() == found.every.tolist() == ["a", "c"]
    assert not found.is_selected


def test_scaling_changes_nothing_and_mixing_ends_the_trace():
    assert follow(StandardScaler()) is START
    assert follow(PCA(3)).columns is None
    assert follow(PolynomialFeatures()).columns is None
    mixed = follow(PCA(2))
    assert mixed.keep(np.array([True, False])).columns is None


def test_encoders_make_new_names():
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": ["x", "y"], "c": [1.0, 2.0]})
    steps = [("hot", OneHotEncoder(sparse_output=False), ["b"])]
    encoder = ColumnTransformer(
        steps, remainder="passthrough", verbose_feature_names_out=False
    )
    found = follow(encoder, frame)
    assert found.columns.tolist() == found.every.tolist() == ["b_x", "b_y", "a", "c"]
    gaps = X.copy()
    gaps[0, 0] = np.nan
    filled = follow(SimpleImputer(add_indicator=True), gaps)
    assert filled.columns.tolist() == ["a", "b", "c", "missingindicator_a"]


def test_generated_columns_have_names():
    table = np.random.default_rng(0).uniform(size=(500, 3))
    step = ArithmeticFeatures(1).fit(table, table[:, 0] > table[:, 1])
    found = START.follow(step, 4).columns.tolist()
    assert found[:3] == ["a", "b", "c"] and set(found[3]) >= {"a", "b"}
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": ["red wine", "red car"], "c": 1.0})
    found = follow(TextEncoder(columns=["b"]), frame)
    assert found.columns.tolist() == ["a", "b_0", "b_1", "c"]


def test_positions_are_those_of_the_table():
    traces = [START.keep(np.array(m, bool)) for m in ([1, 0, 1], [0, 0, 1])]
    selected, names = number_columns(traces, NAMES)
    assert [one.tolist() for one in selected] == [[0, 2], [2]] and names == []


def test_new_columns_are_numbered_over_all_folds():
    traces = [
        Trace(as_names(["c_x"]), as_names(["a", "c_x"]), is_selected=True),
        Trace(as_names(["c_y", "a"]), as_names(["a", "c_y"]), is_selected=True),
    ]
    selected, names = number_columns(traces, as_names(["a", "c"]))
    assert names == ["a", "c_x", "c_y"]
    assert [one.tolist() for one in selected] == [[1], [2, 0]]


def test_without_a_selection_all_columns_are_used():
    cleaned = Trace(NAMES[:2], NAMES[:2])
    selected, _ = number_columns([START, cleaned], NAMES)
    assert [one.tolist() for one in selected] == [[0, 1, 2]] * 2
    mixed = Trace(None, NAMES)
    assert number_columns([START, mixed], NAMES) == ([], [])


@pytest.mark.parametrize(
    ("steps", "columns", "is_selected"),
    [
        ((VarianceThreshold(), StandardScaler()), ["a", "c", "b"], True),
        ((StandardScaler(), StandardScaler()), ["a", "b", "c"], False),
        ((VarianceThreshold(), PCA(2)), None, False),
    ],
)
def test_a_committee_uses_what_any_member_uses(steps, columns, is_selected):
    members = [make_pipeline(step, GaussianNB()).fit(X, [0, 1, 0]) for step in steps]
    found = trace_members(SimpleNamespace(estimators_=members), NAMES)
    assert (None if found.columns is None else found.columns.tolist()) == columns
    assert found.is_selected is is_selected and found.every.tolist() == ["a", "b", "c"]
