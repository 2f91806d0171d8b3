"""OpenML's sets become ours, and its silence a clear error."""

import socket
from urllib.error import HTTPError

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_matrix
from sklearn import datasets as theirs
from sklearn.utils import Bunch

from manyminds.datasets.dataset import DatasetNotFoundError
from manyminds.datasets.openml import OPENML, REGRESSION, fetch_openml_dataset


def bunch(data, target, name="toy", version="2"):
    """Put together what fetch_openml returns."""
    frame = None
    if isinstance(data, pd.DataFrame) and target is not None:
        frame = pd.concat([data, target], axis=1)
    details = {"id": "17", "name": name, "version": version, "status": "active"}
    return Bunch(data=data, target=target, frame=frame, details=details)


@pytest.fixture
def openml(monkeypatch):
    """Answer for OpenML; keep what was asked."""
    asked = []

    def answer_with(result):
        def fetch_openml(**options):
            asked.append(options)
            if isinstance(result, Exception):
                raise result
            return result

        monkeypatch.setattr(theirs, "fetch_openml", fetch_openml)
        return asked

    return answer_with


def table():
    color = pd.Categorical(["None", "red", None], ["red", "None", "blue"])
    return pd.DataFrame({"size": [1.0, np.nan, 3.0], "color": color, "n": [1, 2, 3]})


def test_columns_are_as_declared(openml):
    target = pd.Series(pd.Categorical(["1", "2", "1"]), name="class")
    asked = openml(bunch(table(), target))
    data = fetch_openml_dataset("toy", 2)
    assert (asked[0]["name"], asked[0]["version"]) == ("toy", 2)
    assert data.source == "OpenML: toy, version 2, number 17"
    assert data.X["color"].cat.categories.tolist() == ["red", "None", "blue"]
    assert data.X["color"].tolist() == ["None", "red", np.nan]
    assert_array_equal(data.X[["size", "n"]], [[1, 1], [np.nan, 2], [3, 3]])
    assert data.task == "classification"
    assert data.y.tolist() == [1, 2, 1]


def test_names_that_are_pinned(openml):
    target = pd.Series(pd.Categorical(["7", "9", "7"]), name="rings")
    asked = openml(bunch(table(), target))
    data = fetch_openml_dataset("abalone")
    assert (asked[0]["name"], asked[0]["version"]) == OPENML["abalone"]
    assert data.name == "abalone"
    assert data.task == "regression"  # although OpenML declares classes
    assert_array_equal(data.y, [7.0, 9.0, 7.0])
    assert fetch_openml_dataset("credit-a").task == "classification"
    assert asked[1]["name"] == "credit-approval"
    fetch_openml_dataset("abalone", 5)
    assert (asked[2]["name"], asked[2]["version"]) == ("abalone", 5)


def test_numbers_are_regressed_unless_told_otherwise(openml):
    asked = openml(bunch(table(), pd.Series([1, 2, 1], name="y")))
    assert fetch_openml_dataset("other").task == "regression"
    assert asked[0]["version"] == "active"
    data = fetch_openml_dataset("other", task="classification")
    assert data.y.tolist() == [1, 2, 1]


def test_several_targets_and_sparse_tables(openml):
    labels = pd.DataFrame({"p": pd.Categorical(["0", "1", "1"]), "q": [0, 1, 0]})
    openml(bunch(table(), labels))
    assert_array_equal(fetch_openml_dataset("several").y, [[0, 0], [1, 1], [1, 0]])
    openml(bunch(csr_matrix(np.eye(3)), np.array(["a", "b", "a"], dtype=object)))
    data = fetch_openml_dataset("thin")
    assert_array_equal(data.X.toarray(), np.eye(3))
    assert data.y.tolist() == ["a", "b", "a"]


def test_a_set_without_a_target(openml):
    openml(bunch(table(), None))
    with pytest.raises(DatasetNotFoundError, match="does not declare a target"):
        fetch_openml_dataset("aimless")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("Dataset irsi with version 1 not found."),
        TimeoutError("timed out"),
        HTTPError("https://openml.org", 503, "busy", {}, None),
    ],
)
def test_failures_are_told(openml, error):
    openml(error)
    message = r"'irsi' \(version active\): .*(not found|timed out|busy).*read_table\(\)"
    with pytest.raises(DatasetNotFoundError, match=message) as told:
        fetch_openml_dataset("irsi")
    assert told.value.__cause__ is error


def test_without_a_network(monkeypatch, tmp_path):
    # The real thing, but for the wire: no name has an address.
    def no_address(*_args, **_options):
        raise socket.gaierror("Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", no_address)
    for variable in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(
        DatasetNotFoundError, match="did not return the data set 'iris'"
    ):
        fetch_openml_dataset("iris", data_home=tmp_path, n_retries=1)


def test_the_table_of_pinned_versions():
    assert REGRESSION <= OPENML.keys()
    assert all(isinstance(version, int) for _, version in OPENML.values())
    assert len(set(OPENML.values())) == len(OPENML)


def test_pinned_names_are_those_of_the_reproduction_data(shared_data):
    from manyminds.datasets.folder import DataFolder

    folder = DataFolder(shared_data)
    assert OPENML.keys() <= set(folder.names())
    kinds = folder.index["classes_or_regression"]
    assert {name for name in OPENML if kinds[name] == "regression"} == REGRESSION


def test_the_slow_parser_helps_where_the_fast_one_fails(monkeypatch):
    def fetch_openml(parser, **_options):
        if parser != "liac-arff":
            raise TypeError("expected string or bytes-like object, got 'int'")
        return bunch(table(), pd.Series([1.5, 2.0, 1.0], name="y"))

    monkeypatch.setattr(theirs, "fetch_openml", fetch_openml)
    assert fetch_openml_dataset("other").n_samples == 3
