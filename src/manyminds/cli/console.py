"""What all commands share: console, progress, JSON and common options."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.segment import Segment
from rich.text import Text

from manyminds.cli.stopping import stop_code

if TYPE_CHECKING:  # it imports scikit-learn, which would slow down --help
    from manyminds.experiments import Progress as RunProgress

DEFAULT_STORE = "manyminds.sqlite"
FILE_WIDTH = 160  # of output that goes to a file or a pipe

StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="MANYMINDS_STORE",
        help="Where records are stored: a SQLite file, or postgresql://... "
        "A second run computes only what is missing there.",
    ),
]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        help="Number of processes, each with a fold; -1 for all cores.",
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option(  # known to options that print and exit, wherever it stands
        "--json", help="Print the result as JSON and nothing else.", is_eager=True
    ),
]


class SafeConsole(Console):
    """A console on which names of columns and classes cannot control the terminal.

    Control characters in names are escaped, as `manyminds.utils.text.printable` does.
    """

    def render_str(self, text: str, **options: Any) -> Text:
        """Escape a text before its width is measured."""
        return super().render_str(make_safe(text), **options)

    def render(self, *arguments: Any, **options: Any) -> Iterator[Segment]:
        """Escape texts that were made elsewhere, too."""
        for piece in super().render(*arguments, **options):
            safe = piece.text if piece.control else make_safe(piece.text)
            yield piece if safe == piece.text else Segment(safe, piece.style)


@contextmanager
def shown(bar: Progress) -> Iterator[None]:
    """Show a bar while something runs.

    Where it is disabled, older versions of rich would print an empty line at its end.
    """
    if bar.disable:
        yield
        return
    with bar:
        yield


@contextmanager
def show_progress(title: str) -> Iterator[Callable[["RunProgress"], None]]:
    """Show a progress bar with the time left on standard error, if it is a terminal.

    Ctrl-C ends the command with a message and exit code 130, SIGTERM with 143 and
    SIGHUP with 129.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),  # without a total until it is known
        TextColumn("{task.fields[left]}"),
    )
    console = SafeConsole(stderr=True)
    bar = Progress(
        *columns, console=console, disable=not sys.stderr.isatty(), transient=True
    )
    task = bar.add_task(title, total=None, count="", left="")

    def update(state: "RunProgress") -> None:
        bar.update(
            task,
            completed=state.done,
            total=state.total,
            count=f"{state.done}/{state.total}",
            left=_format_left(state),
        )

    try:
        with shown(bar):
            yield update
    except KeyboardInterrupt:
        console.print("Stopped. Results are stored: run the command again to continue.")
        raise typer.Exit(stop_code()) from None


@contextmanager
def show_work(title: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner on standard error, if it is a terminal.

    Yields a function that sets the name of the current step. Ctrl-C ends the command
    with exit code 130.
    """
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = SafeConsole(stderr=True)
    bar = Progress(
        *columns, console=console, disable=not sys.stderr.isatty(), transient=True
    )
    task = bar.add_task(title, total=None)
    try:
        with shown(bar):
            yield lambda step: bar.update(task, description=f"{title}: {step}")
    except KeyboardInterrupt:
        console.print("Stopped.")
        raise typer.Exit(stop_code()) from None


def print_files(console: Console, files: Sequence[Path]) -> None:
    """Print which files were written, if any."""
    if files:
        text = f"Written: {', '.join(str(file) for file in files)}"
        console.print(text, style="dim", markup=False, highlight=False)


def make_console() -> Console:
    """Return a console as wide as the terminal, or wide if there is none."""
    console = SafeConsole()
    return console if console.is_terminal else SafeConsole(width=FILE_WIDTH)


def print_json(content: Any) -> None:
    """Print plain values as JSON."""
    text = json.dumps(content, indent=2, ensure_ascii=False, default=str)
    # JSON escapes control characters of ASCII, but not the others.
    typer.echo(re.sub("[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text))


def make_safe(text: str) -> str:
    """Escape control characters, but not ends of lines and tabs."""
    if text.replace("\n", "").isprintable():
        return text
    from manyminds.utils.text import printable  # slow, and rarely needed

    return printable(text, keep="\n\t")


def _format_left(state: "RunProgress") -> str:
    failed = f", {state.failed} failed" if state.failed else ""
    if state.remaining is None:
        return f"{state.latest}{failed}"
    left = timedelta(seconds=round(state.remaining))
    return f"{left} left{failed}: {state.latest}"
