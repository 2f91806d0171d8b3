"""A converted model says what it is, and refuses what it cannot be."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import Column, describe_columns
from manyminds.ensemble import MultiLabelForestClassifier, RandomForestClassifier
from manyminds.export import ExportError, to_onnx
from manyminds.persistence import TableModel


def test_inputs_outputs_and_facts(table, classes):
    onnx = pytest.importorskip("onnx")
    forest = RandomForestClassifier(3, random_state=0).fit(table, classes)
    levels = {
        "hue": ("blue", "green", "red"),
        "town": tuple(table["town"].cat.categories),
    }
    columns = tuple(Column(name, levels.get(name)) for name in table.columns)
    model = TableModel(forest, columns, "size", "classification", (), len(columns))
    made = to_onnx(model)
    kinds = {one.name: one.type.tensor_type.elem_type for one in made.graph.input}
    assert list(kinds) == list(table.columns)
    assert kinds["a"] == onnx.TensorProto.DOUBLE
    assert kinds["hue"] == onnx.TensorProto.STRING
    assert [one.name for one in made.graph.output] == ["label", "probabilities"]
    facts = {one.key: one.value for one in made.metadata_props}
    assert facts["target"] == "size" and made.producer_name == "manyminds"


def test_facts_of_labels(table, classes):
    pytest.importorskip("onnx")
    X = table[["a", "b"]]
    Y = np.column_stack([classes == "low", classes == "top"]).astype(int)
    forest = MultiLabelForestClassifier(2, random_state=0).fit(X, Y)
    names = ("happy, or so", "sad")
    model = TableModel(forest, describe_columns(X), names, "multilabel", names, 2)
    made = to_onnx(model)
    assert [one.name for one in made.graph.output] == ["labels", "probabilities"]
    facts = {one.key: one.value for one in made.metadata_props}
    assert json.loads(facts["labels"]) == list(names)


def test_columns_with_names_of_values(run_onnx, table, classes):
    # Of outputs, and of those that are made on the way.
    names = ["label", "probabilities", "constant_0", "concat_0"]
    X = table[list("abcd")].set_axis(names, axis=1)
    model = RandomForestClassifier(3, random_state=0).fit(X, classes)
    label, made = run_onnx(model, X)
    assert_array_equal(label, model.predict(X))
    assert_array_equal(made, model.predict_proba(X))


def test_sparse_tables_are_refused():
    pytest.importorskip("onnx")
    with pytest.raises(ExportError, match="sparse"):
        to_onnx(TableModel(None, None, "y", "classification", (), 1))
