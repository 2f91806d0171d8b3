"""The report of a comparison: one self-contained page of HTML, and tables."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from manyminds.experiments.record import Record
from manyminds.experiments.summaries import list_scores
from manyminds.reports.comparison.figures import (
    draw_critical_difference,
    draw_scores,
)
from manyminds.reports.comparison.sentences import describe_tests
from manyminds.reports.comparison.summary_types import ComparisonSummary
from manyminds.reports.shared.figures import to_png, to_svg
from manyminds.reports.shared.formatting import (
    format_p_value,
    format_score,
    format_time,
)
from manyminds.reports.shared.pages import make_environment, write_files


def render_page(
    summary: ComparisonSummary, *, title: str = "Comparison", command: str = ""
) -> str:
    """Render a summary as one page of HTML, without links or scripts.

    Parameters
    ----------
    summary : ComparisonSummary
        See `summarize`.
    title : str, default="Comparison"
        Heading of the page.
    command : str, default=""
        The command that made the records, shown so that others can repeat it.

    Returns
    -------
    html : str

    Examples
    --------
    >>> from manyminds.experiments import Record
    >>> from manyminds.reports import render_page, summarize
    >>> record = Record("k", "iris", "tree", 0, 0, {"accuracy": 0.9})
    >>> page = render_page(summarize([record]), title="Trees & more")
    >>> "<h1>Trees &amp; more</h1>" in page
    True
    """
    diagram = draw_critical_difference(summary)
    environment = make_environment(
        {"p": format_p_value, "time": format_time, "share": "{:.0%}".format}
    )
    return environment.get_template("comparison.html.jinja").render(
        title=title,
        command=command,
        s=summary,
        rows=_make_rows(summary),
        sentences=describe_tests(summary),
        diagram=None if diagram is None else to_svg(diagram, inline=True),
        scores=to_svg(draw_scores(summary), inline=True),
    )


def write_report(
    summary: ComparisonSummary,
    records: Iterable[Record],
    folder: str | os.PathLike[str],
    *,
    title: str = "Comparison",
    command: str = "",
) -> list[Path]:
    """Write a page, a table of all scores and a figure into a folder.

    Parameters
    ----------
    summary : ComparisonSummary
    records : iterable of Record
        The records of the summary.
    folder : path
        Created if it does not exist.
    title, command : str
        See `render_page`.

    Returns
    -------
    paths : list of Path
        ``report.html``; ``scores.csv``, one row per fold; ``comparison.svg`` and
        ``comparison.png``, the critical-difference diagram, or the scores of the folds
        if there is none.
    """
    figure = draw_critical_difference(summary) or draw_scores(summary)
    content = {
        "report.html": render_page(summary, title=title, command=command),
        "scores.csv": list_scores(records).to_csv(index=False),
        "comparison.svg": to_svg(figure),
        "comparison.png": to_png(figure),
    }
    return write_files(folder, content)


def _make_rows(summary: ComparisonSummary) -> list[dict[str, Any]]:
    """Return the table of scores: a row per data set, a cell per method."""
    cells = {(cell.dataset, cell.method): cell for cell in summary.cells}
    worse = {
        (test.dataset, test.method)
        for test in summary.against_best
        if test.adjusted_p_value <= summary.alpha
    }
    rows = []
    for name in summary.datasets:
        row = [cells.get((name, method)) for method in summary.methods]
        largest = max((abs(c.mean) for c in row if c and c.mean is not None), default=0)
        entries = [
            {
                "text": "" if c is None else format_score(c.mean, c.std, largest),
                "rank": None if c is None else c.rank,
                "best": c is not None and c.best,
                "worse": c is not None and (name, c.method) in worse,
                "failed": 0 if c is None else c.n_failed,
            }
            for c in row
        ]
        rows.append({"dataset": name, "cells": entries})
    return rows
