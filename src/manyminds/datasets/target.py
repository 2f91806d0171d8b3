"""Choose the target of a table, tell the task, and put the labels in order."""

import re
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from manyminds.datasets.columns import (
    Cells,
    numbers_of,
    read_column,
    refuse_dates,
    refuse_infinities,
    text_of,
)
from manyminds.datasets.dataset import close_matches
from manyminds.utils.errors import InputError, Parameter

__all__ = [
    "choose_target",
    "guess_task",
    "missing_in",
    "read_label_columns",
    "read_labels",
    "read_target",
]

USUAL_NAMES = ("target", "class", "label")
MAX_CLASSES = 20
CODE = re.compile(r"0\d+")  # 01 is a code: as a number it would lose its zero


def choose_target(columns: list[str], target: Any) -> list[str]:
    """Find the columns to predict.

    Parameters
    ----------
    columns : list of str
        Names of all columns.
    target : str, int, collection of str or None
        Name, position or names; None stands for the one column that is called
        "target", "class" or "label", in whatever case.

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
                f"Columns: {_some(columns)}.",
            )
        return usual
    if isinstance(target, int | np.integer):
        if not -len(columns) <= target < len(columns):
            raise InputError(
                Parameter("target"),
                f"={target} is no position in a table of {len(columns)} columns.",
            )
        return [columns[target]]
    targets = [target] if isinstance(target, str) else [str(name) for name in target]
    for name in targets:
        if name not in columns:
            raise InputError(
                Parameter("target"),
                f"={name!r} is not a column of the table. "
                f"{close_matches(name, columns)}Columns: {_some(columns)}.",
            )
    if not targets or len(set(targets)) < len(targets):
        raise InputError(
            Parameter("target"), f" must name different columns; got {targets}."
        )
    return targets


def missing_in(column: pd.Series, missing_values: Collection[str]) -> np.ndarray:
    """Return which cells of a target are missing."""
    if _holds_numbers(column):
        return np.isnan(numbers_of(column, missing_values))
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    return Cells.of(column, () if declared else missing_values).codes < 0


def read_target(
    column: pd.Series, task: str | None, keep_text: bool = False
) -> tuple[np.ndarray, str]:
    """Turn a column without missing cells into labels or numbers; tell the task.

    Parameters
    ----------
    column : Series
        Cells of any kind.
    task : {"classification", "regression"} or None
        What is to be predicted; None to tell it from the cells, see ``guess_task``.
    keep_text : bool, default=False
        Whether labels that are whole numbers are to stay text.

    Returns
    -------
    y : ndarray of shape (n_samples,)
        Floats for regression. For classification integers if all labels are whole
        numbers without leading zeros, otherwise strings.
    task : str
        "classification" or "regression".
    """
    refuse_dates(column)
    if _holds_numbers(column) and not keep_text:
        numbers = refuse_infinities(numbers_of(column), column.name, "The target")
        task = task or guess_task(numbers)
        if task == "regression":
            return numbers, task
    cells = Cells.of(column)
    words = cells.words()
    if task is None:
        declared = isinstance(column.dtype, pd.CategoricalDtype) or keep_text
        labeled = declared or bool(words)
        task = "classification" if labeled else guess_task(cells.as_numbers())
    if task == "classification":
        return read_labels(cells, keep_text), task
    if words:
        raise ValueError(
            f"The target {column.name!r} holds words, for example "
            f"{next(iter(words))!r}: task must be 'classification'; got {task!r}."
        )
    numbers = refuse_infinities(cells.as_numbers(), column.name, "The target")
    return numbers, task


def guess_task(numbers: np.ndarray) -> str:
    """Tell classification from regression where the target holds numbers.

    Numbers that are not all whole mean regression. Whole numbers are classes if there
    are at most two of them, or at most 20 and fewer than a tenth of the rows.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples,)
        Cells of the target.

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
    """Return labels as integers if all are whole numbers, otherwise as strings.

    Codes such as 01 stay strings.
    """
    read = [n for n in cells.numbers if n is not None and n.is_integer()]
    read = [n for n in read if abs(n) <= 2.0**53]  # beyond that floats skip numbers
    distinct = len(set(read)) == len(cells.texts)
    if distinct and not keep_text and not holds_codes(cells.texts):
        return np.array(read, dtype=np.int64)[cells.codes]
    return cells.as_text()


def read_label_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn columns of 0 and 1, or of booleans, into a frame of integers."""
    labels = {}
    for name in frame.columns:
        values = read_column(frame[name], "numeric").to_numpy()
        if not np.all((values == 0) | (values == 1)):
            odd = text_of(values[(values != 0) & (values != 1)][0])
            raise ValueError(
                f"Several labels must be columns of 0 and 1; {name!r} holds {odd}."
            )
        labels[name] = values.astype(np.int64)
    return pd.DataFrame(labels)


def holds_codes(texts: Iterable[str]) -> bool:
    """Check whether some texts are numbers with zeros in front, as codes have them."""
    return any(CODE.fullmatch(text) for text in texts)


def _holds_numbers(column: pd.Series) -> bool:
    return types.is_numeric_dtype(column.dtype) and column.dtype.kind in "iuf"


def _some(columns: list[str]) -> str:
    shown = ", ".join(columns[:20])
    return shown + (f" and {len(columns) - 20} more" if len(columns) > 20 else "")
