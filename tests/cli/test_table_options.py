"""Options of reading a table are the same for all commands that read one."""

import inspect
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from manyminds.cli import table_options
from manyminds.cli.main import app

COMMAND = "analyze"
READING = ("--target", "--task", "--data", "--drop", "--separator", "--decimal",
           "--encoding")  # fmt: skip


@pytest.fixture
def passed(monkeypatch):
    """Analyze nothing; return what would be analyzed."""
    given = {}

    def run_analysis(*tables, **options):
        given.update(options, tables=tables)
        raise typer.Exit

    monkeypatch.setattr("manyminds.workflows.run_analysis", run_analysis)
    return given


def test_by_default_everything_is_inferred(call, passed):
    assert call("t.csv")[0] == 0
    assert passed["tables"] == ("t.csv", None)
    for name in ("task", "drop", "separator", "decimal", "encoding", "folder"):
        assert not passed[name], name
    assert passed["drop_missing_target"] is False


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["--task", "regression"], "task", "regression"),
        (["--data", "sets"], "folder", Path("sets")),
        (["--drop", "a", "--drop", "b c"], "drop", ["a", "b c"]),
        (["--drop-missing-target"], "drop_missing_target", True),
        (["--separator", ";"], "separator", ";"),
        (["--decimal", ","], "decimal", ","),
        (["--encoding", "cp1250"], "encoding", "cp1250"),
    ],
)
def test_an_option_is_passed_on(call, passed, words, name, value):
    assert call("t.csv", *words)[0] == 0
    assert passed[name] == value


def test_a_target_may_be_a_position(call, passed):
    assert call("t.csv", "--target", "-1")[0] == 0
    assert passed["tables"] == ("t.csv", "-1")


def test_commands_share_the_options_of_tables():
    commands = get_command(app).commands
    for name in ("analyze", "compare", "search", "select"):
        known = {word for one in commands[name].params for word in one.opts}
        assert set(READING) <= known, name


def test_a_seed_is_not_negative(call, passed):
    code, _, err = call("t.csv", "--seed", "-1")
    assert code == 2 and "--seed" in err and passed == {}


def test_every_option_has_help():
    kinds = [
        one for name, one in vars(table_options).items() if name.endswith("Option")
    ]
    assert len(kinds) == 9
    for kind in kinds:
        [option] = kind.__metadata__
        assert inspect.cleandoc(option.help).endswith(".")
