"""Errors and warnings that the user can act on, in words of Python or of the shell."""

import sys
import warnings
from collections.abc import Mapping
from typing import Any

__all__ = [
    "InputError",
    "InputTypeError",
    "InputWarning",
    "MissingFileError",
    "MissingPackageError",
    "Parameter",
    "ParameterError",
    "PythonHint",
    "UserError",
    "WriteError",
    "warn_caller",
]


class Parameter(str):
    """The name of a parameter within a message; a command shows its option instead."""

    __slots__ = ()


class PythonHint(str):
    """A piece of a message that helps in Python only; commands leave it out."""

    __slots__ = ()


class _Message(Exception):
    """A message made of pieces, some of which are names of parameters."""

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces
        super().__init__("".join(pieces))

    def __str__(self) -> str:
        return self.describe()

    def describe(self, names: Mapping[str, str] | None = None) -> str:
        """Format the message, with other names for its parameters if they are given.

        Parameters
        ----------
        names : mapping of str to str, default=None
            Name to show for each parameter, such as the option of a command; one that
            is not in it keeps its own. None formats the message for Python.

        Returns
        -------
        text : str
        """
        if names is None:
            return "".join(self.pieces)
        shown = [piece for piece in self.pieces if not isinstance(piece, PythonHint)]
        return "".join(
            names.get(piece, piece) if isinstance(piece, Parameter) else piece
            for piece in shown
        )


class UserError(_Message):
    """An error that the user can correct: wrong input, a missing file or package.

    A command ends with exit code 2 and the message alone; any other exception is a bug.

    Parameters
    ----------
    *pieces : str, Parameter or PythonHint
        The message, in pieces.

    Examples
    --------
    >>> from manyminds.utils.errors import Parameter, PythonHint, UserError
    >>> error = UserError(
    ...     "Leave it out with ", Parameter("drop"), PythonHint("=['id']"), "."
    ... )
    >>> print(error)
    Leave it out with drop=['id'].
    >>> print(error.describe({"drop": "--drop"}))
    Leave it out with --drop.
    """


class InputError(UserError, ValueError):
    """Data or a value that cannot be used."""


class InputTypeError(UserError, TypeError):
    """Data or a value of a type that cannot be used."""


class ParameterError(InputError):
    """A parameter has a value that it does not take.

    Parameters
    ----------
    parameter : str
        Its name.
    got : object
        The value.
    takes : str
        What it takes, as it follows "must be".

    Examples
    --------
    >>> from manyminds.utils.errors import ParameterError
    >>> error = ParameterError("n_jobs", 0, "at least 1, or -1 for all cores")
    >>> print(error)
    n_jobs must be at least 1, or -1 for all cores; got 0.
    >>> print(error.describe({"n_jobs": "--jobs"}))
    --jobs must be at least 1, or -1 for all cores; got 0.
    """

    def __init__(self, parameter: str, got: Any, takes: str) -> None:
        self.parameter, self.got, self.takes = parameter, got, takes
        super().__init__(Parameter(parameter), f" must be {takes}; got {got!r}.")

    def __reduce__(self) -> Any:
        return type(self), (self.parameter, self.got, self.takes)


class MissingFileError(UserError, FileNotFoundError):
    """There is no file or folder where one was expected."""


class WriteError(UserError, OSError):
    """A file cannot be written, as on a full disk."""


class MissingPackageError(UserError, ImportError):
    """An optional package is not installed."""


class InputWarning(_Message, UserWarning):
    """A warning about the data, with advice that may name parameters."""


def warn_caller(*pieces: str) -> None:
    """Issue an `InputWarning` at the first line outside this package.

    Parameters
    ----------
    *pieces : str, Parameter or PythonHint
        The message, in pieces.
    """
    depth, frame = 2, sys._getframe(1)  # the first level is this function
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("manyminds."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(InputWarning(*pieces), stacklevel=depth)
