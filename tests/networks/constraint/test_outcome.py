"""Learned graphs and blankets as graphs."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.constraint.outcome import Blanket, LearnedGraph, warn_untested


def test_graph():
    adjacency = np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    learned = LearnedGraph(adjacency, list("abcd"))
    assert set(learned.graph.edges) == {("a", "b"), ("c", "b")}
    assert learned.find_blanket(0) == [1, 2]
    assert learned.find_neighbors(0) == [1]
    assert learned.find_component(0) == [1, 2]


def test_arcs_point_to_shared_children():
    blanket = Blanket(0, [1, 2, 3], neighbors=[1, 2], spouses={3: [2]})
    assert_array_equal(
        blanket.make_adjacency(4),
        [[0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]],
    )
    star = Blanket(0, [1, 3]).make_adjacency(4)
    assert_array_equal(star, star.T)
    assert star.sum() == 4


def test_what_was_not_tested_is_named():
    with pytest.warns(UserWarning, match="tested of the columns: no table has"):
        warn_untested("the columns", 5.0)
