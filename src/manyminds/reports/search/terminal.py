"""Print the results of a search in a terminal."""

from math import isnan
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from manyminds.reports.search.sentences import (
    describe_coverage,
    describe_decisions,
    describe_folds,
    describe_honest_score,
    describe_importance,
    describe_model,
    describe_naive_score,
    describe_one_class,
    describe_selected_columns,
    describe_trials,
)
from manyminds.reports.search.summary_types import SearchSummary
from manyminds.reports.shared.formatting import format_value
from manyminds.utils.text import format_count

if TYPE_CHECKING:
    from rich.console import Console

N_SHOWN = 10
N_FEATURES = 20
N_LABELS = 30


def print_search_summary(
    summary: SearchSummary, console: "Console", n_shown: int = N_SHOWN
) -> None:
    """Print scores, the best pipelines, the committee and the selected columns.

    Parameters
    ----------
    summary : SearchSummary
    console : rich Console
        Where to print.
    n_shown : int, default=10
        Pipelines of the leaderboard.
    """
    table = summary.table
    columns = format_count(table.n_columns, "column")
    facts = f"{table.n_rows:,} rows, {columns}, {summary.task}"
    console.print(Text(f"{table.name}: {facts}", style="bold"))
    if (folds := describe_folds(summary)) != f"{summary.n_folds} folds":
        console.print(Text(f"Validated by {folds}."))
    console.print(Text(describe_honest_score(summary), style="bold green"))
    console.print(Text(describe_naive_score(summary)))
    console.print(_list_pipelines(summary, n_shown))
    console.print(Text(describe_model(summary)))
    if summary.members:
        console.print(_list_members(summary))
    if summary.labels:
        console.print(_list_labels(summary))
    console.print(Text(describe_selected_columns(summary)))
    if summary.stability is not None and summary.selection:
        shown = summary.selection[:N_FEATURES]
        more = summary.n_selected - len(shown)
        names = ", ".join(f"{one.feature} ({one.frequency:.0%})" for one in shown)
        console.print(Text(f"{names}{f' and {more:,} more' if more else ''}."))
    for describe in (describe_decisions, describe_importance, describe_coverage):
        if text := describe(summary):
            console.print(Text(text))
    if one_class := describe_one_class(summary):
        console.print(Text(f"Warning: {one_class}", style="yellow"))
    console.print(Text(describe_trials(summary), style="dim"))


def _list_pipelines(summary: SearchSummary, n_shown: int) -> Table:
    table = Table(title=f"Best pipelines by {summary.metric}", title_justify="left")
    table.title_style = "bold"
    for name in ("rank", summary.metric, "interval", "seconds"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("pipeline", overflow="fold")
    for row in summary.leaderboard[:n_shown]:
        interval = f"{format_value(row.low)} to {format_value(row.high)}"
        interval = "–" if isnan(row.low) else interval  # of one fold
        score, seconds = format_value(row.score), f"{row.seconds:.1f}"
        table.add_row(str(row.rank), score, interval, seconds, Text(row.pipeline))
    return table


def _list_labels(summary: SearchSummary) -> Table:
    table = Table(title="Labels, out of fold", title_justify="left")
    table.title_style = "bold"
    table.add_column("label", overflow="fold")
    for name in ("rows", "predicted", "precision", "recall", "F1", "AUC"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in summary.labels[:N_LABELS]:
        values = row.precision, row.recall, row.f1, row.area
        counts = f"{row.n_rows:,}", f"{row.n_predicted:,}"
        table.add_row(Text(row.label), *counts, *map(format_value, values))
    if len(summary.labels) > N_LABELS:
        table.caption = f"and {len(summary.labels) - N_LABELS} more, in search.json"
    return table


def _list_members(summary: SearchSummary) -> Table:
    table = Table(title="Committee", title_justify="left", title_style="bold")
    table.add_column("share", justify="right")
    table.add_column("pipeline", overflow="fold")
    for member in sorted(summary.members, key=lambda one: -one.weight):
        table.add_row(f"{member.weight:.0%}", Text(member.pipeline))
    return table
