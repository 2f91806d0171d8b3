"""The report of an analysis: one self-contained page of HTML, and JSON."""

import json
import os
from pathlib import Path

from manyminds.reports.data.figures import (
    draw_column_scores,
    draw_profiles,
    draw_target,
)
from manyminds.reports.data.summary_types import DataSummary
from manyminds.reports.shared.figures import to_svg
from manyminds.reports.shared.formatting import format_number
from manyminds.reports.shared.pages import make_environment, write_files
from manyminds.reports.shared.plain import to_plain

MAX_COLUMNS = 500  # rows of the page's table; analysis.json has all columns


def render_data_page(summary: DataSummary, *, command: str = "") -> str:
    """Render a summary as one page of HTML, without links or scripts.

    Parameters
    ----------
    summary : DataSummary
        See `summarize_data`.
    command : str, default=""
        The command that made the summary.

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
    environment = make_environment({"share": "{:.1%}".format, "number": format_number})
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
        Created if it does not exist.
    command : str, default=""
        See `render_data_page`.

    Returns
    -------
    paths : list of Path
    """
    plain = json.dumps(to_plain(summary), indent=2, ensure_ascii=False)
    content = {
        "analysis.html": render_data_page(summary, command=command),
        "analysis.json": plain + "\n",
    }
    return write_files(folder, content)
