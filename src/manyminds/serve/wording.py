"""Messages in the words of the pages: names of fields for parameters and options."""

import re
from typing import Any

__all__ = ["FIELDS", "describe_message", "rename_options"]

# What the pages call each parameter that messages name.
FIELDS = {
    "budget": "“Time”",
    "by_class": "“the level holds for each class”",
    "cv": "“Cross-validation”",
    "data": "the table",
    "datasets": "the tables",
    "decimal": "the decimal mark",
    "drop": "the type “leave out”",
    "drop_missing_target": "the option to drop them",
    "encoding": "the encoding",
    "exportable": "the choice of models that can be exported",
    "flag_unlike": "“whether the row is unlike those of training”",
    "fold": "“Test folds”",
    "folder": "the folder",
    "group": "“Groups”",
    "interval": "the level",
    "memory": "“Memory”",
    "methods": "“Methods”",
    "metric": "“Score”",
    "metrics": "“Score”",
    "n_features": "“Number of columns”",
    "n_jobs": "“Cores”",
    "n_permutations": "“Permuted targets”",
    "n_resamples": "“Halves of the rows”",
    "n_trials": "“Most pipelines to try”",
    "name": "the name",
    "onnx": "the ONNX file",
    "out": "“Name of the results”",
    "path": "the file",
    "predict_limit": "“Rows per second that it must predict”",
    "random_state": "“Random seed”",
    "resume": "“Continue”",
    "selector": "“Selected by”",
    "separator": "the separator",
    "storage": "the file of trials",
    "store": "the file of results",
    "target": "“Target”",
    "task": "“Kind of target”",
    "threshold": "the threshold",
    "time": "“Time order”",
    "trusted": "the list of trusted types",
    "upload_limit": "the limit of uploads",
    "weight": "“Weights”",
}
# Options of the command line whose parameter has another name.
PARAMETERS = {
    "data": "folder",
    "jobs": "n_jobs",
    "number": "n_features",
    "permutations": "n_permutations",
    "resamples": "n_resamples",
    "seed": "random_state",
    "trials": "n_trials",
    "trust": "trusted",
}
# Advice that helps in a shell only.
PHRASES = {
    "list_methods, or --list-methods, shows all": "“Names of methods” lists all",
}
OPTION = re.compile(r"(?<![\w'\"-])--([a-z]+(?:-[a-z]+)*)(?![\w-])")
ASSIGNED = re.compile(r"(?<=”)=")


def describe_message(message: Any) -> str:
    """Return the text of an error or a warning, with names of fields for parameters.

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
    >>> from manyminds.serve.wording import describe_message
    >>> from manyminds.utils.errors import ParameterError
    >>> describe_message(ParameterError("n_jobs", 0, "at least 1"))
    '“Cores” must be at least 1; got 0.'
    """
    if not hasattr(message, "describe"):
        return str(message)
    return _tidy(message.describe(FIELDS))


def rename_options(text: str) -> str:
    """Return a sentence of a command, with names of fields for its options.

    Parameters
    ----------
    text : str
        What stands in quotes, such as a value that was entered, stays as it is.

    Returns
    -------
    text : str
        Options that no page has stay as they are.

    Examples
    --------
    >>> from manyminds.serve.wording import rename_options
    >>> rename_options("--target='--drop' is not a column of the table.")
    "“Target” '--drop' is not a column of the table."
    """
    for phrase, shown in PHRASES.items():
        text = text.replace(phrase, shown)
    return _tidy(OPTION.sub(_find_field, text))


def _find_field(option: re.Match[str]) -> str:
    name = PARAMETERS.get(option[1], option[1].replace("-", "_"))
    return FIELDS.get(name, option[0])


def _tidy(text: str) -> str:
    """Separate a field from its value, and begin with a capital letter."""
    text = ASSIGNED.sub(" ", text)
    return text[:1].upper() + text[1:] if text.startswith("the ") else text
