"""Commands answer any table and any options with a result or one error message."""

import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import traceback
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import manyminds.datasets
from manyminds.cli import main as command_line
from manyminds.datasets import read_table
from manyminds.ensemble import RandomForestClassifier
from manyminds.persistence import save_model

LONG = "MANYMINDS_FUZZ_N" in os.environ
WORDS = (
    "", "0", "1", "2", "-1", "1.5", "nan", "inf", "1e999", "99999999999999999999", "x",
    "a", "b", "g", "target", "a,b", ",", "é", "\x1b[2J", "a\nb", "none", "--", "-",
    "[red]", "sqlite:///s.db", "no/such/folder/x", ".", "t.csv", "s", "10m", "1s", "0s",
    "5x2", "all",
)  # fmt: skip
# Options of each command with the values that make sense; others are drawn from WORDS.
# None is an option without a value.
READING = {
    "--separator": [";", "\\t"],
    "--decimal": [","],
    "--encoding": ["latin-1", "utf-16"],
}
TABLE = {
    "--target": ["a", "b", "-1", "l1,l2", "target"],
    "--task": ["classification", "regression", "multilabel"],
    "--drop": ["a", "g"],
    "--data": [".", "index", "broken/index"],
    **READING,
}
STORES = ["s.sqlite", "broken/s.sqlite", "new.sqlite", "t.csv"]
COMMANDS = {
    "analyze": {
        **TABLE, "--out": ["out", "t.csv"], "--json": None,
        "--drop-missing-target": None,
    },
    "select": {
        **TABLE, "-k": ["1", "2"], "--resamples": ["2", "3"], "--seed": ["1"],
        "--permutations": ["0", "2"], "--threshold": ["0.5"], "--out": ["out"],
        "--selector": ["mrmr", "correlation", "ssv", "fcbf", "information", "forest"],
        "--drop-missing-target": None, "--jobs": ["1", "0"], "--json": None,
    },
    "compare": {
        **TABLE, "-m": ["tree,nb", "rf", "ridge"], "--cv": ["1x2", "2x2"],
        "--metric": ["accuracy", "r2", "roc_auc"], "--store": STORES, "--out": ["out"],
        "--native": None, "--json": None, "--seed": ["3"], "--retry-failed": None,
        "--list-methods": None, "--jobs": ["1", "0"],
    },
    "predict": {
        **READING, "--out": ["p.csv", "out/p.csv"], "--interval": ["0.9"],
        "--by-class": None, "--flag-unlike": None, "--trust": ["os.system"],
        "--json": None,
    },
    "export": {
        "--onnx": ["m.onnx", "out/m.onnx", "t.csv"], "--trust": ["os.system"],
        "--json": None,
    },
    "show": {"-n": ["1", "3", "0"], "--json": None},
    "datasets": {"--data": [".", "index", "broken/index"], "--json": None},
    "search": {
        **TABLE, "--metric": ["accuracy", "r2"], "--group": ["g", "a"], "--fold": ["g"],
        "--time": ["a", "day"], "--weight": ["a", "g"], "--storage": ["s.db"],
        "--memory": ["1G"], "--cluster": ["127.0.0.1:1"], "--predict-limit": ["1000"],
        "--seed": ["2"], "--no-committee": None, "--resume": None, "--json": None,
        "--drop-missing-target": None, "--budget": ["0s", "-1s"], "--exportable": None,
    },
    "reproduce": {
        "--data": [".", "index"], "--store": STORES, "--quick": None, "-j": ["0"],
        "--offline": None, "--retry-failed": None, "--json": None,
    },
    "evidence": {
        "--store": STORES, "--out": ["out", "pages", "broken/pages"], "--json": None,
    },
    "serve": {
        "--port": ["-1", "70000"], "--host": ["0.0.0.0", "nowhere.invalid"],
        "--upload-limit": ["x", "1G"], "--parallel": ["0"], "--password": ["p"],
        "--no-browser": None,
    },
    "warm-up": {"-j": ["0", "x"], "--json": None},
}  # fmt: skip
# Ends of commands that must be refused, or list what there is: without them these would
# start a server, compile or run for hours. PORT is one that is taken.
PAPER = "complex-models"
ENDS = {
    "reproduce": [
        [], ["nothing"], ["a\nb"], [""], [PAPER, "-j", "0"],
        [PAPER, "--store", "t.csv"],
    ],
    "serve": [
        ["--parallel", "0"], ["--upload-limit", "x"], ["--port", "PORT"],
        ["--host", "0.0.0.0", "--password", ""],
        ["--password", "p", "--port", "PORT"],
    ],
    "warm-up": [["--jobs", "0"], ["--jobs", "x"], ["more"]],
}  # fmt: skip
# Files that SQLite keeps next to a store that is open, or damaged.
OF_SQLITE = re.compile("-(wal|shm|journal)$").search
# Nothing is written by these if they fail.
ALL_OR_NOTHING = ("analyze", "select", "predict", "export")
FOUND = ("search", "search", "broken/search", "search/model.skops")
RECORDS = Path(__file__).parents[2] / "docs/evidence/records" / f"{PAPER}.jsonl.gz"


