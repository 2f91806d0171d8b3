"""Messages of commands name options, not parameters of Python."""

import inspect
import warnings

import pytest
from typer.main import get_command

from manyminds import workflows
from manyminds.cli.main import app
from manyminds.cli.messages import OPTIONS, describe, show_notes
from manyminds.datasets import find_dataset
from manyminds.utils.errors import (
    InputError,
    InputWarning,
    Parameter,
    ParameterError,
    PythonHint,
)
from manyminds.workflows.parameters import Reading


def test_options_stand_for_parameters():
    error = InputError("Pass ", Parameter("drop_missing_target"), PythonHint("=True"))
    assert describe(error) == "Pass --drop-missing-target"
    assert describe(ParameterError("cv", 1, "at least 2")).startswith("--cv must")


def test_other_errors_keep_their_text():
    assert describe(ValueError("drop is a word")) == "drop is a word"


def test_a_set_that_is_not_found_is_reported_without_functions():
    with pytest.raises(LookupError) as caught:
        find_dataset("no-such-set", online=False)
    text = describe(caught.value)
    assert "()" not in text and "`" not in text
    assert "--data" in text


def test_each_warning_is_shown_once(capsys):
    with show_notes():
        for _ in range(2):
            warnings.warn(InputWarning("Try ", Parameter("drop"), "."), stacklevel=1)
    assert capsys.readouterr().err.strip() == "Note: Try --drop."


def test_every_option_of_a_message_exists():
    known = {"DATA", "NAME", "the path"}
    for command in get_command(app).commands.values():
        for parameter in command.params:
            known |= set(parameter.opts)
    assert set(OPTIONS.values()) <= known


def test_every_parameter_of_a_workflow_has_an_option():
    names = set(Reading.__annotations__)
    for name in workflows.__all__:
        if name.startswith("run_"):
            names |= set(inspect.signature(getattr(workflows, name)).parameters)
    # Switches, which cannot have a wrong value, and what a command passes itself.
    others = {
        "committee", "keep", "model", "native", "on_progress", "online", "quick",
        "reading", "report", "retry_failed", "started", "waves",
    }  # fmt: skip
    assert names - others <= set(OPTIONS)
