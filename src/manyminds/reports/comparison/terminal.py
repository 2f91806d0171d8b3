"""Show a summary in a terminal."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from manyminds.reports.comparison.parts import Cell, ComparisonSummary
from manyminds.reports.comparison.words import describe_tests, say_score, say_time

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_ERROR = 160


def print_summary(summary: ComparisonSummary, console: "Console") -> None:
    """Print means, ranks, tests in words, and what went wrong.

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
    console.print(_list_methods(summary, starred) if one else _cross(summary, starred))
    _say(console, _explain(summary, bool(starred)), style="dim")
    for sentence in describe_tests(summary):
        _say(console, sentence)
    for sentence in summary.not_computed:
        _say(console, sentence, style="dim")
    _print_failures(summary, console)


def _list_methods(summary: ComparisonSummary, starred: set[tuple[str, str]]) -> Table:
    """Make the table of one data set: a line per method, the best first."""
    table = Table(title=f"{summary.datasets[0]}, {summary.metric}", title_style="bold")
    table.add_column("method", overflow="fold")
    for name in (summary.metric, "rank", "a fold takes"):
        table.add_column(name, justify="right")
    largest = _largest(summary.cells)
    for cell in sorted(summary.cells, key=lambda c: c.rank or len(summary.cells) + 1.0):
        score = _show_score(cell, largest, (cell.dataset, cell.method) in starred)
        rank = "" if cell.rank is None else f"{cell.rank:g}"
        table.add_row(Text(cell.method), score, rank, say_time(cell.seconds))
    return table


def _cross(summary: ComparisonSummary, starred: set[tuple[str, str]]) -> Table:
    """Make the table of several data sets: a line per data set, mean ranks below."""
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
    text = say_score(cell.mean, cell.sd, largest) + ("*" if starred else "")
    if cell.mean is None:
        return Text(text, style="red")
    return Text(text, style="bold green" if cell.best else "")


def _largest(cells: "tuple[Cell, ...] | list[Cell]") -> float:
    return max((abs(c.mean) for c in cells if c.mean is not None), default=0.0)


def _explain(summary: ComparisonSummary, starred: bool) -> str:
    better = "more" if summary.higher_is_better else "less"
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
        if len(error) > LONGEST_ERROR:
            error = error[:LONGEST_ERROR] + " ..."
        start = f"{one.method} failed {one.n_failed} of {one.n_folds} folds"
        _say(console, f"{start} on {one.dataset}: {error}", style="red")
    for name, reason in summary.missing.items():
        _say(console, f"{name} could not be had: {reason}", style="red")


def _say(console: "Console", text: str, style: str = "") -> None:
    console.print(Text(text, style=style))
