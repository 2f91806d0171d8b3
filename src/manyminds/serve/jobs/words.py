"""The words of commands, from what a person has entered in a form."""

from collections.abc import Mapping, Sequence
from typing import Any

from manyminds.search.evaluation.timing import read_seconds
from manyminds.serve.tables.source import TableSource
from manyminds.serve.wording import rename_options
from manyminds.utils.errors import InputError

__all__ = ["list_search_words", "list_table_words", "make_option", "read_budget"]

# Fields of the form of a search, and the options that take their values as they are.
VALUES = {
    "metric": "metric",
    "cv": "cv",
    "group": "group",
    "time": "time",
    "fold": "fold",
    "weight": "weight",
    "trials": "trials",
    "seed": "seed",
    "memory": "memory",
    "jobs": "jobs",
    "predict_limit": "predict-limit",
}
FLAGS = {"no_committee": "no-committee"}
LOWEST = {"trials": 1, "cv": 2, "seed": 0, "jobs": 1}  # of whole numbers


def make_option(name: str, value: Any) -> str:
    """Return an option and its value in one word, whatever the value begins with.

    Examples
    --------
    >>> from manyminds.serve.jobs.words import make_option
    >>> make_option("target", "--drop")
    '--target=--drop'
    """
    return f"--{name}={value}"


def list_table_words(
    source: TableSource, target: str | None, task: str | None = None
) -> list[str]:
    """Return the words that name a table and its target."""
    words = [source.argument]
    if source.path is not None and source.format != "svmlight" and target:
        words.append(make_option("target", target))
    if task:
        words.append(make_option("task", task))
    if source.path is not None:
        words.append("--drop-missing-target")
    return words


def list_search_words(
    source: TableSource, form: Mapping[str, str], out: str
) -> list[str]:
    """Return the words of ``manyminds search``.

    Parameters
    ----------
    source : TableSource
    form : mapping of str to str
        Fields: target, task, budget, and those of `VALUES` and `FLAGS`; empty ones are
        left out.
    out : str
        Folder of the results.

    Returns
    -------
    words : list of str
    """
    words = ["search", *list_table_words(source, form.get("target"), form.get("task"))]
    budget = form.get("budget", "").strip()
    if budget:
        read_budget(budget)
        words.append(make_option("budget", budget))
    for field, option in VALUES.items():
        value = form.get(field, "").strip()
        if value:
            _check_whole(field, value)
            words.append(make_option(option, value))
    words += [f"--{option}" for field, option in FLAGS.items() if form.get(field)]
    return [*words, make_option("out", out), "--json"]


def _check_whole(field: str, value: str) -> None:
    """Raise at once for a number that the command would refuse."""
    low = LOWEST.get(field)
    if low is not None and (not value.isdecimal() or int(value) < low):
        name = rename_options(f"--{VALUES[field]}")
        raise InputError(
            f"{name} must be a whole number of {low} or more; got {value!r}."
        )


def replace_budget(words: Sequence[str], budget: str) -> list[str]:
    """Return the words that continue a search for another time."""
    read_budget(budget)
    kept = [
        one
        for one in words
        if not one.startswith(("--budget=", "--trials=")) and one != "--resume"
    ]
    return [*kept, make_option("budget", budget), "--resume"]


def read_budget(budget: str) -> float:
    """Return the seconds of a budget, such as "90s"; raise if it is none."""
    seconds = read_seconds(budget)
    if seconds is None or not 1.0 <= seconds <= 31 * 86_400:
        raise InputError(
            f"The budget must be a time such as 90s, 5m or 2h; got {budget!r}."
        )
    return seconds
