"""Competitors, data sets and known differences of Tamponi's thesis."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import Dataset
from manyminds.reproductions.protocols.tamponi_2015.competitors import (
    ALL_SETS,
    ENCODED_COLUMNS,
    IDENTIFIERS,
    QUICK,
    WITH_MISSING_NUMBERS,
    drop_identifier,
    fill_by_mean,
    load_as_in_thesis,
    make_competitors,
    note_columns,
    note_differences,
)


def make_zoo(named):
    X = pd.DataFrame({"legs": [2.0, 4.0, 4.0], "tail": pd.Categorical(["n", "y", "y"])})
    if named:
        X["Animal"] = pd.Categorical(["hen", "cat", "dog"])
    return Dataset("zoo", X, np.array(["bird", "mammal", "mammal"]), "classification")


def test_names_of_rows_are_left_out_in_any_case():
    assert list(drop_identifier(make_zoo(named=True)).X) == ["legs", "tail"]
    plain = make_zoo(named=False)
    assert drop_identifier(plain) is plain


@pytest.mark.parametrize("named", [False, True])
def test_zoo_has_a_column_for_each_name_of_a_row(named):
    # Legs, tail, and a column for each of three animals, from the file or made up.
    data = load_as_in_thesis(lambda name: make_zoo(named), "zoo")
    assert data.X.shape == (3, 2 + 3)


def test_other_sets_get_no_names():
    other = replace(make_zoo(named=False), name="iris")
    assert load_as_in_thesis(lambda name: other, "iris").X.shape == (3, 2)


def test_missing_values_get_the_mean_of_training_samples():
    # An empty column stays a column.
    pipeline = fill_by_mean(None)
    X = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    imputer = pipeline[0].fit(X[:2])
    assert_array_equal(imputer.transform(X), [[1, 0], [3, 0], [2, 0]])


def test_competitors_are_forests_of_ten_trees_and_a_single_tree():
    plain, filled = make_competitors(), make_competitors(fill=True)
    sizes = {name: model.forest.n_estimators for name, model in plain.items()}
    assert sizes == {"AdaBoost": 1, "Bagging": 10, "Random Forest": 10}
    assert plain["Bagging"].forest.max_features is None
    assert plain["Random Forest"].forest.max_features is not None
    assert {name: model[-1].forest.n_estimators for name, model in filled.items()} == (
        sizes
    )


def test_fewer_columns_are_a_reason_and_more_are_none():
    notes = note_columns(("anneal", "splice", "iris"))
    assert list(notes) == [("anneal", "Random Forest")]
    assert (
        "our file gives 63 columns, the thesis's 93" in notes["anneal", "Random Forest"]
    )
    assert note_differences(("iris",)) == {}
    assert ("breast-cancer", "AdaBoost") in note_differences(ALL_SETS)


def test_lists_name_sets_of_the_thesis():
    assert len(ALL_SETS) == 36
    for names in (QUICK, WITH_MISSING_NUMBERS, ENCODED_COLUMNS, IDENTIFIERS):
        assert set(names) <= set(ALL_SETS)
