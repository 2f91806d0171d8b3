"""Choose the target column, infer the task and convert the labels."""

import csv
import re
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.column_notes import warn_of_mark
from manyminds.datasets.columns import (
    Cells,
    format_value,
    holds_numbers,
    read_column,
    refuse_dates,
    refuse_infinities,
    to_numbers,
)
from manyminds.datasets.names import list_some, suggest_close
from manyminds.utils.errors import InputError, Parameter, PythonHint

__all__ = [
    "choose_target",
    "find_missing",
    "guess_task",
    "holds_codes",
    "read_label_columns",
    "read_labels",
    "read_target",
]

USUAL_NAMES = ("target", "class", "label")
MAX_CLASSES = 20
SEPARATORS = ("|", ";", "\t")
CODE = re.compile(r"0\d+")  # 01 is a code: as a number it loses its zero


def choose_target(columns: list[str], target: Any) -> list[str]:
    """Return the names of the columns to predict.

    Parameters
    ----------
    columns : list of str
        Names of all columns.
    target : str, int, collection of str or None
        Name, position or names. A text that is no column's name may hold several, with
        commas between them; a name with a comma in it is then put in double quotes. By
        default the only column called "target", "class" or "label", in upper or lower
        case.

    Returns
    -------
    targets : list of str
        One name, or several for several labels.
    """
    if target is None:
        usual = [name for name in columns if name.lower() in USUAL_NAMES]
        if len(usual) != 1:
            found = "none" if not usual else " and ".join(usual)
            raise InputError(
                Parameter("target"),
                " must name the column to predict: without it, exactly one "
                f"column must be called {', '.join(USUAL_NAMES)}, and {found} is. "
                f"Columns: {list_some(columns, 20, str)}.",
                *_suggest_separator(columns),
            )
        return usual
    if isinstance(target, int | np.integer):
        if not -len(columns) <= target < len(columns):
            raise InputError(
                Parameter("target"),
                f" must be a position in a table of {len(columns)} columns; got "
                f"{target}.",
            )
        return [columns[target]]
    if isinstance(target, str):
        targets = _split_names(target, columns)
    else:
        targets = [str(name) for name in target]
    for name in targets:
        if name not in columns:
            raise InputError(
                Parameter("target"),
                f"={name!r} is not a column of the table. "
                f"{suggest_close(name, columns)}Columns: "
                f"{list_some(columns, 20, str)}.",
                *_suggest_separator(columns),
            )
    if not targets or len(set(targets)) < len(targets):
        raise InputError(
            Parameter("target"), f" must name different columns; got {targets}."
        )
    return targets


def _suggest_separator(columns: list[str]) -> tuple[str, ...]:
    """Return pieces of a message if the only column seems to hold several."""
    found = [one for one in SEPARATORS if len(columns) == 1 and one in columns[0]]
    if not found:
        return ()
    shown = "a tab" if found[0] == "\t" else repr(found[0])
    hint = PythonHint(f"={found[0]!r}")
    return f" If {shown} separates its cells, set ", Parameter("separator"), hint, "."


def _split_names(target: str, columns: list[str]) -> list[str]:
    """Split a text at its commas, unless it is the name of a column."""
    if target in columns or "," not in target:
        return [target]
    names = next(csv.reader([target], skipinitialspace=True))
    names = [name.strip() for name in names]
    if not all(names):
        raise InputError(
            Parameter("target"),
            f" must have a column's name on both sides of each comma; got {target!r}.",
        )
    return names if any(name in columns for name in names) else [target]


def find_missing(column: pd.Series, missing_values: Collection[str]) -> np.ndarray:
    """Return a mask of the missing values of a target."""
    if holds_numbers(column):
        return np.isnan(to_numbers(column, missing_values))
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    return Cells.of(column, () if declared else missing_values).codes < 0


