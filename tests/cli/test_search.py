"""``manyminds search`` finds a model, keeps it whole, and takes bad input kindly."""

import json
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import accuracy_score, root_mean_squared_error

from manyminds.cli.main import main
from manyminds.datasets import load_dataset
from manyminds.persistence import load_model

FILES = {
    "leaderboard.csv",
    "model.skops",
    "model_card.md",
    "predictions.csv",
    "report.html",
    "search.json",
    "selection.csv",
    "importance.csv",
    "study.sqlite",
    "trace.csv",
}
QUICK = ("--trials", "3", "--cv", "2", "--jobs", "1")
QUICKER = ("--trials", "1", *QUICK[2:])


def run(*words):
    """Run the command; give its exit code."""
    try:
        main(["search", *map(str, words)])
    except SystemExit as stop:
        return stop.code or 0
    return 0


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in a folder of its own, whatever the environment says."""
    monkeypatch.chdir(tmp_path)
    for name in ("MANYMINDS_STORE", "MANYMINDS_DATA", "MANYMINDS_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def call(capsys):
    """Run the command; give its exit code and what it wrote."""

    def do(*words):
        code = run(*words)
        written = capsys.readouterr()
        return code, written.out, " ".join(written.err.split())

    return do


@pytest.fixture(scope="module")
def wine(tmp_path_factory, pytestconfig):
    """Search wine once; tests that change the folder take a copy."""
    place = tmp_path_factory.mktemp("searched") / "wine-search"
    seed = pytestconfig.option.seed % 1_000
    with redirect_stdout(StringIO()) as printed:
        assert run("wine", *QUICK, "--seed", seed, "--out", place) == 0
    (place.parent / "printed").write_text(printed.getvalue(), encoding="utf-8")
    return place


@pytest.fixture
def copy(wine, tmp_path, pytestconfig):
    """Return a copy of the folder, and the words that go on with its search."""
    from shutil import copytree

    copytree(wine, tmp_path / "copy")
    seed = str(pytestconfig.option.seed % 1_000)
    return tmp_path / "copy", ("--cv", "2", "--jobs", "1", "--seed", seed, "--resume")


def list_files(place):
    """List the files; those that SQLite keeps beside its own count as one with it."""
    return {re.sub(r"(?<=\.sqlite).*", "", file.name) for file in place.iterdir()}


def read_json(place):
    return json.loads((place / "search.json").read_text(encoding="utf-8"))


def read_bytes(place):
    return {file.name: file.read_bytes() for file in place.iterdir()}


def write_table(path, seed, n_rows=80):
    """Write a table of which a number, a category and gaps tell the classes."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n_rows) % 2
    frame = pd.DataFrame(
        {
            "kind": np.array(["cat", "dog"])[kind],
            "size": rng.normal(size=n_rows) + 4 * kind,
            "hue": np.where(rng.random(n_rows) < 0.8, kind, 1 - kind),
            "weight of <it> & $": rng.normal(size=n_rows),
        }
    )
    frame["hue"] = frame["hue"].map({0: "red", 1: "blue"})
    frame.loc[::7, "size"] = np.nan
    frame.to_csv(path, index=False)
    return frame


# ------------------------------------------------------------------ what is written


@pytest.mark.slow
def test_all_files_are_there_and_no_other(wine):
    assert list_files(wine) == FILES
    result = read_json(wine)
    assert result["state"] == "done"
    assert result["command"].startswith("manyminds search wine --trials 3")
    assert result["summary"]["n_trials"] == 3
    board = pd.read_csv(wine / "leaderboard.csv")
    assert board["rank"].tolist() == [1, 2, 3]
    assert board["score"].is_monotonic_decreasing
    reported = [row["pipeline"] for row in result["summary"]["leaderboard"]]
    assert reported == board["pipeline"].tolist()
    assert len(pd.read_csv(wine / "trace.csv")) == 3


def test_predictions_are_those_that_the_score_is_of(wine):
    made = pd.read_csv(wine / "predictions.csv")
    data = load_dataset("wine")
    assert made["row"].tolist() == list(range(1, 179))
    assert made["target"].astype(str).tolist() == [str(label) for label in data.y]
    assert set(made["fold"]) == {1, 2}
    told = made.filter(like="probability ")
    assert_allclose(told.sum(axis=1), 1.0, atol=1e-5)
    best = told.to_numpy().argmax(axis=1)
    assert (data.classes[best] == made["prediction"].to_numpy()).all()
    naive = accuracy_score(made["target"], made["prediction"])
    assert_allclose(read_json(wine)["summary"]["honest"]["naive"], naive, atol=1e-9)


def test_the_model_predicts_and_knows_its_score(wine):
    model = load_model(wine)
    data = load_dataset("wine")
    shuffled = data.X[data.X.columns[::-1]]
    found = model.predict_table(shuffled)["prediction"]
    assert (found.to_numpy() == data.y).mean() > 0.95
    summary = read_json(wine)["summary"]
    assert model.about["metric"] == "accuracy"
    assert model.about["honest_score"] == summary["honest"]


