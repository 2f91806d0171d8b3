"""Print the summary of a table in a terminal."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from manyminds.reports.data.summary_types import ColumnSummary, DataSummary
from manyminds.reports.shared.formatting import format_number
from manyminds.reports.shared.terminal import new_table, print_line
from manyminds.utils.text import format_count

if TYPE_CHECKING:
    from rich.console import Console

MAX_COLUMNS = 30
MAX_CLASSES = 20


def print_data_summary(summary: DataSummary, console: "Console") -> None:
    """Print columns, target, complexity, pitfalls and notes.

    Parameters
    ----------
    summary : DataSummary
    console : rich Console
        Where to print.
    """
    missing = summary.n_missing / max(summary.n_rows * summary.n_columns, 1)
    facts = f"{summary.n_rows:,} rows, {format_count(summary.n_columns, 'column')}"
    line = f"{facts}, {missing:.1%} of the cells missing"
    if summary.n_duplicates:
        line += f", {summary.n_duplicates:,} duplicate rows"
    console.print(Text(f"{summary.name}: {line}", style="bold"))
    console.print(_list_target(summary))
    if summary.columns:
        console.print(_list_columns(summary))
    if summary.score is not None:
        together = f"All columns together explain {summary.score:.1%} of the target"
        print_line(console, f"{together}, by a linear fit, adjusted for their number.")
    _print_complexity(summary, console)
    for pitfall in summary.pitfalls:
        print_line(console, f"Warning: {pitfall.command}", "yellow")
    for note in summary.notes:
        print_line(console, note, "yellow")


def _list_target(summary: DataSummary) -> Table:
    target = summary.target
    if target.quantiles:
        table = new_table("target", *target.quantiles)
        table.add_row("numbers", *map(format_number, target.quantiles.values()))
        return table
    found = summary.complexity
    table = new_table(
        "label" if target.task == "multilabel" else "class",
        "rows",
        "share",
        *(["complexity (MRI)"] if found else []),
    )
    left_out = len(target.counts) - MAX_CLASSES
    if left_out > 0:
        table.caption = f"The {MAX_CLASSES} most frequent; {left_out:,} more not shown"
    for name, count in list(target.counts.items())[:MAX_CLASSES]:
        hard = [f"{found.by_class[name]:.2f}"] if found else []
        share = count / summary.n_rows
        table.add_row(Text(name), f"{count:,}", f"{share:.1%}", *hard)
    return table


def _list_columns(summary: DataSummary) -> Table:
    """Return the table of columns: by score, then those without a score."""
    ranked = summary.ranked
    others = [one for one in summary.columns if one.score is None]
    shown = [*ranked, *others][:MAX_COLUMNS]
    left_out = len(summary.columns) - len(shown)
    more = f", {left_out:,} more are not shown" if left_out else ""
    table = new_table(
        *("column", "dtype", "missing", "distinct", "values", "explains"),
        title=f"Columns, by the share of the target that they explain{more}",
        left=("dtype", "values"),
    )
    table.add_column("")
    for one in shown:
        score = "" if one.score is None else f"{one.score:.1%}"
        missing = f"{one.n_missing / summary.n_rows:.1%}" if one.n_missing else ""
        table.add_row(
            Text(one.name),
            one.kind,
            missing,
            f"{one.n_distinct:,}",
            Text(_format_values(one)),
            score,
            Text("; ".join(one.notes), style="yellow"),
        )
    return table


def _format_values(one: ColumnSummary) -> str:
    if one.low is not None and one.high is not None:
        return f"{format_number(one.low)} to {format_number(one.high)}"
    return "" if one.most_frequent is None else f"mostly {one.most_frequent}"


def _print_complexity(summary: DataSummary, console: "Console") -> None:
    found = summary.complexity
    if found is None:
        return
    error = f" (standard error {found.mri_std_error:.4f}, of {found.n_rows:,} rows)"
    mean = f"{found.mri:.2f}{error if found.n_rows < summary.n_rows else ''}"
    print_line(console, f"Mean complexity (MRI): {mean}; 0 is easy, 1 is hard.")
    table = new_table("cluster", "rows", "share", "MRI")
    for number, cluster in enumerate(found.clusters, start=1):
        share = f"{cluster.n_rows / found.n_rows:.1%}"
        table.add_row(str(number), f"{cluster.n_rows:,}", share, f"{cluster.mri:.2f}")
    console.print(table)
    rows = ", ".join(f"{r.row} ({r.label}, {r.mri:.2f})" for r in found.hardest)
    print_line(console, f"Hardest rows, the first of the table being 1: {rows}.")
