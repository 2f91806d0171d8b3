"""What the commands share: the bar that shows progress, and the common options."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.segment import Segment
from rich.text import Text

from manyminds.cli.stopping import stop_code

if TYPE_CHECKING:  # scikit-learn comes with it, too slowly for a line of help
    from manyminds.experiments import Progress as RunProgress

DEFAULT_STORE = "manyminds.sqlite"
WIDTH_OF_A_FILE = 160  # nothing to wrap at where nobody is looking

StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="MANYMINDS_STORE",
        help="Where records are kept: a file for SQLite, or postgresql://... "
        "A second run does only what is missing there.",
    ),
]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        help="Folds done at the same time, each in a process; -1 for all cores.",
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print the result as JSON and nothing else."),
]


class SafeConsole(Console):
    """A console on which names of columns and classes cannot steer the terminal.

    What is printed may hold text of any table: control characters in it are shown in
    letters, as `manyminds.utils.text.printable` writes them.
    """

    def render_str(self, text: str, **options: Any) -> Text:
        """Turn a text into what is laid out: here its width is still to be measured."""
        return super().render_str(_make_safe(text), **options)

    def render(self, *arguments: Any, **options: Any) -> Iterator[Segment]:
        """Lay out what is to be printed; texts that others have made are safe, too."""
        for piece in super().render(*arguments, **options):
            safe = piece.text if piece.control else _make_safe(piece.text)
            yield piece if safe == piece.text else Segment(safe, piece.style)


@contextmanager
def show_progress(title: str) -> Iterator[Callable[["RunProgress"], None]]:
    """Show a bar with the time left on standard error, where a person is looking.

    Ctrl-C ends the command with a word on what becomes of the work, and exit code 130;
    so do SIGTERM with 143 and SIGHUP with 129.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TextColumn("{task.fields[left]}"),
    )
    console = SafeConsole(stderr=True)
    bar = Progress(
        *columns, console=console, disable=not sys.stderr.isatty(), transient=True
    )
    task = bar.add_task(title, total=None, left="")

    def update(state: "RunProgress") -> None:
        bar.update(
            task, completed=state.done, total=state.total, left=_tell_left(state)
        )

    try:
        with bar:
            yield update
    except KeyboardInterrupt:
        console.print("Stopped. What was done is kept: run the command again to go on.")
        raise typer.Exit(stop_code()) from None


def make_console() -> Console:
    """Return a console that wraps at the terminal's width, or hardly where it is none."""
    console = SafeConsole()
    return console if console.is_terminal else SafeConsole(width=WIDTH_OF_A_FILE)


def print_json(content: Any) -> None:
    """Write plain values to standard output as JSON."""
    text = json.dumps(content, indent=2, ensure_ascii=False, default=str)
    # JSON escapes the control characters of ASCII, but not those beyond.
    typer.echo(re.sub("[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text))


def _make_safe(text: str) -> str:
    if text.replace("\n", "").isprintable():
        return text
    from manyminds.utils.text import printable  # slow, and rarely needed

    return printable(text, keep="\n\t")


def _tell_left(state: "RunProgress") -> str:
    failed = f", {state.failed} failed" if state.failed else ""
    if state.remaining is None:
        return f"{state.latest}{failed}"
    left = timedelta(seconds=round(state.remaining))
    return f"{left} left{failed}: {state.latest}"
