"""Read the table of a workflow, and check that a model can be fitted to it."""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from manyminds.analysis import find_pitfalls
from manyminds.datasets import (
    Dataset,
    find_dataset,
    find_identifiers,
    from_frame,
    read_table,
)
from manyminds.utils.errors import (
    InputError,
    InputTypeError,
    Parameter,
    ParameterError,
    warn_caller,
)
from manyminds.utils.tables import is_frame
from manyminds.workflows.parameters import Reading, Target

MAX_NAMED = 5  # columns in warnings, each with its own
MAX_JOBS = 1024  # processes; queues of far more overflow an integer of C
OPTIONS = {"drop_missing_target": "drop-missing-target", "folder": "data"}
FILE = re.compile(
    r"[/\\]|\.(csv|tsv|txt|parquet|xlsx|arff|svm|libsvm|svmlight)(\.gz)?$", re.I
)


def read_input(
    data: Any,
    target: Target = None,
    *,
    task: str | None = None,
    drop: Sequence[str] | None = None,
    drop_missing_target: bool = False,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Return the data set that a user means by a path, a name, a frame or a data set.

    Parameters are those of the workflows; see `run_search`.
    """
    layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
    declared = {"target": target, "drop": drop or None}
    reading: dict[str, Any] = {
        "target": _read_target(target),
        "task": task,
        "drop": tuple(drop or ()),
        "drop_missing_target": drop_missing_target,
    }
    if isinstance(data, Dataset):
        _refuse(declared | layout, f"the data set {data.name}")
        return data
    if is_frame(data):
        _refuse(layout, "a frame")
        return from_frame(data, **reading)
    if isinstance(data, os.PathLike) or (isinstance(data, str) and FILE.search(data)):
        return read_table(data, **reading, **_given(layout))
    if isinstance(data, str):
        _refuse(declared | layout, f"the data set {data}")
        return find_dataset(data, folder)
    raise InputTypeError(
        Parameter("data"),
        " must be a path, the name of a data set, a DataFrame or a Dataset; got "
        f"{type(data).__name__}.",
    )


def read_learnable(
    data: Any, target: Target = None, **reading: Unpack[Reading]
) -> Dataset:
    """Read a table as `read_input` does; raise unless a model can be fitted to it.

    Returns
    -------
    data : Dataset
        At least two rows and one column, and two classes or labels if it has any.
    """
    return check_learnable(read_input(data, target, **reading))


def check_learnable(data: Dataset) -> Dataset:
    """Raise unless a model can be fitted to a table.

    Returns
    -------
    data : Dataset
        The same.
    """
    if data.n_samples < 2:
        raise InputError(
            f"{data.name} has {data.n_samples} rows with a target; at least two are "
            "needed."
        )
    if data.n_features < 1:
        raise InputError(f"{data.name} has no column but the target.")
    if data.task == "classification" and len(data.classes) < 2:
        raise InputError(
            f"The target has one class only, {data.classes[0]!s}; at least two are "
            "needed."
        )
    return check_labels(data)


def check_labels(data: Dataset) -> Dataset:
    """Raise if there is one label only; warn of labels that all rows have, or none.

    Returns
    -------
    data : Dataset
        The same.
    """
    if data.task != "multilabel":
        return data
    if data.y.shape[1] < 2:
        raise InputError(
            "Many labels are several columns of 0 and 1; ",
            Parameter("target"),
            f" names one only, {data.y.columns[0]!r}. For one column, ",
            Parameter("task"),
            " is classification.",
        )
    shares = data.y.mean()
    constant = list(data.y.columns[(shares == 0.0) | (shares == 1.0)])
    if constant:
        more = f" and {len(constant) - 5} more" if len(constant) > 5 else ""
        warn_caller(
            f"Nothing can be learned about {', '.join(constant[:5])}{more}: all rows "
            "have the label, or none has."
        )
    return data


def check_n_jobs(n_jobs: int | None) -> None:
    """Raise if a number of jobs is 0 or so great that no machine can start them."""
    if n_jobs == 0 or (n_jobs is not None and n_jobs > MAX_JOBS):
        allowed = f"from 1 to {MAX_JOBS}, or -1 for all cores"
        raise ParameterError("n_jobs", n_jobs, allowed)


def count_max_folds(data: Dataset) -> tuple[int, str]:
    """Return how many folds the rows allow, and why."""
    if data.task != "classification":
        return data.n_samples, f"{data.name} has {data.n_samples} rows"
    most = int(np.unique(data.y, return_counts=True)[1].max())
    return most, f"the most frequent class of {data.name} has {most} rows"


def warn_about_counters(data: Dataset) -> None:
    """Warn about numeric columns that may only count the rows."""
    for name in find_identifiers(data.X):
        if name not in data.categorical:
            warn_caller(
                f"{name} may be a counter of the rows; if so, leave it out with ",
                Parameter("drop"),
                ".",
            )


def warn_of_left_out(reasons: Mapping[str, str]) -> None:
    """Warn of columns that are left out, and why; of many, count the rest."""
    for name, reason in list(reasons.items())[:MAX_NAMED]:
        warn_caller(f"{name} is left out: {reason}.")
    if len(reasons) > MAX_NAMED:
        warn_caller(f"{len(reasons) - MAX_NAMED} more columns are left out as well.")


def warn_about_pitfalls(data: Dataset) -> None:
    """Warn about serious pitfalls: identifiers, leaks, copied rows, groups, dates."""
    for pitfall in find_pitfalls(data):
        if pitfall.is_serious:
            warn_caller(*pitfall.pieces)


def write_command(
    name: str, data: Any, options: Mapping[str, Any], reading: Reading
) -> str:
    """Return the command of the shell that repeats a result.

    Parameters
    ----------
    name : str
        Name of the command.
    data : object or list of object
        Its tables; without a path or a name for each of them there is no command.
    options : mapping of str to object
        Names and values of options; None and False are left out.
    reading : Reading
        Options of reading the tables.

    Returns
    -------
    command : str
        Empty if a table has no path and no name.
    """
    tables = data if isinstance(data, list) else [data]
    if not all(isinstance(one, str | os.PathLike) for one in tables):
        return ""
    words = ["manyminds", name, *(os.fspath(one) for one in tables)]
    named = {OPTIONS.get(key, key): value for key, value in reading.items()}
    for option, value in {**options, **named}.items():
        if option == "target" and isinstance(value, (list, tuple)):
            value = ",".join(f'"{one}"' if "," in one else one for one in value)
        several = value if isinstance(value, (list, tuple)) else [value]
        for one in several:
            if one is True:
                words.append(f"--{option}")
            elif one is not None and one is not False:
                words += [f"--{option}", str(one)]
    return shlex.join(words)


def _read_target(target: Target) -> Target:
    """Return a position as a number, as it comes from a shell."""
    is_position = isinstance(target, str) and re.fullmatch(r"-?\d+", target)
    return int(target) if is_position else target  # type: ignore[arg-type]


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _refuse(options: Mapping[str, Any], what: str) -> None:
    if given := _given(options):
        raise InputError(
            Parameter(next(iter(given))),
            f" is for files; {what} has its own target and format.",
        )
