"""The bar that shows how far a search is, and how good the best chain is so far."""

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import typer
from rich.console import RenderableType
from rich.progress import BarColumn, Progress, TextColumn

from manyminds.cli.console import SafeConsole
from manyminds.cli.stopping import stop_code
from manyminds.reports.search.words import say_value

if TYPE_CHECKING:
    from manyminds.search.study.trial_record import SearchProgress


class _ClockProgress(Progress):
    """A bar that moves with the clock where a budget of time is given."""

    def get_renderables(self) -> Iterable[RenderableType]:
        """Set the bar and the time left before they are drawn."""
        for task in self.tasks:
            budget = task.fields["budget"]
            if budget is not None:
                spent = task.elapsed or 0.0
                task.completed = min(spent, budget)
                left = timedelta(seconds=round(max(0.0, budget - spent)))
                task.fields["left"] = f"{left} left" if left else "fitting the choice"
        yield from super().get_renderables()


@contextmanager
def show_search(
    title: str,
    budget: float | None,
    n_trials: int | None,
    metric: str,
    show: Callable[[float], float],
) -> Iterator[Callable[["SearchProgress"], None]]:
    """Show time left and best score on standard error, where a person is looking.

    Parameters
    ----------
    title : str
    budget : float or None
        Seconds, if they are limited.
    n_trials : int or None
        Number of trials, if it is.
    metric : str
    show : callable
        Turns a score into what people read.

    Yields
    ------
    update : callable
        Takes a `SearchProgress`.
    """
    console = SafeConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[said]}", markup=False),
    )
    bar = _ClockProgress(
        *columns, console=console, disable=not sys.stderr.isatty(), transient=True
    )
    total = budget if budget is not None else n_trials
    task = bar.add_task(title, total=total, budget=budget, left="", said="")

    def update(state: "SearchProgress") -> None:
        if state.is_compiling:
            console.print(
                "Compiling, once after an installation; the budget does not count it."
            )
            return
        if budget is not None:  # counted from where the search began
            late = (bar.tasks[0].elapsed or 0.0) - state.seconds
            bar.update(task, budget=budget + max(0.0, late))
        said = f"{state.n_done} chain{'s' if state.n_done != 1 else ''}"
        if math.isfinite(state.best):
            said += f", best {metric} {say_value(show(state.best))}"
        bar.update(task, said=said)
        if budget is None:
            bar.update(task, completed=state.n_done, left=f"of {n_trials}")

    try:
        with bar:
            yield update
    except KeyboardInterrupt:
        console.print("Stopped. What was tried is kept: --resume goes on with it.")
        raise typer.Exit(stop_code()) from None
