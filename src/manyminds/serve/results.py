"""The result of a finished search, read from its folder and measured once."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from manyminds.reports import SearchSummary, read_search
from manyminds.reports.search.summary_types import NumberErrors
from manyminds.serve.measures import (
    ClassResult,
    HardRow,
    LabelPredictions,
    Predictions,
    measure_classes,
    measure_numbers,
    read_label_predictions,
    read_predictions,
)

__all__ = [
    "FILES",
    "FinishedSearch",
    "TraceRow",
    "is_finished",
    "list_best",
    "list_stamps",
    "parse_command",
    "read_finished",
]

RESULT, PREDICTIONS, TRACE = "search.json", "predictions.csv", "trace.csv"
FILES = {  # that a page offers to download
    "model.skops": "the model",
    "report.html": "the report, one page without links",
    "model_card.md": "what the model is for, how good it is, and where it is weak",
    "leaderboard.csv": "all pipelines with scores",
    "predictions.csv": "out-of-fold predictions",
    "importance.csv": "importance of the columns",
    "selection.csv": "selected columns",
    "trace.csv": "all trials",
}


@dataclass(frozen=True)
class TraceRow:
    """A trial of a search: when it ended, and how."""

    trial: int
    second: float
    state: str
    score: float
    best: float
    pipeline: str
    reason: str


@dataclass(frozen=True)
class FinishedSearch:
    """A finished search.

    Parameters
    ----------
    folder : Path
    summary : SearchSummary
    predictions : Predictions or None
        Out of fold; None for many labels.
    labels : LabelPredictions or None
        Only of many labels.
    classes : ClassResult or None
    numbers : NumberErrors or None
    hard : tuple of HardRow
    trace : tuple of TraceRow
        In the order in which trials ended.
    """

    folder: Path
    summary: SearchSummary
    predictions: Predictions | None
    labels: LabelPredictions | None
    classes: ClassResult | None
    numbers: NumberErrors | None
    hard: tuple[HardRow, ...]
    trace: tuple[TraceRow, ...]


def is_finished(folder: Path) -> bool:
    """Return whether a search has a result."""
    try:
        content = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        return isinstance(content, dict) and content.get("state") == "done"
    except (OSError, ValueError):
        return False


def list_stamps(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Return names, times and sizes of the files that a result is read from.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    stamps : tuple of (str, int, int)
        The key of a cache: it changes when a file does.
    """
    stamps = []
    for name in (RESULT, PREDICTIONS, TRACE):
        try:
            state = (folder / name).stat()
        except FileNotFoundError:
            continue
        stamps.append((name, state.st_mtime_ns, state.st_size))
    return tuple(stamps)


def read_finished(folder: Path) -> FinishedSearch:
    """Read a finished search, and measure its predictions.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    search : FinishedSearch

    Raises
    ------
    InputError
        If there is no search, or it is not finished.
    """
    summary = read_search(folder)
    found = read_predictions(folder / PREDICTIONS, summary.task)
    classes = numbers = None
    hard: tuple[HardRow, ...] = ()
    if found is not None and summary.task == "classification":
        classes = measure_classes(found)
        hard = classes.hard
    elif found is not None:
        numbers, hard = measure_numbers(found)
    labels = None
    if summary.task == "multilabel":
        labels = read_label_predictions(folder / PREDICTIONS)
    trace = _read_trace(folder / TRACE)
    return FinishedSearch(folder, summary, found, labels, classes, numbers, hard, trace)


def list_best(trace: Sequence[TraceRow], higher_is_better: bool) -> list[TraceRow]:
    """Return the trials that improved on all before them, and the last trial.

    Parameters
    ----------
    trace : sequence of TraceRow
        In the order in which trials ended.
    higher_is_better : bool

    Returns
    -------
    steps : list of TraceRow
        With the best score until then, over time rather than over trial numbers.
    """
    sign = 1.0 if higher_is_better else -1.0
    steps: list[TraceRow] = []
    for one in trace:
        if one.state != "complete" or not isfinite(one.score):
            continue
        if not steps or sign * one.score > sign * steps[-1].best:
            steps.append(replace(one, best=one.score))
    if steps and trace[-1].second > steps[-1].second:
        steps.append(replace(steps[-1], second=trace[-1].second))
    return steps


def parse_command(command: str) -> tuple[str, dict[str, Any]]:
    """Return the table that a command of the shell names, and its options.

    Parameters
    ----------
    command : str
        As ``search.json`` stores it.

    Returns
    -------
    data : str
        Path or name of the table; empty if there is none.
    options : dict of str to str, True or list
        By name, without hyphens; a list for ``drop``, which may be repeated.

    Examples
    --------
    >>> from manyminds.serve.results import parse_command
    >>> parse_command("manyminds search a.csv --target y --drop b --drop c")
    ('a.csv', {'target': 'y', 'drop': ['b', 'c']})
    """
    words = shlex.split(command)
    options: dict[str, Any] = {}
    for place, word in enumerate(words):
        if not word.startswith("--"):
            continue
        following = words[place + 1] if place + 1 < len(words) else "--"
        value: Any = True if following.startswith("--") else following
        name = word.removeprefix("--").replace("-", "_")
        if name == "drop":
            options.setdefault("drop", []).append(value)
        else:
            options[name] = value
    return (words[2] if len(words) > 2 else ""), options


def _read_trace(file: Path) -> tuple[TraceRow, ...]:
    if not file.is_file():
        return ()
    frame = pd.read_csv(file, dtype={"pipeline": object, "reason": object})
    frame = frame.sort_values("second", kind="stable")
    texts = frame[["pipeline", "reason"]].fillna("").astype(str)
    return tuple(
        TraceRow(
            int(row.trial), float(row.second), str(row.state), float(row.score),
            float(row.best), pipeline, reason,
        )
        for row, pipeline, reason in zip(
            frame.itertuples(index=False), texts["pipeline"], texts["reason"]
        )
    )  # fmt: skip
