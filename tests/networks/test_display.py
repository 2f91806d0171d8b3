"""Pictures of graphs: numbers in titles, edges by color, places of nodes."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch

from manyminds.networks.display import (
    EXTRA,
    MISSING,
    REVERSED,
    RIGHT,
    GraphDisplay,
    place_nodes,
)

matplotlib.use("agg")
TRUE = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
LEARNED = np.array([[0, 1, 1], [1, 0, 0], [0, 0, 0]])


def colors(ax):
    patches = [p for p in ax.patches if isinstance(p, FancyArrowPatch)]
    return sorted(to_hex(p.get_edgecolor()) for p in patches)


def test_edges_by_color():
    display = GraphDisplay(LEARNED, TRUE, names=["a", "b", "c"]).plot(highlight="b")
    left, right = display.axes_
    assert colors(left) == [RIGHT, RIGHT]
    assert colors(right) == sorted([REVERSED, EXTRA, MISSING])
    assert right.get_title() == (
        "learned: 1 right (1 with another direction), 1 missing, 1 extra"
    )
    assert display.comparison.extra == [("a", "c")]
    plt.close("all")


def test_one_graph():
    _, ax = plt.subplots()
    display = GraphDisplay(LEARNED).plot(ax)
    assert display.axes_[0] is ax and display.comparison is None
    assert ax.get_title() == ""
    GraphDisplay(LEARNED, TRUE).plot(ax)  # the true graph is not drawn
    assert ax.get_title() == (
        "learned: 1 right (1 with another direction), 1 missing, 1 extra"
    )
    with pytest.raises(ValueError, match="axes must be 2"):
        GraphDisplay(LEARNED, TRUE).plot([ax, ax, ax])
    plt.close("all")


def test_children_are_below_their_parents():
    layout = place_nodes(TRUE, ["a", "b", "c"])
    assert layout["a"][1] > layout["b"][1] > layout["c"][1]
    cyclic = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert len(place_nodes(cyclic, ["a", "b", "c"])) == 3
