"""Facts on targets: counts of classes and labels, distributions of numbers."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import Dataset, from_arrays
from manyminds.reports.shared.table import count_bars, summarize_target


def test_classes_are_counted_the_most_frequent_first():
    found = summarize_target(from_arrays(np.eye(6), ["b", "a", "c", "a", "b", "c"]))
    assert list(found.counts.items()) == [("a", 2), ("b", 2), ("c", 2)]  # ties by name
    found = summarize_target(from_arrays(np.eye(4), ["b", "a", "b", "b"]))
    assert list(found.counts.items()) == [("b", 3), ("a", 1)]
    assert found.quantiles == {} and found.edges == found.heights == ()


def test_numbers_of_classes_are_texts():
    found = summarize_target(from_arrays(np.eye(3), np.array([10, 2, 2])))
    assert found.counts == {"2": 2, "10": 1}


def test_quartiles_and_histogram_of_numbers():
    data = from_arrays(
        np.eye(5), np.array([0.0, 1.0, 2.0, 3.0, 14.0]), task="regression"
    )
    found = summarize_target(data)
    assert found.quantiles == {
        "lowest": 0.0, "lower quartile": 1.0, "median": 2.0, "upper quartile": 3.0,
        "highest": 14.0, "mean": 4.0,
    }  # fmt: skip
    assert_allclose(found.edges, np.linspace(0.0, 14.0, 21))
    assert sum(found.heights) == 5 and found.heights[-1] == 1
    assert found.counts == {}


def test_labels_are_counted_each_for_itself():
    y = pd.DataFrame({"rare": [0, 0, 1], "often": [1, 1, 1]})
    X = pd.DataFrame({"x": [0.0, 1.0, 2.0]})
    found = summarize_target(Dataset("several", X, y, "multilabel"))
    assert list(found.counts.items()) == [("often", 3), ("rare", 1)]


def test_the_order_of_rows_does_not_matter(seed):
    y = np.random.default_rng(seed).integers(4, size=30)
    one, other = (from_arrays(np.eye(30), target) for target in (y, y[::-1]))
    assert summarize_target(one) == summarize_target(other)


@pytest.mark.parametrize("values", [[0.0, 5e-324], [-1.7e308, 1.7e308], [2.0**53] * 2])
def test_a_range_without_room_for_bars_has_one(values):
    values = np.array(values)
    heights, edges = count_bars(values, 20)
    assert heights.sum() == 2 and len(edges) == len(heights) + 1
    assert edges.min() <= values.min() and edges.max() >= values.max()
