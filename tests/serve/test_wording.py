"""Messages name the fields of pages, not parameters or options."""

import re
from pathlib import Path

import pytest

import manyminds.serve
from manyminds.cli.messages import OPTIONS
from manyminds.serve.wording import FIELDS, describe_message, rename_options
from manyminds.utils.errors import InputError, Parameter, PythonHint

TEMPLATES = Path(manyminds.serve.__file__).parent / "templates"
SERVER_ONLY = {"cluster", "host", "password", "port"}  # no page starts these


def test_every_parameter_of_a_command_has_a_name_on_the_pages():
    assert set(OPTIONS) - SERVER_ONLY == set(FIELDS)


def test_every_option_of_a_command_is_renamed():
    for parameter, option in OPTIONS.items():
        if option.startswith("--") and parameter not in SERVER_ONLY | {"cluster"}:
            shown = rename_options(f"Use {option}.")
            assert shown == f"Use {FIELDS[parameter]}."


@pytest.mark.parametrize("field", sorted(one for one in FIELDS.values() if "“" in one))
def test_quoted_names_are_on_a_page(field):
    pages = "".join(one.read_text() for one in TEMPLATES.glob("*.jinja"))
    assert re.search(rf"\W{re.search('“(.*)”', field)[1]}\W", pages)


def test_what_was_entered_stays_as_it_is():
    text = "No column is called '--drop'; got \"--cv\" and a--drop."
    assert rename_options(text) == text
    assert rename_options("--native is new.") == "--native is new."


def test_errors_of_python_name_fields_and_begin_with_a_capital():
    error = InputError("Leave it out with ", Parameter("drop"), PythonHint("=[1]"), ".")
    assert describe_message(error) == "Leave it out with the type “leave out”."
    error = InputError(Parameter("path"), " must be a file.")
    assert describe_message(error) == "The file must be a file."
    assert describe_message(ValueError("plain")) == "plain"
