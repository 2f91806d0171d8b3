"""Errors format themselves for Python and for the shell."""

import pickle

import pytest

from manyminds.utils.errors import (
    InputError,
    InputTypeError,
    InputWarning,
    MissingFileError,
    MissingPackageError,
    Parameter,
    ParameterError,
    PythonHint,
    UserError,
)

PIECES = ("Pass ", Parameter("drop"), PythonHint("=True"), " or 'drop'.")


@pytest.mark.parametrize(
    "kind",
    [
        InputError,
        InputTypeError,
        InputWarning,
        MissingFileError,
        MissingPackageError,
        UserError,
    ],
)
def test_parameters_are_renamed_and_other_text_is_not(kind):
    message = kind(*PIECES)
    assert str(message) == "Pass drop=True or 'drop'."
    assert message.describe({"drop": "--drop"}) == "Pass --drop or 'drop'."
    assert message.describe({}) == "Pass drop or 'drop'."


@pytest.mark.parametrize(
    "error", [InputError(*PIECES), ParameterError("cv", 1, "at least 2")]
)
def test_errors_can_cross_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again.describe({"drop": "-d", "cv": "-c"}) == error.describe(
        {"drop": "-d", "cv": "-c"}
    )


def test_a_parameter_error_has_its_parts():
    error = ParameterError("cv", "x", "at least 2")
    assert (error.parameter, error.got, error.takes) == ("cv", "x", "at least 2")
    assert str(error) == "cv must be at least 2; got 'x'."


def test_errors_are_those_that_python_programs_catch():
    for kind, base in [
        (InputError, ValueError),
        (ParameterError, ValueError),
        (InputTypeError, TypeError),
        (MissingFileError, FileNotFoundError),
        (MissingPackageError, ImportError),
    ]:
        assert issubclass(kind, base) and issubclass(kind, UserError)
