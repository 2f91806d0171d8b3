"""Analyze a table before a model is fitted: read, check, summarize, write."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manyminds.reports import DataSummary, summarize_data, write_analysis
from manyminds.utils.docstrings import fill_docstring
from manyminds.workflows.parameters import READING, TABLE
from manyminds.workflows.tables import read_learnable, write_command


@dataclass(frozen=True)
class AnalysisResult:
    """Result of `run_analysis`.

    Parameters
    ----------
    summary : DataSummary
    files : tuple of Path
        Files that were written.
    """

    summary: DataSummary
    files: tuple[Path, ...]


@fill_docstring(table=TABLE, reading=READING)
def run_analysis(
    data: Any,
    target: str | int | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    task: str | None = None,
    drop: Sequence[str] | None = None,
    drop_missing_target: bool = False,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> AnalysisResult:
    """Summarize a table: columns, missing values, target, complexity of its rows.

    ``manyminds analyze`` calls this function.

    Parameters
    ----------
    {table}
    out : path, default=None
        Folder for ``analysis.html`` and ``analysis.json``; None writes nothing.
    {reading}
    on_progress : callable, default=None
        Called with the name of each step before it starts.

    Returns
    -------
    result : AnalysisResult

    Examples
    --------
    >>> from manyminds.workflows import run_analysis
    >>> result = run_analysis("iris")
    >>> result.summary.n_rows, result.summary.ranked[0].name
    (150, 'petallength')
    """
    layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
    dataset = read_learnable(
        data,
        target,
        task=task,
        drop=drop,
        drop_missing_target=drop_missing_target,
        folder=folder,
        **layout,
    )
    summary = summarize_data(dataset, on_step=on_progress)
    files: list[Path] = []
    if out is not None:
        options: dict[str, Any] = {"target": target, "task": task, "drop": drop}
        options |= {"drop-missing-target": drop_missing_target, **layout}
        command = write_command("analyze", data, options)
        files = write_analysis(summary, out, command=command)
    return AnalysisResult(summary, tuple(files))
