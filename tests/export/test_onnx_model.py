"""A converted model says what it is, and refuses what it cannot be."""

import pytest

from manyminds.datasets import Column
from manyminds.ensemble import RandomForestClassifier
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


@pytest.mark.parametrize(
    ("columns", "task", "words"),
    [(None, "classification", "sparse"), ((Column("a"),), "multilabel", "many labels")],
)
def test_refused_models(columns, task, words):
    pytest.importorskip("onnx")
    with pytest.raises(ExportError, match=words):
        to_onnx(TableModel(None, columns, "y", task, (), 1))
