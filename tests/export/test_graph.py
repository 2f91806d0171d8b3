"""A graph names its values, and its operators compute what they should."""

import builtins

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.export.graph import Graph, require_onnx
from manyminds.utils.errors import InputError


def run(graph, value, X):
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    graph.rename(value, "out")
    model = graph.build([("out", onnx.TensorProto.DOUBLE, [None, None])])
    return runtime.InferenceSession(model.SerializeToString()).run(None, {"x": X})[0]


@pytest.fixture
def graph():
    pytest.importorskip("onnx")
    return Graph()


def test_probabilities(graph):
    x = graph.add_input("x", is_text=False)
    two = graph.pair(x)
    made = run(graph, graph.normalize(graph.add("Add", two, two)), np.array([[0.25]]))
    assert_allclose(made, [[0.75, 0.25]])


def test_columns_and_sums(graph):
    x = graph.add_input("x", is_text=False)
    both = graph.add("Concat", x, graph.constant(np.array([[7.0]])), axis=1)
    swapped = graph.take_columns(both, [1, 0])
    made = run(graph, graph.total([both, swapped, swapped]), np.array([[1.0]]))
    assert_allclose(made, [[15.0, 9.0]])


def test_sums_in_order(graph):
    # From the left, 1e16 + 1 - 1e16 is 0; any other order has another sum.
    x = graph.add_input("x", is_text=False)
    row = graph.constant(np.array([[1e16, 1.0, -1e16, 0.25]]))
    made = graph.sum_in_order(graph.add("Mul", x, row), 1)
    axis = graph.constant(np.array([1]))
    made = run(graph, graph.add("Unsqueeze", made, axis), np.array([[1.0], [2.0]]))
    assert made.tolist() == [[0.25], [0.5 + (2e16 + 2.0 - 2e16)]]


def test_places_of_the_smallest(graph):
    x = graph.add_input("x", is_text=False)
    column = graph.add("Squeeze", x, graph.constant(np.array([1])))
    places = graph.add("Cast", graph.smallest_places(column, 3), to=11)
    made = graph.add("Unsqueeze", places, graph.constant(np.array([1])))
    made = run(graph, made, np.array([[5.0], [2.0], [7.0], [2.0], [5.0], [5.0]]))
    assert made.ravel().tolist() == [1, 3, 0]


def test_without_onnx_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def fail(name, *arguments, **options):
        if name == "onnx":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(InputError, match=r"pip install 'manyminds\[onnx\]'"):
        require_onnx()


def test_all_nodes_have_names_of_their_own():
    # onnxruntime 1.20 names a node that it makes after the one that it replaces.
    graph = Graph()
    graph.rename(graph.smallest(graph.add("Exp", graph.add("Exp", "x")), 1), "made")
    names = [node.name for node in graph.nodes]
    assert all(names) and len(set(names)) == len(names) == 5
