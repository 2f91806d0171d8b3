"""Show a summary of a table in a terminal."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from manyminds.reports.data.page import say_number
from manyminds.reports.data.parts import ColumnSummary, DataSummary

if TYPE_CHECKING:
    from rich.console import Console

MAX_COLUMNS = 30
MAX_CLASSES = 20


def print_data_summary(summary: DataSummary, console: "Console") -> None:
    """Print columns, target, complexity and notes.

    Parameters
    ----------
    summary : DataSummary
    console : rich Console
        Where to print.
    """
    gaps = summary.n_missing / max(summary.n_rows * summary.n_columns, 1)
    facts = f"{summary.n_rows:,} rows, {summary.n_columns:,} columns"
    told = f"{facts}, {gaps:.1%} of the cells missing"
    if summary.n_duplicates:
        told += f", {summary.n_duplicates:,} repeated rows"
    console.print(Text(f"{summary.name}: {told}", style="bold"))
    console.print(_list_target(summary))
    if summary.columns:
        console.print(_list_columns(summary))
    if summary.score is not None:
        together = f"All columns together explain {summary.score:.1%} of the target"
        _say(console, f"{together}, by a linear fit, adjusted for their number.")
    _print_complexity(summary, console)
    for note in summary.notes:
        _say(console, note, "yellow")


def _list_target(summary: DataSummary) -> Table:
    target = summary.target
    if target.quantiles:
        table = _new_table("target", *target.quantiles)
        table.add_row("numbers", *map(say_number, target.quantiles.values()))
        return table
    found = summary.complexity
    table = _new_table(
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
    """Make the table of columns: those with the highest scores, then odd ones."""
    ranked = summary.ranked
    odd = [one for one in summary.columns if one.score is None]
    shown = [*ranked, *odd][:MAX_COLUMNS]
    left_out = len(summary.columns) - len(shown)
    more = f", {left_out:,} more are not shown" if left_out else ""
    table = _new_table("column", "kind", "missing", "distinct", "values", "explains")
    table.title = f"Columns, those that explain most first{more}"
    table.add_column("")
    for one in shown:
        score = "" if one.score is None else f"{one.score:.1%}"
        missing = f"{one.n_missing / summary.n_rows:.1%}" if one.n_missing else ""
        table.add_row(
            Text(one.name),
            one.kind,
            missing,
            f"{one.n_distinct:,}",
            Text(_say_values(one)),
            score,
            Text("; ".join(one.notes), style="yellow"),
        )
    return table


def _say_values(one: ColumnSummary) -> str:
    if one.low is not None and one.high is not None:
        return f"{say_number(one.low)} to {say_number(one.high)}"
    return "" if one.most_frequent is None else f"mostly {one.most_frequent}"


def _print_complexity(summary: DataSummary, console: "Console") -> None:
    found = summary.complexity
    if found is None:
        return
    _say(console, f"Mean complexity (MRI): {found.mri:.2f}; 0 is easy, 1 is hard.")
    table = _new_table("cluster", "rows", "share", "MRI")
    for number, cluster in enumerate(found.clusters, start=1):
        share = f"{cluster.n_rows / found.n_rows:.1%}"
        table.add_row(str(number), f"{cluster.n_rows:,}", share, f"{cluster.mri:.2f}")
    console.print(table)
    rows = ", ".join(f"{r.row} ({r.label}, {r.mri:.2f})" for r in found.hardest)
    _say(console, f"Hardest rows, the first of the table being 1: {rows}.")


def _new_table(first: str, *others: str) -> Table:
    table = Table(title_justify="left", title_style="bold")
    table.add_column(first, overflow="fold")
    for name in others:
        left = name in ("kind", "values")
        table.add_column(name, justify="left" if left else "right", overflow="fold")
    return table


def _say(console: "Console", text: str, style: str = "") -> None:
    console.print(Text(text, style=style))
