"""``manyminds export`` writes ONNX, or says in one line why not."""

import json

import pytest
from sklearn.neighbors import KNeighborsClassifier

from manyminds.datasets import load_dataset
from manyminds.persistence import save_model
from manyminds.trees import DecisionTreeClassifier

COMMAND = "export"
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def kept(folder):
    pytest.importorskip("onnx")
    data = load_dataset("iris")
    tree = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    save_model("model.skops", tree, data)
    return data


def test_file_and_words(call, kept, folder):
    code, out, err = call(".", "--onnx", "tree.onnx")
    assert code == 0 and err == ""
    assert "Written: tree.onnx" in out and "4 columns" in out
    assert "label, probabilities" in out
    assert (folder / "tree.onnx").stat().st_size > 100


def test_json(call, kept):
    code, out, _ = call("model.skops", "--onnx", "tree.onnx", "--json")
    content = json.loads(out)
    assert code == 0 and content["inputs"] == list(kept.X.columns)


def test_errors_name_the_step(call, kept, folder):
    model = KNeighborsClassifier().fit(kept.X, kept.y)
    save_model("other.skops", model, kept)
    code, _, err = call("other.skops", "--onnx", "other.onnx")
    assert code == 2 and "KNeighborsClassifier cannot be converted to ONNX" in err
    assert "--exportable" in err and not (folder / "other.onnx").exists()


def test_missing_model(call):
    code, _, err = call("nowhere", "--onnx", "x.onnx")
    assert code == 2 and "nowhere" in err


def test_a_format_is_needed(call, kept):
    code, _, err = call(".")
    assert code == 2 and "--onnx" in err
