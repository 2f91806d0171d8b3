"""Encoding, imputation and votes of Tamponi's thesis."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.reproductions.protocols.tamponi_2015.preparation import (
    HardVote,
    add_identifier,
    encode,
    fill_by_class,
)


def table():
    X = pd.DataFrame(
        {
            "size": [1.0, np.nan, 3.0, np.nan],
            "flat": [7.0, 7.0, 7.0, 7.0],
            "rare": [0.0, np.nan, 0.0, np.nan],
            "empty": [np.nan] * 4,
            "two": pd.Categorical(["n", "y", "y", "n"]),
            "gap": pd.Categorical(["n", "y", None, "n"]),
            "hue": pd.Categorical(list("rgbr"), categories=list("bgrx")),
            "same": pd.Categorical(["k"] * 4),
        }
    )
    y = np.array(["a", "a", "b", "c"], dtype=object)
    return Dataset("toy", X, y, "classification")


def test_worked_example_of_the_encoding():
    X = encode(table()).X
    assert list(X) == [
        *("size", "rare", "two=y", "gap=n", "gap=y"),
        *("hue=b", "hue=g", "hue=r", "hue=x"),
    ]
    assert_array_equal(X["two=y"], [0, 1, 1, 0])
    assert_array_equal(X.loc[2, ["gap=n", "gap=y"]], [0, 0])  # a gap is no value
    assert_array_equal(X["hue=x"], [0, 0, 0, 0])  # declared, though it never occurs
    assert_array_equal(X["size"].isna(), [False, True, False, True])


def test_worked_example_of_the_leak():
    # The gap of row 1 takes the mean of class a, that of row 3 finds no value of c.
    X = fill_by_class(encode(table())).X
    assert_array_equal(X["size"], [1, 1, 3, 0])
    assert not X.isna().any(axis=None)


def test_stand_in_for_names_is_a_column_for_each_row():
    named = add_identifier(fill_by_class(encode(table())))
    assert named.X.shape == (4, 9 + 4)
    assert_array_equal(named.X[:, [9, 10, 11, 12]].toarray(), np.eye(4))


def test_hard_vote_counts_trees(seed):
    X, y = load_iris(return_X_y=True)
    y = np.array(["x", "y", "z"])[y]
    forest = RandomForestClassifier(4, max_depth=1, random_state=seed % 1000)
    vote = HardVote(forest).fit(X, y)
    for predicted, votes in zip(vote.predict(X), vote.forest_.predict_all(X).T):
        # max() takes the first of equals, and the labels are sorted.
        assert predicted == max("xyz", key=list(votes).count)
    assert not hasattr(forest, "trees_")
