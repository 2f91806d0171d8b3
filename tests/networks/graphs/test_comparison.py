"""Edges right, missing, extra and wrongly directed."""

import numpy as np
import pytest

from manyminds.networks.graphs.comparison import GraphComparison, compare_graphs


def test_comparison():
    comparison = compare_graphs(
        [[0, 1, 1], [0, 0, 0], [1, 0, 0]], [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    )
    assert isinstance(comparison, GraphComparison)
    assert comparison.right == [("x0", "x1"), ("x0", "x2")]
    assert comparison.missing == [("x1", "x2")]
    assert comparison.wrong_direction == [("x0", "x2")]
    assert comparison.distance == 2
    assert comparison.precision == 1.0 and comparison.recall == 2 / 3
    nothing = np.zeros((3, 3), dtype=int)
    assert compare_graphs(nothing, nothing).recall == 1.0
    with pytest.raises(ValueError, match="names must have one entry"):
        compare_graphs(np.zeros((2, 2)), nothing)
