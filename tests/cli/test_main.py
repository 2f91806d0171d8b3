"""The command line as a whole: help, versions, errors in one sentence, Ctrl-C."""

import gc
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise

import pytest

import manyminds
from manyminds.cli import main
from manyminds.experiments import RunError, open_store
from manyminds.utils.errors import InputError


def call(capsys, *arguments):
    """Run the command line; give its exit code, output and errors."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    captured = capsys.readouterr()
    return left.value.code, captured.out, captured.err


def test_the_version_is_printed(capsys):
    code, out, _ = call(capsys, "--version")
    assert (code, out) == (0, f"manyminds {manyminds.__version__}\n")


COMMANDS = (
    "search", "show", "predict", "export", "analyze", "select", "compare", "reproduce",
    "evidence", "datasets", "warm-up",
)  # fmt: skip


@pytest.mark.parametrize("command", [[], *([one] for one in COMMANDS)])
def test_there_is_help(capsys, command):
    code, out, _ = call(capsys, *command, "--help")
    assert code == 0
    assert "Usage" in out and len(out) > 500


@pytest.mark.parametrize("command", COMMANDS)
def test_paragraphs_of_help_are_not_broken(capsys, command, monkeypatch):
    # Broken lines show where a line is followed by one whose first word had room.
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    _, out, _ = call(capsys, command, "--help")
    text = [line.strip() for line in out.partition("╭")[0].splitlines()]
    for line, following in pairwise(text):
        if line and following:
            assert len(line) + 1 + len(following.split()[0]) > 77, line


def test_required_arguments_are_not_shown_as_optional(capsys):
    for command in ("search", "predict", "analyze", "select", "compare", "show"):
        _, out, _ = call(capsys, command, "--help")
        usage = next(line for line in out.splitlines() if "Usage" in line)
        assert usage.count("[") == 1  # of [OPTIONS]


def test_help_does_not_wait_for_scikit_learn():
    script = "import sys, manyminds.cli; print('sklearn' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=env()
    )
    assert found.stdout.strip() == b"False"


def test_workflows_import_neither_databases_of_studies_nor_figures():
    # Nor does an import change how a process of others collects garbage.
    script = (
        "import gc, sys, manyminds.workflows; "
        "print([m for m in ('optuna', 'alembic', 'networkx', 'jinja2', 'matplotlib', "
        "'skops') if m in sys.modules], gc.isenabled(), gc.get_freeze_count())"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=env(), text=True
    )
    assert found.stdout.strip() == "[] True 0", found.stderr


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("run_search", ["search", "iris"]),
        ("run_prediction", ["predict", "model.skops", "new.csv"]),
        ("run_comparison", ["compare", "iris"]),
    ],
)
def test_commands_collect_garbage_while_they_work(
    capsys, monkeypatch, function, arguments
):
    states = []

    def look(*_, **__):
        states.append(gc.isenabled())
        raise InputError("seen")

    monkeypatch.setattr(f"manyminds.workflows.{function}", look)
    code, _, err = call(capsys, *arguments)
    gc.unfreeze()
    assert (code, states) == (2, [True]), err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compre"], "No such command 'compre'"),
        (["compare", "iris", "--folds", "10"], "No such option"),
        (["compare", "iris", "--store", "mysql://here/x"], "SQLite"),
        (["compare", "iris", "--jobs", "0"], "--jobs must be from 1 to 1024"),
        (["reproduce", "table 4.5"], "table 4.5"),
        (["evidence", "--store", "no-such.sqlite"], "no-such.sqlite"),
    ],
)
def test_bad_input_gets_a_sentence_and_code_2(
    capsys, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *arguments)
    assert code == 2
    assert message in " ".join(err.replace("│", " ").split())
    assert "Traceback" not in out + err


NASTY = "x\x1b[2J\x9by"


@pytest.mark.parametrize(
    "words",
    [
        [NASTY],
        ["compare", "iris", f"--{NASTY}"],
        ["compare", "iris", "--seed", NASTY],
        ["evidence", "--out", NASTY],
        ["evidence", "--store", NASTY],
        ["warm-up", NASTY],
    ],
    ids=["command", "option", "value", "folder", "store", "argument"],
)
def test_usage_errors_cannot_control_the_terminal(capsys, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(words)
    shown = capsys.readouterr().err
    assert end.value.code == 2 and "Error" in shown
    assert "\x1b[2J" not in shown and "\x9b" not in shown  # colors may be there


@pytest.mark.parametrize("kind", [ZeroDivisionError, TypeError, KeyError, ValueError])
def test_a_bug_says_so_and_where_the_traceback_is(capsys, monkeypatch, tmp_path, kind):
    def fail(*_, **__):
        raise kind("our own fault")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("manyminds.workflows.comparison.read_input", fail)
    code, out, err = call(capsys, "compare", "iris")
    assert code == 70 and out == ""
    assert "this is a bug in manyminds" in err and "Traceback" not in err
    (file,) = tmp_path.glob("manyminds-bug-*.txt")
    assert str(file) in err.replace("\n", "")
    assert f"{kind.__name__}: " in file.read_text() and "fail" in file.read_text()
    monkeypatch.setenv("MANYMINDS_DEBUG", "1")
    with pytest.raises(kind):
        main(["compare", "iris"])


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(28, "No space left on device"), 2),
        (OSError("no error of the system"), 70),
        (RunError("A worker process died."), 1),
        (InputError("The table is empty."), 2),
    ],
)
def test_exit_codes(capsys, monkeypatch, tmp_path, error, code):
    def fail(*_, **__):
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("manyminds.workflows.comparison.read_input", fail)
    left, _, err = call(capsys, "compare", "iris")
    assert left == code and str(error) in " ".join(err.split())
    assert ("bug" in err) == (code == 70)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a group of processes")
def test_ctrl_c_keeps_what_was_done(tmp_path):
    url = str(tmp_path / "records.sqlite")
    command = ["compare", "iris", "-m", "dummy, tree", "--cv", "1000x10"]
    run = subprocess.Popen(
        [sys.executable, "-m", "manyminds", *command, "--store", url],
        stderr=subprocess.PIPE,
        text=True,
        env=env(),
        start_new_session=True,
    )
    while not (os.path.exists(url) and count(url) > 5):
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.2)
    os.killpg(run.pid, signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    told = "Stopped. Results are stored: run the command again to continue."
    assert err.strip() == told
    assert 5 < count(url) < 20_000


def count(url):
    store = open_store(url)
    n_recorded = sum(state.n_recorded for state in store.plans())
    store.close()
    return n_recorded


def env():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def test_lack_of_memory_is_no_bug(capsys, monkeypatch):
    def exhaust(*_, **__):
        raise MemoryError

    monkeypatch.setattr("manyminds.workflows.run_analysis", exhaust)
    code, _, err = call(capsys, "analyze", "iris")
    assert code == 1 and "not enough memory" in err and "bug" not in err
