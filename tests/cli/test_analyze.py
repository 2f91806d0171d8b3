"""``manyminds analyze`` tells what a table is like, and takes bad input kindly."""

import gzip
import json
import os

import numpy as np
import pandas as pd
import pytest

from manyminds.cli.main import main
from manyminds.datasets import read_table
from manyminds.reports import to_plain
from manyminds.reports.data.summary import summarize_data

COMMAND = "analyze"
pytestmark = pytest.mark.usefixtures("folder")


def write_table(path, seed, n_rows=60, **columns):
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.arange(n_rows) % 2)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows) + 3 * kind,
            "hue": rng.choice(["red", "blue"], n_rows),
            "kind": np.array(["cat", "dog"])[kind],
            **columns,
        }
    )
    frame.loc[::7, "size"] = np.nan
    frame.to_csv(path, index=False)


def test_json_is_the_summary(call, seed):
    write_table("a.csv", seed)
    code, out, err = call("a.csv", "--target", "kind", "--json")
    assert code == 0 and err == ""
    found = json.loads(out)
    expected = to_plain(summarize_data(read_table("a.csv", target="kind")))
    assert found["summary"] == json.loads(json.dumps(expected))
    assert found["files"] == []


def test_people_get_tables(call, seed):
    write_table("a.csv", seed, flat=1.0)
    code, out, _ = call("a.csv", "--target", "kind")
    assert code == 0
    for word in ("a: 60 rows, 3 columns", "cat", "complexity (MRI)", "Hardest rows"):
        assert word in out
    assert "constant" in out and "Uninformative columns" in out


def test_files_are_written(call, folder, seed):
    write_table("a.csv", seed)
    code, out, _ = call("a.csv", "--target", "kind", "--out", "look")
    assert code == 0 and "Written:" in out
    assert sorted(os.listdir("look")) == ["analysis.html", "analysis.json"]
    page = (folder / "look" / "analysis.html").read_text(encoding="utf-8")
    assert "manyminds analyze a.csv --target kind" in page


def test_numbers_as_targets(call):
    code, out, _ = call("diabetes-progression")
    assert code == 0 and "median" in out
    assert "Complexity is defined for classes; the target holds numbers." in out


def test_ten_thousand_categories_are_flagged(call, seed):
    n_rows = 10_000
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "word": [f"w{i}" for i in rng.permutation(n_rows)],
            "code": [f"c{i}" for i in rng.integers(0, 3000, n_rows)],
            "x": rng.normal(size=n_rows),
            "y": rng.normal(size=n_rows),
        }
    )
    frame.to_csv("words.csv", index=False)
    code, out, err = call("words.csv", "--target", "y", "--json")
    assert code == 0
    notes = {c["name"]: c["notes"] for c in json.loads(out)["summary"]["columns"]}
    assert notes["word"] == ["a different text in each row"]
    assert notes["code"] == ["very many categories"] and notes["x"] == []
    assert "looks like an identifier. If it is one, leave it out with --drop" in err
    assert "`" not in err


def test_rows_without_a_target_may_be_left_out(call, seed):
    write_table("a.csv", seed)
    frame = pd.read_csv("a.csv")
    frame.loc[:3, "kind"] = np.nan
    frame.to_csv("a.csv", index=False)
    code, _, err = call("a.csv", "--target", "kind")
    assert code == 2 and "missing in 4 of 60 rows. Pass --drop-missing-target" in err
    words = ("a.csv", "--target", "kind", "--drop-missing-target", "--json")
    code, out, _ = call(*words)
    assert code == 0 and json.loads(out)["summary"]["n_rows"] == 56


# ------------------------------------------------------------------ what goes wrong


