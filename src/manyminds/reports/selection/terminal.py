"""Print a stable selection in a terminal: a table of columns and a few sentences."""

from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from rich.text import Text

from manyminds.reports.selection.summary import SelectionSummary
from manyminds.reports.shared.terminal import new_table, print_line

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

MIN_SHOWN = 10  # columns shown even if fewer are kept


def print_selection(
    frequencies: "pd.DataFrame",
    summary: SelectionSummary,
    console: "Console",
    *,
    title: str = "Selection",
    identifiers: Mapping[str, str] | None = None,
) -> None:
    """Print the columns selected most often, and how stable the selection is.

    Parameters
    ----------
    frequencies : DataFrame
        See `list_frequencies`.
    summary : SelectionSummary
    console : rich Console
        Where to print.
    title : str, default="Selection"
    identifiers : mapping of str to str, default=None
        Columns that look like identifiers, and why.
    """
    compared = summary.n_permutations > 0
    null_column = ["permuted targets"] if compared else []
    table = new_table("column", "frequency", *null_column, title=title)
    table.add_column("")
    n_shown = max(summary.n_kept, MIN_SHOWN)
    for row in frequencies.head(n_shown).itertuples(index=False):
        beyond = row.beyond_null or not compared
        style = "dim" if not row.kept else "bold green" if beyond else ""
        null = [f"{row.null_frequency:.0%}"] if compared else []
        remark = _describe_column(row, compared, identifiers or {})
        name = Text(row.column, style=style)
        table.add_row(name, f"{row.frequency:.0%}", *null, remark)
    console.print(table)
    for sentence in describe_selection(summary):
        print_line(console, sentence)


def describe_selection(summary: SelectionSummary) -> list[str]:
    """Describe a selection in sentences."""
    lines = [
        f"{summary.n_kept} of {summary.n_columns} columns are kept, after selections "
        f"on {summary.n_resamples} halves of the rows."
    ]
    low, high = summary.stability_interval
    if isnan(summary.stability):
        lines.append(
            "All columns, or none, were selected each time: stability is undefined."
        )
    else:
        lines.append(
            f"Stability {summary.stability:.2f} (95 % interval {low:.2f} to "
            f"{high:.2f}) between disjoint halves; 1 is always the same, 0 is random."
        )
        lines += _describe_null(summary)
    bound = summary.expected_false_selections
    if not isnan(bound):
        lines.append(f"Expected number of falsely kept columns: at most {bound:.2g}.")
    return lines


def _describe_null(summary: SelectionSummary) -> list[str]:
    low, high = summary.null_interval
    if isnan(low):
        return []
    more = "more" if summary.stability > high else "no more"
    return [
        f"With {summary.n_permutations} permuted targets it is "
        f"{summary.null_stability:.2f} (95 % of them {low:.2f} to {high:.2f}): this "
        f"selection is {more} stable than a selection on noise.",
        f"With permuted targets, no column has a frequency above "
        f"{summary.max_null_frequency:.0%}; {summary.n_kept_beyond_null} of the "
        f"{summary.n_kept} kept columns do.",
    ]


def _describe_column(row: Any, compared: bool, identifiers: Mapping[str, str]) -> str:
    remarks = ["kept"] if row.kept else []
    if row.kept and compared and not row.beyond_null:
        remarks.append("not beyond noise")
    if row.column in identifiers:
        remarks.append("a row counter?")
    return ", ".join(remarks)
