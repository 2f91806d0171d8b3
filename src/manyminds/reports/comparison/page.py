"""One page of HTML that holds all of a comparison and needs nothing else."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from manyminds.experiments.record import Record
from manyminds.experiments.summaries import list_scores
from manyminds.reports.comparison.figures import (
    draw_critical_difference,
    draw_scores,
    to_png,
    to_svg,
)
from manyminds.reports.comparison.parts import ComparisonSummary
from manyminds.reports.comparison.words import (
    describe_tests,
    say_p,
    say_score,
    say_time,
)
from manyminds.utils.files import write_atomically
from manyminds.utils.text import printable


def make_environment(filters: dict[str, Any]) -> Environment:
    """Read templates of this room; what is not said is an error, text is escaped."""
    environment = Environment(
        loader=PackageLoader("manyminds.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_printable,
    )
    environment.filters |= filters
    return environment


def _make_printable(value: Any) -> Any:
    """Show control characters of names in letters; figures are in order already."""
    is_plain = isinstance(value, str) and not hasattr(value, "__html__")
    return printable(value, keep="\n\t") if is_plain else value


def render_page(
    summary: ComparisonSummary, *, title: str = "Comparison", command: str = ""
) -> str:
    """Make a page of HTML from a summary: no links, no scripts, figures inside.

    Parameters
    ----------
    summary : ComparisonSummary
        See `summarize`.
    title : str, default="Comparison"
        Heading of the page.
    command : str, default=""
        The command that made it, shown so that others can repeat it.

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
        {"p": say_p, "time": say_time, "share": "{:.0%}".format}
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
        What the summary was made of.
    folder : str or path
        Made where it does not exist.
    title, command : str
        See `render_page`.

    Returns
    -------
    paths : list of Path
        ``report.html``; ``scores.csv``, one row per fold; ``comparison.svg`` and
        ``comparison.png``, the critical-difference diagram, or the scores of the folds
        where there is none.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    figure = draw_critical_difference(summary) or draw_scores(summary)
    content = {
        "report.html": render_page(summary, title=title, command=command).encode(),
        "scores.csv": list_scores(records).to_csv(index=False).encode(),
        "comparison.svg": to_svg(figure).encode(),
        "comparison.png": to_png(figure),
    }
    for name, text in content.items():
        write_atomically(folder / name, text)
    return [folder / name for name in content]


def _make_rows(summary: ComparisonSummary) -> list[dict[str, Any]]:
    """Return the table of scores as shown: a row per data set, a cell per method."""
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
                "text": "" if c is None else say_score(c.mean, c.sd, largest),
                "rank": None if c is None else c.rank,
                "best": c is not None and c.best,
                "worse": c is not None and (name, c.method) in worse,
                "failed": 0 if c is None else c.n_failed,
            }
            for c in row
        ]
        rows.append({"dataset": name, "cells": entries})
    return rows
