"""One page of HTML that holds all that a summary says about a table."""

import json
import os
from pathlib import Path

from manyminds.reports.comparison.figures import to_svg
from manyminds.reports.comparison.page import make_environment
from manyminds.reports.comparison.parts import to_plain
from manyminds.reports.data.figures import (
    draw_column_scores,
    draw_profiles,
    draw_target,
)
from manyminds.reports.data.parts import DataSummary
from manyminds.utils.files import write_atomically

MAX_COLUMNS = 500  # rows of the page's table; analysis.json has all of them


def render_data_page(summary: DataSummary, *, command: str = "") -> str:
    """Make a page of HTML from a summary: no links, no scripts, figures inside.

    Parameters
    ----------
    summary : DataSummary
        See `summarize_data`.
    command : str, default=""
        The command that made it.

    Returns
    -------
    html : str

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.reports.data.page import render_data_page
    >>> from manyminds.reports.data.summary import summarize_data
    >>> page = render_data_page(summarize_data(load_dataset("wine")))
    >>> "<h1>wine</h1>" in page
    True
    """
    environment = make_environment({"share": "{:.1%}".format, "number": say_number})
    figures = {
        "target": draw_target(summary),
        "scores": draw_column_scores(summary),
        "profiles": draw_profiles(summary),
    }
    return environment.get_template("analysis.html.jinja").render(
        s=summary,
        columns=summary.columns[:MAX_COLUMNS],
        command=command,
        **{
            name: None if figure is None else to_svg(figure, inline=True)
            for name, figure in figures.items()
        },
    )


def write_analysis(
    summary: DataSummary, folder: str | os.PathLike[str], *, command: str = ""
) -> list[Path]:
    """Write ``analysis.html`` and ``analysis.json`` into a folder.

    Parameters
    ----------
    summary : DataSummary
    folder : path
        Made where it does not exist.
    command : str, default=""
        See `render_data_page`.

    Returns
    -------
    paths : list of Path
    """
    folder = Path(folder)
    plain = json.dumps(to_plain(summary), indent=2, ensure_ascii=False)
    content = {
        "analysis.html": render_data_page(summary, command=command),
        "analysis.json": plain + "\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in content.items():
        write_atomically(folder / name, text.encode())
    return [folder / name for name in content]


def say_number(value: float | None) -> str:
    """Write a number with four digits that count; nothing where there is none."""
    return "" if value is None else f"{value:.4g}"
