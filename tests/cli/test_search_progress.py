"""The progress of a search: time left, trials, and the best score so far."""

import io

import pytest
import typer
from rich.console import Console

from manyminds.cli import search_progress
from manyminds.cli.search_progress import show_search
from manyminds.workflows.search import SearchStatus


@pytest.fixture
def shown(monkeypatch):
    """Draw to a terminal in memory; return a function that reads a frame of it."""
    consoles = []

    class Terminal(Console):
        def __init__(self, **_):
            super().__init__(file=io.StringIO(), force_terminal=True, width=120)
            consoles.append(self)

    class Bar(search_progress._ClockProgress):
        def __init__(self, *columns, disable, **options):
            super().__init__(*columns, auto_refresh=False, get_time=lambda: clock[0],
                             **options)  # fmt: skip
            bars.append(self)

    clock, bars = [0.0], []
    monkeypatch.setattr(search_progress, "SafeConsole", Terminal)
    monkeypatch.setattr(search_progress, "_ClockProgress", Bar)

    def read(now=0.0):
        clock[0] = now
        page = Console(file=io.StringIO(), width=120)
        page.print(bars[-1].get_renderable())
        return " ".join(page.file.getvalue().split())

    read.consoles = consoles
    return read


def status(n_done=2, n_trials=None, seconds=0.0, budget=None, best=0.9, **options):
    return SearchStatus("accuracy", best, n_done, n_trials, seconds, budget, **options)


def test_trials_are_counted_without_a_budget(shown):
    with show_search("search") as update:
        update(status(1, 8, best=float("nan")))
        assert shown().endswith("of 8 1 trial")
        update(status(2, 8))
        assert shown().endswith("of 8 2 trials, best accuracy 0.9000")


def test_the_clock_moves_between_trials(shown):
    with show_search("search") as update:
        update(status(seconds=0.0, budget=90.0))
        assert "0:01:30 left" in shown(0.0)
        assert "0:01:00 left" in shown(30.0)
        assert "fitting the model" in shown(95.0)


def test_time_before_the_search_is_not_counted(shown):
    with show_search("search") as update:
        shown(50.0)  # such as for reading a table
        update(status(seconds=10.0, budget=60.0))
        assert "0:00:50 left" in shown(50.0)


def test_compiling_is_said_and_no_trial(shown):
    with show_search("search") as update:
        update(status(0, 8, is_compiling=True))
        assert "trial" not in shown()
    said = " ".join(shown.consoles[0].file.getvalue().split())
    assert "Compiling, once after an installation" in said


def test_an_interrupt_says_how_to_continue(capsys):
    with pytest.raises(typer.Exit) as stop, show_search("search"):
        raise KeyboardInterrupt
    assert stop.value.exit_code == 130
    assert "--resume continues the search" in capsys.readouterr().err


def test_nothing_is_shown_without_a_terminal(capsys):
    with show_search("search") as update:
        update(status(3, 8))
    assert capsys.readouterr() == ("", "")
