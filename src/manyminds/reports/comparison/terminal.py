"""Print a comparison in a terminal."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from manyminds.reports.comparison.sentences import describe_tests
from manyminds.reports.comparison.summary_types import Cell, ComparisonSummary
from manyminds.reports.shared.formatting import format_score, format_time
from manyminds.reports.shared.terminal import print_line

if TYPE_CHECKING:
    from rich.console import Console

MAX_ERROR_LENGTH = 160


def print_summary(summary: ComparisonSummary, console: "Console") -> None:
    """Print means, ranks, test results and failures.

    Parameters
    ----------
    summary : ComparisonSummary
    console : rich Console
        Where to print.
    """
    starred = {
        (test.dataset, test.method)
        for test in summary.against_best
        if test.adjusted_p_value <= summary.alpha
    }
    one = len(summary.datasets) == 1
    console.print(
        _list_methods(summary, starred) if one else _list_datasets(summary, starred)
    )
    print_line(console, _explain(summary, bool(starred)), style="dim")
    for sentence in describe_tests(summary):
        print_line(console, sentence)
    for sentence in summary.not_computed:
        print_line(console, sentence, style="dim")
    _print_failures(summary, console)


def _list_methods(summary: ComparisonSummary, starred: set[tuple[str, str]]) -> Table:
    """Return the table of one data set: a row per method, the best first."""
    table = Table(title=f"{summary.datasets[0]}, {summary.metric}", title_style="bold")
    table.add_column("method", overflow="fold")
    for name in (summary.metric, "rank", "time per fold"):
        table.add_column(name, justify="right")
    largest = _largest(summary.cells)
    for cell in sorted(summary.cells, key=lambda c: c.rank or len(summary.cells) + 1.0):
        score = _show_score(cell, largest, (cell.dataset, cell.method) in starred)
        rank = "" if cell.rank is None else f"{cell.rank:g}"
        table.add_row(Text(cell.method), score, rank, format_time(cell.seconds))
    return table


def _list_datasets(summary: ComparisonSummary, starred: set[tuple[str, str]]) -> Table:
    """Return the table of several data sets: a row per data set, mean ranks below."""
    cells = {(cell.dataset, cell.method): cell for cell in summary.cells}
    table = Table(title=summary.metric, title_style="bold", show_footer=True)
    ranks = summary.average_ranks
    table.add_column("data set", footer="mean rank" if ranks else "", overflow="fold")
    for method in summary.methods:
        footer = f"{ranks[method]:.2f}" if method in ranks else ""
        table.add_column(Text(method), footer, justify="right", overflow="fold")
    for name in summary.datasets:
        row = [cells.get((name, method)) for method in summary.methods]
        largest = _largest([cell for cell in row if cell is not None])
        shown = [
            _show_score(cell, largest, (name, method) in starred)
            for cell, method in zip(row, summary.methods)
        ]
        table.add_row(Text(name), *shown)
    return table


def _show_score(cell: Cell | None, largest: float, starred: bool) -> Text:
    if cell is None:
        return Text("")
    text = format_score(cell.mean, cell.std, largest) + ("*" if starred else "")
    if cell.mean is None:
        return Text(text, style="red")
    return Text(text, style="bold green" if cell.best else "")


def _largest(cells: "tuple[Cell, ...] | list[Cell]") -> float:
    return max((abs(c.mean) for c in cells if c.mean is not None), default=0.0)


def _explain(summary: ComparisonSummary, starred: bool) -> str:
    better = "higher" if summary.higher_is_better else "lower"
    text = f"Mean ± standard deviation of the folds; {better} is better."
    if starred:
        text += (
            " * significantly worse than the best of its data set (corrected resampled "
            f"t-test, Holm, {summary.alpha:g})."
        )
    return text


def _print_failures(summary: ComparisonSummary, console: "Console") -> None:
    for one in summary.failures:
        error = " ".join(one.error.split())
        if len(error) > MAX_ERROR_LENGTH:
            error = error[:MAX_ERROR_LENGTH] + " ..."
        start = f"{one.method} failed {one.n_failed} of {one.n_folds} folds"
        print_line(console, f"{start} on {one.dataset}: {error}", style="red")
    for name, reason in summary.missing.items():
        print_line(console, f"{name} could not be loaded: {reason}", style="red")
