"""Tables come from paths, names, frames and data sets, and are checked once."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import from_arrays, load_dataset
from manyminds.utils.errors import InputError, InputTypeError
from manyminds.workflows import tables
from manyminds.workflows.tables import (
    check_n_jobs,
    read_input,
    read_learnable,
    warn_about_pitfalls,
    write_command,
)


@pytest.fixture
def frame():
    return pd.DataFrame({"size": [1.0, 2.0, 4.0], "kind": ["a", "b", "a"]})


def test_a_path_a_frame_and_a_data_set_are_the_same(frame, tmp_path):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    found = [read_input(one, "kind") for one in (path, str(path), frame)]
    found.append(read_input(found[0]))
    assert len({one.fingerprint for one in found}) == 1
    assert {one.target_name for one in found} == {"kind"}


def test_polars_frames(frame):
    polars = pytest.importorskip("polars")
    made = polars.DataFrame(frame.to_dict(orient="list"))
    assert read_input(made, "kind").fingerprint == read_input(frame, "kind").fingerprint


@pytest.mark.parametrize("target", [0, "0", -2, "-2"])
def test_a_target_may_be_a_position(frame, target):
    data = read_input(frame, target)
    assert data.target_name == "size" and list(data.X) == ["kind"]


def test_a_file_is_read_once(frame, tmp_path, monkeypatch):
    frame.to_csv(tmp_path / "t.csv", index=False)
    calls = []
    read = tables.read_table
    monkeypatch.setattr(
        tables, "read_table", lambda *a, **k: calls.append(a) or read(*a, **k)
    )
    assert read_learnable(tmp_path / "t.csv", -1).target_name == "kind"
    assert len(calls) == 1


def test_names_of_data_sets():
    data = read_input("iris")
    assert data.fingerprint == load_dataset("iris").fingerprint
    assert data.target_name == "target"


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ("iris", {"target": "x"}, "target is for files"),
        ("iris", {"drop": ["x"]}, "drop is for files"),
        ("iris", {"decimal": ","}, "decimal is for files"),
        (load_dataset("iris"), {"target": "x"}, "target is for files"),
    ],
)
def test_declarations_are_for_files_and_frames(data, options, message):
    with pytest.raises(InputError, match=message):
        read_input(data, **options)


def test_other_objects_are_refused():
    with pytest.raises(InputTypeError, match=r"data must be a path.*got ndarray"):
        read_input(np.ones((2, 2)))


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.ones((1, 1)), ["a"], "has 1 rows with a target"),
        (np.ones((2, 0)), ["a", "b"], "no column but the target"),
        (np.ones((2, 1)), ["a", "a"], "one class only, a"),
    ],
)
def test_a_model_needs_rows_columns_and_classes(X, y, message):
    with pytest.raises(InputError, match=message):
        read_learnable(from_arrays(X, y))


def test_no_jobs_are_refused():
    check_n_jobs(-1)
    for wrong in (0, 1025, 10**20):  # the last was an OverflowError of loky
        with pytest.raises(InputError, match="n_jobs must be from 1 to 1024"):
            check_n_jobs(wrong)


def test_commands_repeat_a_result(frame):
    options = {"target": "the kind", "native": True, "seed": None}
    reading = {"drop": ["a", "b"], "folder": "sets", "drop_missing_target": False}
    text = write_command("compare", ["t.csv", Path("u.csv")], options, reading)
    assert text == (
        "manyminds compare t.csv u.csv --target 'the kind' --native --drop a --drop b "
        "--data sets"
    )
    assert write_command("compare", [frame], options, reading) == ""


def test_several_columns_are_many_labels(frame):
    several = frame.assign(a=[0, 1, 1], b=[1, 0, 1], **{"b,c": [0, 0, 1]})
    data = read_learnable(several, "a, b")
    assert data.task == "multilabel" and list(data.y.columns) == ["a", "b"]
    data = read_learnable(several, 'a,"b,c"')
    assert list(data.y.columns) == ["a", "b,c"]
    # A name with a comma is one column.
    assert read_learnable(several, "b,c").task == "classification"
    assert list(read_learnable(several, ["b", "a"]).y.columns) == ["b", "a"]


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("a,bb", {}, "'bb' is not a column"),
        ("a,", {}, "both sides of each comma"),
        ("a,a", {}, "different columns"),
        ("x,y", {}, "'x,y' is not a column"),
        ("a,size", {}, "'size' holds 2"),
        ("a", {"task": "multilabel"}, "names one only, 'a'"),
        ("a,b", {"task": "regression"}, "task='multilabel'"),
    ],
)
def test_wrong_labels_are_named(frame, target, options, message):
    several = frame.assign(a=[0, 1, 1], b=[1, 0, 1])
    with pytest.raises(InputError, match=message):
        read_learnable(several, target, **options)


def test_labels_that_all_rows_have_are_warned_about(frame):
    several = frame.assign(a=[0, 1, 1], all=1)
    with pytest.warns(UserWarning, match="Nothing can be learned about all"):
        read_learnable(several, "a,all")


def test_the_command_has_names_with_commas_in_quotes(frame):
    command = write_command("search", "toy.csv", {"target": ["a", "b,c"]}, {})
    assert command == "manyminds search toy.csv --target 'a,\"b,c\"'"


def test_serious_pitfalls_are_warned_about(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.normal(size=200), "row": np.arange(200.0)})
    y = np.where(X["x"] + rng.normal(size=200) > 0, "a", "b")
    data = from_arrays(X.assign(fee=(y == "a") * 4.0), y, name="t")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_about_pitfalls(data)
    texts = [str(one.message) for one in caught]
    assert "row may be a counter of the rows" in texts[0]
    assert "fee has 2 values" in texts[1] and len(texts) == 2
