"""Pictures of graphs: which edges are right, and that something is drawn."""

import matplotlib as mpl
import networkx as nx
import pytest

from manyminds.networks import compare_graphs, plot_network
from manyminds.networks.drawing import place_in_layers


@pytest.fixture(autouse=True)
def no_window():
    before = mpl.get_backend()
    mpl.use("Agg")
    yield
    mpl.pyplot.close("all")
    mpl.use(before)


def test_edges_are_sorted():
    learned = nx.DiGraph([("a", "b"), ("c", "b"), ("d", "a")])
    edges = compare_graphs(learned, [("a", "b"), ("b", "c"), ("a", "c")])
    assert edges == {
        "right": [("a", "b")],
        "reversed": [("c", "b")],
        "extra": [("d", "a")],
        "missing": [("a", "c")],
    }


def test_children_are_below_their_parents():
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("a", "c")])
    places = place_in_layers(graph)
    assert places["a"][1] > places["b"][1] > places["c"][1]


def test_legend_counts_edges():
    ax = plot_network([("a", "b"), ("b", "c")], [("a", "b"), ("c", "b")])
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["right (1)", "reversed (1)", "extra (0)", "missing (0)"]
    assert plot_network([("a", "b")]).get_legend() is None
