"""Errors and warnings as the shell shows them: with options for parameters."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from manyminds.cli.console import SafeConsole

__all__ = ["OPTIONS", "describe", "print_note", "show_notes"]

# The option or argument of a command for each parameter that messages name.
OPTIONS = {
    "budget": "--budget",
    "by_class": "--by-class",
    "cluster": "--cluster",
    "cv": "--cv",
    "data": "DATA",
    "datasets": "DATA",
    "decimal": "--decimal",
    "drop": "--drop",
    "drop_missing_target": "--drop-missing-target",
    "encoding": "--encoding",
    "exportable": "--exportable",
    "flag_unlike": "--flag-unlike",
    "fold": "--fold",
    "folder": "--data",
    "group": "--group",
    "host": "--host",
    "interval": "--interval",
    "methods": "--methods",
    "metric": "--metric",
    "metrics": "--metric",
    "n_features": "--number",
    "memory": "--memory",
    "n_jobs": "--jobs",
    "n_permutations": "--permutations",
    "n_resamples": "--resamples",
    "n_trials": "--trials",
    "name": "NAME",
    "onnx": "--onnx",
    "out": "--out",
    "password": "--password",
    "path": "the path",
    "port": "--port",
    "predict_limit": "--predict-limit",
    "random_state": "--seed",
    "resume": "--resume",
    "selector": "--selector",
    "separator": "--separator",
    "storage": "--storage",
    "store": "--store",
    "target": "--target",
    "task": "--task",
    "threshold": "--threshold",
    "time": "--time",
    "trusted": "--trust",
    "upload_limit": "--upload-limit",
    "weight": "--weight",
}


def describe(message: Any) -> str:
    """Return the text of an error or a warning, with options for parameters.

    Parameters
    ----------
    message : Exception
        One that names parameters as a `manyminds.utils.errors.UserError` does, or any
        other.

    Returns
    -------
    text : str

    Examples
    --------
    >>> from manyminds.cli.messages import describe
    >>> from manyminds.utils.errors import ParameterError
    >>> describe(ParameterError("n_jobs", 0, "at least 1"))
    '--jobs must be at least 1; got 0.'
    """
    names_parameters = hasattr(message, "describe")
    return message.describe(OPTIONS) if names_parameters else str(message)


def print_note(text: str) -> None:
    """Print a sentence to standard error."""
    SafeConsole(stderr=True).print(text, style="yellow", markup=False, highlight=False)


@contextmanager
def show_notes() -> Iterator[None]:
    """Print each warning once, as a note on standard error."""
    seen: set[str] = set()

    def show(message: Any, *_: Any, **__: Any) -> None:
        text = describe(message)
        if text not in seen:
            seen.add(text)
            print_note(f"Note: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