def test_people_get_scores_and_what_to_do_next(wine):
    out = (wine.parent / "printed").read_text(encoding="utf-8")
    place = str(wine)
    for words in (
        "on new rows: ",
        "The pooled out-of-fold predictions score",
        "Best pipelines by accuracy",
        f"Report: {place}/report.html",
        f"manyminds show {place}",
        f"manyminds predict {place} new.csv",
    ):
        assert words in out


def test_json_is_all_that_is_written(call, here):
    words = ("iris", "--metric", "log_loss", "--json", "--no-report", "--no-committee")
    code, out, err = call(*words, *QUICK, "--out", "found")
    assert code == 0 and err == ""
    found = json.loads(out)
    assert found["summary"] == read_json(here / "found")["summary"]
    assert found["summary"]["higher_is_better"] is False
    assert 0.0 < found["summary"]["honest"]["score"] < 1.0
    assert found["summary"]["members"] == []
    assert list_files(here / "found") == FILES - {"report.html"}


@pytest.mark.slow
def test_a_file_with_gaps_categories_and_odd_names(call, here, seed):
    frame = write_table(here / "pets.csv", seed)
    words = ("pets.csv", "--target", "0", "--drop", "hue")
    code, out, _ = call(*words, "--metric", "auc", *QUICKER)
    assert code == 0 and "auc" in out
    folder = here / "pets-search"
    assert read_json(folder)["identity"]["target"] == "kind"
    assert "hue" not in pd.read_csv(folder / "selection.csv")["feature"].tolist()
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<it>" not in page
    found = load_model(folder).predict_table(frame.drop(columns="hue"))
    assert set(found["prediction"]) <= {"cat", "dog"}
    assert (found["prediction"] == frame["kind"]).mean() > 0.7


@pytest.mark.slow
def test_numbers_are_predicted_as_well(call, here):
    code, out, _ = call("diabetes-progression", *QUICKER, "--out", "found")
    assert code == 0 and "rmse" in out
    made = pd.read_csv(here / "found" / "predictions.csv")
    assert list(made) == ["row", "target", "prediction", "fold"]
    error = root_mean_squared_error(made["target"], made["prediction"])
    summary = read_json(here / "found")["summary"]
    assert_allclose(summary["honest"]["naive"], error, rtol=1e-6)
    assert summary["honest"]["low"] <= summary["honest"]["high"]


# ------------------------------------------------------------------ going on


@pytest.mark.slow
def test_a_search_goes_on(call, copy):
    place, words = copy
    before = pd.read_csv(place / "leaderboard.csv").set_index("trial")
    code, _, err = call("wine", "--trials", "1", *words, "--out", place)
    assert code == 0, err
    after = pd.read_csv(place / "leaderboard.csv").set_index("trial")
    assert read_json(place)["summary"]["n_trials"] == 4
    pd.testing.assert_series_equal(
        after.loc[before.index, "score"], before["score"], check_exact=True
    )
    assert after["pipeline"].is_unique


def test_a_folder_with_a_search_is_left_alone(call, copy):
    place, _ = copy
    before = read_bytes(place)
    code, _, err = call("wine", *QUICK, "--out", place)
    assert code == 2 and "--resume" in err and "--out" in err
    assert read_bytes(place) == before


@pytest.mark.parametrize(
    ("data", "words", "said"),
    [
        ("iris", (), "used other data (wine)"),
        ("wine", ("--metric", "log_loss"), "used --metric accuracy, not log_loss"),
        ("wine", ("--cv", "3"), "used --cv 2, not 3"),
        ("wine", ("--seed", "1000"), "used --seed"),
        ("wine", ("--storage", "../other.sqlite"), "stored in study.sqlite"),
    ],
)
def test_only_the_same_search_goes_on(call, copy, data, words, said):
    place, usual = copy
    before = read_bytes(place)
    code, _, err = call(data, *usual, *words, "--trials", "1", "--out", place)
    assert code == 2 and said in err
    assert read_bytes(place) == before


