"""``manyminds reproduce``: what is printed, what is kept, how it exits."""

import gzip
import json

import pytest

from manyminds.cli.main import main
from manyminds.experiments import open_store

NAME = "forests-of-local-trees-baselines"


@pytest.fixture(autouse=True)
def no_folder_of_mine(monkeypatch):
    monkeypatch.delenv("MANYMINDS_DATA", raising=False)
    monkeypatch.delenv("MANYMINDS_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "200")


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as exit:
        main(["reproduce", *map(str, arguments)])
    output = capsys.readouterr()
    return exit.value.code, output.out, output.err


def write_folder(path, **tables):
    """Write a data folder of small tables: name to lines of CSV."""
    path.mkdir()
    index = ["name,rows,features,classes_or_regression"]
    for name, lines in tables.items():
        n_features = lines[0].count(",")
        index.append(f"{name},{len(lines) - 1},{n_features},2")
        text = "\n".join(lines) + "\n"
        (path / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
    (path / "INDEX.csv").write_text("\n".join(index) + "\n")
    (path / "SCHEMA.json").write_text("{}")
    return path


def test_list_makes_no_store(capsys, tmp_path):
    store = tmp_path / "records.sqlite"
    code, text, _ = call(capsys, "--store", store)
    assert code == 0 and not store.exists()
    assert NAME in text and "0 of" in text
    call(capsys, "--store", f"sqlite:///{store}")
    assert not store.exists()


@pytest.mark.slow
def test_quick_run_is_kept_under_its_own_name(capsys, tmp_path):
    store = tmp_path / "records.sqlite"
    options = ("--quick", "--offline", "--store", store, "--json")
    code, text, _ = call(capsys, NAME, *options)
    first = json.loads(text)["parts"][0]
    assert code == 0 and first["quick"]
    assert sorted(first["missing"]) == ["hepatitis", "labor", "vowel", "zoo"]
    assert first["new_folds"] == 60 and first["tolerance"]["points"] == 1.0
    cells = {(cell["dataset"], cell["method"]): cell for cell in first["cells"]}
    assert cells["iris", "Bagging"]["reference"] == 95.6
    assert cells["iris", "Bagging"]["n"] == 10
    assert cells["zoo", "Bagging"]["verdict"] == "not run"

    _, again, _ = call(capsys, NAME, *options)
    assert json.loads(again)["parts"][0]["new_folds"] == 0
    kept = open_store(str(store))
    assert [state.plan for state in kept.plans()] == [f"{NAME} (quick)"]
    kept.close()
    _, listed, _ = call(capsys, "--store", store, "--json")
    assert {entry["recorded"] for entry in json.loads(listed)} == {0}


def test_words_for_a_person(capsys, tmp_path):
    store = tmp_path / "records.sqlite"
    code, text, _ = call(capsys, NAME, "--quick", "--offline", "--store", store)
    assert code == 0
    for words in (
        "Competitors of Forests of Local Trees",
        "Tolerance: 1 point",
        "quick subset",
        "(1) the data set was not found",
        "Missing data sets: hepatitis, labor, vowel, zoo. --data DIR names a folder",
        "new folds in",
    ):
        assert words in text, words
    row = next(line for line in text.splitlines() if "iris" in line and "Bag" in line)
    assert "95.60" in row


def test_data_of_a_folder_come_first(capsys, tmp_path):
    # A set that a single question solves, in place of the real iris.
    lines = ["x,target", *(f"{i % 2},{'ab'[i % 2]}" for i in range(40))]
    folder = write_folder(tmp_path / "data", iris=lines)
    options = ("--quick", "--offline", "--json", "--store", tmp_path / "s.sqlite")
    _, text, _ = call(capsys, NAME, "--data", folder, *options)
    cells = json.loads(text)["parts"][0]["cells"]
    iris = [cell for cell in cells if cell["dataset"] == "iris"]
    assert [cell["mean"] for cell in iris] == [100.0] * 3


def test_nothing_to_run_is_an_error(capsys, tmp_path, monkeypatch):
    from manyminds.reproductions import registry as plans
    from manyminds.reproductions.forests_of_local_trees_baselines import (
        plan as local_trees,
    )

    monkeypatch.setattr(local_trees, "QUICK", ("zoo", "labor"))
    options = ("--quick", "--offline", "--store", tmp_path / "s.sqlite")
    code, text, _ = call(capsys, NAME, *options)
    assert code == 1 and "Missing data sets: labor, zoo." in text
    assert plans.get_reproduction(NAME).name == NAME


def test_bad_input_is_told_in_a_sentence(capsys, tmp_path):
    store = tmp_path / "records.sqlite"
    code, text, error = call(capsys, "forests-of-local-tree", "--store", store)
    assert (code, text) == (2, "") and f"did you mean '{NAME}'" in " ".join(
        error.split()
    )
    code, _, error = call(capsys, NAME, "--data", tmp_path / "no", "--store", store)
    assert code == 2 and "INDEX.csv" in error
    assert "Traceback" not in error and not store.exists()
