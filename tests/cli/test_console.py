"""Consoles show names safely, progress in words, and JSON that can be read."""

import io
import json
from pathlib import Path

import pytest
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from manyminds.cli import console as source
from manyminds.cli.console import (
    FILE_WIDTH,
    SafeConsole,
    make_console,
    print_files,
    print_json,
    show_progress,
    show_work,
)
from manyminds.experiments import Progress

NASTY = "a\x1b[2J\x9bb"


@pytest.mark.parametrize("kind", [str, Text], ids=["str", "Text"])
def test_names_cannot_control_the_terminal(kind):
    console = SafeConsole(file=io.StringIO(), width=80)
    console.print(kind(f"{NASTY}\nsecond"), markup=False)
    assert console.file.getvalue() == "a\\x1b[2J\\x9bb\nsecond\n"


def test_tables_are_as_wide_as_what_they_show():
    console = SafeConsole(file=io.StringIO(), width=80)
    table = Table("name")
    table.add_row(NASTY.replace("[2J", ""))
    console.print(table)
    lines = console.file.getvalue().rstrip("\n").split("\n")
    assert r"│ a\x1b\x9bb │" in lines and len({len(line) for line in lines}) == 1


def test_colors_are_not_escaped():
    console = SafeConsole(file=io.StringIO(), force_terminal=True, width=80)
    console.print(Text("x", style="bold"))
    assert console.file.getvalue() == "\x1b[1mx\x1b[0m\n"


def test_output_to_a_file_is_wide(capsys):
    console = make_console()
    assert isinstance(console, SafeConsole) and console.width == FILE_WIDTH


def test_json_is_read_back(capsys):
    content = {"name": f"größe {NASTY}", "path": Path("f"), "values": [1.5, None]}
    print_json(content)
    out = capsys.readouterr().out
    assert "größe" in out and not {"\x1b", "\x9b"} & set(out)
    assert json.loads(out) == content | {"path": "f"}


def test_files_are_named_if_there_are_any():
    console = Console(file=io.StringIO(), width=80)
    print_files(console, [])
    assert console.file.getvalue() == ""
    print_files(console, [Path("[red]a"), Path("b")])
    assert console.file.getvalue() == "Written: [red]a, b\n"


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (Progress(0, 0, 9, 0.0, None, "iris, rf"), "iris, rf"),
        (Progress(1, 1, 9, 0.0, None, "iris, rf"), "iris, rf, 1 failed"),
        (Progress(3, 0, 9, 1.0, 61.6, "x"), "0:01:02 left: x"),
        (Progress(3, 2, 9, 1.0, 3600.0, "x"), "1:00:00 left, 2 failed: x"),
    ],
)
def test_progress_says_what_is_left(state, text):
    assert source._format_left(state) == text


@pytest.mark.parametrize(
    ("show", "said"),
    [
        (show_progress, "Stopped. Results are stored: run the command again"),
        (show_work, "Stopped."),
    ],
)
def test_an_interrupt_ends_with_a_sentence_and_a_code(show, said, capsys):
    with pytest.raises(typer.Exit) as stop, show("work"):
        raise KeyboardInterrupt
    assert stop.value.exit_code == 130
    assert said in " ".join(capsys.readouterr().err.split())


def test_nothing_is_shown_without_a_terminal(capsys):
    with show_progress("runs") as update:
        update(Progress(1, 0, 2, 0.5, 0.5, "iris"))
    with show_work("work") as step:
        step("read")
    assert capsys.readouterr() == ("", "")


class Terminal(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self):
        return True


def test_a_bar_at_a_terminal_waits_for_its_total(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with show_progress("compare") as update:
        update(Progress(3, 0, 9, 1.0, 61.6, "x"))
    shown = terminal.getvalue()
    assert "compare" in shown and "3/9" in shown and "0:01:02 left: x" in shown