def read_target(
    column: pd.Series, task: str | None, keep_text: bool = False
) -> tuple[np.ndarray, str]:
    """Convert a column without missing values to labels or numbers; infer the task.

    Parameters
    ----------
    column : Series
        Cells of any type.
    task : {"classification", "regression"} or None
        Type of the target; None to infer it, see ``guess_task``.
    keep_text : bool, default=False
        Whether labels that are integers stay text.

    Returns
    -------
    y : ndarray of shape (n_samples,)
        Floats for regression. For classification, integers if all labels are
        integers without leading zeros, otherwise strings.
    task : str
        "classification" or "regression".
    """
    refuse_dates(column)
    if holds_numbers(column) and not keep_text:
        numbers = refuse_infinities(to_numbers(column), column.name, "The target")
        task = task or guess_task(numbers)
        if task == "regression":
            return numbers, task
    cells = Cells.of(column)
    if not keep_text:
        cells = _read_marked(column.name, cells, task)
    words = cells.words()
    if task is None:
        declared = isinstance(column.dtype, pd.CategoricalDtype) or keep_text
        labeled = declared or bool(words)
        task = "classification" if labeled else guess_task(cells.as_numbers())
    if task == "classification":
        return read_labels(cells, keep_text), task
    if words:
        raise InputError(
            f"The target {column.name!r} holds words, for example "
            f"{next(iter(words))!r}: task must be 'classification'; got {task!r}."
        )
    numbers = refuse_infinities(cells.as_numbers(), column.name, "The target")
    return numbers, task


def _read_marked(name: Any, cells: Cells, task: str | None) -> Cells:
    """Return cells with numbers of texts such as "€300", unless they are classes."""
    made, mark = cells.parse_marked()
    if mark is None or (task or guess_task(made.as_numbers())) != "regression":
        return cells
    warn_of_mark(name, next(iter(cells.words())), mark)
    return made


def guess_task(numbers: np.ndarray) -> str:
    """Infer classification or regression from a target of numbers.

    If some numbers are not integers, the task is regression. Integers are classes if
    there are at most two distinct ones, or at most 20 and fewer than a tenth of the
    rows.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples,)
        Values of the target.

    Returns
    -------
    task : str
        "classification" or "regression".

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.datasets.target import guess_task
    >>> guess_task(np.tile([1.0, 2.0, 3.0], 20)), guess_task(np.array([0.5, 1.0]))
    ('classification', 'regression')
    """
    if not np.all(numbers == np.floor(numbers)):
        return "regression"
    n_distinct = len(np.unique(numbers))
    few = n_distinct <= MAX_CLASSES and n_distinct < len(numbers) / 10
    return "classification" if n_distinct <= 2 or few else "regression"


def read_labels(cells: Cells, keep_text: bool = False) -> np.ndarray:
    """Return labels as integers if all of them are, otherwise as strings.

    Codes such as 01 stay strings.
    """
    read = [n for n in cells.numbers if n is not None and n.is_integer()]
    read = [n for n in read if abs(n) <= 2.0**53]  # floats skip larger integers
    distinct = len(set(read)) == len(cells.texts)
    if distinct and not keep_text and not holds_codes(cells.texts):
        return np.array(read, dtype=np.int64)[cells.codes]
    return cells.as_text()


def read_label_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert columns of 0 and 1, or of booleans, to integers."""
    labels = {}
    for name in frame.columns:
        values = read_column(frame[name], "numeric").to_numpy()
        if not np.all((values == 0) | (values == 1)):
            odd = format_value(values[(values != 0) & (values != 1)][0])
            raise InputError(
                f"Several labels must be columns of 0 and 1; {name!r} holds {odd}."
            )
        labels[name] = values.astype(np.int64)
    return pd.DataFrame(labels)


def holds_codes(texts: Iterable[str]) -> bool:
    """Return whether some texts are codes: numbers with leading zeros."""
    return any(CODE.fullmatch(text) for text in texts)
