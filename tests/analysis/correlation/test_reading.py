"""Tables and labels as the scores read them."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal

from manyminds.analysis.correlation.reading import Labels, read_encoding, read_labels


def test_categories_become_columns_as_in_the_thesis():
    frame = pd.DataFrame(
        {
            "hue": pd.Categorical(["red", "blue", None, "red"]),
            "size": [1.0, 2.0, 3.0, 4.0],
            "old": pd.Categorical(["no", "yes", "yes", "no"]),
        }
    )
    expected = [[0, 1, 1, 0], [1, 0, 2, 1], [0, 0, 3, 1], [0, 1, 4, 0]]
    assert_array_equal(read_encoding(frame), expected)


def test_an_empty_category_column_vanishes():
    frame = pd.DataFrame(
        {"hue": pd.Categorical([None, None], categories=["red"]), "size": [1.0, 2.0]}
    )
    assert_array_equal(read_encoding(frame), [[1.0], [2.0]])


def test_labels_are_codes_and_numbers():
    labels = read_labels(np.zeros((3, 1)), [10, 30, 10])
    assert_array_equal(labels.codes, [0, 1, 0])
    assert_array_equal(labels.numbers, [10, 30])
    assert_array_equal(labels.counts, [2, 1])
    named = read_labels(np.zeros((3, 1)), ["b", "a", "c"])
    assert_array_equal(named.numbers, [0, 1, 2])
    assert_array_equal(read_labels(np.zeros((2, 1)), [True, False]).numbers, [0, 1])


def test_labels_split_into_one_against_the_rest():
    labels = Labels(np.array([0, 1, 2, 1]), np.arange(3.0))
    columns = [one.codes for one in labels.split()]
    assert_array_equal(columns, np.eye(3)[:, labels.codes])
    pair = labels.take(np.array([2, 2, 0]))
    assert_array_equal(pair.codes, [1, 1, 0])
    assert_array_equal(pair.numbers, [0, 2])
    assert pair.split() == [pair]
