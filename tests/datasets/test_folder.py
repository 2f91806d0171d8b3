"""A folder with an index gives its sets by name."""

import gzip
import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.dataset import DatasetNotFoundError
from manyminds.datasets.errors import TableError
from manyminds.datasets.folder import DataFolder
from manyminds.utils.errors import UserError

INDEX = """name,rows,features,classes_or_regression,source,note
toy,3,2,2,a field,small
ml-toy,2,1,2 labels,,
price,3,1,regression,,
thin,2,5,2,,
"""
SCHEMA = {
    "toy": {"categorical": ["code"]},
    "ml-toy": {"categorical": "all", "targets": ["target_p", "target_q"]},
}
FILES = {
    "toy.csv.gz": "size,code,target\n1,01,None\n,1,b\n2.5,,b\n",
    "ml-toy.csv.gz": "a,target_p,target_q\n1,0,1\n2,1,1\n",
    "price.csv.gz": "a,target\n1,1\n2,2\n3,2\n",
    "thin.svm.gz": "1 1:2\n-1 3:1\n",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "INDEX.csv").write_text(INDEX)
    (tmp_path / "SCHEMA.json").write_text(json.dumps(SCHEMA))
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    return DataFolder(tmp_path)


def test_names(folder):
    assert folder.names() == list(folder) == ["toy", "ml-toy", "price", "thin"]
    assert len(folder) == 4
    assert "toy" in folder and "other" not in folder
    assert folder.index.loc["toy", "rows"] == 3
    assert repr(folder) == "DataFolder(4 data sets)"


def test_columns_are_as_declared(folder):
    data = folder.load("toy")
    assert (data.source, data.note) == ("a field", "small")
    assert_array_equal(data.X["size"], [1, np.nan, 2.5])
    assert data.X["code"].tolist() == ["01", "1", np.nan]
    assert data.y.tolist() == ["None", "b", "b"]  # only an empty cell is missing


def test_tasks_are_those_of_the_index(folder):
    assert folder.load("price").task == "regression"
    several = folder.load("ml-toy")
    assert several.task == "multilabel"
    assert_array_equal(several.y, [[0, 1], [1, 1]])
    assert several.categorical == ["a"]
    sparse = folder.load("thin")
    assert sparse.task == "classification"
    assert sparse.X.shape == (2, 5)


def test_wrong_names(folder, tmp_path):
    with pytest.raises(DatasetNotFoundError, match=r"'tyo'\. Close: toy"):
        folder.load("tyo")
    with pytest.raises(FileNotFoundError, match=r"folder with a file INDEX\.csv"):
        DataFolder(tmp_path / "nothing")


def test_damaged_files_are_found(folder, tmp_path):
    cut = gzip.compress(FILES["price.csv.gz"][:-4].encode())
    (tmp_path / "price.csv.gz").write_bytes(cut)
    with pytest.raises(ValueError, match=r"holds 2 rows .* the index lists 3"):
        folder.load("price")


@pytest.mark.parametrize("name", ["iris", "soybean", "ml-flags", "dexter", "auto-mpg"])
def test_sets_of_the_reproduction_data(shared_data, name):
    folder = DataFolder(shared_data)
    data, row = folder.load(name), folder.index.loc[name]
    assert len(data.categorical) == int(row["categorical"])
    assert data.n_missing == int(row["missing"])
    if row["classes_or_regression"] != "regression":
        assert len(data.classes) == int(row["classes_or_regression"].split()[0])
    for column in data.categorical:
        assert not data.X[column].astype(str).str.contains(r"^\d+\.0$").any()


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("INDEX.csv", "name,rows\ntoy,1\n", "features, classes_or_regression are miss"),
        ("INDEX.csv", "", "INDEX.csv: No columns"),
        ("INDEX.csv", INDEX.replace("toy,3", "toy,three"), "'three'"),
        ("INDEX.csv", INDEX.replace("toy,3", "toy,3" + "0" * 30), "whole numbers"),
        ("INDEX.csv", INDEX + "toy,3,2,2,a,b\n", r"twice: \['toy'\]"),
        ("SCHEMA.json", "[1]", "an object for each data set"),
        ("SCHEMA.json", '{"toy": 1}', "an object for each data set"),
        ("SCHEMA.json", '{\n"toy": ', "line 2 is not valid JSON"),
    ],
)
def test_a_damaged_index_or_schema_is_named(folder, name, content, message):
    (folder.path / name).write_text(content)
    with pytest.raises(TableError, match=f"^{name}: .*{message}|^{message}"):
        folder.load("toy")


@pytest.mark.parametrize(
    "name, shown", [("t\x7fy", r"t\x7fy"), ("t\u2028", r"t\u2028")]
)
def test_a_name_with_control_characters_is_shown_escaped(folder, name, shown):
    index = f"name,rows,features,classes_or_regression\n{name},2,1,2\n"
    (folder.path / "INDEX.csv").write_text(index, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        folder.load(name)
    assert f"{shown}.csv.gz" in str(caught.value)
    assert name not in str(caught.value)
