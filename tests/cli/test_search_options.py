"""Options of a search reach the search as they are written."""

from pathlib import Path

import pytest
import typer

COMMAND = "search"


@pytest.fixture
def passed(monkeypatch):
    """Search nothing; return what would be searched for."""
    given = {}

    def run_search(*tables, **options):
        given.update(options, tables=tables)
        raise typer.Exit

    monkeypatch.setattr("manyminds.workflows.run_search", run_search)
    return given


def test_defaults_leave_the_choice_to_the_search(call, passed):
    assert call("iris")[0] == 0
    assert passed["tables"] == ("iris", None)
    for name in ("budget", "n_trials", "out", "cv", "storage", "task", "predict_limit"):
        assert passed[name] is None, name
    assert passed["metric"] == "auto" and passed["n_jobs"] == -1
    assert passed["committee"] and passed["report"] and not passed["resume"]


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["--budget", "5m"], "budget", "5m"),
        (["--trials", "3"], "n_trials", 3),
        (["--metric", "auc"], "metric", "auc"),
        (["--cv", "2"], "cv", 2),
        (["--group", "patient"], "group", "patient"),
        (["--time", "day"], "time", "day"),
        (["--fold", "part"], "fold", "part"),
        (["--weight", "area"], "weight", "area"),
        (["--out", "found"], "out", Path("found")),
        (["--resume"], "resume", True),
        (["-j", "2"], "n_jobs", 2),
        (["--jobs", "4"], "n_jobs", 4),
        (["--storage", "db.sqlite"], "storage", "db.sqlite"),
        (["--no-committee"], "committee", False),
        (["--predict-limit", "1000"], "predict_limit", 1000.0),
        (["--no-report"], "report", False),
    ],
)
def test_an_option_is_passed_on(call, passed, words, name, value):
    assert call("iris", *words)[0] == 0
    assert passed[name] == value


@pytest.mark.parametrize(
    ("option", "value"), [("--trials", "0"), ("--cv", "1"), ("--jobs", "many")]
)
def test_values_out_of_range_are_refused_by_name(call, passed, option, value):
    code, _, err = call("iris", option, value)
    assert code == 2 and option in err and passed == {}