def test_there_must_be_something_to_go_on_with(call, here):
    code, _, err = call("iris", *QUICK, "--resume", "--out", "nowhere")
    assert code == 2 and "no search in 'nowhere'" in err
    assert not (here / "nowhere").exists()


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("irsi",), "Close: iris"),
        (("nofile.csv",), "nofile.csv"),
        (("iris", "--metric", "acuracy"), "did you mean 'accuracy'"),
        (
            ("iris", "--metric", "rmse"),
            "can score a target of 3 classes; got",
        ),
        (("iris", "--metric", "roc_auc_ovo", "--task", "regression"), "--task"),
        (("diabetes-progression", "--metric", "accuracy"), "target of numbers"),
        (("iris", "--budget", "soon"), "--budget must be"),
        (("iris", "--budget", "-5"), "--budget"),
        (("iris", "--trials", "0"), "--trials"),
        (("iris", "--cv", "1"), "--cv"),
        (
            ("iris", "--cv", "151"),
            "--cv must be between 2 and 50, as the most",
        ),
        (("iris", "--cv", "60"), "--cv"),
        (("iris", "--jobs", "0"), "--jobs must be from 1 to 1024"),
        (("iris", "--target", "species"), "--target"),
        (("iris", "--group", "patient"), "--group must be the name of a column"),
        (("iris", "--group", "target"), "--group must be another column than the"),
        (("iris", "--weight", "size"), "--weight must be the name of a column"),
        (
            ("iris", "--group", "petalwidth", "--time", "sepalwidth"),
            "--group and --time exclude each other",
        ),
        (
            ("iris", "--fold", "petalwidth", "--cv", "3"),
            "--fold and --cv exclude each other",
        ),
    ],
)
def test_bad_input_ends_in_one_sentence_and_leaves_nothing(call, here, words, said):
    code, out, err = call("--jobs", "1", *words)
    assert code == 2 and out == ""
    assert said in err and "Traceback" not in err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("table", "words", "said"),
    [
        ("a,kind\n1,x\n2,x\n3,x\n", ("--target", "kind"), "one class only"),
        ("a,kind\n1,x\n2,y\n3,\n", ("--target", "kind"), "--drop-missing-target"),
        ("a,b\n1,2\n2,3\n", ("--target", "kind"), "kind"),
        ("kind\nx\ny\n", ("--target", "kind"), "no column but the target"),
    ],
)
def test_bad_tables_end_in_one_sentence(call, here, table, words, said):
    (here / "bad.csv").write_text(table)
    code, _, err = call("bad.csv", *words, *QUICK)
    assert code == 2 and said in err
    assert [file.name for file in here.iterdir()] == ["bad.csv"]


@pytest.mark.parametrize(
    ("column", "option", "said"),
    [
        ("2,2,2", "--group", "--group must be a column with at least two different"),
        ("2,2,2", "--fold", "--fold must be a column with at least two different"),
        ("1,,2", "--time", "--time must be a column with a value in each row"),
        ("a,b,c", "--time", "--time must be a column of numbers or dates"),
        ("1,-1,2", "--weight", "--weight must be a column of numbers that are 0"),
    ],
)
def test_bad_columns_of_rows_end_in_one_sentence(call, here, column, option, said):
    rows = [f"{y},{y},{cell}" for y, cell in enumerate(column.split(","))]
    (here / "bad.csv").write_text("\n".join(["x,y,b", *rows]))
    words = ("--target", "y", "--task", "regression", option, "b", "--trials", "1")
    code, _, err = call("bad.csv", *words)
    assert code == 2 and said in err
    assert [file.name for file in here.iterdir()] == ["bad.csv"]


@pytest.mark.parametrize("name", ["a", "target"])
def test_infinite_numbers_are_told_before_anything_is_written(call, here, name):
    frame = pd.DataFrame({"a": np.arange(20.0), "target": np.arange(20.0) / 3})
    frame.loc[4, name] = np.inf
    frame.to_csv("t.csv", index=False)
    code, _, err = call("t.csv", *QUICKER)
    assert code == 2 and re.search(f"t.csv: .*'{name}' holds 1 infinite .*row 5", err)
    assert [file.name for file in here.iterdir()] == ["t.csv"]


def test_a_storage_that_is_none_leaves_no_folder(call, here, monkeypatch):
    monkeypatch.setattr(
        "manyminds.search.study.storage.time.sleep", lambda seconds: None
    )
    (here / "notes.csv").write_text("a,b\n1,2\n" * 100)
    code, _, err = call("iris", *QUICK, "--storage", "notes.csv", "--out", "found")
    assert code == 2 and "cannot be opened" in err
    assert [file.name for file in here.iterdir()] == ["notes.csv"]


def test_a_file_is_no_folder(call, here):
    (here / "taken").write_text("mine")
    code, _, err = call("iris", *QUICK, "--out", "taken")
    assert code == 2 and "--out must be a folder" in err
    assert (here / "taken").read_text() == "mine"


def test_help_is_quick_to_load():
    # Searching needs scikit-learn and Optuna; a line of help does not.
    script = (
        "import sys, manyminds.cli.search, manyminds.cli.show; "
        "print([m for m in ('optuna', 'skops', 'matplotlib', 'manyminds.search') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import site; site.main(); {script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_a_table_without_information_is_refused_at_once(here, call):
    rows = [f",1,{'yes' if place % 2 else 'no'}" for place in range(40)]
    (here / "empty.csv").write_text("\n".join(["a,b,target", *rows]), encoding="utf-8")
    code, _, err = call("empty.csv", "--budget", "60s", "--jobs", "1")
    assert code == 2
    assert "nothing to learn from: each of its 2 columns" in err


def test_a_counter_of_the_rows_is_hinted_at(call, here, seed):
    frame = pd.DataFrame({"row": np.arange(40), "kind": np.arange(40) % 2})
    frame["x"] = np.random.default_rng(seed).normal(size=40)
    frame.to_csv("counted.csv", index=False)
    # A metric that does not exist ends it before any chain is tried.
    code, _, err = call("counted.csv", "--target", "kind", "--metric", "none")
    assert code == 2
    assert (
        "Note: row may be a counter of the rows; if so, leave it out with --drop."
        in err
    )
