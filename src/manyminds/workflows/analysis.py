"""Analyze a table before a model is fitted: read, check, summarize, write."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from manyminds.reports import DataSummary, summarize_data, write_analysis
from manyminds.utils.docstrings import fill_docstring
from manyminds.workflows.parameters import READING, TABLE, Reading
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
    on_progress: Callable[[str], None] | None = None,
    **reading: Unpack[Reading],
) -> AnalysisResult:
    """Summarize a table: columns, missing values, target, complexity of its rows.

    ``manyminds analyze`` calls this function.

    Parameters
    ----------
    {table}
    out : path, default=None
        Folder for ``analysis.html`` and ``analysis.json``; None writes nothing.
    on_progress : callable, default=None
        Called with the name of each step before it starts.
    {reading}

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
    dataset = read_learnable(data, target, **reading)
    summary = summarize_data(dataset, on_step=on_progress)
    files: list[Path] = []
    if out is not None:
        command = write_command("analyze", data, {"target": target}, reading)
        files = write_analysis(summary, out, command=command)
    return AnalysisResult(summary, tuple(files))
