"""A name is looked up in folders, then among bundled sets, then at OpenML."""

import gzip

import pytest

from manyminds.datasets import lookup
from manyminds.datasets.bundled import load_dataset
from manyminds.datasets.dataset import DatasetNotFoundError
from manyminds.datasets.folder import DataFolder
from manyminds.datasets.lookup import DATA_VARIABLE, find_dataset


@pytest.fixture(autouse=True)
def no_folder_and_no_network(monkeypatch):
    def unreachable(name):
        raise DatasetNotFoundError(name) from OSError("no route to host")

    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    monkeypatch.setattr(lookup, "fetch_openml_dataset", unreachable)


@pytest.fixture
def make_folder(tmp_path):
    def make(where, *names):
        path = tmp_path / where
        path.mkdir()
        lines = [f"{name},1,1,2,{where},\n" for name in names]
        header = "name,rows,features,classes_or_regression,source,note\n"
        (path / "INDEX.csv").write_text(header + "".join(lines))
        for name in names:
            content = gzip.compress(b"a,target\n1,x\n")
            (path / f"{name}.csv.gz").write_bytes(content)
        return path

    return make


def test_the_given_folder_wins(make_folder, monkeypatch):
    given, by_variable = make_folder("given", "iris"), make_folder("other", "iris")
    monkeypatch.setenv(DATA_VARIABLE, str(by_variable))
    assert find_dataset("iris", given).source == "given"
    assert find_dataset("iris", DataFolder(given)).source == "given"
    assert find_dataset("iris").source == "other"


def test_the_next_place_is_tried(make_folder, monkeypatch):
    given, by_variable = make_folder("given", "mine"), make_folder("other", "theirs")
    monkeypatch.setenv(DATA_VARIABLE, str(by_variable))
    assert find_dataset("theirs", given).source == "other"
    assert find_dataset("wine", given).fingerprint == load_dataset("wine").fingerprint


def test_openml_comes_last(monkeypatch):
    monkeypatch.setattr(lookup, "fetch_openml_dataset", lambda name: f"OpenML {name}")
    assert find_dataset("credit-g") == "OpenML credit-g"
    assert find_dataset("iris").source == "comes with scikit-learn"


def test_the_error_tells_what_was_tried(make_folder, monkeypatch):
    with pytest.raises(DatasetNotFoundError) as told:
        find_dataset("credit-g", make_folder("given", "credit-h"))
    message = str(told.value)
    assert "the given folder: it has 1 sets, but not this one" in message
    assert "the bundled sets: not among them" in message
    assert "OpenML: no route to host" in message
    assert "credit-h" in message
    assert DATA_VARIABLE in message
    monkeypatch.setenv(DATA_VARIABLE, "nowhere")
    with pytest.raises(LookupError, match=f"{DATA_VARIABLE}: there is no INDEX.csv"):
        find_dataset("credit-g", online=False)
    with pytest.raises(LookupError, match="but online=False"):
        find_dataset("credit-g", online=False)
    with pytest.raises(LookupError, match="no version is pinned"):
        find_dataset("never heard of")


def test_a_wrong_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"INDEX\.csv"):
        find_dataset("iris", tmp_path)