@pytest.mark.parametrize(
    "text, said",
    [
        (b"", "the file is empty"),
        (b"x,kind\n", "0 rows with a target"),
        (b"x,kind\n1,a\n", "1 rows with a target"),
        (
            b"x,kynd\n1,a\n2,b\n",
            "--target='kind' is not a column of the table",
        ),
        (b"kind\na\nb\n", "no column but the target"),
        (b"x,kind\n1,a\n2,a\n", "one class only, a"),
        (b"x,kind\n1,\n2,?\n", "kind is missing in 2 of 2 rows"),
        (b"x,kind\n1,a,3\n2,b\n", "more cells than the 2 of the header"),
        ("x,kind\n1,a\n2,b\n".encode("utf-16"), "save it as UTF-8"),
        (b"x,x,kind\n1,1,a\n2,2,b\n", "different names"),
    ],
)
@pytest.mark.parametrize("command", ["analyze", "select"])
def test_bad_tables_are_told_in_a_sentence(capsys, folder, command, text, said):
    (folder / "bad.csv").write_bytes(text)
    with pytest.raises(SystemExit) as left:
        main([command, "bad.csv", "--target", "kind", "--out", "look"])
    written = capsys.readouterr()
    assert left.value.code == 2 and written.out == ""
    err = " ".join(written.err.split())
    assert said in err and "Traceback" not in err
    assert os.listdir() == ["bad.csv"]


@pytest.mark.parametrize("command", ["analyze", "select"])
def test_all_targets_missing_and_left_out(capsys, folder, command):
    (folder / "bad.csv").write_text("x,kind\n1,\n2,\n")
    words = ["bad.csv", "--target", "kind", "--drop-missing-target"]
    with pytest.raises(SystemExit) as left:
        main([command, *words])
    assert left.value.code == 2
    assert "0 rows with a target" in " ".join(capsys.readouterr().err.split())


def test_columns_that_are_all_missing(call, folder):
    (folder / "void.csv").write_text("x,hue,kind\n,,a\n,,b\n,,a\n")
    code, out, _ = call("void.csv", "--target", "kind", "--json")
    assert code == 0
    summary = json.loads(out)["summary"]
    assert [one["notes"] for one in summary["columns"]] == [["all missing"]] * 2
    assert summary["complexity"] is None


@pytest.mark.parametrize(
    "words, said",
    [
        (("nowhere.csv",), "there is none at 'nowhere.csv'"),
        (("no-such-set",), "No data set called 'no-such-set'"),
        (
            ("iris", "--target", "x"),
            "--target is for files; the data set iris has",
        ),
        ((), "Missing argument 'DATA'"),
    ],
)
def test_bad_arguments_are_told_in_a_sentence(call, words, said):
    code, out, err = call(*words)
    assert code == 2 and out == ""
    assert said in err and "Traceback" not in err


def test_a_damaged_file_is_bad_input(call, folder):
    whole = gzip.compress(b"a,class\n" + b"1.25,x\n2.5,y\n" * 200)
    (folder / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    code, out, err = call("cut.csv.gz")
    assert code == 2 and out == ""
    assert err.startswith("Error: cut.csv.gz: the file is damaged or incomplete")


def test_names_cannot_steer_the_terminal(call, seed, folder):
    write_table("a.csv", seed, **{"a\x1b[2J\x9bb": np.arange(60.0)})
    code, out, err = call("a.csv", "--target", "kind", "--out", "look")
    assert code == 0 and r"a\x1b" in out
    page = (folder / "look" / "analysis.html").read_text(encoding="utf-8")
    for text in (out, err, page):
        assert "\x1b" not in text and "\x9b" not in text
    code, out, _ = call("a.csv", "--target", "kind", "--json")
    assert "\x9b" not in out
    names = [column["name"] for column in json.loads(out)["summary"]["columns"]]
    assert "a\x1b[2J\x9bb" in names


def test_how_cells_are_written_can_be_declared(call, folder):
    rows = "".join(f"{i},5|{'xy'[i % 2]}\n" for i in range(20))
    (folder / "a.csv").write_text("größe|class\n" + rows, encoding="cp1250")
    words = ("a.csv", "--json", "--separator", "|", "--encoding", "cp1250")
    code, out, _ = call(*words, "--decimal", ",")
    column = json.loads(out)["summary"]["columns"][0]
    assert code == 0 and (column["name"], column["kind"]) == ("größe", "number")
    assert call("a.csv", "--decimal", "x")[2].startswith("Error: --decimal must be")
    assert "--decimal is for files" in call("iris", "--decimal", ",")[2]


def test_dates_are_taken_apart(call, seed):
    days = pd.date_range("2024-01-01", periods=60).strftime("%Y-%m-%d")
    write_table("a.csv", seed, day=days)
    code, out, _ = call("a.csv", "--target", "kind", "--json")
    names = [column["name"] for column in json.loads(out)["summary"]["columns"]]
    assert code == 0 and {"day_days", "day_month", "day_weekday"} <= set(names)
