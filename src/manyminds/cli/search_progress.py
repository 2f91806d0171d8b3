"""The progress bar of a search: time left, trials, and the best score so far."""

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import typer
from rich.console import RenderableType
from rich.progress import BarColumn, Progress, TextColumn

from manyminds.cli.console import SafeConsole, shown
from manyminds.cli.stopping import stop_code

if TYPE_CHECKING:
    from manyminds.workflows import SearchStatus


class _ClockProgress(Progress):
    """A bar that moves with the clock if there is a budget of time."""

    def get_renderables(self) -> Iterable[RenderableType]:
        """Set the bar and the time left before they are drawn."""
        for task in self.tasks:
            budget = task.fields["budget"]
            if budget is not None:
                spent = (task.elapsed or 0.0) - task.fields["offset"]
                task.total, task.completed = budget, min(spent, budget)
                left = timedelta(seconds=round(max(0.0, budget - spent)))
                task.fields["left"] = f"{left} left" if left else "fitting the model"
        yield from super().get_renderables()


@contextmanager
def show_search(title: str) -> Iterator[Callable[["SearchStatus"], None]]:
    """Show time left and best score on standard error, if it is a terminal.

    Parameters
    ----------
    title : str

    Yields
    ------
    update : callable
        Takes a `SearchStatus`.
    """
    console = SafeConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[status]}", markup=False),
    )
    bar = _ClockProgress(
        *columns, console=console, disable=not sys.stderr.isatty(), transient=True
    )
    task = bar.add_task(title, total=None, budget=None, offset=0.0, left="", status="")

    def update(state: "SearchStatus") -> None:
        if state.is_compiling:
            console.print(
                "Compiling, once after an installation; the budget does not count it."
            )
            return
        bar.update(task, status=_format_status(state))
        if state.budget is not None:  # counted from the start of the search
            offset = max(0.0, (bar.tasks[0].elapsed or 0.0) - state.seconds)
            bar.update(task, budget=state.budget, offset=offset)
        elif state.n_trials is not None:
            left = f"of {state.n_trials}"
            bar.update(task, total=state.n_trials, completed=state.n_done, left=left)

    try:
        with shown(bar):
            yield update
    except KeyboardInterrupt:
        console.print("Stopped. Trials are stored: --resume continues the search.")
        raise typer.Exit(stop_code()) from None


def _format_status(state: "SearchStatus") -> str:
    from manyminds.reports.shared.formatting import format_value

    text = f"{state.n_done} trial{'s' if state.n_done != 1 else ''}"
    if math.isfinite(state.best):
        text += f", best {state.metric} {format_value(state.best)}"
    return text
