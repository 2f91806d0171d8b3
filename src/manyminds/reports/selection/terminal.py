"""Print a stable selection in the terminal: a table of columns and a few sentences."""

from math import isnan
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    import pandas as pd

MIN_SHOWN = 10  # columns shown even if fewer are kept


def print_selection(
    found: "pd.DataFrame",
    summary: dict[str, Any],
    title: str,
    suspects: dict[str, str],
    console: Console,
) -> None:
    """Print the columns found most often, and how stable the selection is.

    Parameters
    ----------
    found : DataFrame
        A row for each column: ``column``, ``frequency``, ``null_frequency``,
        ``beyond_null`` and ``kept``, the best first.
    summary : dict of str to object
        Numbers as ``manyminds select --json`` prints them.
    title : str
    suspects : dict of str to str
        Columns that look like identifiers.
    console : rich Console
    """
    compared = summary["n_permutations"] > 0
    table = Table(title=title, title_style="bold")
    table.add_column("column", overflow="fold")
    table.add_column("found on", justify="right")
    if compared:
        table.add_column("permuted targets", justify="right")
    table.add_column("")
    for row in found.head(max(summary["n_kept"], MIN_SHOWN)).itertuples(index=False):
        sure = row.kept and (row.beyond_null or not compared)
        style = "bold green" if sure else "" if row.kept else "dim"
        null = [f"{row.null_frequency:.0%}"] if compared else []
        remark = _remark(row, compared, suspects)
        name = Text(row.column, style=style)
        table.add_row(name, f"{row.frequency:.0%}", *null, remark)
    console.print(table)
    for sentence in describe_selection(summary):
        console.print(sentence, markup=False, highlight=False)


def describe_selection(summary: dict[str, Any]) -> list[str]:
    """Format the numbers of a selection in sentences."""
    lines = [
        f"{summary['n_kept']} of {summary['n_columns']} columns are kept, after "
        f"selections on {summary['n_resamples']} halves of the rows."
    ]
    low, high = summary["stability_interval"]
    if isnan(summary["stability"]):
        lines.append("All columns, or none, were selected each time: no stability.")
    else:
        lines.append(
            f"Stability {summary['stability']:.2f} (95 % interval {low:.2f} to "
            f"{high:.2f}) between halves without a common row; 1 is always the same, 0 "
            "is random."
        )
        lines += _describe_null(summary)
    bound = summary["expected_false_selections"]
    if not isnan(bound):
        lines.append(f"Expected to be kept by mistake: at most {bound:.2g}.")
    return lines


def _describe_null(summary: dict[str, Any]) -> list[str]:
    low, high = summary["null_interval"]
    if isnan(low):
        return []
    more = "more" if summary["stability"] > high else "no more"
    return [
        f"With {summary['n_permutations']} permuted targets it is "
        f"{summary['null_stability']:.2f} (95 % of them {low:.2f} to {high:.2f}): "
        f"these selections agree {more} than those of noise.",
        f"No column was found on more than {summary['max_null_frequency']:.0%} with "
        f"any of them; {summary['n_kept_beyond_null']} of the {summary['n_kept']} kept "
        "columns were found more often.",
    ]


def _remark(row: Any, compared: bool, suspects: dict[str, str]) -> str:
    """Format what there is to say about a column."""
    remarks = ["kept"] if row.kept else []
    if row.kept and compared and not row.beyond_null:
        remarks.append("not beyond noise")
    if row.column in suspects:
        remarks.append("a row counter?")
    return ", ".join(remarks)