def make_tables(folder):
    """Write small tables, some of them odd; return the content of each."""
    rng = np.random.default_rng(0)
    n = 12
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=n), "b": list("xyz") * 4, "g": np.arange(n) // 4,
            "day": pd.date_range("2020-01-01", periods=n).astype(str),
            "l1": np.arange(n) % 2, "l2": np.arange(n) // 6, "target": list("uv") * 6,
        }
    )  # fmt: skip
    tables = {
        "t": frame,
        "numbers": frame.assign(target=rng.normal(size=n)),
        "header": frame.head(0),
        "one_row": frame.head(1),
        "two_rows": frame.head(2),
        "constant": frame.assign(a=1.0, b="x", g=0),
        "one_class": frame.assign(target="u"),
        "classes": frame.assign(target=[f"c{i}" for i in range(n)]),
        "missing": frame.assign(a=np.nan, b=None),
        "no_target": frame.assign(target=None),
        "half_target": frame.assign(target=["u", None] * 6),
        "only_target": frame[["target"]],
        "huge": frame.assign(a=frame["a"] * 1e300, g=10**17 + frame["g"]),
        "tiny": frame.assign(a=frame["a"] * 5e-324, target=5e-324 * frame["g"]),
        "names": frame.rename(columns={"a": "[red]\x1b[2J", "b": "a\nb", "g": "<b>"}),
        "twins": pd.concat([frame.head(2)] * 6),
    }
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    frame.to_parquet(folder / "t.parquet")
    (folder / "t.svm").write_text("1 1:2 3:1\n0 2:1\n1 1:1\n0 3:2\n")
    (folder / "bad.csv").write_bytes(b"a,target\n1,2,3\n\xff\x00")
    (folder / "bad.csv.gz").write_bytes(gzip.compress(b"a,target\n1,2")[:-5])
    (folder / "empty.csv").write_bytes(b"")
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def valid(tmp_path_factory):
    """Return files that commands read: tables, a search, a store, pages, an index."""
    folder = tmp_path_factory.mktemp("commands")
    tables = make_tables(folder)
    files = {f"search/{name}": content for name, content in search_files(folder)}
    words = ["compare", "t.csv", "-m", "tree", "--cv", "1x2", "--store", "s.sqlite"]
    done = subprocess.run(
        [sys.executable, "-m", "manyminds", *words],
        cwd=folder, capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    index = b"name,rows,features,classes_or_regression\ntoy,2,1,2\n"
    schema = b'{"toy": {"categorical": ["a"], "targets": ["target"]}}'
    return (
        tables
        | files
        | {
            "s.sqlite": (folder / "s.sqlite").read_bytes(),
            f"pages/records/{RECORDS.name}": RECORDS.read_bytes(),
            "index/INDEX.csv": index,
            "index/SCHEMA.json": schema,
            "index/toy.csv.gz": gzip.compress(b"a,target\n1,x\n2,y\n", mtime=0),
        }
    )


def make_place(folder, valid, fuzzer, rng):
    """Write valid files, and copies of which some are damaged; return the tables."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in {os.path.dirname(name) for name in valid}:
        (folder / "broken" / name).mkdir(parents=True, exist_ok=True)
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, content in valid.items():
        damaged = rng.random() < 0.3
        other = fuzzer.damage(rng, content) if damaged else content
        (folder / name).write_bytes(content)
        (folder / "broken" / name).write_bytes(other)
    return [name for name in valid if "/" not in name and name != "s.sqlite"]


def search_files(folder):
    """Yield name and content of the files of a search; in short runs, of a model."""
    if LONG:
        done = subprocess.run(
            [sys.executable, "-m", "manyminds", "search", "t.csv", "--trials", "1",
             "--cv", "2", "--out", "found", "--no-report", "--target", "target"],
            cwd=folder, capture_output=True, check=False, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    else:
        data = read_table(folder / "t.csv")
        model = make_pipeline(OrdinalEncoder(), RandomForestClassifier(3))
        (folder / "found").mkdir()
        save_model(folder / "found" / "model.skops", model.fit(data.X, data.y), data)
    for path in (folder / "found").rglob("*"):
        if path.is_file():
            yield path.relative_to(folder / "found"), path.read_bytes()


@pytest.fixture
def run_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    module = sys.modules["manyminds.cli.main"]
    monkeypatch.setattr(module, "_write_traceback", shorten)
    # What is the same in each command is done once.
    monkeypatch.setattr(module, "app", typer.main.get_command(module.app))
    known = cache(manyminds.datasets.load_dataset)
    monkeypatch.setattr(manyminds.datasets, "load_dataset", known)
    monkeypatch.setenv("MANYMINDS_STORE", "records.sqlite")
    monkeypatch.delenv("MANYMINDS_DATA", raising=False)

    def run(words, before):
        try:
            command_line(words)
            code = 0
        except SystemExit as end:
            code = end.code or 0
        printed = capsys.readouterr()
        check_output(words, code, printed.out, printed.err)
        return code, check_files(words, code, tmp_path, before)

    return run


def look_at(folder):
    """Return the time of change and the size of each file."""
    seen = {}
    for place, _, names in os.walk(folder):
        for path in (os.path.join(place, name) for name in names):
            found = os.stat(path, follow_symlinks=False)
            seen[path] = found.st_mtime_ns, found.st_size
    return seen


def check_files(words, code, folder, before):
    after = look_at(folder)
    changed = [path for path in after if after[path] != before.get(path)]
    for path in changed:
        check_whole(Path(path))
    if code and words[0] in ALL_OR_NOTHING:
        assert not changed, f"it fails, and writes {changed}"
    gone = [path for path in before if path not in after and not OF_SQLITE(path)]
    assert not gone, f"it deletes {gone}"
    return after


def shorten(error):
    """Return the end of a traceback, which the message of a bug then contains."""
    return " ".join("".join(traceback.format_exception(error)[-3:]).split())


def check_output(words, code, out, err):
    assert code in (0, 1, 2), f"exit code {code}: {' '.join(err.split())}"
    assert "not enough memory" not in err, "it needs more memory than there may be"
    # Where folds fail, the table of results tells it.
    assert code == 0 or (err or out).strip(), "it fails without a word"
    assert "Traceback" not in err and "\x1b[2J" not in err  # colors may be there
    assert len(err) < 6_000, f"{len(err)} characters: {err[:300]}"
    if code == 0 and "--json" in words and "--help" not in words and out:
        json.loads(out)


def check_whole(path):
    assert not path.name.endswith((".tmp", ".part")), f"left behind: {path.name}"
    if path.suffix == ".json":
        json.loads(path.read_text())
    if path.suffix == ".html":
        assert path.read_text().rstrip().endswith("</html>")


def draw_words(rng, command, tables):
    def pick(some):
        return some[int(rng.integers(len(some)))]

    words = [command]
    if command in ("analyze", "select", "compare", "search"):
        words.append(pick(tables) if rng.random() < 0.9 else pick([*WORDS[1:], "iris"]))
    if command == "predict":
        words.append(pick(FOUND) if rng.random() < 0.8 else pick([*tables, *WORDS]))
        words.append(pick(tables) if rng.random() < 0.9 else pick(WORDS))
    if command in ("show", "export"):
        words.append(pick(FOUND) if rng.random() < 0.7 else pick([*tables, *WORDS]))
    if command == "export":
        words += ["--onnx", "m.onnx"]
    if command == "search":
        words += ["--no-report", "--jobs", "1", "--out", "new"]
        words += (
            ["--trials", "1", "--cv", "2"] if rng.random() < 0.05 else ["--cv", "1"]
        )
    if command == "compare":
        words += ["-m", "tree", "--cv", "1x2", "-j", "1"]
    if command == "select":
        words += ["--resamples", "2", "--permutations", "0", "-j", "1"]
    options = COMMANDS[command]
    for _ in range(int(rng.integers(0, 4))):
        name = pick(list(options))
        usual = options[name]
        words.append(name)
        if usual is not None:
            words.append(pick(usual) if rng.random() < 0.6 else pick(WORDS))
    return words + pick(ENDS.get(command, [[]]))  # at the end, where it counts


@pytest.fixture(scope="module")
def taken_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield str(listener.getsockname()[1])


@pytest.mark.parametrize("command", COMMANDS)
def test_random_options(command, fuzzer, run_command, tmp_path, valid, taken_port):
    share = 1.0 if LONG else 0.1
    for number, rng in fuzzer.rngs(20, len(command), ord(command[0]), share=share):
        if number % 20 == 0:
            tables, seen = make_place(tmp_path, valid, fuzzer, rng), None
        seen = seen or look_at(tmp_path)
        words = draw_words(rng, command, tables)
        words = [taken_port if word == "PORT" else word for word in words]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = fuzzer.run(f"{number} {words}", run_command, words, seen)
        code, seen = result or (None, None)
        fuzzer.outcomes[f"exit {code}"] += 1


@pytest.mark.slow
def test_real_processes(fuzzer, tmp_path, valid, taken_port):
    names = list(COMMANDS)

    def run(words):
        before = look_at(tmp_path)
        done = subprocess.run(
            [sys.executable, "-m", "manyminds", *words],
            cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        check_output(words, done.returncode, done.stdout, done.stderr)
        check_files(words, done.returncode, tmp_path, before)
        return done.returncode

    for number, rng in fuzzer.rngs(21, share=0.01):
        tables = make_place(tmp_path, valid, fuzzer, rng)
        words = draw_words(rng, names[int(rng.integers(len(names)))], tables)
        words = [taken_port if word == "PORT" else word for word in words]
        code = fuzzer.run(f"{number} {words}", run, words)
        fuzzer.outcomes[f"exit {code}"] += 1
